import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Session } from '../../api/client.ts';
import { usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import { FilterBar, RangeFields } from '../../components/filters.tsx';
import { formatCount, formatTime, formatTotalCost, NOTHING } from '../../components/format.ts';
import { ENVIRONMENTS } from '../../components/labels.ts';
import { Empty, Page } from '../../components/page.tsx';
import { Score } from '../../components/tag.tsx';
import { type Range, readRange, timesOf, useUrlState } from '../../components/url-state.ts';

const FILTERS = ['environment', 'endUserId', 'keyId', 'model'] as const;

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
  const [read, write] = useUrlState();
  const range = JSON.stringify(readRange(read));
  const [settled] = useDebouncedValue(
    JSON.stringify(Object.fromEntries(FILTERS.map((name) => [name, read(name)]))),
    300,
  );
  const query = useMemo(
    () => ({ ...timesOf(JSON.parse(range) as Range, Date.now()), ...(JSON.parse(settled) as Record<string, string>) }),
    [range, settled],
  );
  const list = usePagedList<Session>('/v1/analytics/sessions', query);
  const isFiltered = FILTERS.some((name) => read(name) !== '');
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
      <SessionFilters read={read} write={write} />
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

interface SessionFiltersProps {
  read(name: string): string;
  write(changes: Readonly<Record<string, string>>): void;
}

function SessionFilters({ read, write }: SessionFiltersProps) {
  return (
    <FilterBar label="Filter sessions">
      <RangeFields range={readRange(read)} label="Started in" onChange={write} />
      <NativeSelect
        label="Environment"
        data={[{ value: '', label: 'All' }, ...ENVIRONMENTS]}
        value={read('environment')}
        onChange={(event) => write({ environment: event.currentTarget.value })}
      />
      <TextInput
        label="End user"
        value={read('endUserId')}
        onChange={(event) => write({ endUserId: event.currentTarget.value })}
      />
      <TextInput
        label="Key id"
        value={read('keyId')}
        onChange={(event) => write({ keyId: event.currentTarget.value })}
      />
      <TextInput
        label="Model"
        value={read('model')}
        onChange={(event) => write({ model: event.currentTarget.value })}
      />
    </FilterBar>
  );
}
