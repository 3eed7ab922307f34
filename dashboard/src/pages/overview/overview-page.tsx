import { Button, NativeSelect, Switch } from '@mantine/core';
import { Link } from 'wouter';
import type { Summary, Timeseries } from '../../api/types.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { formatCount, formatMs, formatShare, formatTime, formatUsd } from '../../parts/format.ts';
import { FilterBar, Page } from '../../parts/page.tsx';
import { RangeFields } from '../../parts/range-fields.tsx';
import { Empty, ErrorState, Loading } from '../../parts/states.tsx';
import { Tiles } from '../../parts/tiles.tsx';
import { intervalOf, readRange } from '../../parts/time-range.ts';
import { useUrlState } from '../../parts/use-url-state.ts';
import { ENVIRONMENTS } from '../../parts/words.ts';
import { usePermission } from '../../session/session-context.tsx';
import classes from './overview-page.module.css';
import {
  COST,
  OUTCOMES,
  PERCENTILES,
  TOKENS,
  toCost,
  toOutcomes,
  toPercentiles,
  toThreatMix,
  toTokens,
} from './series.ts';
import { TopTable } from './top-table.tsx';
import { useFigures } from './use-figures.ts';

export default function OverviewPage() {
  const [read, write] = useUrlState();
  const range = readRange(read);
  const environment = read('environment');
  const isLive = read('live') === '1';
  const interval = intervalOf(range);
  const mayMakeKeys = usePermission('admin');

  const summary = useFigures<Summary>('/v1/analytics/summary', range, { environment }, isLive);
  const series = useFigures<Timeseries>('/v1/analytics/timeseries', range, { environment, interval }, isLive);
  const error = summary.error ?? series.error;
  const retry = () => {
    void summary.refetch();
    void series.refetch();
  };

  return (
    <Page
      title="Overview"
      actions={
        <FilterBar label="What is shown">
          <RangeFields range={range} label="Time range" isLabelHidden onChange={write} />
          <NativeSelect
            aria-label="Environment"
            data={[{ value: '', label: 'All environments' }, ...ENVIRONMENTS]}
            value={environment}
            onChange={(event) => write({ environment: event.currentTarget.value })}
          />
          <Switch
            label="Live"
            checked={isLive}
            onChange={(event) => write({ live: event.currentTarget.checked ? '1' : '' })}
            className={classes.live ?? ''}
          />
        </FilterBar>
      }
    >
      {error !== null && (summary.data === undefined || series.data === undefined) ? (
        <ErrorState error={error} retry={retry} />
      ) : summary.data === undefined || series.data === undefined ? (
        <Loading label="Loading figures" />
      ) : summary.data.requests === 0 ? (
        <Empty
          title="No requests in this time"
          action={
            mayMakeKeys ? (
              <Button component={Link} href="/start">
                Make a key and a first call
              </Button>
            ) : undefined
          }
        >
          Requests stand here some seconds after they were answered.
        </Empty>
      ) : (
        <>
          {error === null ? null : <p role="alert">{error.message} These are the figures of before.</p>}
          <Figures summary={summary.data} />
          <Charts series={series.data} interval={interval} />
          <div className={classes.tops}>
            <TopTable title="Top keys" groupBy="keyId" range={range} environment={environment} isLive={isLive} />
            <TopTable title="Top models" groupBy="model" range={range} environment={environment} isLive={isLive} />
            <TopTable
              title="Top end users"
              groupBy="endUserId"
              range={range}
              environment={environment}
              isLive={isLive}
            />
          </div>
          <p className={classes.updated}>
            As of {formatTime(new Date(summary.dataUpdatedAt).toISOString())}. Totals are of full hours and some seconds
            behind the requests.
          </p>
        </>
      )}
    </Page>
  );
}

function Figures({ summary }: { readonly summary: Summary }) {
  const { requests, blocked, flagged, errors, costUsd, unpriced, tokens, latencyMs, timeToFirstTokenMs } = summary;
  return (
    <Tiles
      tiles={[
        { name: 'Requests', value: formatCount(requests), note: `${formatCount(errors)} errors` },
        { name: 'Blocked', value: formatCount(blocked), note: formatShare(blocked, requests) },
        { name: 'Flagged', value: formatCount(flagged), note: formatShare(flagged, requests) },
        { name: 'Latency p95', value: formatMs(latencyMs.p95), note: `p50 ${formatMs(latencyMs.p50)}` },
        {
          name: 'First token p95',
          value: formatMs(timeToFirstTokenMs.p95),
          note: `p50 ${formatMs(timeToFirstTokenMs.p50)}`,
        },
        {
          name: 'Tokens',
          value: formatCount(tokens.input + tokens.output),
          note: `${formatCount(tokens.input)} in, ${formatCount(tokens.output)} out`,
        },
        {
          name: 'Cost',
          value: formatUsd(costUsd),
          note: unpriced === 0 ? 'List prices' : `${formatCount(unpriced)} of unknown price`,
        },
      ]}
    />
  );
}

function Charts({ series, interval }: { readonly series: Timeseries; readonly interval: 'hour' | 'day' }) {
  const { data } = series;
  const mix = toThreatMix(data);
  return (
    <div className={classes.charts}>
      <Chart
        title="Requests"
        kind="bars"
        points={toOutcomes(data)}
        series={OUTCOMES}
        interval={interval}
        format={formatCount}
        empty="No requests"
      />
      <Chart
        title="Threats found"
        kind="bars"
        points={mix.points}
        series={mix.series}
        interval={interval}
        format={formatCount}
        empty="Nothing was found"
      />
      <Chart
        title="Latency"
        note="Completed requests"
        kind="lines"
        points={toPercentiles(data, 'latencyMs')}
        series={PERCENTILES}
        interval={interval}
        format={formatMs}
        empty="No completed requests"
      />
      <Chart
        title="Time to first token"
        note="Streams"
        kind="lines"
        points={toPercentiles(data, 'timeToFirstTokenMs')}
        series={PERCENTILES}
        interval={interval}
        format={formatMs}
        empty="No streams"
      />
      <Chart
        title="Tokens"
        kind="bars"
        points={toTokens(data)}
        series={TOKENS}
        interval={interval}
        format={formatCount}
        empty="No usage was told"
      />
      <Chart
        title="Cost"
        note="At list prices"
        kind="bars"
        points={toCost(data)}
        series={COST}
        interval={interval}
        format={formatUsd}
        empty="Nothing was charged, or no price is known"
      />
    </div>
  );
}
