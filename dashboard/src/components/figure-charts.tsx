import type { Interval, Timeseries } from '../api/client.ts';
import { Chart, type ChartProps } from './chart.tsx';
import { COST, OUTCOMES, PERCENTILES, toCost, toOutcomes, toPercentiles } from './chart-data.ts';
import { formatCount, formatMs, formatUsd, formatUsdTick } from './format.ts';

interface FigureChartProps extends Pick<ChartProps, 'heightPx' | 'onZoom'> {
  readonly data: Timeseries['data'];
  readonly interval: Interval;
}

export function OutcomesChart({ data, interval, ...look }: FigureChartProps) {
  return (
    <Chart
      title="Requests"
      kind="bars"
      points={toOutcomes(data)}
      series={OUTCOMES}
      interval={interval}
      {...look}
      format={formatCount}
      empty="No requests"
    />
  );
}

export function LatencyChart({ data, interval, ...look }: FigureChartProps) {
  return (
    <Chart
      title="Latency"
      note="Completed requests"
      kind="lines"
      points={toPercentiles(data, 'latencyMs')}
      series={PERCENTILES}
      interval={interval}
      {...look}
      format={formatMs}
      empty="No completed requests"
    />
  );
}

export function CostChart({ data, interval, ...look }: FigureChartProps) {
  return (
    <Chart
      title="Cost"
      note="At list prices"
      kind="bars"
      points={toCost(data)}
      series={COST}
      interval={interval}
      {...look}
      format={formatUsd}
      formatTick={formatUsdTick}
      empty="No cost, or no known price"
    />
  );
}
