import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ActionError } from './states.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** What the button says: the deed. */
  readonly confirm: string;
  readonly danger?: boolean;
  /** A text that must be typed first; without it the button alone confirms. */
  readonly typed?: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  onConfirm(): void;
  onClose(): void;
}

/** Asks once more before something that cannot be taken back, and shows what came of it. */
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
