import { Button, NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '../../../../functions/contract/index.ts';
import { type Query, toSearch } from '../../api/client.ts';
import { type CallOptions, call, pathTo } from '../../api/operations.ts';
import { completeList, reading } from '../../api/queries.ts';
import { type Column, DataTable, OneLine, RowLink } from '../../components/data-table.tsx';
import { CostChart } from '../../components/figure-charts.tsx';
import { FilterBar, FilterField } from '../../components/filters.tsx';
import {
  formatAmount,
  formatChange,
  formatCount,
  formatTotalCost,
  formatUsd,
  NOTHING,
} from '../../components/format.ts';
import { Empty, ErrorState, Page, Panel, Tiles } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { filterOf } from '../../components/query-chips.ts';
import { useUrlState } from '../../components/url-state.ts';

type Spend = ResponseOf<'getSpend'>;
type Row = NonNullable<Spend['groups']>[number];

const GROUPS = [
  { value: 'keyId', label: 'Key' },
  { value: 'teamId', label: 'Team' },
  { value: 'model', label: 'Model' },
  { value: 'provider', label: 'Provider' },
  { value: 'environment', label: 'Environment' },
  { value: 'tag', label: 'Tag' },
];
const FILTERS = [
  filterOf('getSpend', 'timeZone'),
  filterOf('getSpend', 'teamId'),
  filterOf('getSpend', 'keyId'),
  filterOf('getSpend', 'tag'),
  filterOf('getSpend', 'environment'),
  filterOf('getSpend', 'model'),
];
const MONTHS_OFFERED = 13;

/** What a month has cost, by one field. */
export default function SpendPage() {
  const [read, write] = useUrlState();
  const groupBy = groupOf(read('groupBy') || 'keyId', read('tagName'));
  const filters = Object.fromEntries(FILTERS.map(({ name }) => [name, read(name).trim()]));
  const query: Query = { ...filters, month: read('month'), ...(groupBy !== undefined && { groupBy }) };
  const report = useQuery({
    ...reading('getSpend', { query } as unknown as CallOptions<'getSpend'>),
    placeholderData: keepPreviousData,
  });
  const spend = report.data as Spend | undefined;
  return (
    <Page
      docs="spend.md"
      title="Spend"
      intro="What a calendar month has cost at list prices, beside the month before."
      actions={
        <Button
          component="a"
          variant="default"
          href={`${pathTo('getSpend')}${toSearch({ ...query, format: 'csv' })}`}
          download
        >
          Download CSV
        </Button>
      }
    >
      <SpendFilters read={read} write={write} />
      {report.error !== null ? (
        <ErrorState error={report.error} retry={() => void report.refetch()} />
      ) : spend === undefined ? (
        <Placeholder label="Loading the report" lines={12} />
      ) : (
        <>
          <Figures spend={spend} />
          <Days spend={spend} filters={filters} />
          <Groups spend={spend} groupBy={groupBy} />
        </>
      )}
    </Page>
  );
}

/** The field as the API has it; undefined for a tag without its name. */
function groupOf(choice: string, tagName: string): string | undefined {
  if (choice !== 'tag') return choice;
  return tagName.trim() === '' ? undefined : `tag:${tagName.trim()}`;
}

interface SpendFiltersProps {
  read(name: string): string;
  write(changes: Readonly<Record<string, string>>): void;
}

function SpendFilters({ read, write }: SpendFiltersProps) {
  const choice = read('groupBy') || 'keyId';
  return (
    <FilterBar label="Choose the report">
      <NativeSelect
        label="Month"
        data={[{ value: '', label: 'This month' }, ...pastMonths(new Date())]}
        value={read('month')}
        onChange={(event) => write({ month: event.currentTarget.value })}
      />
      <NativeSelect
        label="Group by"
        data={GROUPS}
        value={choice}
        onChange={(event) => write({ groupBy: event.currentTarget.value })}
      />
      {choice === 'tag' ? (
        <TextInput
          label="Name of the tag"
          placeholder="feature"
          value={read('tagName')}
          onChange={(event) => write({ tagName: event.currentTarget.value })}
        />
      ) : null}
      {FILTERS.map((field) => (
        <FilterField key={field.name} field={field} value={read(field.name)} onChange={write} />
      ))}
    </FilterBar>
  );
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

function pastMonths(now: Date): { value: string; label: string }[] {
  return Array.from({ length: MONTHS_OFFERED }, (_, at) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - at, 1));
    return { value: month.toISOString().slice(0, 'YYYY-MM'.length), label: MONTH.format(month) };
  });
}

