import { Button, NativeSelect } from '@mantine/core';
import type { RowOf } from '../../../../functions/contract/index.ts';
import { useKeyNames, usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filters.tsx';
import { formatTime, NOTHING } from '../../components/format.ts';
import { choicesOf } from '../../components/labels.ts';
import { Empty, Page } from '../../components/page.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { ApprovalState, STATE_FILTER } from './approval-parts.tsx';

type Approval = RowOf<'listApprovals'>;

const COLUMNS: readonly Column<Approval>[] = [
  {
    header: 'Tool',
    widthPx: 150,
    grows: 2,
    cell: ({ id, tool }) => <RowLink href={`/approvals/${encodeURIComponent(id)}`}>{tool}</RowLink>,
  },
  { header: 'State', widthPx: 110, cell: ({ state }) => <ApprovalState state={state} /> },
  { header: 'Argument', widthPx: 120, grows: 1, cell: ({ argument }) => <OneLine text={argument ?? NOTHING} /> },
  // Columns on the right are left out first.
  { header: 'Expires', widthPx: 142, isWideOnly: true, cell: ({ expiresAt }) => formatTime(expiresAt) },
  {
    header: 'Key',
    widthPx: 110,
    grows: 1,
    isWideOnly: true,
    cell: ({ keyId }) => <KeyName id={keyId} />,
  },
  {
    header: 'Session',
    widthPx: 110,
    grows: 1,
    isWideOnly: true,
    cell: ({ sessionId }) => <OneLine text={sessionId ?? NOTHING} />,
  },
  { header: 'Asked', widthPx: 142, isWideOnly: true, cell: ({ createdAt }) => formatTime(createdAt) },
  {
    header: 'Rule',
    widthPx: 110,
    grows: 1,
    isWideOnly: true,
    cell: ({ policyRule }) => <OneLine text={policyRule ?? NOTHING} />,
  },
  {
    header: 'End user',
    widthPx: 110,
    grows: 1,
    isWideOnly: true,
    cell: ({ endUserId }) => <OneLine text={endUserId ?? NOTHING} />,
  },
  { header: 'Environment', widthPx: 124, isWideOnly: true, cell: ({ environment }) => <OneLine text={environment} /> },
];

function KeyName({ id }: { readonly id: string }) {
  return <OneLine text={useKeyNames([id]).get(id) ?? id} />;
}

const ALL = 'all';

/** Tool calls that wait for a person; those that were decided or have expired by a filter. */
export default function ApprovalsPage() {
  const [read, write] = useUrlState();
  const shown = read('state') || 'pending';
  const list = usePagedList('listApprovals', shown === ALL ? {} : { query: { state: shown as Approval['state'] } });
  return (
    <Page
      docs="policies.md#ask-before-a-call"
      title="Approvals"
      intro="Tool calls that a policy holds back until a person decides, newest first."
      actions={
        <Button variant="default" onClick={list.refresh}>
          Refresh
        </Button>
      }
    >
      <FilterBar label="Filter approvals">
        <NativeSelect
          label={STATE_FILTER.label}
          data={[...choicesOf(STATE_FILTER), { value: ALL, label: 'All' }]}
          value={shown}
          onChange={(event) => write({ state: event.currentTarget.value })}
        />
      </FilterBar>
      <DataTable
        label="Approvals"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title={shown === 'pending' ? 'No tool call waits' : 'No such approval'}>
            The action <code>ask</code> of a policy holds a tool call back. An approval is kept for a day after it
            expires.
          </Empty>
        }
      />
    </Page>
  );
}
