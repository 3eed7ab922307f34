import { Button } from '@mantine/core';
import { useState } from 'react';
import classes from './components.module.css';
import { Icon } from './icons.tsx';
import { cutByRanges, type Range } from './text-ranges.ts';

interface CopyButtonProps {
  readonly text: string;
  /** Name of the copied text, for assistive technology. */
  readonly label: string;
}

function CopyButton({ text, label }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  async function copy() {
    // The clipboard needs a secure context and the browser's permission. Without it, the user can select the text.
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setState(copied === true ? 'copied' : 'failed');
  }
  const words = { ready: 'Copy', copied: 'Copied', failed: 'Select and copy manually' };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name={state === 'copied' ? 'check' : 'copy'} size={14} />}
      onClick={() => void copy()}
      aria-label={`${words[state]}: ${label}`}
    >
      <span aria-live="polite">{words[state]}</span>
    </Button>
  );
}

interface CopyFieldProps extends CopyButtonProps {
  /** What is shown of the text, on as many lines as needed. Default: the text, on its lines. */
  readonly shown?: string;
}

/** A text with a copy button: a secret, an id, a command. */
export function CopyField({ text, label, shown }: CopyFieldProps) {
  return (
    <div className={classes.copyField}>
      <div className={classes.copyHead}>
        <span className={classes.copyLabel}>{label}</span>
        <CopyButton text={text} label={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling must work by keyboard */}
      <pre className={`${classes.copyText} ${shown === undefined ? '' : classes.anyBreak}`} tabIndex={0}>
        {shown ?? text}
      </pre>
    </div>
  );
}

export interface MarkedRange extends Range {
  /** Tooltip: the finding's type and rule. */
  readonly title: string;
  /** Shown where the range begins or another one begins or ends within it; none if absent. */
  readonly number?: number | undefined;
}

/** Untrusted text, rendered as text, with its findings marked. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling must work by keyboard
    <section className={classes.markedBox} tabIndex={0} aria-label={label}>
      <pre className={classes.markedText}>
        {cutByRanges(text, ranges).map((piece) =>
          piece.ranges.length === 0 ? (
            piece.text
          ) : (
            <mark
              key={piece.start}
              data-numbers={numbersOf(piece.ranges)}
              title={piece.ranges.map(({ title }) => title).join('\n')}
            >
              {piece.text}
            </mark>
          ),
        )}
      </pre>
    </section>
  );
}

/** The numbers of the ranges that cover a part; undefined if they have none. */
function numbersOf(ranges: readonly MarkedRange[]): string | undefined {
  return ranges.flatMap(({ number = [] }) => number).join(' ') || undefined;
}
