import { Button, Switch } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Group, type Interval, type Query, type Summary, type Timeseries, toSearch } from '../../api/client.ts';
import { type CallOptions, call, pathTo } from '../../api/operations.ts';
import { useMay } from '../../api/session.tsx';
import { useWaitingCalls } from '../../api/waiting-calls.ts';
import { Chart } from '../../components/chart.tsx';
import { PERCENTILES, TOKENS, toPercentiles, topGroups, toThreatMix, toTokens } from '../../components/chart-data.ts';
import { CostChart, LatencyChart, OutcomesChart } from '../../components/figure-charts.tsx';
import {
  formatChange,
  formatCount,
  formatFullTime,
  formatHours,
  formatMs,
  formatShare,
  formatTotalCost,
} from '../../components/format.ts';
import { OUTCOME_LABELS } from '../../components/outcome.ts';
import { Empty, ErrorState, Page, Panel, type Tile, Tiles } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { QueryBar } from '../../components/query-bar.tsx';
import {
  intervalOf,
  previousOf,
  type Range,
  readRange,
  type TimeRange,
  timesOf,
  useFilters,
  useUrlState,
  writeRange,
} from '../../components/url-state.ts';
import classes from './overview-page.module.css';

/** Minutes are counted by these filters only. */
const OF_MINUTES: readonly string[] = ['environment', 'model'];

interface Asked {
  readonly range: Range;
  readonly filters: Query;
  readonly isLive: boolean;
}

/** Whether the gateway is healthy, what it costs and for whom, and what attacks. */
export default function OverviewPage() {
  const [read, write, go] = useUrlState();
  const range = readRange(read);
  const filters = useFilters('getSummary');
  const isLive = read('live') === '1';
  const byRange = intervalOf(range);
  const isShort = byRange === '1m' || byRange === '5m';
  // Totals of minutes where the range and the filters have them, else of full hours.
  const isByMinute = isShort && Object.keys(filters).every((name) => OF_MINUTES.includes(name));
  const interval = isShort && !isByMinute ? 'hour' : byRange;
  const asked = { range, filters, isLive };
  const precision = isByMinute ? { interval: '1m' } : {};
  const summary = useFigures('getSummary', asked, precision);
  const before = useFigures('getSummary', asked, precision, true);
  const series = useFigures('getTimeseries', asked, { interval });
  const error = summary.error ?? series.error;
  const retry = () => {
    void summary.refetch();
    void series.refetch();
  };

  return (
    <Page
      docs="dashboard.md"
      title="Overview"
      actions={
        <Switch
          label="Live"
          checked={isLive}
          onChange={(event) => write({ live: event.currentTarget.checked ? '1' : '' })}
        />
      }
    >
      <QueryBar id="getSummary" label="Filter figures" rangeLabel="Time range" />
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
          <Questions
            asked={asked}
            summary={summary.data}
            before={before.data}
            series={series.data}
            interval={interval}
            onZoom={(zoomed) => go(writeRange(zoomed))}
          />
          <p className={classes.updated}>
            As of {formatFullTime(new Date(summary.dataUpdatedAt).toISOString())}, a few seconds late. Totals cover full{' '}
            {isByMinute ? 'minutes' : 'hours'}. Changes are against the range of the same length before. Dashed lines
            are new versions of the policy. Drag over a chart to zoom.
          </p>
        </>
      )}
    </Page>
  );
}

interface QuestionsProps {
  readonly asked: Asked;
  readonly summary: Summary;
  /** Of the range before; undefined until loaded. */
  readonly before: Summary | undefined;
  readonly series: Timeseries;
  readonly interval: Interval;
  onZoom(range: TimeRange): void;
}

const CHART_PX = 150;

