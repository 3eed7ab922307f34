import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { completeList, reading, usePagedList } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowButton } from '../../components/data-table.tsx';
import { DocumentVersions } from '../../components/document-versions.tsx';
import { NOTHING } from '../../components/format.ts';
import { Empty, ErrorState, Page, Panel } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { Tag } from '../../components/tag.tsx';
import { type ModelPriceList, type ModelPriceView, PriceDialog, usePricesChanged } from './price-dialog.tsx';

const SOURCES = { settings: 'Settings', api: 'Set here', table: 'Built-in table' } as const;

/** Every price in force, which can be changed here. */
export default function PricesPage() {
  const query = useQuery(reading('getPrices', { query: { effective: true } }));
  const [edited, setEdited] = useState<ModelPriceView | 'new'>();
  const list = query.data as ModelPriceList | undefined;
  return (
    <Page
      docs="providers.md#set-prices"
      title="Prices"
      intro="What models cost, in US dollars per million tokens. Costs and budgets use these prices."
      actions={<Button onClick={() => setEdited('new')}>Add price</Button>}
    >
      {list === undefined ? (
        <Panel title="Prices in force">
          {query.error === null ? (
            <Placeholder label="Loading prices" lines={10} />
          ) : (
            <ErrorState error={query.error} retry={() => void query.refetch()} />
          )}
        </Panel>
      ) : (
        <>
          <PricesInForce list={list} onOpen={setEdited} />
          <History current={list.version} />
        </>
      )}
      {edited === undefined ? null : (
        <PriceDialog {...(edited !== 'new' && { price: edited })} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  );
}

interface PricesInForceProps {
  readonly list: ModelPriceList;
  onOpen(price: ModelPriceView): void;
}

function PricesInForce({ list: { data, tableDate, isOverridden }, onOpen }: PricesInForceProps) {
  const [search, setSearch] = useState('');
  const text = search.trim().toLowerCase();
  const rows = data.filter(({ model }) => model.toLowerCase().includes(text));
  return (
    <Panel
      title="Prices in force"
      note={`The built-in table is of ${tableDate}. To change a price, open it.${
        isOverridden ? ' The settings of the deployment have other prices, which do not count any more.' : ''
      }`}
      actions={
        <TextInput
          aria-label="Search models"
          placeholder="Search models"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      }
    >
      <DataTable
        label="Prices"
        list={completeList(rows)}
        columns={columnsFor(onOpen)}
        keyOf={({ model }) => model}
        empty={<Empty title="No model with this name has a price" />}
      />
    </Panel>
  );
}

const usd = (header: string, name: 'input' | 'output' | 'cachedInput', isWideOnly = false): Column<ModelPriceView> => ({
  ...{ header, widthPx: 84, align: 'end', isWideOnly },
  cell: (price) => price[name] ?? NOTHING,
  sortBy: (price) => price[name] ?? null,
});

const columnsFor = (onOpen: (price: ModelPriceView) => void): readonly Column<ModelPriceView>[] => [
  {
    header: 'Model',
    widthPx: 110,
    grows: 2,
    cell: (price) => (
      <RowButton onClick={() => onOpen(price)}>
        <OneLine text={price.model} />
      </RowButton>
    ),
    sortBy: ({ model }) => model,
  },
  usd('Input', 'input'),
  usd('Output', 'output'),
  usd('Cached', 'cachedInput', true),
  {
    header: 'Source',
    widthPx: 130,
    isWideOnly: true,
    cell: ({ source }) => <Tag tone="neutral">{SOURCES[source]}</Tag>,
    sortBy: ({ source }) => source,
  },
  {
    header: 'Next price',
    widthPx: 130,
    isWideOnly: true,
    cell: ({ later }) => later[0]?.validFrom ?? NOTHING,
    sortBy: ({ later }) => later[0]?.validFrom ?? null,
  },
];

function History({ current }: { readonly current: number }) {
  const list = usePagedList('listPricesVersions', {});
  const changed = usePricesChanged();
  return (
    <DocumentVersions
      list={list}
      current={current}
      initial={{ object: 'prices', version: 0, createdAt: null, createdBy: null, prices: {} }}
      initialNote="The prices of the deployment's settings."
      textOf={({ version, prices }) => (version === 0 ? 'Prices of the settings' : JSON.stringify(prices, null, 2))}
      onRollBack={async (version) => {
        await call('rollbackPrices', { body: { version } });
        await changed();
      }}
    />
  );
}
