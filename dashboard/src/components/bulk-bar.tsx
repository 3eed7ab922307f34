import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './bulk-bar.module.css';
import { formatExact } from './format.ts';

interface BulkBarProps {
  readonly count: number;
  /** Of one row. */
  readonly noun: string;
  /** The actions. */
  readonly children: ReactNode;
  onClear(): void;
}

/** What can be done with the chosen rows of a list; nothing while there are none. */
export function BulkBar({ count, noun, children, onClear }: BulkBarProps) {
  if (count === 0) return null;
  return (
    <section className={classes.bar} aria-label="Chosen rows">
      <span role="status">
        {formatExact(count)} {noun}
        {count === 1 ? '' : 's'} chosen
      </span>
      {children}
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}
