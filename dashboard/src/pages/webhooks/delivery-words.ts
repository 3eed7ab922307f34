import type { DeliveryList, WebhookView } from '../../api/client.ts';
import { formatAgo, formatTime, NOTHING } from '../../components/format.ts';
import type { Tone } from '../../components/tag.tsx';

export type Delivery = DeliveryList['data'][number];

/** The state of a delivery in plain words. */
export function stateOf({ state, attempts, count }: Pick<Delivery, 'state' | 'attempts' | 'count'>): {
  readonly name: string;
  readonly tone: Tone;
  readonly note: string;
} {
  if (state === 'delivered') return { name: 'Delivered', tone: 'allow', note: 'The endpoint accepted it.' };
  if (state === 'dead') {
    return { name: 'Given up', tone: 'block', note: 'It is not sent again until you deliver it again.' };
  }
  if (state === 'gathered') {
    return {
      name: 'Combined',
      tone: 'neutral',
      note: 'It is not sent alone: the combined delivery counts it with similar events of that minute.',
    };
  }
  if (count === null) {
    return { name: 'Collecting', tone: 'flag', note: 'It combines similar events until the minute ends.' };
  }
  if (attempts.length > 0) return { name: 'Retrying', tone: 'redact', note: 'An attempt failed. It is tried again.' };
  return { name: 'Waiting', tone: 'flag', note: 'It is sent as soon as possible.' };
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
  webhook: Pick<WebhookView, 'state' | 'failingSince'>,
  nowMs: number,
): string {
  if (state !== 'pending' || nextAttemptAt === null) return NOTHING;
  if (webhook.state === 'disabled') return 'None: disabled';
  if (Date.parse(nextAttemptAt) > nowMs) return formatTime(nextAttemptAt);
  // Attempts to a failing endpoint are spaced for all its deliveries together.
  return webhook.failingSince === null ? 'Due now' : 'After a pause';
}

/** Since when every attempt failed; undefined if it is not failing. */
export function failingNote({ failingSince }: Pick<WebhookView, 'failingSince'>, nowMs: number): string | undefined {
  if (failingSince === null) return undefined;
  const ago = formatAgo(failingSince, nowMs);
  return ago === 'just now' ? 'Failing' : `Failing for ${ago.replace(/ ago$/, '')}`;
}