/** The three questions of the page, each with its figures, charts and tables. */
function Questions({ asked, summary, before, series, interval, onZoom }: QuestionsProps) {
  const { data } = series;
  const figures = useTiles(asked, summary, before);
  function zoom(first: number, last: number) {
    const { from, to } = timesOf(asked.range, Date.now());
    const [start, end] = [data[first]?.time ?? from, data[last + 1]?.time ?? to];
    onZoom({ from: start > from ? start : from, to: end < to ? end : to });
  }
  const look = { interval, heightPx: CHART_PX, onZoom: zoom };
  const mix = toThreatMix(data);
  return (
    <div className={classes.questions}>
      <Question title="Is it healthy?" tiles={figures.health}>
        <OutcomesChart data={data} {...look} />
        <LatencyChart data={data} {...look} />
        <Chart
          title="Time to first token"
          note="Streams"
          kind="lines"
          points={toPercentiles(data, 'timeToFirstTokenMs')}
          series={PERCENTILES}
          format={formatMs}
          empty="No streamed responses"
          {...look}
        />
      </Question>
      <Question title="What does it cost, and for whom?" tiles={figures.cost}>
        <CostChart data={data} {...look} />
        <TopTable title="Top keys" groupBy="keyId" asked={asked} />
        <TopTable title="Top models" groupBy="model" asked={asked} />
      </Question>
      <Question title="What is attacking?" tiles={figures.attacks}>
        <Chart
          title="Findings"
          kind="bars"
          points={mix.points}
          series={mix.series}
          format={formatCount}
          empty="No findings"
          {...look}
        />
        <TopTable title="Top end users" groupBy="endUserId" asked={asked} />
        <Chart
          title="Tokens"
          kind="bars"
          points={toTokens(data)}
          series={TOKENS}
          format={formatCount}
          empty="No usage reported"
          {...look}
        />
      </Question>
    </div>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly tiles: readonly Tile[];
  readonly children: ReactNode;
}

function Question({ title, tiles, children }: QuestionProps) {
  return (
    <section className={classes.question}>
      <h2>{title}</h2>
      <Tiles tiles={tiles} perRow={3} />
      {children}
    </section>
  );
}

function useTiles({ range, filters }: Asked, summary: Summary, before: Summary | undefined) {
  const { requests, blocked, flagged, rateLimited, clientErrors, serverErrors } = summary;
  const { unpriced, partlyPriced, tokens, latencyMs, timeToFirstTokenMs } = summary;
  /** The share of all requests, and the change of a count. */
  const share = (name: 'blocked' | 'flagged' | 'rateLimited' | 'clientErrors' | 'serverErrors') =>
    joined(formatShare(summary[name], requests), before && formatChange(before[name], summary[name]));
  const change = (read: (figures: Summary) => number | null) => before && formatChange(read(before), read(summary));
  const waiting = useWaitingCalls();
  const listOf = (outcome: string) => `/requests${toSearch({ ...writeRange(range), ...filters, outcome })}`;
  const health: Tile[] = [
    { name: 'Requests', value: formatCount(requests), note: change((figures) => figures.requests), href: listOf('') },
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
      name: OUTCOME_LABELS.server_error,
      value: formatCount(serverErrors),
      note: share('serverErrors'),
      href: listOf('server_error'),
    },
    {
      name: OUTCOME_LABELS.rate_limited,
      value: formatCount(rateLimited),
      note: share('rateLimited'),
      href: listOf('rate_limited'),
    },
    {
      name: OUTCOME_LABELS.client_error,
      value: formatCount(clientErrors),
      note: share('clientErrors'),
      href: listOf('client_error'),
    },
  ];
  const cost: Tile[] = [
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
    {
      name: 'Tokens',
      value: formatCount(tokens.input + tokens.output),
      note: `${formatCount(tokens.input)} in, ${formatCount(tokens.output)} out`,
    },
  ];
  const attacks: Tile[] = [
    { name: OUTCOME_LABELS.blocked, value: formatCount(blocked), note: share('blocked'), href: listOf('blocked') },
    { name: OUTCOME_LABELS.flagged, value: formatCount(flagged), note: share('flagged'), href: listOf('flagged') },
    ...(waiting === undefined
      ? []
      : [{ name: 'Calls that wait', value: waiting, note: 'Now, of all keys', href: '/approvals' }]),
  ];
  return { health, cost, attacks };
}

function joined(...notes: readonly (string | undefined)[]): string {
  return notes.filter((note) => note !== undefined).join(' · ');
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

interface TopTableProps {
  readonly title: string;
  readonly groupBy: Group;
  readonly asked: Asked;
}

const ROWS = 5;

/** A key's page, or the requests of a group. */
function pageOf({ groupBy, asked: { range, filters } }: TopTableProps, group: string, mayReadKeys: boolean): string {
  if (groupBy === 'keyId' && mayReadKeys) return `/keys/${encodeURIComponent(group)}`;
  return `/requests${toSearch({ ...filters, [groupBy]: group, ...writeRange(range) })}`;
}

/** The groups with most requests. */
function TopTable(props: TopTableProps) {
  const { title, groupBy, asked } = props;
  const figures = useFigures('getSummary', asked, { groupBy });
  const groups = topGroups(figures.data?.groups ?? [], ROWS);
  const mayReadKeys = useMay('getKey');
  const isShort = ['1m', '5m'].includes(intervalOf(asked.range));
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
  { range, filters, isLive }: Asked,
  more: Readonly<Record<string, string>>,
  isBefore = false,
) {
  const query = { ...filters, ...more };
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
