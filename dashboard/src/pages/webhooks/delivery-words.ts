import type { DeliveryList, WebhookView } from '../../api/client.ts';
import { formatAgo, formatShortTime, formatTime, NOTHING } from '../../components/format.ts';

export type Delivery = DeliveryList['data'][number];

/** The state of a delivery in plain words. */
export function stateOf({ state, attempts, count }: Pick<Delivery, 'state' | 'attempts' | 'count'>): {
  readonly name: string;
  /** Whether it needs attention. */
  readonly isFault?: boolean;
  readonly note: string;
} {
  if (state === 'delivered') return { name: 'Delivered', note: 'The endpoint accepted it.' };
  if (state === 'dead') {
    return { name: 'Given up', isFault: true, note: 'It is not sent again until you deliver it again.' };
  }
  if (state === 'gathered') {
    return {
      name: 'Combined',
      note: 'It is not sent alone: the combined delivery counts it with similar events of that minute.',
    };
  }
  if (count === null) return { name: 'Collecting', note: 'It combines similar events until the minute ends.' };
  if (attempts.length > 0) return { name: 'Retrying', note: 'An attempt failed. It is tried again.' };
  return { name: 'Waiting', note: 'It is sent as soon as possible.' };
}

/** Why a delivery was given up. */
export const DEAD_REASONS: Readonly<Record<NonNullable<Delivery['deadReason']>, string>> = {
  exhausted: 'All attempts in 24 hours failed',
  gone: 'The endpoint returned 410 Gone',
  disabled: 'The webhook was disabled or deleted',
};

/** When the next attempt is made; never a time in the past. */
export function nextAttemptOf(
  { state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>,
  webhook: Pick<WebhookView, 'state' | 'pausedUntil'>,
  nowMs: number,
): string {
  if (state !== 'pending' || nextAttemptAt === null) return NOTHING;
  if (webhook.state === 'disabled') return 'None: disabled';
  const pausedUntil = pauseOf(webhook, nowMs);
  if (pausedUntil !== undefined && Date.parse(nextAttemptAt) <= Date.parse(pausedUntil)) {
    return `Paused until ${formatShortTime(pausedUntil, nowMs)}`;
  }
  return Date.parse(nextAttemptAt) > nowMs ? formatTime(nextAttemptAt) : 'Due now';
}

/** Until when nothing is sent to an endpoint; undefined if it is not paused. */
export function pauseOf({ pausedUntil }: Pick<WebhookView, 'pausedUntil'>, nowMs: number): string | undefined {
  return pausedUntil !== undefined && Date.parse(pausedUntil) > nowMs ? pausedUntil : undefined;
}

/** Why a delivery cannot be sent again now; undefined if it can. */
export function whyNotAgain(
  { state }: Pick<Delivery, 'state'>,
  webhook: Pick<WebhookView, 'state'>,
): string | undefined {
  if (webhook.state === 'disabled') return 'The webhook is disabled. Enable it first.';
  if (state === 'pending') return 'It is still to be sent.';
  return state === 'gathered' ? 'Deliver the combined delivery again instead.' : undefined;
}

/** Since when every attempt failed; undefined if it is not failing. */
export function failingNote({ failingSince }: Pick<WebhookView, 'failingSince'>, nowMs: number): string | undefined {
  if (failingSince === null) return undefined;
  const ago = formatAgo(failingSince, nowMs);
  return ago === 'just now' ? 'Failing' : `Failing for ${ago.replace(/ ago$/, '')}`;
}
