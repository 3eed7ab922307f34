import { Button, Switch } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Group, type Interval, type Summary, type Timeseries, toSearch } from '../../api/client.ts';
import { type CallOptions, call, pathTo } from '../../api/operations.ts';
import { useMay } from '../../api/session.tsx';
import { useWaitingCalls } from '../../api/waiting-calls.ts';
import { Chart } from '../../components/chart.tsx';
import { PERCENTILES, TOKENS, toPercentiles, topGroups, toThreatMix, toTokens } from '../../components/chart-data.ts';
import { CostChart, LatencyChart, OutcomesChart } from '../../components/figure-charts.tsx';
import { FilterBar, FilterField, RangeFields } from '../../components/filters.tsx';
import {
  formatChange,
  formatCount,
  formatHours,
  formatMs,
  formatShare,
  formatTime,
  formatTotalCost,
} from '../../components/format.ts';
import { filterOf } from '../../components/list-filters.ts';
import { Empty, ErrorState, Page, Panel, Tiles } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import {
  intervalOf,
  previousOf,
  type Range,
  readRange,
  timesOf,
  useUrlState,
  writeRange,
} from '../../components/url-state.ts';
import classes from './overview-page.module.css';

const ENVIRONMENT = filterOf('getSummary', 'environment');

export default function OverviewPage() {
  const [read, write] = useUrlState();
  const range = readRange(read);
  const environment = read('environment');
  const isLive = read('live') === '1';
  const interval = intervalOf(range);

  // Totals of minutes where the range has them, else of full hours.
  const isByMinute = interval === '1m' || interval === '5m';
  const precision = isByMinute ? { interval: '1m' } : {};
  const summary = useFigures('getSummary', range, { environment, ...precision }, isLive);
  const before = useFigures('getSummary', range, { environment, ...precision }, isLive, true);
  const series = useFigures('getTimeseries', range, { environment, interval }, isLive);
  const error = summary.error ?? series.error;
  const retry = () => {
    void summary.refetch();
    void series.refetch();
  };

  return (
    <Page docs="dashboard.md" title="Overview" actions={<OverviewFilters read={read} write={write} />}>
      {error !== null && (summary.data === undefined || series.data === undefined) ? (
        <ErrorState error={error} retry={retry} />
      ) : summary.data === undefined || series.data === undefined ? (
        <Placeholder label="Loading figures" lines={12} />
      ) : summary.data.requests === 0 ? (
        <NoRequests />
      ) : (
        <>
          {error === null ? null : (
            <p role="alert">{error.message} The figures below are from the last successful load.</p>
          )}
          <Figures summary={summary.data} before={before.data} range={range} environment={environment} />
          <Charts series={series.data} interval={interval} />
          <TopTables range={range} environment={environment} isLive={isLive} />
          <p className={classes.updated}>
            As of {formatTime(new Date(summary.dataUpdatedAt).toISOString())}, a few seconds late. Totals cover full{' '}
            {isByMinute ? 'minutes' : 'hours'}. Changes are against the range of the same length before.
          </p>
        </>
      )}
    </Page>
  );
}

interface FiguresProps {
  readonly summary: Summary;
  /** Of the range before; undefined until loaded. */
  readonly before: Summary | undefined;
  readonly range: Range;
  readonly environment: string;
}

function Figures({ summary, before, range, environment }: FiguresProps) {
  const { requests, blocked, flagged, rateLimited, clientErrors, serverErrors } = summary;
  const { unpriced, partlyPriced, tokens, latencyMs, timeToFirstTokenMs } = summary;
  /** The share of all requests, and the change of a count. */
  const share = (name: 'blocked' | 'flagged' | 'rateLimited' | 'clientErrors' | 'serverErrors') =>
    joined(formatShare(summary[name], requests), before && formatChange(before[name], summary[name]));
  const change = (read: (figures: Summary) => number | null) => before && formatChange(read(before), read(summary));
  const waiting = useWaitingCalls();
  const listOf = (outcome: string) => `/requests${toSearch({ ...writeRange(range), environment, outcome })}`;
  return (
    <Tiles
      tiles={[
        {
          name: 'Requests',
          value: formatCount(requests),
          note: change((figures) => figures.requests),
          href: listOf(''),
        },
        { name: 'Blocked', value: formatCount(blocked), note: share('blocked'), href: listOf('blocked') },
        { name: 'Flagged or redacted', value: formatCount(flagged), note: share('flagged'), href: listOf('flagged') },
        ...(waiting === undefined
          ? []
          : [{ name: 'Calls that wait', value: waiting, note: 'Now, of all environments', href: '/approvals' }]),
        {
          name: 'Limited, 429',
          value: formatCount(rateLimited),
          note: share('rateLimited'),
          href: listOf('rate_limited'),
        },
        {
          name: 'Other 4xx',
          value: formatCount(clientErrors),
          note: share('clientErrors'),
          href: listOf('client_error'),
        },
        {
          name: 'Failed, 5xx',
          value: formatCount(serverErrors),
          note: share('serverErrors'),
          href: listOf('server_error'),
        },
        {
          name: 'Latency p95',
          value: formatMs(latencyMs.p95),
          note: joined(
            `p50 ${formatMs(latencyMs.p50)}`,
            change((figures) => figures.latencyMs.p95),
          ),
        },
        {
          name: 'First token p95',
          value: formatMs(timeToFirstTokenMs.p95),
          note: joined(
            `p50 ${formatMs(timeToFirstTokenMs.p50)}`,
            change((figures) => figures.timeToFirstTokenMs.p95),
          ),
        },
        {
          name: 'Tokens',
          value: formatCount(tokens.input + tokens.output),
          note: `${formatCount(tokens.input)} in, ${formatCount(tokens.output)} out`,
        },
        {
          name: 'Cost',
          value: formatTotalCost(summary),
          note: joined(
            unpriced + partlyPriced === 0
              ? 'List prices'
              : `${formatCount(unpriced + partlyPriced)} with an unknown charge`,
            change((figures) => figures.costUsd),
          ),
        },
      ]}
    />
  );
}

