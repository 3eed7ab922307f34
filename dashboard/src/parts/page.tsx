import { type ReactNode, useEffect } from 'react';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page's heading, what can be done on it, and its content; names the browser's tab too. */
export function Page({ title, intro, actions, children }: PageProps) {
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
        {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
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

/** A part of a page with a border of its own. */
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

/** Names and values, as `<dl>`. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function FilterBar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <search className={classes.filters} aria-label={label}>
      {children}
    </search>
  );
}
