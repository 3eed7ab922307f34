import { Alert, Button, Drawer, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type AuditList, retrying } from '../../api/client.ts';
import { call } from '../../api/operations.ts';
import { useKeyNames, usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowButton } from '../../components/data-table.tsx';
import { formatExact, formatFullTime, formatShortTime, NOTHING } from '../../components/format.ts';
import { ActionError, Empty, Facts, Page, Panel } from '../../components/page.tsx';
import { QueryBar } from '../../components/query-bar.tsx';
import { CopyField } from '../../components/text-box.tsx';
import { useListQuery } from '../../components/url-state.ts';
import { type Anchor, type AuditEntry, readAnchor, type VerifyProgress, verifyLog } from './verify-log.ts';

const PAGE_SIZE = 100;
/** Changes are few. */
const RANGE = '90d';
const MAX_SHOWN_FAULTS = 20;

export default function AuditPage() {
  const [openSeq, setOpenSeq] = useState<number>();
  const query = useListQuery('listAudit', { defaultRange: RANGE });
  const list = usePagedList('listAudit', { query });
  const isFiltered = Object.keys(query).some((name) => name !== 'from' && name !== 'to');
  const named = list.rows.flatMap(({ actor, target }) => [
    ...(actor.type === 'key' ? [actor.id] : []),
    ...(target.type === 'key' || target.type === 'team' ? [target.id] : []),
  ]);
  const names = useKeyNames(named);
  const open = list.rows.find(({ seq }) => seq === openSeq);
  const columns: readonly Column<AuditEntry>[] = [
    { header: 'No.', widthPx: 68, align: 'end', isWideOnly: true, cell: ({ seq }) => seq },
    {
      header: 'What',
      widthPx: 150,
      grows: 1,
      cell: ({ seq, action }) => <RowButton onClick={() => setOpenSeq(seq)}>{action}</RowButton>,
    },
    { header: 'Who', widthPx: 110, grows: 1, cell: ({ actor }) => <OneLine text={actorName(actor, names)} /> },
    {
      header: 'Target',
      widthPx: 180,
      grows: 1.5,
      isWideOnly: true,
      cell: ({ target }) => <OneLine text={targetName(target, names)} />,
    },
    { header: 'From', widthPx: 130, isWideOnly: true, cell: ({ from }) => <OneLine text={from?.address ?? NOTHING} /> },
    { header: 'When', widthPx: 116, cell: ({ at }) => formatShortTime(at, Date.now()) },
  ];
  return (
    <Page
      docs="security.md"
      title="Audit log"
      intro="Changes by administrators, newest first. Each record contains the hash of the previous one."
      actions={
        <Button variant="default" onClick={list.refresh}>
          Refresh
        </Button>
      }
    >
      <QueryBar
        id="listAudit"
        label="Filter audit records"
        rangeLabel="Changed in"
        defaultRange={RANGE}
        placeholder="Filter by who, action…"
      />
      <DataTable
        isDense
        label="Audit records"
        list={list}
        columns={columns}
        keyOf={({ seq }) => String(seq)}
        empty={
          <Empty title={isFiltered ? 'No records match these filters' : 'No records in this time range'}>
            Choose a longer time range to see older ones.
          </Empty>
        }
      />
      <VerifyPanel />
      {open === undefined ? null : (
        <EntryDrawer
          entry={open}
          actor={actorName(open.actor, names)}
          target={targetName(open.target, names)}
          onClose={() => setOpenSeq(undefined)}
        />
      )}
    </Page>
  );
}

interface Actor {
  readonly type: string;
  readonly id?: string;
  readonly subject?: string;
  readonly email?: string | null;
}

/** A key's name, a person by the identity provider's claims, or the operator for the deployment's credentials. */
function actorName({ type, id, subject, email }: Actor, names: ReadonlyMap<string, string>): string {
  if (type === 'operator') return 'The operator';
  if (type === 'system') return 'The deployment';
  return names.get(id ?? '') ?? id ?? email ?? subject ?? type;
}

/** The kind and id of what was changed, and a key's name. */
function targetName({ type, id }: AuditEntry['target'], names: ReadonlyMap<string, string>): string {
  const name = names.get(id);
  return name === undefined ? `${type} ${id}` : `${type} ${name} (${id})`;
}

interface EntryDrawerProps {
  readonly entry: AuditEntry;
  readonly actor: string;
  readonly target: string;
  onClose(): void;
}

function EntryDrawer({ entry, actor, target, onClose }: EntryDrawerProps) {
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={`${entry.seq}: ${entry.action}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="lg">
        <Facts
          facts={[
            ['Who', actor],
            ['When', formatFullTime(entry.at)],
            ['Target', target],
            ['From', entry.from?.address ?? NOTHING],
            ['Request', entry.from?.requestId ?? NOTHING],
          ]}
        />
        {entry.before === null ? null : <CopyField label="Before" text={JSON.stringify(entry.before, null, 2)} />}
        {entry.after === null ? null : <CopyField label="After" text={JSON.stringify(entry.after, null, 2)} />}
        <CopyField label="Hash" text={entry.hash} />
      </Stack>
    </Drawer>
  );
}

/** Verifies the whole log and reports progress; stops when the page is left. */
function useVerification() {
  const [progress, setProgress] = useState<VerifyProgress>();
  const abort = useRef(new AbortController());
  useEffect(() => {
    abort.current = new AbortController();
    return () => abort.current.abort();
  }, []);
  const verifying = useMutation({
    mutationFn: async (wanted: Anchor | undefined) => {
      const { signal } = abort.current;
      setProgress(undefined);
      for await (const state of verifyLog(readPages(signal), wanted, Date.now())) {
        if (signal.aborted) return;
        setProgress({ ...state, faults: [...state.faults] });
      }
    },
  });
  return { progress, verifying };
}

/** Verifies the log and lists records that were changed, removed or added. */
function VerifyPanel() {
  const [text, setText] = useState('');
  const { progress, verifying } = useVerification();
  const anchor = readAnchor(text);
  const isWrong = text.trim() !== '' && anchor === undefined;
  const canHash = window.isSecureContext;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isWrong) verifying.mutate(anchor);
  }

  return (
    <Panel title="Verification" note="Reads all records and computes their hashes in this browser">
      <form onSubmit={submit}>
        <Stack gap="md">
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Earlier record"
              description="Optional. SEQ:HASH from an earlier verification, stored outside this service"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              error={isWrong ? 'Enter SEQ:HASH, such as 12:9f86…' : undefined}
              flex={1}
            />
            <Button type="submit" loading={verifying.isPending} disabled={isWrong || !canHash}>
              Verify
            </Button>
          </Group>
          {canHash ? null : <p>Verification needs HTTPS or localhost: browsers compute hashes only there.</p>}
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
    const page: AuditList = await retrying(() => call('listAudit', { query, signal }));
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function Verdict({ progress: { checked, newest, faults } }: { readonly progress: VerifyProgress }) {
  if (newest === undefined && faults.length === 0) return <p role="status">The log is empty.</p>;
  return (
    <Stack gap="sm">
      {faults.length === 0 ? (
        <Alert color="green" title="The chain is intact" role="status">
          {formatExact(checked)} records form an unbroken chain. Store the newest record outside this service. A later
          verification with it detects a replaced log.
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
      {newest === undefined ? null : <CopyField label="Newest record" text={`${newest.seq}:${newest.hash}`} />}
    </Stack>
  );
}
