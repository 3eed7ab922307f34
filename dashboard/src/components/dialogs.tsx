import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ActionError } from './page.tsx';
import { CopyField } from './text-box.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The button's text: a verb. */
  readonly confirm: string;
  readonly danger?: boolean;
  /** Text that the user must type before the button is enabled; absent if the button alone confirms. */
  readonly typed?: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation before an irreversible action, and shows its error. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, danger = false, typed, isPending, error, onConfirm, onClose } = props;
  const [text, setText] = useState('');
  const mayConfirm = typed === undefined || text.trim() === typed;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (mayConfirm) onConfirm();
  }

  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <div>{children}</div>
          {typed === undefined ? null : (
            <TextInput
              label={`Type “${typed}” to confirm`}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <ActionError error={error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" {...(danger ? { color: 'red' } : {})} loading={isPending} disabled={!mayConfirm}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  /** Where to store it. */
  readonly advice: string;
  /** What to do with it. */
  readonly children?: ReactNode;
  onClose(): void;
}

/** Shows a secret once. A click outside does not close the dialog, because the secret cannot be shown again. */
export function SecretDialog({ title, secret, advice, children, onClose }: SecretDialogProps) {
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
        <p>The secret is shown only now. {advice}</p>
        <CopyField text={secret} label="Secret" />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>I have stored it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const GRACES = [
  { value: '0', label: 'No time: it stops working now' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

export const DEFAULT_GRACE_SECONDS = 86_400;

interface GraceSelectProps {
  readonly seconds: number;
  onChange(seconds: number): void;
}

/** How long the old secret stays valid after the rotation. */
export function GraceSelect({ seconds, onChange }: GraceSelectProps) {
  return (
    <NativeSelect
      label="The old secret stays valid for"
      data={GRACES}
      value={String(seconds)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}
