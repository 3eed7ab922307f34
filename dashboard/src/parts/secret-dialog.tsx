import { Button, Group, Modal, Stack } from '@mantine/core';
import { CopyField } from './copy-field.tsx';

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  /** Where it belongs. */
  readonly advice: string;
  onClose(): void;
}

/** A secret, this once. A click beside the dialog does not close it: what is gone is gone. */
export function SecretDialog({ title, secret, advice, onClose }: SecretDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <p>This is the only time that the secret is shown. {advice}</p>
        <CopyField text={secret} label="Secret" />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
