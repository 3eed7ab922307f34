import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './policy.module.css';

/** A member of the object that the rows are, while its name is edited. */
export interface MapRow<T> {
  readonly name: string;
  readonly value: T;
}

interface MapFieldsProps<T> {
  readonly entries: Readonly<Record<string, T>>;
  /** What a name is: `Tool`. */
  readonly label: string;
  readonly placeholder: string;
  /** The button's text. */
  readonly add: string;
  readonly initial: T;
  /** Whether the fields of a value have a line for themselves. */
  readonly isWide?: boolean;
  onChange(entries: Readonly<Record<string, T>> | undefined): void;
  children(row: MapRow<T>, set: (value: T) => void, label: string): ReactNode;
}

/**
 * Rows for the members of an object. A name that is empty or occurs twice is kept here and not in the object. The rows begin with the object
 * and are reset by a new key.
 */
export function MapFields<T>(props: MapFieldsProps<T>) {
  const { entries, label, placeholder, add, initial, isWide = false, onChange, children } = props;
  const [rows, setRows] = useState<readonly MapRow<T>[]>(() =>
    Object.entries(entries).map(([name, value]) => ({ name, value })),
  );
  function put(next: readonly MapRow<T>[]) {
    setRows(next);
    const named = next
      .filter((row, at) => row.name !== '' && !isTwice(next, at))
      .map(({ name, value }) => [name, value]);
    onChange(named.length === 0 ? undefined : Object.fromEntries(named));
  }
  return (
    <>
      {rows.map((row, at) => {
        const name = `${label} ${at + 1}`;
        return (
          <div key={`${rows.length}/${at}`} className={classes.mapRow} data-wide={isWide}>
            <TextInput
              aria-label={name}
              placeholder={placeholder}
              value={row.name}
              spellCheck={false}
              error={isTwice(rows, at) ? 'This is there twice.' : undefined}
              onChange={(event) => put(rows.with(at, { ...row, name: event.currentTarget.value }))}
            />
            <div className={classes.mapValue}>
              {children(row, (value) => put(rows.with(at, { ...row, value })), name)}
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={`Remove ${row.name === '' ? name : row.name}`}
              onClick={() => put(rows.toSpliced(at, 1))}
            >
              Remove
            </Button>
          </div>
        );
      })}
      <div>
        <Button variant="default" size="xs" onClick={() => setRows([...rows, { name: '', value: initial }])}>
          {add}
        </Button>
      </div>
    </>
  );
}

function isTwice(rows: readonly MapRow<unknown>[], at: number): boolean {
  const name = rows[at]?.name ?? '';
  return name !== '' && rows.findIndex((row) => row.name === name) < at;
}
