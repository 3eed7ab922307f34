import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Timeseries } from '../api/client.ts';
import classes from './chart.module.css';
import { keyOfPoint, type Point, type Series } from './chart-data.ts';
import { Drawing, Swatch } from './chart-drawing.tsx';
import { formatTime } from './format.ts';
import { Panel } from './page.tsx';
import { usePolicyMarks } from './policy-marks.ts';

/** What a column covers: minutes, an hour, a UTC day, or one request. */
export type Interval = Timeseries['interval'] | 'turn';

export interface ChartProps {
  readonly title: string;
  readonly note?: string;
  readonly kind: 'bars' | 'lines';
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly interval: Interval;
  format(value: number): string;
  /** For the axis; `format` if absent. */
  readonly formatTick?: (value: number) => string;
  /** The scale ends here or above: 1 for scores from 0 to 1. */
  readonly atLeast?: number;
  /** 220 if absent. */
  readonly heightPx?: number;
  /** Columns that were chosen, from the first to the last. */
  readonly onZoom?: (first: number, last: number) => void;
  /** Text instead of the chart if all values are zero or unknown. */
  readonly empty: string;
}

/** A chart over time, or a table of the same figures. */
export function Chart(props: ChartProps) {
  const { title, note, kind, points, series, interval, format, formatTick = format, atLeast = 0, empty } = props;
  const { heightPx, onZoom } = props;
  // Changes that may explain what the chart shows.
  const marks = usePolicyMarks();
  const [asTable, setAsTable] = useState(false);
  const isEmpty = points.every((point) => series.every(({ id }) => !point[id]));
  const toggle = (
    <Button
      variant="subtle"
      size="compact-xs"
      onClick={() => setAsTable(!asTable)}
      aria-label={`${title}: ${asTable ? 'chart' : 'table'}`}
    >
      {asTable ? 'Chart' : 'Table'}
    </Button>
  );
  return (
    <Panel title={title} {...(note === undefined ? {} : { note })} actions={isEmpty ? undefined : toggle}>
      {isEmpty ? (
        <div className={classes.empty} style={{ height: heightPx }}>
          {empty}
        </div>
      ) : asTable ? (
        <PointTable points={points} series={series} interval={interval} format={format} />
      ) : (
        <figure className={classes.figure} aria-label={`${title}, chart. Use the Table button for the figures.`}>
          <Drawing
            kind={kind}
            points={points}
            series={series}
            format={format}
            formatTick={formatTick}
            atLeast={atLeast}
            shortTime={(time) => shortTime(time, interval)}
            longTime={(time) => longTime(time, interval)}
            {...{ heightPx, marks, onZoom }}
          />
          {series.length > 1 ? <Legend series={series} /> : null}
        </figure>
      )}
    </Panel>
  );
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <ul className={classes.legend}>
      {series.map(({ id, name, color }) => (
        <li key={id}>
          <Swatch color={color} /> {name}
        </li>
      ))}
    </ul>
  );
}

function PointTable({
  points,
  series,
  interval,
  format,
}: Pick<ChartProps, 'points' | 'series' | 'interval' | 'format'>) {
  const told = points.filter((point) => series.some(({ id }) => Boolean(point[id])));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling must work by keyboard
    <section className={classes.tableBox} tabIndex={0} aria-label="Figures">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{INTERVAL_NAMES[interval]}</th>
            {series.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {told.map((point) => (
            <tr key={keyOfPoint(point)}>
              <th scope="row">{longTime(point.time, interval)}</th>
              {series.map(({ id }) => (
                <td key={id}>{typeof point[id] === 'number' ? format(point[id]) : '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const LONG_HOUR = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
/** UTC days, as in the API. */
const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', timeZone: 'UTC' });

const SECOND = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const INTERVAL_NAMES: Readonly<Record<Interval, string>> = {
  '1m': 'Minute',
  '5m': 'Five minutes',
  hour: 'Hour',
  day: 'Day',
  turn: 'Turn',
};

/** A time of an axis. */
export function shortTime(time: string, interval: Interval): string {
  if (interval === 'day') return DAY.format(new Date(time));
  return (interval === 'turn' ? SECOND : HOUR).format(new Date(time));
}

/** The time of a column. */
export function longTime(time: string, interval: Interval): string {
  if (interval === 'day') return `${DAY.format(new Date(time))} (UTC)`;
  return interval === 'turn' ? formatTime(time) : LONG_HOUR.format(new Date(time));
}
