import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { KeyList } from '../../api/client.ts';
import { usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import { ListFilters } from '../../components/filters.tsx';
import { formatAgo, formatCount, formatDay, formatTotalCost, NOTHING } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { PERMISSION_NAMES } from '../../components/labels.ts';
import { Empty, Page } from '../../components/page.tsx';
import { StateTag } from '../../components/tag.tsx';
import { useFilterQuery, useUrlState } from '../../components/url-state.ts';
import { CreateKeyDialog } from './key-dialogs.tsx';

type ListedKey = KeyList['data'][number];

const COLUMNS: readonly Column<ListedKey>[] = [
  {
    header: 'Name',
    widthPx: 130,
    grows: 2,
    cell: (key) => <RowLink href={`/keys/${encodeURIComponent(key.id)}`}>{key.name}</RowLink>,
    sortBy: ({ name }) => name,
  },
  { header: 'State', widthPx: 104, cell: (key) => <StateTag state={key.state} /> },
  { header: 'Environment', widthPx: 120, isWideOnly: true, cell: (key) => key.environment },
  { header: 'Secret', widthPx: 96, isWideOnly: true, cell: (key) => <code>…{key.last4}</code> },
  {
    header: 'Permissions',
    widthPx: 160,
    grows: 1,
    isWideOnly: true,
    cell: (key) => <OneLine text={key.permissions.map((permission) => PERMISSION_NAMES[permission]).join(', ')} />,
  },
  {
    header: 'Requests',
    widthPx: 108,
    align: 'end',
    isWideOnly: true,
    cell: ({ usage }) => (usage ? formatCount(usage.requests) : NOTHING),
    sortBy: ({ usage }) => usage?.requests ?? null,
  },
  {
    header: 'Spend',
    widthPx: 104,
    align: 'end',
    cell: ({ usage }) => (usage ? formatTotalCost(usage) : NOTHING),
    sortBy: ({ usage }) => usage?.costUsd ?? null,
  },
  {
    header: 'Last used',
    widthPx: 108,
    isWideOnly: true,
    cell: (key) => formatAgo(key.lastUsedAt, Date.now()),
    sortBy: ({ lastUsedAt }) => lastUsedAt,
  },
  {
    header: 'Expires',
    widthPx: 116,
    isWideOnly: true,
    cell: (key) => formatDay(key.expiresAt),
    sortBy: ({ expiresAt }) => expiresAt,
  },
];

export default function KeysPage() {
  const [read, write] = useUrlState();
  const [isCreating, setCreating] = useState(false);
  const filters = useFilterQuery('listKeys');
  const list = usePagedList('listKeys', { query: { ...filters, include: 'usage' } });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      docs="keys.md"
      title="Keys"
      intro="API keys with their permissions, limits and policies. Requests and spend are of the last 30 days (UTC), at list prices."
      actions={
        <>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
            New key
          </Button>
          <Button variant="default" component={Link} href="/start">
            New key with an example
          </Button>
        </>
      }
    >
      <ListFilters id="listKeys" label="Filter keys" read={read} write={write} />
      <DataTable
        label="Keys"
        list={list}
        columns={COLUMNS}
        keyOf={(key) => key.id}
        empty={
          isFiltered ? (
            <Empty title="No keys match these filters" />
          ) : (
            <Empty title="No keys yet" action={<Button onClick={() => setCreating(true)}>New key</Button>} />
          )
        }
      />
      {isCreating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}