function Figures({ spend }: { readonly spend: Spend }) {
  const { requests, tokens, unpriced, partlyPriced, unknownCharges = {}, previousUsd, forecastUsd, cache } = spend;
  return (
    <Tiles
      tiles={[
        { name: 'Cost', value: formatTotalCost(spend), note: `${spend.month}, ${spend.timeZone}` },
        { name: 'Month before', value: formatUsd(previousUsd), note: 'The whole month' },
        {
          name: 'Forecast',
          value: formatUsd(forecastUsd),
          note: forecastUsd === null ? 'Needs 24 hours of requests' : formatChange(previousUsd, forecastUsd),
        },
        { name: 'Requests', value: formatCount(requests) },
        {
          name: 'Tokens',
          value: formatCount(tokens.input + tokens.output),
          note: `${formatCount(tokens.input)} in, ${formatCount(tokens.output)} out`,
        },
        {
          name: 'With an unknown charge',
          value: formatCount(unpriced + partlyPriced),
          note: chargesText(unknownCharges),
        },
        ...(cache === undefined
          ? []
          : [
              {
                name: 'Saved by stored responses',
                value: formatUsd(cache.savedUsd),
                note: `${formatCount(cache.hits)} of ${formatCount(cache.hits + cache.misses)} requests`,
              },
            ]),
      ]}
    />
  );
}

function chargesText(charges: NonNullable<Spend['unknownCharges']>): string {
  const named = Object.entries(charges).map(([charge, count]) => `${charge} ${formatCount(count)}`);
  return named.join(', ') || 'None';
}

/** The cost of each day (UTC). */
function Days({ spend, filters }: { readonly spend: Spend; readonly filters: Readonly<Record<string, string>> }) {
  const { timeZone: _, ...wanted } = filters;
  const to = new Date(Math.min(Date.parse(spend.to), Date.now())).toISOString();
  const options = { query: { ...wanted, from: spend.from, to, interval: 'day' } };
  const hasBegun = to > spend.from;
  const series = useQuery({
    queryKey: [pathTo('getTimeseries'), { ...options.query, to: to.slice(0, 'YYYY-MM-DDTHH'.length) }],
    queryFn: ({ signal }) => call('getTimeseries', { ...options, signal } as unknown as CallOptions<'getTimeseries'>),
    placeholderData: keepPreviousData,
    enabled: hasBegun,
  });
  return hasBegun && series.data !== undefined ? <CostChart data={series.data.data} interval="day" /> : null;
}

function Groups({ spend, groupBy }: { readonly spend: Spend; readonly groupBy: string | undefined }) {
  const isOther = (spend.groups ?? []).some(({ group }) => group === 'other');
  return (
    <Panel
      title="By group"
      {...(groupBy?.startsWith('tag:') &&
        isOther && {
          note: 'other: values beyond 1,000 a day, which totals do not distinguish, and this value itself.',
        })}
    >
      <DataTable
        label="Spend by group"
        list={completeList(spend.groups ?? [])}
        columns={columnsFor(groupBy)}
        keyOf={({ group }) => JSON.stringify(group)}
        empty={<Empty title={groupBy === undefined ? 'Enter the name of a tag' : 'No requests in this month'} />}
      />
    </Panel>
  );
}

const usd = (header: string, widthPx: number, read: (row: Row) => number | null): Column<Row> => ({
  ...{ header, widthPx, align: 'end' },
  cell: (row) => formatUsd(read(row)),
  sortBy: read,
});

function columnsFor(groupBy: string | undefined): readonly Column<Row>[] {
  return [
    {
      header: 'Group',
      widthPx: 100,
      grows: 2,
      cell: (row) => <Name row={row} groupBy={groupBy} />,
      sortBy: ({ label, group }) => label ?? group,
    },
    { ...usd('Cost', 96, ({ costUsd }) => costUsd), cell: formatTotalCost },
    { ...usd('Month before', 132, ({ previousUsd }) => previousUsd), isWideOnly: true },
    { ...usd('Forecast', 108, ({ forecastUsd }) => forecastUsd), isWideOnly: true },
    { ...usd('Budget', 124, ({ budget }) => budget?.monthUsd ?? null), cell: budgetText },
    {
      ...{ header: 'Requests', widthPx: 112, align: 'end', isWideOnly: true },
      cell: ({ requests }) => formatCount(requests),
      sortBy: ({ requests }) => requests,
    },
    {
      ...{ header: 'Unknown charges', widthPx: 160, isWideOnly: true },
      cell: ({ unknownCharges = {} }) => <OneLine text={chargesText(unknownCharges)} />,
    },
  ];
}

/** The budget, and whether the cost or its forecast is higher. */
function budgetText({ budget, costUsd, forecastUsd }: Row): string {
  if (budget === null) return NOTHING;
  const isOver = Math.max(costUsd ?? 0, forecastUsd ?? 0) > budget.monthUsd;
  return `${formatAmount(budget.monthUsd)}${isOver ? ', over' : ''}`;
}

/** A key links to its page, other groups to nothing: clients choose their names. */
function Name({ row: { group, label }, groupBy }: { readonly row: Row; readonly groupBy: string | undefined }) {
  const text = label ?? group ?? 'None';
  if (groupBy !== 'keyId' || group === null) return <OneLine text={text} />;
  return (
    <RowLink href={`/requests${toSearch({ keyId: group })}`}>
      <OneLine text={text} />
    </RowLink>
  );
}
