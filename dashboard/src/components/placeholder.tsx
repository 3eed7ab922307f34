import classes from './placeholder.module.css';

interface PlaceholderProps {
  /** For assistive technology: `Loading providers`. */
  readonly label: string;
  /** Lines of the content to come, so that the page does not jump when it arrives. */
  readonly lines?: number;
}

/** Grey lines in place of content that is loading. */
export function Placeholder({ label, lines = 4 }: PlaceholderProps) {
  return (
    <div className={classes.placeholder} role="status" aria-label={`${label}…`}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={classes.line} aria-hidden="true" />
      ))}
    </div>
  );
}
