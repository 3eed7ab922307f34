import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import classes from './chart.module.css';
import { keyOfPoint, labelEvery, type Point, type Series, stack, ticksOf } from './chart-data.ts';

/** A change at a time, such as a version of the policy. */
export interface ChartMark {
  readonly time: string;
  readonly name: string;
}

interface DrawingProps {
  readonly kind: 'bars' | 'lines';
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  format(value: number): string;
  formatTick(value: number): string;
  /** The scale ends here or above. */
  readonly atLeast: number;
  shortTime(time: string): string;
  longTime(time: string): string;
  /** 220 if absent. */
  readonly heightPx?: number | undefined;
  readonly marks?: readonly ChartMark[] | undefined;
  /** Columns that were chosen by a click or by dragging over them, from the first to the last. */
  readonly onZoom?: ((first: number, last: number) => void) | undefined;
}

const HEIGHT = 220;
/** Lines of a scale are at least so far apart. */
const TICK_PX = 40;
const TOP = 10;
const BOTTOM = 24;
/** Maximum width of a digit of the labels, and their distance from the plot. */
const DIGIT_PX = 7.5;
const GAP_PX = 8;
const LEAST_LEFT = 58;
const RIGHT = 22;
const LABEL_PX = 62;
const TOOLTIP_PX = 190;

/** The chart, hidden from assistive technology because the table has its figures. */
export function Drawing(props: DrawingProps) {
  const {
    kind,
    points,
    series,
    format,
    formatTick,
    atLeast,
    shortTime,
    longTime,
    heightPx = HEIGHT,
    marks = [],
    onZoom,
  } = props;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [pointed, setPointed] = useState<number>();
  /** Where dragging began. */
  const [begun, setBegun] = useState<number>();
  const ids = series.map(({ id }) => id);
  const steps = Math.max(1, Math.floor((heightPx - TOP - BOTTOM) / TICK_PX));
  const ticks = ticksOf(kind, points, ids, atLeast, steps);
  const top = ticks.at(-1) as number;
  const left = Math.max(LEAST_LEFT, GAP_PX + DIGIT_PX * Math.max(...ticks.map((tick) => formatTick(tick).length)));
  const plotWidth = Math.max(0, width - left - RIGHT);
  const band = plotWidth / Math.max(1, points.length);
  const x = (at: number) => left + (at + 0.5) * band;
  const y = (value: number) => TOP + (1 - value / top) * (heightPx - TOP - BOTTOM);

  function columnAt(event: PointerEvent): number | undefined {
    const at = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / band);
    return at >= 0 && at < points.length ? at : undefined;
  }

  function release() {
    if (begun !== undefined && pointed !== undefined) onZoom?.(Math.min(begun, pointed), Math.max(begun, pointed));
    setBegun(undefined);
  }

  const shown = pointed === undefined ? undefined : points[pointed];
  const marked = marks.flatMap((mark) => {
    const column = columnOf(mark.time, points);
    return column === undefined ? [] : [{ ...mark, column }];
  });
  const first = Math.min(pointed ?? 0, begun ?? pointed ?? 0);
  const columns = pointed === undefined ? 0 : Math.abs(pointed - (begun ?? pointed)) + 1;
  return (
    <div
      ref={ref}
      className={classes.chart}
      data-zooms={onZoom !== undefined}
      style={{ height: heightPx }}
      onPointerMove={(event) => setPointed(columnAt(event))}
      onPointerDown={onZoom && ((event) => setBegun(columnAt(event)))}
      onPointerUp={onZoom && release}
      onPointerLeave={() => {
        setPointed(undefined);
        setBegun(undefined);
      }}
    >
      {width === 0 ? null : (
        <svg width={width} height={heightPx} aria-hidden="true">
          {pointed === undefined ? null : (
            <rect
              className={classes.pointed}
              x={left + first * band}
              y={TOP}
              width={columns * band}
              height={heightPx - TOP - BOTTOM}
            />
          )}
          <Axes
            ticks={ticks}
            points={points}
            left={left}
            width={width}
            heightPx={heightPx}
            x={x}
            y={y}
            formatTick={formatTick}
            shortTime={shortTime}
          />
          {marked.map(({ time, column }) => (
            <line
              key={time}
              className={classes.mark}
              x1={left + column * band}
              x2={left + column * band}
              y1={TOP}
              y2={heightPx - BOTTOM}
            />
          ))}
          {kind === 'bars'
            ? points.map((one, at) => (
                <Bar key={keyOfPoint(one)} point={one} series={series} x={x(at)} y={y} band={band} />
              ))
            : series.map((one) => <Line key={one.id} series={one} points={points} x={x} y={y} />)}
        </svg>
      )}
      {shown === undefined || pointed === undefined ? null : (
        <Tooltip
          point={shown}
          marks={marked.filter(({ column }) => column === pointed)}
          series={series}
          leftPx={Math.max(0, Math.min(x(pointed) - TOOLTIP_PX / 2, width - TOOLTIP_PX))}
          format={format}
          longTime={longTime}
        />
      )}
    </div>
  );
}

