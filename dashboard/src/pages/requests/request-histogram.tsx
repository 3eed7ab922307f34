import { useQuery } from '@tanstack/react-query';
import type { Query, RequestRecord } from '../../api/client.ts';
import { type PagedList, reading } from '../../api/queries.ts';
import { longTime, shortTime } from '../../components/chart.tsx';
import { countByTime, OUTCOMES, type Point, toOutcomes } from '../../components/chart-data.ts';
import { Drawing } from '../../components/chart-drawing.tsx';
import { formatExact, formatTime } from '../../components/format.ts';
import { usePolicyMarks } from '../../components/policy-marks.ts';
import { intervalOf, type TimeRange } from '../../components/url-state.ts';
import classes from './requests.module.css';

interface RequestHistogramProps {
  readonly list: PagedList<RequestRecord>;
  /** Of the list, with its range. */
  readonly query: Query;
  onZoom(range: TimeRange): void;
}

const HEIGHT_PX = 84;
const COLUMNS = 60;

/** The requests of the list over time. A click or dragging zooms into the range. */
export function RequestHistogram({ list, query, onZoom }: RequestHistogramProps) {
  const range = { from: String(query.from), to: String(query.to) };
  const interval = intervalOf(range);
  const totals = useQuery({
    ...reading('getTimeseries', { query: { ...query, interval } as never }),
    enabled: list.hasMore && isCounted(query, interval),
  });
  const counted = list.hasMore ? totals.data?.data : undefined;
  const points = counted === undefined ? countByTime(list.rows, range, COLUMNS) : toOutcomes(counted);
  const unit = counted === undefined ? '1m' : interval;

  function zoom(first: number, last: number) {
    const from = (points[first] as Point).time;
    const to = points[last + 1]?.time ?? range.to;
    onZoom({ from: from > range.from ? from : range.from, to: to < range.to ? to : range.to });
  }

  return (
    <figure className={classes.histogram} aria-label="Requests over time, chart. The list has the same requests.">
      <Drawing
        kind="bars"
        points={points}
        series={OUTCOMES}
        format={formatExact}
        formatTick={formatExact}
        atLeast={0}
        heightPx={HEIGHT_PX}
        marks={usePolicyMarks()}
        shortTime={(time) => shortTime(time, unit)}
        longTime={(time) => longTime(time, unit)}
        onZoom={zoom}
      />
      {list.hasMore && counted === undefined && list.rows.length > 0 ? (
        <figcaption className={classes.caption}>
          Of the {formatExact(list.rows.length)} newest, back to {formatTime(list.rows.at(-1)?.time ?? null)}
        </figcaption>
      ) : null}
    </figure>
  );
}

/** What hours and days are counted by, and minutes. */
const OF_HOURS: readonly string[] = ['from', 'to', 'environment', 'model', 'keyId', 'teamId', 'endUserId', 'tag'];
const OF_MINUTES: readonly string[] = OF_HOURS.slice(0, 4);

/** Whether totals are counted by these filters. */
function isCounted(query: Query, interval: string): boolean {
  const { tag, endUserId } = query;
  if (Array.isArray(tag) && tag.length > 1) return false;
  if (tag !== undefined && endUserId !== undefined) return false;
  const counted = interval === 'hour' || interval === 'day' ? OF_HOURS : OF_MINUTES;
  return Object.keys(query).every((name) => counted.includes(name));
}
