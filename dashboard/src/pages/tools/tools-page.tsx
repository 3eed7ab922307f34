import { Button } from '@mantine/core';
import { useState } from 'react';
import { usePagedList } from '../../api/queries.ts';
import { useMay } from '../../api/session.tsx';
import { type Column, DataTable, RowLink } from '../../components/data-table.tsx';
import { formatCount, formatShare, formatTime } from '../../components/format.ts';
import { capitalised } from '../../components/labels.ts';
import { Empty, Page } from '../../components/page.tsx';
import { QueryBar } from '../../components/query-bar.tsx';
import { useListQuery, useUrlState } from '../../components/url-state.ts';
import { SuggestionDialog } from './suggestion-dialog.tsx';
import { PinState, SampleNote, type Tool } from './tool-parts.tsx';

type Count = 'calls' | 'flagged' | 'asked' | 'blocked' | 'waiting' | 'keys';

const count = (header: string, name: Count, widthPx: number): Column<Tool> => ({
  ...{ header, widthPx, align: 'end', isWideOnly: name !== 'calls' },
  cell: (tool) => formatCount(tool[name]),
  sortBy: (tool) => tool[name],
});

/** @param search the range, for the page of the tool */
const columnsFor = (search: string): readonly Column<Tool>[] => [
  {
    header: 'Tool',
    widthPx: 120,
    grows: 2,
    cell: ({ tool }) => <RowLink href={`/tools/${encodeURIComponent(tool)}${search}`}>{tool}</RowLink>,
    sortBy: ({ tool }) => tool,
  },
  { header: 'Effect', widthPx: 88, cell: ({ effect }) => capitalised(effect) },
  count('Calls', 'calls', 84),
  {
    header: 'From prose',
    widthPx: 112,
    align: 'end',
    isWideOnly: true,
    cell: ({ fromProse, calls }) => formatShare(fromProse, calls),
    sortBy: ({ fromProse, calls }) => fromProse / calls,
  },
  count('Flagged', 'flagged', 94),
  count('Asked', 'asked', 84),
  count('Blocked', 'blocked', 94),
  count('Waiting', 'waiting', 94),
  { header: 'Pin', widthPx: 92, isWideOnly: true, cell: ({ pins }) => <PinState pins={pins} /> },
  { header: 'Last call', widthPx: 142, isWideOnly: true, cell: ({ lastAt }) => formatTime(lastAt) },
  count('Keys', 'keys', 76),
  { header: 'First call', widthPx: 142, isWideOnly: true, cell: ({ firstAt }) => formatTime(firstAt) },
];

/** The tools that agents called in a time range. */
export default function ToolsPage() {
  const [read] = useUrlState();
  const [isSuggesting, setSuggesting] = useState(false);
  const isAdmin = useMay('suggestTools');
  const query = useListQuery('listTools');
  const list = usePagedList('listTools', { query });
  const isFiltered = Object.keys(query).some((name) => name !== 'from' && name !== 'to');
  const range = ['range', 'from', 'to'].flatMap((name) => (read(name) === '' ? [] : [[name, read(name)]]));
  const search = range.length === 0 ? '' : `?${new URLSearchParams(range)}`;
  return (
    <Page
      docs="dashboard.md#tools"
      title="Tools"
      intro="What agents call, and who wrote the values of the calls."
      actions={
        <>
          {isAdmin ? <Button onClick={() => setSuggesting(true)}>Suggest rules</Button> : null}
          <Button variant="default" onClick={list.refresh}>
            Refresh
          </Button>
        </>
      }
    >
      <QueryBar id="listTools" label="Filter tools" rangeLabel="Called in" />
      <SampleNote requests={list.sampled} />
      <DataTable
        label="Tools"
        list={list}
        columns={columnsFor(search)}
        keyOf={({ tool }) => tool}
        empty={
          <Empty title={isFiltered ? 'No tools match these filters' : 'No agent called a tool in this time range'}>
            Calls of tools that the client executes are listed, from the responses of models.
          </Empty>
        }
      />
      {isSuggesting ? <SuggestionDialog onClose={() => setSuggesting(false)} /> : null}
    </Page>
  );
}
