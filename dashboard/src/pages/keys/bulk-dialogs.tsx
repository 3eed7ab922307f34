import { Alert, Button, Group, Modal, Progress, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { KeyView } from '../../api/client.ts';
import { call } from '../../api/operations.ts';
import { ConfirmDialog, DEFAULT_GRACE_SECONDS, GraceSelect } from '../../components/dialogs.tsx';
import { formatExact } from '../../components/format.ts';
import { type EachResult, useEach } from '../../components/run-each.ts';
import { CopyField } from '../../components/text-box.tsx';
import { csvCell } from '../requests/request-csv.ts';
import { useKeysChanged } from './key-dialogs.tsx';

type Chosen = Pick<KeyView, 'id' | 'name'>;

interface BulkDialogProps {
  readonly keys: readonly Chosen[];
  onClose(): void;
}

/** Disables several keys, one after another. */
export function DisableKeysDialog({ keys, onClose }: BulkDialogProps) {
  const changed = useKeysChanged();
  const disabling = useEach(
    ({ id }: Chosen) => call('updateKey', { params: { id }, body: { state: 'disabled' } }),
    async ({ failed }) => {
      await changed();
      if (failed.length === 0) onClose();
    },
  );
  if (disabling.data !== undefined) {
    return <ResultDialog title="Not all keys are disabled" result={disabling.data} onClose={onClose} />;
  }
  return (
    <ConfirmDialog
      title={`Disable ${countOf(keys)}`}
      confirm={`Disable ${countOf(keys)}`}
      danger
      isPending={disabling.isPending}
      error={null}
      onConfirm={() => disabling.mutate(keys)}
      onClose={onClose}
    >
      <Stack gap="md">
        <p>Requests with these keys fail within 30 seconds, until you enable them again.</p>
        <Names keys={keys} />
        <Running isPending={disabling.isPending} count={disabling.count} total={keys.length} />
      </Stack>
    </ConfirmDialog>
  );
}

/** Rotates several keys, and shows the new secrets once. */
export function RotateKeysDialog({ keys, onClose }: BulkDialogProps) {
  const [graceSeconds, setGraceSeconds] = useState(DEFAULT_GRACE_SECONDS);
  const changed = useKeysChanged();
  const rotating = useEach(
    ({ id }: Chosen) => call('rotateKey', { params: { id }, body: { graceSeconds } }),
    () => changed(),
  );
  if (rotating.data !== undefined) {
    const { done } = rotating.data;
    const lines = done.map(([{ id, name }, { key }]) => [name, id, key].map(csvCell).join(','));
    return (
      <ResultDialog
        title={`${countOf(done)} rotated`}
        result={rotating.data}
        isSecret={done.length > 0}
        onClose={onClose}
      >
        {done.length === 0 ? null : (
          <>
            <p>The secrets are shown only now. Store them with those of your applications.</p>
            <CopyField label="New secrets" text={['name,id,secret', ...lines].join('\n')} />
          </>
        )}
      </ResultDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Rotate ${countOf(keys)}`}
      confirm={`Rotate ${countOf(keys)}`}
      isPending={rotating.isPending}
      error={null}
      onConfirm={() => rotating.mutate(keys)}
      onClose={onClose}
    >
      <Stack gap="md">
        <p>Each key gets a new secret and keeps its id, settings and limits.</p>
        <Names keys={keys} />
        <GraceSelect seconds={graceSeconds} onChange={setGraceSeconds} />
        <Running isPending={rotating.isPending} count={rotating.count} total={keys.length} />
      </Stack>
    </ConfirmDialog>
  );
}

function countOf(all: readonly unknown[]): string {
  return `${formatExact(all.length)} ${all.length === 1 ? 'key' : 'keys'}`;
}

const MAX_NAMES = 12;

function Names({ keys }: { readonly keys: readonly Chosen[] }) {
  const more = keys.length - MAX_NAMES;
  const names = keys.slice(0, MAX_NAMES).map(({ name }) => `“${name}”`);
  return (
    <p>
      {names.join(', ')}
      {more > 0 ? ` and ${formatExact(more)} more` : ''}
    </p>
  );
}

interface RunningProps {
  readonly isPending: boolean;
  readonly count: number;
  readonly total: number;
}

function Running({ isPending, count, total }: RunningProps) {
  if (!isPending) return null;
  return <Progress value={(count / total) * 100} aria-label={`${count} of ${total} keys changed`} />;
}

interface ResultDialogProps {
  readonly title: string;
  readonly result: EachResult<Chosen, unknown>;
  /** Whether its content cannot be shown again. */
  readonly isSecret?: boolean;
  readonly children?: ReactNode;
  onClose(): void;
}

function ResultDialog({ title, result: { failed }, isSecret = false, children, onClose }: ResultDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={!isSecret}
      closeOnEscape={!isSecret}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        {children}
        {failed.length === 0 ? null : (
          <Alert color="red" role="alert" title={`${countOf(failed)} unchanged`}>
            <ul>
              {failed.map(([{ id, name }, { message }]) => (
                <li key={id}>
                  {name}: {message}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{isSecret ? 'I have stored them' : 'Close'}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
