import { Button, Drawer, Stack } from '@mantine/core';
import { useState } from 'react';
import { CopyField } from '../../parts/copy-field.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { formatFullTime, formatTime, NOTHING } from '../../parts/format.ts';
import { Facts, Page } from '../../parts/page.tsx';
import { OneLine, RowButton } from '../../parts/row-link.tsx';
import { Empty } from '../../parts/states.tsx';
import { useKeyNames } from '../../parts/use-key-names.ts';
import { usePagedList } from '../../parts/use-paged-list.ts';
import type { AuditEntry } from './verify-log.ts';
import { AUDIT_PATH, VerifyPanel } from './verify-panel.tsx';

/** Keys are looked up for the newest records alone: who they are is nearly always among these. */
const MAX_NAMED_ROWS = 200;

export default function AuditPage() {
  const [openSeq, setOpenSeq] = useState<number>();
  const list = usePagedList<AuditEntry>(AUDIT_PATH, {});
  const named = list.rows.slice(0, MAX_NAMED_ROWS).flatMap(({ actor }) => (actor.type === 'key' ? [actor.id] : []));
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
      header: 'To what',
      widthPx: 180,
      grows: 1.5,
      isWideOnly: true,
      cell: ({ target }) => <OneLine text={`${target.type} ${target.id}`} />,
    },
    { header: 'From', widthPx: 130, isWideOnly: true, cell: ({ from }) => <OneLine text={from?.address ?? NOTHING} /> },
    { header: 'When', widthPx: 142, cell: ({ at }) => formatTime(at) },
  ];
  return (
    <Page
      title="Audit log"
      intro="What administrators did, newest first. Each record holds the hash of the one before."
      actions={
        <Button variant="default" onClick={list.refresh}>
          Refresh
        </Button>
      }
    >
      <VerifyPanel />
      <DataTable
        label="Audit records"
        list={list}
        columns={columns}
        keyOf={({ seq }) => String(seq)}
        empty={<Empty title="Nothing was done yet" />}
      />
      {open === undefined ? null : (
        <EntryDrawer entry={open} actor={actorName(open.actor, names)} onClose={() => setOpenSeq(undefined)} />
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

/** A key by its name, a person by what the identity provider says of him, the deployment's own credentials as the operator. */
function actorName({ type, id, subject, email }: Actor, names: ReadonlyMap<string, string>): string {
  if (type === 'operator') return 'The operator';
  return names.get(id ?? '') ?? id ?? email ?? subject ?? type;
}

interface EntryDrawerProps {
  readonly entry: AuditEntry;
  readonly actor: string;
  onClose(): void;
}

function EntryDrawer({ entry, actor, onClose }: EntryDrawerProps) {
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
            ['To what', `${entry.target.type} ${entry.target.id}`],
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
