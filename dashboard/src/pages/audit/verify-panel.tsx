import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { retrying } from '../../api/retrying.ts';
import type { AuditList } from '../../api/types.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { formatExact } from '../../parts/format.ts';
import { Panel } from '../../parts/page.tsx';
import { ActionError } from '../../parts/states.tsx';
import { type Anchor, readAnchor, type VerifyProgress, verifyLog } from './verify-log.ts';

export const AUDIT_PATH = '/v1/admin/audit';
const PAGE_SIZE = 100;
const MAX_SHOWN_FAULTS = 20;

/** Reads the whole log and says whether it is as it was written. */
export function VerifyPanel() {
  const [text, setText] = useState('');
  const [progress, setProgress] = useState<VerifyProgress>();
  const abort = useRef(new AbortController());
  useEffect(() => {
    abort.current = new AbortController();
    return () => abort.current.abort();
  }, []);
  const anchor = readAnchor(text);
  const isWrong = text.trim() !== '' && anchor === undefined;
  const canHash = window.isSecureContext;

  const verifying = useMutation({
    mutationFn: async (wanted: Anchor | undefined) => {
      const { signal } = abort.current;
      setProgress(undefined);
      for await (const told of verifyLog(readPages(signal), wanted, Date.now())) {
        if (signal.aborted) return;
        setProgress({ ...told, faults: [...told.faults] });
      }
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isWrong) verifying.mutate(anchor);
  }

  return (
    <Panel title="Verification" note="Every record is read, and every hash reckoned in this browser">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Noted down before"
              description="SEQ:HASH of an earlier verification, kept elsewhere; may be empty"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              error={isWrong ? 'This is no SEQ:HASH.' : undefined}
              flex={1}
            />
            <Button type="submit" loading={verifying.isPending} disabled={isWrong || !canHash}>
              Verify
            </Button>
          </Group>
          {canHash ? null : <p>Browsers reckon hashes only on pages that came by https, or from this machine.</p>}
          <div role="status">
            {progress === undefined || progress.isDone ? null : `${formatExact(progress.checked)} records checked…`}
          </div>
          {progress?.isDone === true ? <Verdict progress={progress} /> : null}
          <ActionError error={verifying.error} />
        </Stack>
      </form>
    </Panel>
  );
}

async function* readPages(signal: AbortSignal): AsyncGenerator<AuditList, void> {
  let cursor: string | undefined;
  do {
    const query = { limit: PAGE_SIZE, cursor };
    const page: AuditList = await retrying(() => call('GET', AUDIT_PATH, { query, signal }));
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function Verdict({ progress: { checked, newest, faults } }: { readonly progress: VerifyProgress }) {
  if (newest === undefined && faults.length === 0) return <p role="status">The log is empty.</p>;
  return (
    <Stack gap="sm">
      {faults.length === 0 ? (
        <Alert color="green" title="The chain is whole" role="status">
          {formatExact(checked)} records follow one from the other. Note the newest down elsewhere: it proves later that
          they were there.
        </Alert>
      ) : (
        <Alert color="red" title="The chain is broken" role="alert">
          <ul>
            {faults.slice(0, MAX_SHOWN_FAULTS).map(({ seq, problem }) => (
              <li key={`${seq} ${problem}`}>
                Record {seq}: {problem}
              </li>
            ))}
          </ul>
          {faults.length > MAX_SHOWN_FAULTS ? `and ${formatExact(faults.length - MAX_SHOWN_FAULTS)} more` : null}
        </Alert>
      )}
      {newest === undefined ? null : <CopyField label="The newest record" text={`${newest.seq}:${newest.hash}`} />}
    </Stack>
  );
}
