import type * as z from 'zod';
import type { Alert, alertChangeSchema } from '../../kernel/alerts/index.ts';
import type { StateStore } from '../documents/index.ts';

/** What is known of an alert between runs; absent before its first change. */
export interface AlertState {
  readonly state: 'ok' | 'firing';
  /** The state that was notified last. It differs from `state` while the alert is silenced. */
  readonly notified: 'ok' | 'firing';
  /** ISO 8601: since when it has this state. */
  readonly since: string | null;
  /** Newest first. */
  readonly history: readonly z.infer<typeof alertChangeSchema>[];
  /** 0: not stored yet. */
  readonly version: number;
}

/** The states of alerts. */
export type AlertStates = StateStore<AlertState>;

/** The state of an alert that has never fired. */
export function firstState(): AlertState {
  return { state: 'ok', notified: 'ok', since: null, history: [], version: 0 };
}

/** Changes that are kept for each alert. */
const KEPT_CHANGES = 50;
const SHARES_AND_LATENCY: readonly Alert['metric'][] = ['errorRate', 'latencyP95', 'blockedShare', 'flaggedShare'];
/** They do not depend on a number of requests. */
const ALWAYS_KNOWN: readonly Alert['metric'][] = ['budgetShare', 'requests', 'toolChanges'];

/** What was counted for an alert. */
export interface Measurement {
  /** null: there is none, such as a share of no requests. */
  readonly value: number | null;
  readonly requests: number;
}

type Rule = Pick<Alert, 'metric' | 'compare' | 'threshold' | 'minRequests'>;

/**
 * Whether an alert fires; undefined: too few requests to decide, and it keeps its state. A number that is not beyond the threshold is known with
 * any number of requests; a share or a percentile of few requests is not.
 */
export function isFiring(rule: Rule, { value, requests }: Measurement): boolean | undefined {
  const { metric, minRequests } = rule;
  const isEnough = ALWAYS_KNOWN.includes(metric) || requests >= minRequests;
  if (value === null) return undefined;
  if (isBeyond(rule, value)) return isEnough ? true : undefined;
  return isEnough || !SHARES_AND_LATENCY.includes(metric) ? false : undefined;
}

function isBeyond({ metric, compare, threshold }: Rule, value: number): boolean {
  if (compare === 'below') return value < threshold;
  // A budget is never exceeded: its whole use has to fire.
  return metric === 'budgetShare' ? value >= threshold : value > threshold;
}

/** The state after a measurement, and what has to be notified of it. */
export interface Step {
  /** Undefined: nothing changes, and nothing is written. */
  readonly next: AlertState | undefined;
  readonly notifies: 'alert.fired' | 'alert.resolved' | undefined;
}

/** One step of an alert. Each notification reports another state than the one before; a silenced alert has none until the silence ends. */
export function stepOf(
  alert: Rule & Pick<Alert, 'silencedUntil'>,
  read: AlertState,
  measured: Measurement,
  nowMs: number,
): Step {
  const firing = isFiring(alert, measured);
  const state = firing === undefined ? read.state : firing ? 'firing' : 'ok';
  const silenced = isSilenced(alert, nowMs);
  const notifies = !silenced && state !== read.notified;
  if (state === read.state && !notifies) return { next: undefined, notifies: undefined };
  const at = new Date(nowMs).toISOString();
  const change = { at, state, value: measured.value, requests: measured.requests, silenced };
  return {
    next: {
      state,
      notified: notifies ? state : read.notified,
      ...(state === read.state
        ? { since: read.since, history: read.history }
        : { since: at, history: [change, ...read.history].slice(0, KEPT_CHANGES) }),
      version: read.version + 1,
    },
    notifies: notifies ? (state === 'firing' ? 'alert.fired' : 'alert.resolved') : undefined,
  };
}

export function isSilenced({ silencedUntil }: Pick<Alert, 'silencedUntil'>, nowMs: number): boolean {
  return silencedUntil !== null && nowMs < Date.parse(silencedUntil);
}
