import { Button } from '@mantine/core';
import type { Session } from '../../api/client.ts';
import { usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import { formatCount, formatTime, formatTotalCost, NOTHING } from '../../components/format.ts';
import { Empty, Page } from '../../components/page.tsx';
import { QueryBar } from '../../components/query-bar.tsx';
import { Score } from '../../components/tag.tsx';
import { useListQuery } from '../../components/url-state.ts';

const COLUMNS: readonly Column<Session>[] = [
  {
    header: 'Session',
    widthPx: 120,
    grows: 2,
    cell: ({ id, keyId }) => (
      <RowLink href={`/sessions/${encodeURIComponent(id)}?keyId=${encodeURIComponent(keyId)}`}>{id}</RowLink>
    ),
  },
  { header: 'Highest score', widthPx: 136, cell: ({ threatScore }) => <Score value={threatScore.highest} /> },
  {
    header: 'Accumulated',
    widthPx: 128,
    align: 'end',
    isWideOnly: true,
    cell: ({ threatScore }) => threatScore.accumulated.toFixed(2),
  },
  { header: 'Requests', widthPx: 92, align: 'end', cell: ({ requests }) => formatCount(requests) },
  { header: 'Blocked', widthPx: 80, align: 'end', isWideOnly: true, cell: ({ blocked }) => formatCount(blocked) },
  {
    header: 'Flagged or redacted',
    widthPx: 168,
    align: 'end',
    isWideOnly: true,
    cell: ({ flagged }) => formatCount(flagged),
  },
  {
    header: 'End user',
    widthPx: 110,
    grows: 1,
    isWideOnly: true,
    cell: ({ endUserId }) => <OneLine text={endUserId ?? NOTHING} />,
  },
  { header: 'Environment', widthPx: 124, isWideOnly: true, cell: ({ environment }) => <OneLine text={environment} /> },
  { header: 'Cost', widthPx: 104, align: 'end', isWideOnly: true, cell: (session) => formatTotalCost(session) },
  { header: 'Last turn', widthPx: 142, isWideOnly: true, cell: ({ lastAt }) => formatTime(lastAt) },
];

export default function SessionsPage() {
  const query = useListQuery('listSessions');
  const list = usePagedList('listSessions', { query });
  const isFiltered = Object.keys(query).some((name) => name !== 'from' && name !== 'to');
  return (
    <Page
      docs="findings.md#sessions"
      title="Sessions"
      intro="Requests of one conversation with their accumulated score, latest start first."
      actions={
        <Button variant="default" onClick={list.refresh}>
          Refresh
        </Button>
      }
    >
      <QueryBar id="listSessions" label="Filter sessions" rangeLabel="Started in" />
      <DataTable
        label="Sessions"
        list={list}
        columns={COLUMNS}
        keyOf={({ keyId, id, firstAt }) => `${keyId} ${id} ${firstAt}`}
        empty={
          <Empty title={isFiltered ? 'No sessions match these filters' : 'No session started in this time range'}>
            The header <code>X-Session-ID</code> sets a request's session; without it, <code>X-End-User-ID</code> does.
          </Empty>
        }
      />
    </Page>
  );
}
