import type { Interval, Timeseries } from '../api/client.ts';
import { Chart } from './chart.tsx';
import { COST, OUTCOMES, PERCENTILES, toCost, toOutcomes, toPercentiles } from './chart-data.ts';
import { formatCount, formatMs, formatUsd, formatUsdTick } from './format.ts';

interface FigureChartProps {
  readonly data: Timeseries['data'];
  readonly interval: Interval;
}

export function OutcomesChart({ data, interval }: FigureChartProps) {
  return (
    <Chart
      title="Requests"
      kind="bars"
      points={toOutcomes(data)}
      series={OUTCOMES}
      interval={interval}
      format={formatCount}
      empty="No requests"
    />
  );
}

export function LatencyChart({ data, interval }: FigureChartProps) {
  return (
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
  );
}

export function CostChart({ data, interval }: FigureChartProps) {
  return (
    <Chart
      title="Cost"
      note="At list prices"
      kind="bars"
      points={toCost(data)}
      series={COST}
      interval={interval}
      format={formatUsd}
      formatTick={formatUsdTick}
      empty="No cost, or no known price"
    />
  );
}
