import type { RowOf } from '../../../../functions/contract/index.ts';
import { formatExact, formatShare, NOTHING } from '../../components/format.ts';
import { StateTag } from '../../components/tag.tsx';
import classes from './tools.module.css';

export type Tool = RowOf<'listTools'>;
type Author = keyof Tool['from'];

/** Who wrote a value, the least trusted last. */
const AUTHOR_NAMES: Readonly<Record<Author, string>> = {
  user: 'User or operator',
  field: 'Field',
  prose: 'Prose',
  none: 'Nowhere',
};
const AUTHORS = Object.keys(AUTHOR_NAMES) as Author[];

/** A bar with the shares of authors, and the same in words. */
export function AuthorShares({ from }: { readonly from: Tool['from'] }) {
  const all = AUTHORS.reduce((sum, author) => sum + from[author], 0);
  if (all === 0) return NOTHING;
  const shown = AUTHORS.filter((author) => from[author] > 0);
  return (
    <>
      <span className={classes.share} aria-hidden="true">
        {shown.map((author) => (
          <span key={author} data-from={author} style={{ width: `${(100 * from[author]) / all}%` }} />
        ))}
      </span>
      <span className={classes.small}>
        {shown.map((author) => `${AUTHOR_NAMES[author]} ${formatShare(from[author], all)}`).join(', ')}
      </span>
    </>
  );
}

export function callsText(calls: number): string {
  return calls === 1 ? '1 call' : `${formatExact(calls)} calls`;
}

/** The pinned definitions of a tool. */
export function PinState({ pins }: { readonly pins: Tool['pins'] }) {
  if (pins.length === 0) return NOTHING;
  const changed = pins.filter(({ isChanged }) => isChanged).length;
  return changed === 0 ? <StateTag state="pinned" /> : <StateTag state="changed" isFault />;
}

/** That not all requests of the range are in the figures. */
export function SampleNote({ requests }: { readonly requests: number | null }) {
  if (requests === null) return null;
  return (
    <p className={classes.small} role="status">
      This range has more requests than are read at once. The figures are of {formatExact(requests)} requests, spread
      over the range.
    </p>
  );
}