function joined(...notes: readonly (string | undefined)[]): string {
  return notes.filter((note) => note !== undefined).join(' · ');
}

interface OverviewFiltersProps {
  read(name: string): string;
  write(changes: Readonly<Record<string, string>>): void;
}

function OverviewFilters({ read, write }: OverviewFiltersProps) {
  return (
    <FilterBar label="Filter figures">
      <RangeFields range={readRange(read)} label="Time range" isLabelHidden onChange={write} />
      <FilterField
        field={ENVIRONMENT}
        all="All environments"
        isLabelHidden
        value={read('environment')}
        onChange={write}
      />
      <Switch
        label="Live"
        checked={read('live') === '1'}
        onChange={(event) => write({ live: event.currentTarget.checked ? '1' : '' })}
        className={classes.live ?? ''}
      />
    </FilterBar>
  );
}

function NoRequests() {
  const mayMakeKeys = useMay('createKey');
  return (
    <Empty
      title="No requests in this time range"
      action={
        mayMakeKeys ? (
          <Button component={Link} href="/start">
            Create a key and send a first request
          </Button>
        ) : undefined
      }
    >
      Requests appear a few seconds after their response.
    </Empty>
  );
}

function Charts({ series, interval }: { readonly series: Timeseries; readonly interval: Interval }) {
  const { data } = series;
  const mix = toThreatMix(data);
  return (
    <div className={classes.charts}>
      <OutcomesChart data={data} interval={interval} />
      <Chart
        title="Threats found"
        kind="bars"
        points={mix.points}
        series={mix.series}
        interval={interval}
        format={formatCount}
        empty="No findings"
      />
      <LatencyChart data={data} interval={interval} />
      <Chart
        title="Time to first token"
        note="Streams"
        kind="lines"
        points={toPercentiles(data, 'timeToFirstTokenMs')}
        series={PERCENTILES}
        interval={interval}
        format={formatMs}
        empty="No streamed responses"
      />
      <UsageCharts data={data} interval={interval} />
    </div>
  );
}

function UsageCharts({ data, interval }: Pick<Timeseries, 'data'> & { readonly interval: Interval }) {
  return (
    <>
      <Chart
        title="Tokens"
        kind="bars"
        points={toTokens(data)}
        series={TOKENS}
        interval={interval}
        format={formatCount}
        empty="No usage reported"
      />
      <CostChart data={data} interval={interval} />
    </>
  );
}

function TopTables(shown: Pick<TopTableProps, 'range' | 'environment' | 'isLive'>) {
  return (
    <div className={classes.tops}>
      <TopTable title="Top keys" groupBy="keyId" {...shown} />
      <TopTable title="Top models" groupBy="model" {...shown} />
      <TopTable title="Top end users" groupBy="endUserId" {...shown} />
    </div>
  );
}

interface TopTableProps {
  readonly title: string;
  readonly groupBy: Group;
  readonly range: Range;
  readonly environment: string;
  readonly isLive: boolean;
}

const ROWS = 8;

/** A key's page, or the requests of a group. */
function pageOf({ groupBy, range, environment }: TopTableProps, group: string, mayReadKeys: boolean): string {
  if (groupBy === 'keyId' && mayReadKeys) return `/keys/${encodeURIComponent(group)}`;
  return `/requests${toSearch({ [groupBy]: group, environment, ...writeRange(range) })}`;
}

/** The groups with most requests. */
function TopTable(props: TopTableProps) {
  const { title, groupBy, range, environment, isLive } = props;
  const figures = useFigures('getSummary', range, { environment, groupBy }, isLive);
  const groups = topGroups(figures.data?.groups ?? [], ROWS);
  const mayReadKeys = useMay('getKey');
  const isShort = ['1m', '5m'].includes(intervalOf(range));
  return (
    <Panel
      title={title}
      {...(isShort && figures.data !== undefined && { note: `Full hours, ${formatHours(figures.data)}` })}
    >
      {figures.error !== null && figures.data === undefined ? (
        <p className={classes.none}>{figures.error.message}</p>
      ) : groups.length === 0 ? (
        <p className={classes.none}>{figures.data === undefined ? 'Loading…' : 'None in this time range'}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Requests</th>
              <th scope="col">Blocked</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ group, label, requests, blocked, ...cost }) => (
              <tr key={group}>
                <th scope="row" title={group ?? ''}>
                  <Link href={pageOf(props, group ?? '', mayReadKeys)}>{label ?? group}</Link>
                </th>
                <td>{formatCount(requests)}</td>
                <td>{formatCount(blocked)}</td>
                <td>{formatTotalCost(cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

const REFRESH_MS = 10_000;

/** Analytics over the range, or over the one before it, reloaded every few seconds if the page is live. */
function useFigures<Id extends 'getSummary' | 'getTimeseries'>(
  id: Id,
  range: Range,
  query: Readonly<Record<string, string>>,
  isLive: boolean,
  isBefore = false,
) {
  return useQuery({
    queryKey: [pathTo(id), range, query, isBefore],
    queryFn: ({ signal }) => {
      const times = timesOf(range, Date.now());
      const options = { query: { ...(isBefore ? previousOf(times) : times), ...query }, signal };
      return call(id, options as unknown as CallOptions<Id>);
    },
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? REFRESH_MS : false,
  });
}
