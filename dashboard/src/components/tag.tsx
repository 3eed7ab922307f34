import type { ReactNode } from 'react';
import type { Action, Severity } from '../api/client.ts';
import classes from './components.module.css';
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

const SEVERITY_TONES: Readonly<Record<Severity, Tone>> = {
  critical: 'block',
  high: 'redact',
  medium: 'flag',
  low: 'neutral',
};

export function SeverityTag({ severity }: { readonly severity: Severity }) {
  return <Tag tone={SEVERITY_TONES[severity]}>{capitalised(severity)}</Tag>;
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

/** A status that was sent; none if the caller left before. */
export function StatusTag({ status }: { readonly status: number | null }) {
  if (status === null) return <Tag tone="neutral">none</Tag>;
  const tone: Tone = status >= 500 ? 'block' : status === 429 ? 'redact' : status >= 400 ? 'flag' : 'allow';
  return <Tag tone={tone}>{status}</Tag>;
}

/** A score from 0 to 1 with a bar. */
export function Score({ value }: { readonly value: number }) {
  const tone: Tone = value >= 0.85 ? 'block' : value >= 0.5 ? 'flag' : 'allow';
  return (
    <span className={classes.score}>
      <span className={classes.scoreTrack} aria-hidden="true">
        <span className={classes.scoreBar} data-tone={tone} style={{ width: `${Math.min(1, value) * 100}%` }} />
      </span>
      {value.toFixed(2)}
    </span>
  );
}
