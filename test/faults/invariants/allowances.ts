import { type Asked, costOf, type Ledger, metKill, metStores, type Purpose, type SoakKey } from '../ledger.ts';
import type { Finding, Invariant } from './invariant.ts';

/** Of a bucket's requests so many may be lost with a process that had put them aside (exact-admission, "Leases"). */
const LEASED_SHARE = 0.25;
/** Keys whose requests run out. A busy one is asked so fast that processes put requests of it aside. */
const COUNTED: readonly Purpose[] = ['limited', 'busy'];

export const noRequestInvented: Invariant = {
  name: 'no key was admitted more requests than its bucket holds',
  least: 2,
  check: (ledger) =>
    eachKey(ledger, COUNTED, (key, asked) => {
      const admitted = asked.filter(isAdmitted).length;
      return admitted > key.requests ? `${admitted} admitted of ${key.requests}` : undefined;
    }),
};

/** A refusal that came too early: the bucket had room, counting every possible use. */
export const noRequestLost: Invariant = {
  name: 'no key was refused while its bucket had room, except for leases of killed processes',
  least: 2,
  check: (ledger) => {
    const { disturbances } = ledger;
    return eachKey(ledger, COUNTED, (key, asked) => {
      const first = asked.find(({ status }) => status === 429);
      if (first === undefined) return undefined;
      const before = asked.filter(({ startedAt }) => startedAt < first.endedAt);
      const taken = before.reduce((sum, one) => {
        if (isAdmitted(one)) return sum + 1;
        // A request whose response was lost may have been counted, up to three times if each attempt's response was lost.
        return sum + (metStores(one, disturbances) ? 3 : metKill(one, disturbances) ? 1 : 0);
      }, 0);
      const lostAnswers = before.filter((one) => isAdmitted(one) && metStores(one, disturbances)).length * 2;
      const isAside = key.purpose === 'busy' || before.some((one) => metKill(one, disturbances));
      const aside = isAside ? Math.ceil(key.requests * LEASED_SHARE) : 0;
      // To a clock that is behind, even a little, the bucket's last whole request is not there yet.
      const [start = 0] = before.map(({ startedAt }) => startedAt);
      const slow = disturbances.some(
        ({ excuses, from, to }) => excuses === 'clocks' && from <= first.endedAt && to >= start - 1_000,
      );
      const most = taken + lostAnswers + aside + (slow ? 1 : 0);
      return most < key.requests ? `refused after ${taken} of ${key.requests}` : undefined;
    });
  },
};

export const noMoneyInvented: Invariant = {
  name: 'no key spent more than its budget, by the usage that the provider reported',
  least: 2,
  check: (ledger) =>
    eachKey(ledger, ['poor'], (key) => {
      const costs = ledger.calls.flatMap(({ keyId, usage }) =>
        keyId === key.id && usage !== undefined ? [costOf(usage)] : [],
      );
      const sum = costs.reduce((a, b) => a + b, 0);
      return sum > (key.nanoUsd ?? 0) ? `${sum} of ${key.nanoUsd} billionths of a dollar` : undefined;
    }),
};

/** By the provider's clock: its highest number of concurrent requests of a key. */
export const neverTooManyAtOnce: Invariant = {
  name: 'no provider ever served more requests of a key at once than the key may run',
  least: 2,
  check: (ledger) =>
    eachKey(ledger, ['narrow'], (key) => {
      const calls = ledger.calls.filter(({ keyId }) => keyId === key.id);
      const most = mostAtOnce(calls);
      return most > (key.maxConcurrent ?? 0) ? `${most} at once of ${key.maxConcurrent}` : undefined;
    }),
};

export const placesComeBack: Invariant = {
  name: 'every key can run as many requests at once as before when all is over, and no more',
  least: 2,
  check: ({ keys, found }) => {
    const violations = found.together.flatMap(({ keyId, ran }) => {
      const allowed = keys.find(({ id }) => id === keyId)?.maxConcurrent;
      return ran === allowed ? [] : [`${keyId}: ${ran} of ${allowed}`];
    });
    return { checked: found.together.length, excused: 0, violations };
  },
};

export function mostAtOnce(calls: readonly { readonly startedAt: number; readonly endedAt?: number }[]): number {
  const changes = calls
    .flatMap(({ startedAt, endedAt = Number.POSITIVE_INFINITY }) => [[startedAt, 1] as const, [endedAt, -1] as const])
    .sort(([a, up], [b, down]) => a - b || up - down);
  let [now, most] = [0, 0];
  for (const [, change] of changes) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

function isAdmitted({ status, code, ending }: Asked): boolean {
  return status !== undefined && status !== 429 && code !== 'unavailable' && ending !== 'broken';
}

function eachKey(
  ledger: Ledger,
  purposes: readonly Purpose[],
  check: (key: SoakKey, asked: readonly Asked[]) => string | undefined,
): Finding {
  const keys = ledger.keys.filter(({ purpose }) => purposes.includes(purpose));
  const violations = keys.flatMap((key) => {
    const wrong = check(
      key,
      ledger.asked.filter(({ keyId }) => keyId === key.id),
    );
    return wrong === undefined ? [] : [`${key.id}: ${wrong}`];
  });
  return { checked: keys.length, excused: 0, violations };
}
