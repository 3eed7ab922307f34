import { Alert, Button, Loader } from '@mantine/core';
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../api/client.ts';
import classes from './components.module.css';
import { TIME_ZONE } from './format.ts';

interface PageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  /** The page of the documentation that explains it, such as `dashboard.md#requests`. */
  readonly docs: string;
  readonly children: ReactNode;
}

/** A page with heading, actions and content; sets the document title. */
export function Page({ title, intro, actions, docs, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div className={classes.titles}>
          <h1>{title}</h1>
          {intro === undefined ? null : <p className={classes.intro}>{intro}</p>}
        </div>
        <div className={classes.actions}>
          {actions}
          <span className={classes.about}>
            <span className={classes.zone} title="Times are shown in this time zone">
              {TIME_ZONE}
            </span>
            <DocsLink page={docs} />
          </span>
        </div>
      </header>
      {children}
    </div>
  );
}

interface PanelProps {
  readonly title?: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a page, with a border. */
export function Panel({ title, note, actions, children }: PanelProps) {
  return (
    <section className={classes.panel}>
      {title === undefined && actions === undefined ? null : (
        <div className={classes.panelHeader}>
          <div>
            {title === undefined ? null : <h2>{title}</h2>}
            {note === undefined ? null : <p className={classes.note}>{note}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Each name beside its value, one below the other. */
  readonly isNarrow?: boolean;
}

/** Names and values, as `<dl>`. */
export function Facts({ facts, isNarrow = false }: FactsProps) {
  return (
    <dl className={isNarrow ? classes.narrowFacts : classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface Tile {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  /** A page with what the figure counts. */
  readonly href?: string;
}

const MOST_TILES = 7;

/** Figures with names, in rows of equal length. */
export function Tiles({ tiles, perRow = MOST_TILES }: { readonly tiles: readonly Tile[]; readonly perRow?: number }) {
  return (
    <dl
      className={classes.tiles}
      style={{ '--columns': Math.ceil(tiles.length / Math.ceil(tiles.length / perRow)) } as CSSProperties}
    >
      {tiles.map(({ name, value, note, href }) => (
        <div key={name} className={classes.tile}>
          <dt>{href === undefined ? name : <Link href={href}>{name}</Link>}</dt>
          <dd>{value}</dd>
          {note === undefined ? null : <dd className={classes.tileNote}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** A link to a page of the documentation, such as `dashboard.md#requests`. */
export function DocsLink({ page, children = 'Docs' }: { readonly page: string; readonly children?: ReactNode }) {
  const [file = '', anchor] = page.split('#');
  return (
    <Link
      href={`/docs/${file.replace(/\.md$/, '')}${anchor === undefined ? '' : `#${anchor}`}`}
      className={classes.docs ?? ''}
    >
      {children}
    </Link>
  );
}

/** What a page shows instead of data: loading, empty, failed or not permitted. */

export function Loading({ label }: { readonly label: string }) {
  return (
    <div className={classes.state} role="status">
      <Loader size="sm" aria-hidden="true" />
      <span>{label}…</span>
    </div>
  );
}

export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={classes.state}>
      <strong>{title}</strong>
      {children === undefined ? null : <div className={classes.stateText}>{children}</div>}
      {action}
    </div>
  );
}

export function ErrorState({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  if (error instanceof ApiError && error.status === 403) return <NoPermission />;
  if (error instanceof ApiError && error.status === 404) return <Empty title="Not found">{error.message}</Empty>;
  return (
    <div className={classes.state} role="alert">
      <strong>Loading failed</strong>
      <div className={classes.stateText}>
        {error.message}
        <RequestId error={error} />
      </div>
      {retry === undefined ? null : (
        <Button variant="default" size="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

export function NoPermission() {
  return (
    <Empty title="No permission">
      Your key, or your role, does not include this. Sign in with another one, or ask an administrator.
    </Empty>
  );
}

/** The error of the user's last action, scrolled into view; null if there is none. */
export function ActionError({
  error,
  title = 'Action failed',
}: {
  readonly error: Error | null;
  readonly title?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null) box.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null) return null;
  return (
    <Alert ref={box} color="red" role="alert" title={title}>
      {error.message}
      <RequestId error={error} />
    </Alert>
  );
}

function RequestId({ error }: { readonly error: Error }) {
  if (!(error instanceof ApiError) || error.requestId === undefined) return null;
  return (
    <div className={classes.requestId}>
      Request <code>{error.requestId}</code>
    </div>
  );
}
