import { cutByRanges, type Range } from './highlight.ts';
import classes from './marked-text.module.css';

export interface MarkedRange extends Range {
  /** What is said of it: its type and rule. */
  readonly title: string;
}

/** A text that somebody wrote, as text, with what was found in it marked. */
export function MarkedText({
  label,
  text,
  ranges,
}: {
  readonly label: string;
  readonly text: string;
  readonly ranges: readonly MarkedRange[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard
    <section className={classes.box} tabIndex={0} aria-label={label}>
      <pre className={classes.text}>
        {cutByRanges(text, ranges).map((piece) =>
          piece.ranges.length === 0 ? (
            piece.text
          ) : (
            <mark key={piece.start} title={piece.ranges.map(({ title }) => title).join('\n')}>
              {piece.text}
            </mark>
          ),
        )}
      </pre>
    </section>
  );
}
