import { Button } from '@mantine/core';
import { useState } from 'react';
import classes from './copy-field.module.css';
import { Icon } from './icons.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for who cannot see what it stands beside. */
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  async function copy() {
    // Without a secure context, or where the browser forbids it, there is no clipboard: the text can still be marked by hand.
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setState(copied === true ? 'copied' : 'failed');
  }
  const words = { ready: 'Copy', copied: 'Copied', failed: 'Select and copy by hand' };
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

/** A text that is there to be taken elsewhere: a secret that is shown once, an id, a command. */
export function CopyField({ text, label }: CopyButtonProps) {
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <span className={classes.label}>{label}</span>
        <CopyButton text={text} label={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard */}
      <pre className={classes.text} tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}
