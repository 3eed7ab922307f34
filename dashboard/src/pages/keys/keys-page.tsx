import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { KeyList, Query } from '../../api/client.ts';
import { usePagedList } from '../../api/queries.ts';
import { BulkBar } from '../../components/bulk-bar.tsx';
import { type Column, DataTable, OneLine, type Order, RowLink } from '../../components/data-table.tsx';
import { formatAgo, formatCount, formatDay, formatTotalCost, NOTHING } from '../../components/format.ts';
import { Icon } from '../../components/icons.tsx';
import { PERMISSION_NAMES } from '../../components/labels.ts';
import { Empty, Page } from '../../components/page.tsx';
import { QueryBar } from '../../components/query-bar.tsx';
import { StateTag } from '../../components/tag.tsx';
import { useFilters, useUrlState } from '../../components/url-state.ts';
import { DisableKeysDialog, RotateKeysDialog } from './bulk-dialogs.tsx';
import { CreateKeyDialog } from './key-dialogs.tsx';
import { UsedMost } from './key-limits.tsx';

type ListedKey = KeyList['data'][number];

const COLUMNS: readonly Column<ListedKey>[] = [
  {
    header: 'Name',
    widthPx: 130,
    grows: 2,
    cell: (key) => <RowLink href={`/keys/${encodeURIComponent(key.id)}`}>{key.name}</RowLink>,
    order: 'name',
  },
  { header: 'State', widthPx: 104, cell: (key) => <StateTag state={key.state} /> },
  {
    header: 'Limits used',
    widthPx: 150,
    isWideOnly: true,
    cell: ({ limits, createdAt }) => <UsedMost limits={limits} createdAt={createdAt} />,
  },
  {
    header: 'Requests',
    widthPx: 108,
    align: 'end',
    isWideOnly: true,
    cell: ({ usage }) => (usage ? formatCount(usage.requests) : NOTHING),
    order: 'requests',
  },
  {
    header: 'Spend',
    widthPx: 104,
    align: 'end',
    cell: ({ usage }) => (usage ? formatTotalCost(usage) : NOTHING),
    order: 'spend',
  },
  {
    header: 'Last used',
    widthPx: 112,
    isWideOnly: true,
    cell: (key) => formatAgo(key.lastUsedAt, Date.now()),
    order: 'lastUsed',
  },
  { header: 'Environment', widthPx: 120, isWideOnly: true, cell: (key) => key.environment },
  {
    header: 'Expires',
    widthPx: 108,
    isWideOnly: true,
    cell: (key) => formatDay(key.expiresAt),
    order: 'expires',
  },
  { header: 'Secret', widthPx: 90, isWideOnly: true, cell: (key) => <code>…{key.last4}</code> },
  {
    header: 'Permissions',
    widthPx: 130,
    grows: 1,
    isWideOnly: true,
    cell: (key) => <OneLine text={key.permissions.map((permission) => PERMISSION_NAMES[permission]).join(', ')} />,
  },
];

/** The order in the URL: `sort=-spend` is from the highest. */
function useOrder(): readonly [order: Order | undefined, query: Query, set: (order: Order) => void] {
  const [read, , go] = useUrlState();
  const text = read('sort');
  const isDescending = text.startsWith('-');
  const by = isDescending ? text.slice(1) : text;
  if (!COLUMNS.some(({ order }) => order === by)) return [undefined, {}, set];
  const order = { by, direction: isDescending ? 'descending' : 'ascending' } as const;
  return [order, { sort: by, order: isDescending ? 'desc' : 'asc' }, set];

  function set({ by, direction }: Order) {
    go({ sort: direction === 'descending' ? `-${by}` : by });
  }
}

type Dialog = 'create' | 'disable' | 'rotate';

export default function KeysPage() {
  const [dialog, setDialog] = useState<Dialog>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const filters = useFilters('listKeys');
  const [order, sorting, setOrder] = useOrder();
  const list = usePagedList('listKeys', { query: { ...filters, ...sorting, include: 'usage' } }, true);
  const isFiltered = Object.keys(filters).length > 0;
  const keys = list.rows.filter(({ id, state }) => chosen.has(id) && state !== 'revoked');
  const create = () => setDialog('create');
  const close = () => setDialog(undefined);
  return (
    <Page
      docs="keys.md"
      title="Keys"
      intro="API keys with their permissions, limits and policies. Requests and spend are of the last 30 days (UTC), at list prices."
      actions={
        <>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={create}>
            New key
          </Button>
          <Button variant="default" component={Link} href="/start">
            New key with an example
          </Button>
        </>
      }
    >
      <QueryBar id="listKeys" label="Filter keys" placeholder="Filter by name, team, state…" />
      <DataTable
        label="Keys"
        list={list}
        columns={COLUMNS}
        order={order}
        onOrder={setOrder}
        selection={{ keys: chosen, onChange: setChosen }}
        nameOf={({ name }) => name}
        keyOf={(key) => key.id}
        empty={
          isFiltered ? (
            <Empty title="No keys match these filters" />
          ) : (
            <Empty title="No keys yet" action={<Button onClick={create}>New key</Button>} />
          )
        }
      />
      <BulkBar count={keys.length} noun="key" onClear={() => setChosen(new Set())}>
        <Button size="xs" variant="default" onClick={() => setDialog('rotate')}>
          Rotate
        </Button>
        <Button size="xs" color="red" onClick={() => setDialog('disable')}>
          Disable
        </Button>
      </BulkBar>
      {dialog === 'create' ? <CreateKeyDialog onClose={close} /> : null}
      {dialog === 'disable' ? <DisableKeysDialog keys={keys} onClose={close} /> : null}
      {dialog === 'rotate' ? <RotateKeysDialog keys={keys} onClose={close} /> : null}
    </Page>
  );
}
