import { VisuallyHidden } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import type { Action, RequestRecord, Severity } from '../api/client.ts';
import classes from './components.module.css';
import { NOTHING } from './format.ts';
import { ACTION_NAMES, capitalised } from './labels.ts';
import type { OutcomeName } from './outcome.ts';

/** Those of decisions are for decisions alone. */
export type Tone = 'block' | 'ask' | 'redact' | 'flag' | 'allow' | 'neutral' | 'info';

/** A coloured label; its text has the same meaning as its colour. */
export function Tag({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}

export function ActionTag({ action }: { readonly action: Action }) {
  return <Tag tone={action}>{ACTION_NAMES[action]}</Tag>;
}

/** The decision on a request; none for one that was refused before it was inspected. */
export function DecisionTag({ record }: { readonly record: Pick<RequestRecord, 'action' | 'state' | 'attempts'> }) {
  const { action, state, attempts } = record;
  return action === 'allow' && state === 'failed' && attempts === 0 ? NOTHING : <ActionTag action={action} />;
}

/** Without a colour, which decisions have. */
export function SeverityText({ severity }: { readonly severity: Severity }) {
  const isStrong = severity === 'critical' || severity === 'high';
  return <span className={isStrong ? classes.strong : undefined}>{capitalised(severity)}</span>;
}

interface OutcomeMarkProps {
  readonly outcome: OutcomeName;
  /** Whether its text is only for assistive technology. */
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/** A dot in the colour that the outcome has in charts, and a text. */
export function OutcomeMark({ outcome, isQuiet = false, children }: OutcomeMarkProps) {
  return (
    <>
      <span
        className={classes.dot}
        data-outcome={outcome}
        style={{ '--dot': `var(--outcome-${outcome})` } as CSSProperties}
      />
      {isQuiet ? (
        <VisuallyHidden>{children}</VisuallyHidden>
      ) : (
        <span className={classes.dotText} title={typeof children === 'string' ? children : undefined}>
          {children}
        </span>
      )}
    </>
  );
}

const FAULTS: readonly string[] = ['failed', 'expired'];

interface StateTagProps {
  readonly state: string;
  /** Whether it needs attention. */
  readonly isFault?: boolean | undefined;
}

/** State of a key, a request, a webhook, a delivery, a provider: framed, without a colour, which decisions have. */
export function StateTag({ state, isFault = FAULTS.includes(state) }: StateTagProps) {
  return (
    <span className={classes.stateTag} data-fault={isFault}>
      {capitalised(state)}
    </span>
  );
}

/** A status that was sent, without a colour, which decisions have; none if the caller left before. */
export function StatusText({ status }: { readonly status: number | null }) {
  return <span className={status !== null && status >= 400 ? classes.strong : undefined}>{status ?? 'none'}</span>;
}

/** A score from 0 to 1 with a bar. */
export function Score({ value }: { readonly value: number }) {
  return (
    <span className={classes.score}>
      <span className={classes.scoreTrack} aria-hidden="true">
        <span className={classes.scoreBar} style={{ width: `${Math.min(1, value) * 100}%` }} />
      </span>
      {value.toFixed(2)}
    </span>
  );
}
