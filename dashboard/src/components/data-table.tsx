import { Button, Checkbox } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { PagedList } from '../api/queries.ts';
import classes from './data-table.module.css';
import { formatTime } from './format.ts';
import { Icon } from './icons.tsx';
import { ErrorState } from './page.tsx';
import { Placeholder } from './placeholder.tsx';
import { sortRows } from './sort-rows.ts';

export interface Column<T> {
  readonly header: string;
  /** Instead of the header's text. */
  readonly head?: ReactNode;
  readonly widthPx: number;
  /** Share of the remaining width; none if absent. */
  readonly grows?: number;
  readonly align?: 'end';
  /** Left out where the columns do not fit, those on the right first. */
  readonly isWideOnly?: boolean;
  cell(row: T): ReactNode;
  /** Offers sorting by it while the whole list is loaded; null is last. */
  sortBy?(row: T): string | number | null;
  /** Of a list that the server sorts: the name of the order. */
  readonly order?: string;
}

/** The order of a list that the server sorts. */
export interface Order {
  readonly by: string;
  readonly direction: 'ascending' | 'descending';
}

/** Chosen rows of a list, by their keys. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  onChange(keys: ReadonlySet<string>): void;
}

interface Sort {
  readonly header: string;
  readonly direction: 'ascending' | 'descending';
}

interface DataTableProps<T> {
  /** The table's name for assistive technology. */
  readonly label: string;
  readonly list: PagedList<T>;
  readonly columns: readonly Column<T>[];
  readonly empty: ReactNode;
  /** Whether the viewer chose the columns: the table scrolls sideways rather than leaving some out. */
  readonly keepsColumns?: boolean;
  /** Low rows, for lists of events. */
  readonly isDense?: boolean;
  /** The row that is open beside the list, which is kept in sight. */
  readonly selected?: string | undefined;
  /** Of a list that the server sorts: the order in force. */
  readonly order?: Order | undefined;
  onOrder?(order: Order): void;
  /** Offers a box in each row. */
  readonly selection?: Selection;
  /** What a row is called beside its box, for assistive technology. */
  nameOf?(row: T): string;
  keyOf(row: T): string;
}

const ROW_PX = 44;
const DENSE_ROW_PX = 26;
/** Rows rendered beyond the visible ones; the next page is requested this many rows before the end. */
const OVERSCAN = 12;
/** Consecutive pages without a match before loading waits for the user; one for records, of which a page searches 10,000. */
const MAX_EMPTY_PAGES = 5;

/**
 * A list of any length. Only visible rows are in the document; the next page loads when the user scrolls near the end.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, list, empty, keepsColumns = false, isDense = false, selected, selection, keyOf, nameOf } = props;
  const columns =
    selection === undefined ? props.columns : [boxColumn(list.rows, selection, keyOf, nameOf), ...props.columns];
  const rowPx = isDense ? DENSE_ROW_PX : ROW_PX;
  const { ref: room, width } = useElementSize<HTMLDivElement>();
  const shown = keepsColumns ? columns : columnsWithin(columns, width);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: list.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const { hasMore, error } = list;
  const [sort, setSort] = useState<Sort>();
  const rows = useMemo(() => {
    const by = props.columns.find(({ header }) => header === sort?.header)?.sortBy;
    return by === undefined || hasMore ? list.rows : sortRows(list.rows, by, sort?.direction === 'descending');
  }, [list.rows, hasMore, props.columns, sort]);
  useLoadingMore(list, items.at(-1)?.index ?? -1);
  const selectedAt = selected === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selected);
  useEffect(() => {
    if (selectedAt < 0) return;
    virtualizer.scrollToIndex(selectedAt);
    // The keyboard goes on from the row that is open.
    if (scroller.current?.contains(document.activeElement) === true) {
      scroller.current.querySelector<HTMLElement>('tr[aria-current] a')?.focus({ preventScroll: true });
    }
  }, [virtualizer, selectedAt]);

  if (list.isLoading) return <Placeholder label={`Loading ${label.toLowerCase()}`} lines={10} />;
  if (error !== null && list.rows.length === 0) return <ErrorState error={error} retry={list.retry} />;
  if (list.rows.length === 0 && !hasMore) return empty;

  const needed = widthOf(shown);
  // A phone may be narrower than the columns that are always shown: they shrink, and their texts are shortened.
  const isTight = !keepsColumns && width > 0 && needed > width;
  const tracks = shown.map(({ widthPx, grows }) => {
    if (isTight) return `minmax(0, ${widthPx}fr)`;
    return grows === undefined ? `${widthPx}px` : `minmax(${widthPx}px, ${grows}fr)`;
  });
  const template = tracks.join(' ');
  const minWidth = isTight ? 0 : needed;
  return (
    <div ref={room} className={classes.room} data-dense={isDense}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling must work by keyboard */}
      <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label={label}>
        <table
          aria-label={label}
          aria-rowcount={hasMore ? -1 : list.rows.length + 1}
          className={classes.table}
          style={{ minWidth }}
        >
          <HeadRow
            columns={shown}
            template={template}
            canSort={!hasMore}
            sort={sort}
            onSort={setSort}
            order={props.order}
            onOrder={props.onOrder}
          />
          <tbody className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = rows[index] as T;
              return (
                <BodyRow
                  key={keyOf(row)}
                  row={row}
                  index={index}
                  topPx={start}
                  rowPx={rowPx}
                  isSelected={index === selectedAt}
                  columns={shown}
                  template={template}
                />
              );
            })}
          </tbody>
        </table>
        <div className={classes.foot} aria-live="polite">
          {footOf(list)}
        </div>
      </section>
    </div>
  );
}

