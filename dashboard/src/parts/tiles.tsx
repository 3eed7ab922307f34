import type { ReactNode } from 'react';
import classes from './tiles.module.css';

export interface Tile {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}

/** A row of figures, each with its name. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl className={classes.tiles}>
      {tiles.map(({ name, value, note }) => (
        <div key={name} className={classes.tile}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note === undefined ? null : <dd className={classes.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
