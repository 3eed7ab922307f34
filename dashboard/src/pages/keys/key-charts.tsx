import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Summary, Timeseries } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { CostChart, LatencyChart, OutcomesChart } from '../../components/figure-charts.tsx';
import { formatExact, formatMs, formatShare, formatTotalCost } from '../../components/format.ts';
import { ErrorState, Panel, Tiles } from '../../components/page.tsx';
import { Placeholder } from '../../components/placeholder.tsx';
import { RANGES, type RangeName, timesOf } from '../../components/url-state.ts';
import classes from './keys.module.css';

/** A key's totals are of full hours, so shorter ranges would be rounded to them. */
const KEY_RANGES = Object.entries(RANGES).filter(([, { hours }]) => hours >= 24);

/** Totals and charts of a key's requests. */
export function KeyCharts({ id }: { readonly id: string }) {
  const [now] = useState(() => Date.now());
  const [range, setRange] = useState<RangeName>('30d');
  const query = { ...timesOf(range, now), keyId: id };
  const interval = range === '24h' ? 'hour' : 'day';
  const summary = useQuery(reading('getSummary', { query }));
  const series = useQuery(reading('getTimeseries', { query: { ...query, interval } }));
  const { data } = summary;
  const failed = summary.error ?? series.error;
  const retry = () => {
    void summary.refetch();
    void series.refetch();
  };
  return (
    <>
      <Panel
        title="Usage"
        actions={
          <NativeSelect
            aria-label="Time range of usage"
            size="xs"
            data={KEY_RANGES.map(([value, { label }]) => ({ value, label }))}
            value={range}
            onChange={(event) => setRange(event.currentTarget.value as RangeName)}
          />
        }
      >
        {failed !== null ? (
          <ErrorState error={failed} retry={retry} />
        ) : data === undefined ? (
          <Placeholder label="Loading usage" lines={2} />
        ) : (
          <UsageTiles summary={data} />
        )}
      </Panel>
      {series.data === undefined ? (
        failed === null ? (
          <Panel>
            <Placeholder label="Loading charts" lines={12} />
          </Panel>
        ) : null
      ) : (
        <Charts data={series.data.data} interval={interval} />
      )}
    </>
  );
}

function UsageTiles({ summary }: { readonly summary: Summary }) {
  const { requests, blocked, flagged, errors, rateLimited, tokens, latencyMs } = summary;
  return (
    <Tiles
      tiles={[
        { name: 'Requests', value: formatExact(requests) },
        { name: 'Blocked', value: formatExact(blocked), note: formatShare(blocked, requests) },
        { name: 'Flagged or redacted', value: formatExact(flagged), note: formatShare(flagged, requests) },
        { name: 'Errors', value: formatExact(errors), note: `${formatExact(rateLimited)} of them 429` },
        { name: 'Tokens', value: formatExact(tokens.input + tokens.output) },
        { name: 'Cost', value: formatTotalCost(summary) },
        { name: 'Latency p95', value: formatMs(latencyMs.p95) },
      ]}
    />
  );
}

function Charts({ data, interval }: Pick<Timeseries, 'data' | 'interval'>) {
  return (
    <div className={classes.charts}>
      <OutcomesChart data={data} interval={interval} />
      <CostChart data={data} interval={interval} />
      <LatencyChart data={data} interval={interval} />
    </div>
  );
}