/** The columns that fit a width; all while it is unknown. */
export function columnsWithin<T>(columns: readonly Column<T>[], widthPx: number): readonly Column<T>[] {
  const shown = [...columns];
  while (widthPx > 0 && widthOf(shown) > widthPx) {
    const last = shown.findLastIndex(({ isWideOnly }) => isWideOnly === true);
    if (last < 0) break;
    shown.splice(last, 1);
  }
  return shown;
}

function widthOf(columns: readonly { readonly widthPx: number }[]): number {
  return columns.reduce((sum, { widthPx }) => sum + widthPx, 0);
}

interface RowProps<T> {
  readonly columns: readonly Column<T>[];
  /** `grid-template-columns` of every row. */
  readonly template: string;
}

const BOX_PX = 40;

/** A box for each row, and one for all rows that are loaded. */
function boxColumn<T>(
  rows: readonly T[],
  { keys, onChange }: Selection,
  keyOf: (row: T) => string,
  nameOf: (row: T) => string = keyOf,
): Column<T> {
  const isAll = rows.length > 0 && rows.every((row) => keys.has(keyOf(row)));
  return {
    header: 'Choose',
    widthPx: BOX_PX,
    head: (
      <Checkbox
        size="xs"
        aria-label="Choose all loaded rows"
        checked={isAll}
        indeterminate={!isAll && keys.size > 0}
        onChange={() => onChange(isAll ? new Set() : new Set(rows.map(keyOf)))}
      />
    ),
    cell: (row) => {
      const key = keyOf(row);
      return (
        <Checkbox
          size="xs"
          // Above the link that covers the row.
          className={classes.box ?? ''}
          aria-label={`Choose ${nameOf(row)}`}
          checked={keys.has(key)}
          onChange={() => onChange(toggled(keys, key))}
        />
      );
    },
  };
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const after = new Set(keys);
  if (!after.delete(key)) after.add(key);
  return after;
}

interface HeadRowProps<T> extends RowProps<T> {
  readonly canSort: boolean;
  readonly sort: Sort | undefined;
  readonly order: Order | undefined;
  onSort(sort: Sort): void;
  readonly onOrder: ((order: Order) => void) | undefined;
}

