import type { ReactNode } from 'react';
import type { Action, RequestRecord, Severity } from '../api/client.ts';
import classes from './components.module.css';
import { NOTHING } from './format.ts';
import { ACTION_NAMES, capitalised } from './labels.ts';

export type Tone = 'block' | 'redact' | 'flag' | 'allow' | 'neutral' | 'info';

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

const STATE_TONES: Readonly<Record<string, Tone>> = {
  active: 'allow',
  completed: 'allow',
  delivered: 'allow',
  confirmed: 'block',
  revoked: 'block',
  dead: 'block',
  blocked: 'block',
  failed: 'block',
  expired: 'redact',
  pending: 'flag',
};

/** State of a key, a request, a webhook or a delivery. */
export function StateTag({ state }: { readonly state: string }) {
  return <Tag tone={STATE_TONES[state] ?? 'neutral'}>{capitalised(state)}</Tag>;
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
