import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { PagedList } from '../api/queries.ts';
import classes from './data-table.module.css';
import { ErrorState, Loading } from './page.tsx';

export interface Column<T> {
  readonly header: string;
  readonly widthPx: number;
  /** Its share of the room that is left; none where absent. */
  readonly grows?: number;
  readonly align?: 'end';
  /** Left out where the page is as narrow as a phone. */
  readonly isWideOnly?: boolean;
  cell(row: T): ReactNode;
}

interface DataTableProps<T> {
  /** What the rows are, for who cannot see them. */
  readonly label: string;
  readonly list: PagedList<T>;
  readonly columns: readonly Column<T>[];
  readonly empty: ReactNode;
  keyOf(row: T): string;
}

const ROW_PX = 44;
/** Rows beyond the visible ones that are kept, and from the end at which the next page is asked for. */
const OVERSCAN = 12;
/** Pages without a match that are read in a row before the reader is asked whether to look further back. */
const EMPTY_PAGES = 5;

/**
 * Rows of a list of any length: only those in sight are in the document, and the next page is asked for as the reader
 * nears the end of this one.
 */
export function DataTable<T>({ label, list, columns, empty, keyOf }: DataTableProps<T>) {
  const isNarrow = useMediaQuery('(max-width: 700px)', false);
  const shown = isNarrow ? columns.filter((column) => column.isWideOnly !== true) : columns;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: list.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const { hasMore, error } = list;
  const quietPages = useLoadingMore(list, items.at(-1)?.index ?? -1);

  if (list.isLoading) return <Loading label={`Loading ${label.toLowerCase()}`} />;
  if (error !== null && list.rows.length === 0) return <ErrorState error={error} retry={list.retry} />;
  if (list.rows.length === 0 && !hasMore) return empty;

  const tracks = shown.map(({ widthPx, grows }) =>
    grows === undefined ? `${widthPx}px` : `minmax(${widthPx}px, ${grows}fr)`,
  );
  const template = tracks.join(' ');
  const minWidth = shown.reduce((sum, { widthPx }) => sum + widthPx, 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label={label}>
      <table
        aria-label={label}
        aria-rowcount={hasMore ? -1 : list.rows.length + 1}
        className={classes.table}
        style={{ minWidth }}
      >
        <HeadRow columns={shown} template={template} />
        <tbody className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = list.rows[index] as T;
            return (
              <BodyRow key={keyOf(row)} row={row} index={index} topPx={start} columns={shown} template={template} />
            );
          })}
        </tbody>
      </table>
      <div className={classes.foot} aria-live="polite">
        {footOf(list, quietPages)}
      </div>
    </section>
  );
}

interface RowProps<T> {
  readonly columns: readonly Column<T>[];
  /** `grid-template-columns` of every row. */
  readonly template: string;
}

function HeadRow<T>({ columns, template }: RowProps<T>) {
  return (
    <thead>
      <tr aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template }}>
        {columns.map((column) => (
          <th key={column.header} scope="col" data-align={column.align}>
            {column.header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface BodyRowProps<T> extends RowProps<T> {
  readonly row: T;
  readonly index: number;
  readonly topPx: number;
}

function BodyRow<T>({ row, index, topPx, columns, template }: BodyRowProps<T>) {
  return (
    <tr
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ gridTemplateColumns: template, transform: `translateY(${topPx}px)`, height: ROW_PX }}
    >
      {columns.map((column) => (
        <td key={column.header} data-align={column.align}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

function footOf<T>(list: PagedList<T>, quietPages: number): ReactNode {
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
  if (list.hasMore && quietPages >= EMPTY_PAGES) {
    return (
      <Button size="compact-xs" variant="default" onClick={list.loadMore}>
        Nothing more that fits so far: look further back
      </Button>
    );
  }
  return list.hasMore ? `${list.rows.length} loaded, more below` : `${list.rows.length} in all`;
}

/** Asks for the next page when the last row in sight is near the end; returns the pages since one brought a row. */
function useLoadingMore<T>(list: PagedList<T>, last: number): number {
  const { rows, hasMore, isLoadingMore, error, loadMore } = list;
  const nearEnd = last >= rows.length - OVERSCAN;
  const quietPages = useQuietPages(rows.length, isLoadingMore);
  const mayGoOn = hasMore && !isLoadingMore && error === null && quietPages < EMPTY_PAGES;

  useEffect(() => {
    if (nearEnd && mayGoOn) loadMore();
  }, [nearEnd, mayGoOn, loadMore]);
  return quietPages;
}

/** How many pages have come since one brought a row: filters may leave none of a page. */
function useQuietPages(rows: number, isLoading: boolean): number {
  const seen = useRef({ rows: -1, quiet: 0, wasLoading: false });
  const { current } = seen;
  if (rows !== current.rows) seen.current = { rows, quiet: 0, wasLoading: isLoading };
  else if (current.wasLoading && !isLoading) seen.current = { rows, quiet: current.quiet + 1, wasLoading: false };
  else current.wasLoading = isLoading;
  return seen.current.quiet;
}

/** The link of a row, which a click anywhere in the row follows too. */
export function RowLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className={classes.link}>
      {children}
    </Link>
  );
}

export function RowButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className={classes.link} onClick={onClick}>
      {children}
    </button>
  );
}

/** One line that ends in … where it is too long, whole in its title. */
export function OneLine({ text }: { readonly text: string }) {
  return (
    <span className={classes.line} title={text}>
      {text}
    </span>
  );
}