function HeadRow<T>({ columns, template, canSort, sort, order, onSort, onOrder }: HeadRowProps<T>) {
  return (
    <thead>
      <tr aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template }}>
        {columns.map((column) => {
          const { header, head = header, align, sortBy, order: by } = column;
          const byServer = by !== undefined && onOrder !== undefined;
          if (!byServer && (!canSort || sortBy === undefined)) {
            return (
              <th key={header} scope="col" data-align={align}>
                {head}
              </th>
            );
          }
          const direction = byServer
            ? order?.by === by
              ? order.direction
              : undefined
            : sort?.header === header
              ? sort.direction
              : undefined;
          // Numbers, which are on the right, are most useful from the highest.
          const first = align === 'end' ? 'descending' : 'ascending';
          const next = direction === undefined ? first : direction === 'ascending' ? 'descending' : 'ascending';
          return (
            <th key={header} scope="col" data-align={align} aria-sort={direction ?? 'none'}>
              <button
                type="button"
                className={classes.sort}
                onClick={() => (byServer ? onOrder({ by, direction: next }) : onSort({ header, direction: next }))}
              >
                {header}
                <Icon name={direction ?? 'sort'} size={12} />
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface BodyRowProps<T> extends RowProps<T> {
  readonly row: T;
  readonly index: number;
  readonly topPx: number;
  readonly rowPx: number;
  readonly isSelected: boolean;
}

function BodyRow<T>({ row, index, topPx, rowPx, isSelected, columns, template }: BodyRowProps<T>) {
  return (
    <tr
      aria-rowindex={index + 2}
      aria-current={isSelected ? true : undefined}
      className={classes.row}
      style={{ gridTemplateColumns: template, transform: `translateY(${topPx}px)`, height: rowPx }}
    >
      {columns.map((column) => (
        <td key={column.header} data-align={column.align}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

function footOf<T>(list: PagedList<T>): ReactNode {
  if (list.error !== null) {
    return (
      <>
        {list.error.message}{' '}
        <Button size="compact-xs" variant="default" onClick={list.retry}>
          Try again
        </Button>
      </>
    );
  }
  if (list.isLoadingMore) return 'Loading more…';
  if (list.hasMore && waitsForUser(list)) {
    return (
      <>
        {list.searchedTo === null
          ? 'No further matches so far.'
          : `Searched back to ${formatTime(list.searchedTo)}: ${list.rows.length === 0 ? 'no match' : 'no further match'} so far.`}{' '}
        <Button size="compact-xs" variant="default" onClick={list.loadMore}>
          Search further back
        </Button>
      </>
    );
  }
  return list.hasMore ? `${list.rows.length} loaded, more below` : `${list.rows.length} in all`;
}

/** Loads the next page when the last visible row is near the end, until pages without a row. */
function useLoadingMore<T>(list: PagedList<T>, last: number): void {
  const { rows, hasMore, isLoadingMore, error, loadMore } = list;
  const nearEnd = last >= rows.length - OVERSCAN;
  const mayGoOn = hasMore && !isLoadingMore && error === null && !waitsForUser(list);

  useEffect(() => {
    if (nearEnd && mayGoOn) loadMore();
  }, [nearEnd, mayGoOn, loadMore]);
}

function waitsForUser({ searchedTo, emptyPages }: PagedList<unknown>): boolean {
  return emptyPages >= (searchedTo === null ? MAX_EMPTY_PAGES : 1);
}

interface FromList {
  /** The list's path with its filters. */
  readonly from: string;
}

/** The state of a link that leads from this list to one of its pages. */
export function useFromList(): FromList {
  const [path] = useLocation();
  const search = useSearch();
  return { from: search === '' ? path : `${path}?${search}` };
}

interface RowLinkProps {
  readonly href: string;
  /** Instead of following the link, unless the user wants a new tab. */
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** The link of a row; a click anywhere in the row follows it. */
export function RowLink({ href, onOpen, children }: RowLinkProps) {
  const state = useFromList();
  function open(event: MouseEvent) {
    if (onOpen === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  }
  return (
    <Link href={href} state={state} className={classes.link} onClick={open}>
      {children}
    </Link>
  );
}

/** A link back to a list, with its filters if the viewer came from it. */
export function BackLink({ list, children }: { readonly list: string; readonly children: ReactNode }) {
  const from = useHistoryState<FromList | null>()?.from;
  return <Link href={from?.split('?')[0] === list ? from : list}>{children}</Link>;
}

export function RowButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className={classes.link} onClick={onClick}>
      {children}
    </button>
  );
}

/** One line, shortened with … if too long; the title has the full text. */
export function OneLine({ text }: { readonly text: string }) {
  return (
    <span className={classes.line} title={text}>
      {text}
    </span>
  );
}