/** The column that a time is in; undefined outside of the chart. */
function columnOf(time: string, points: readonly Point[]): number | undefined {
  const column = points.findLastIndex((point) => point.time <= time);
  const [last, before] = [points.at(-1), points.at(-2)];
  if (column < 0 || last === undefined || before === undefined) return undefined;
  const endMs = 2 * Date.parse(last.time) - Date.parse(before.time);
  return Date.parse(time) < endMs ? column : undefined;
}

interface AxesProps extends Pick<DrawingProps, 'points' | 'formatTick' | 'shortTime'> {
  readonly ticks: readonly number[];
  /** Where the plot begins, and the width of the drawing, in pixels. */
  readonly left: number;
  readonly width: number;
  readonly heightPx: number;
  x(at: number): number;
  y(value: number): number;
}

function Axes({ ticks, points, left, width, heightPx, x, y, formatTick, shortTime }: AxesProps) {
  const every = labelEvery(points.length, Math.max(0, width - left - RIGHT), LABEL_PX);
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={classes.line} x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text className={classes.label} x={left - GAP_PX} y={y(tick)} dy="0.32em" textAnchor="end">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      {points.map((point, at) =>
        at % every === 0 ? (
          <text key={keyOfPoint(point)} className={classes.label} x={x(at)} y={heightPx - 6} textAnchor="middle">
            {shortTime(point.time)}
          </text>
        ) : null,
      )}
    </>
  );
}

interface TooltipProps extends Pick<DrawingProps, 'series' | 'format' | 'longTime'> {
  readonly point: Point;
  readonly marks: readonly ChartMark[];
  readonly leftPx: number;
}

function Tooltip({ point, marks, series, leftPx, format, longTime }: TooltipProps) {
  return (
    <div className={classes.tooltip} style={{ left: leftPx }}>
      <strong>{longTime(point.time)}</strong>
      {series.map(({ id, name, color }) => (
        <div key={id}>
          <Swatch color={color} /> {name}: {typeof point[id] === 'number' ? format(point[id]) : '–'}
        </div>
      ))}
      {marks.map(({ time, name }) => (
        <div key={time}>{name}</div>
      ))}
    </div>
  );
}

interface BarProps {
  readonly point: Point;
  readonly series: readonly Series[];
  readonly x: number;
  readonly band: number;
  y(value: number): number;
}

function Bar({ point, series, x, band, y }: BarProps) {
  const width = Math.max(1, Math.min(34, band * 0.72));
  const colors = new Map(series.map(({ id, color }) => [id, color]));
  const segments = stack(
    point,
    series.map(({ id }) => id),
  );
  return segments.map(({ id, from, to }) => (
    // A small value stays visible.
    <rect
      key={id}
      x={x - width / 2}
      y={y(to)}
      width={width}
      height={Math.max(1, y(from) - y(to))}
      fill={colors.get(id)}
    />
  ));
}

interface LineProps {
  readonly series: Series;
  readonly points: readonly Point[];
  x(at: number): number;
  y(value: number): number;
}

/** Lines bridge hours without a value; a dot marks each hour with one. */
function Line({ series: { id, color }, points, x, y }: LineProps) {
  const known = points.flatMap((point, at) => (typeof point[id] === 'number' ? [{ at, value: point[id] }] : []));
  return (
    <g>
      <polyline
        fill="none"
        stroke={color}
        strokeWidth={2}
        points={known.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ')}
      />
      {known.map(({ at, value }) => (
        <circle key={at} cx={x(at)} cy={y(value)} r={2.5} fill={color} />
      ))}
    </g>
  );
}

export function Swatch({ color }: { readonly color: string }) {
  return <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />;
}
