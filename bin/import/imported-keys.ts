import { createHash } from 'node:crypto';
import { PERIOD_SECONDS } from '../../functions/kernel/model/index.ts';
import { type Members, numberOf, textOf } from './members.ts';
import type { Report } from './report.ts';

/** What keys of other gateways may call: they have no permissions. */
export const ALL_ROUTES = ['chat_completions', 'completions', 'embeddings', 'images', 'audio'];
/** The highest that a key may have: one without a limit in LiteLLM. */
export const NO_RATE_LIMIT = { requests: 100_000, period: 'second' };
const MIN_USD = 0.000001;
const MAX_USD = 1_000_000;
const SECONDS_OF: ReadonlyMap<string, number> = new Map(
  Object.entries({ s: 1, m: 60, h: 3_600, d: 86_400, w: 7 * 86_400 }),
);
const WORDS = new Map(Object.entries({ hourly: '1h', daily: '24h', weekly: '7d', monthly: '1mo' }));
const NAME_CHARS = 128;

/** The budget for a period that exists here: never more for the same time than in LiteLLM. */
export function toBudget(
  usd: number,
  given: string | undefined,
  spend: number,
  place: string,
  report: Report,
): Members {
  const within = (amount: number) => Math.min(Math.max(Number(amount.toFixed(6)), MIN_USD), MAX_USD);
  const duration = given === undefined ? undefined : (WORDS.get(given) ?? given);
  const [, count = '', unit = ''] = /^(\d+)(mo|[smhdw])$/.exec(duration ?? '') ?? [];
  if (unit === 'mo') {
    if (count !== '1')
      report.adjusted(`${place}.max_budget`, 'a budget for several months: the same share of it for each month.');
    return { usd: within(usd / Math.max(Number(count), 1)), period: 'calendarMonth' };
  }
  if (unit === '') {
    const reason =
      'a budget that is never reset: what is left of it, for each month. Change it to what you want to allow.';
    report.adjusted(`${place}.max_budget`, reason);
    return { usd: within(usd - spend), period: 'calendarMonth' };
  }
  const seconds = Math.max(Number(count) * (SECONDS_OF.get(unit) ?? 1), 1);
  const [period, of] = Object.entries(PERIOD_SECONDS).findLast(([, one]) => one <= seconds) ?? ['second', 1];
  if (of !== seconds)
    report.adjusted(
      `${place}.max_budget`,
      'a budget for another period than here: the same share of it for a shorter one.',
    );
  return { usd: within((usd * of) / seconds), period };
}

/** Names a key without an alias, the same each time, and says nothing of its token. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 8);
}

/** A time as a key has it; undefined if it is none. */
export function expiryOf(value: unknown): string | undefined {
  const time = Date.parse(textOf(value) ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** A count; undefined if it is none. */
export function wholeOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : Math.max(Math.trunc(number), 0);
}

/** Names that are not taken: a later one gets a number. */
export class Names {
  private readonly taken = new Set<string>();

  free(wanted: string): string {
    const name = wanted.trim().slice(0, NAME_CHARS);
    for (let number = 1; ; number += 1) {
      const one = number === 1 ? name : `${name.slice(0, NAME_CHARS - 6)} (${number})`;
      if (this.taken.has(one)) continue;
      this.taken.add(one);
      return one;
    }
  }
}
