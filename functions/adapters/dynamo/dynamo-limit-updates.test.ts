import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  EMPTY_LEDGER,
  limitsOf,
  NO_NEED,
  RESERVATION_MS,
  type Reserved,
  SLOT_MS,
  slotOf,
} from '../../control/limits/index.ts';
import { settleUpdate, takeUpdate, withoutExpired } from './dynamo-limit-updates.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const HOUR = `h${NOW / 3_600_000}`;
const NOTHING = { open: 0, tokenPicos: 0n, nanoUsd: new Map<string, number>() };
const limits = limitsOf({ rateLimit: { requests: 100, period: 'second' } });
const used = { tokenPicos: 0n, nanoUsd: new Map([[HOUR, 5]]) };

describe('a settlement', () => {
  it('adds money to its period until 10 s after the end, and never later', () => {
    const settled = (nowMs: number) => settleUpdate(EMPTY_LEDGER, { release: new Map(), used }, nowMs);
    expect(Object.values(settled(NOW + 3_609_999).toInput('t', 'k').ExpressionAttributeValues ?? {})).toContain(5);
    expect(settled(NOW + 3_610_000).isEmpty).toBe(true);
  });

  it('gives money back to the period in which it was counted, and to no other', () => {
    const times = fc.nat(2 * 3_610_000);
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), times, (counted, actual, laterMs) => {
        const difference = Math.min(actual, counted) - counted;
        const settlement = { release: new Map(), used: { tokenPicos: 0n, nanoUsd: new Map([[HOUR, difference]]) } };
        const update = settleUpdate(EMPTY_LEDGER, settlement, NOW + laterMs);
        if (laterMs >= 3_610_000 || difference === 0) return update.isEmpty;
        const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = update.toInput('t', 'k');
        const periods = Object.values(ExpressionAttributeNames).filter((name) => name.startsWith('usd_'));
        expect(periods).toEqual([`usd_${HOUR}`]);
        return Object.values(ExpressionAttributeValues).includes(difference);
      }),
    );
  });

  it('gives back the reservation of an hour budget only while its slot still holds it', () => {
    const release = new Map([[1, { ...NOTHING, nanoUsd: new Map([[HOUR, 5]]) }]]);
    const { ConditionExpression, ExpressionAttributeNames = {} } = settleUpdate(
      EMPTY_LEDGER,
      { release, used: NOTHING },
      NOW,
    ).toInput('t', 'k');
    const [, condition] = /attribute_exists\((#\w+)\)/.exec(ConditionExpression ?? '') ?? [];
    expect(ExpressionAttributeNames[condition ?? '']).toContain(HOUR);
  });
});

describe('every update', () => {
  const money = fc.option(fc.constant(5), { nil: 0 });
  const held = fc.record({
    open: fc.nat(1),
    tokenPicos: fc.constantFrom(0n, 7n),
    nanoUsd: money.map((amount) => new Map(amount > 0 ? [[HOUR, amount]] : [])),
  });
  const slots = fc
    .array(fc.tuple(fc.constantFrom(0, SLOT_MS, RESERVATION_MS + SLOT_MS), held), { maxLength: 3 })
    .map((all) => new Map<number, Reserved>(all.map(([agoMs, one]) => [slotOf(NOW - agoMs), one])));
  const ledger = fc.record({
    fullAtMicros: fc.constantFrom(0, NOW * 2_000),
    tokensFullAt: fc.constantFrom(0n, BigInt(NOW) * 2_000_000_000n),
    tokensHeld: fc.constantFrom(0n, 7n),
    open: fc.nat(2),
    spent: money.map((amount) => new Map(amount > 0 ? [[HOUR, amount]] : [])),
    slots,
  });
  const isComplete = (parts: ReturnType<typeof takeUpdate>) => {
    const { UpdateExpression, ConditionExpression, ...input } = parts.toInput('t', 'k');
    const used = `${UpdateExpression} ${ConditionExpression ?? ''}`.match(/[#:]\w+/g) ?? [];
    const given = { ...input.ExpressionAttributeNames, ...input.ExpressionAttributeValues };
    // DynamoDB rejects an update with a name or value that no expression contains.
    expect(new Set(Object.keys(given))).toEqual(new Set(used));
  };

  it('contains every name and value that it defines, whatever is released, used and left', () => {
    const need = fc.record({ tokens: fc.nat(1), nanoUsd: fc.nat(1) });
    const all = limitsOf({
      rateLimit: { requests: 100, period: 'second' },
      tokenLimit: { tokens: 60, period: 'minute' },
      budget: { usd: 1, period: 'hour' },
      maxConcurrent: 5,
    });
    fc.assert(
      fc.property(ledger, slots, held, need, fc.constantFrom(limits, all), (seen, release, usage, one, of) => {
        const settlement = { release, used: usage };
        for (const rest of [settlement, withoutExpired(settlement, seen)]) {
          const parts = settleUpdate(seen, rest, NOW);
          if (!parts.isEmpty) isComplete(parts);
        }
        isComplete(
          takeUpdate(seen, of, { needs: [one], leased: 1, leasedNeed: one, leaseMs: 10, nowMs: NOW, mark: 7 }),
        );
      }),
    );
  });
});

describe('an item', () => {
  it.each([
    // A slot of 150 s, and the 15 minutes of a reservation; then a bucket of tokens refills from empty.
    ['concurrency', limitsOf({ rateLimit: { requests: 100, period: 'second' }, maxConcurrent: 5 }), 1_050],
    [
      'tokens',
      limitsOf({ rateLimit: { requests: 100, period: 'second' }, tokenLimit: { tokens: 60, period: 'minute' } }),
      1_110,
    ],
    // The period's end, and 10 s of clock skew.
    [
      'a budget',
      limitsOf({ rateLimit: { requests: 100, period: 'second' }, budget: { usd: 1, period: 'hour' } }),
      3_610,
    ],
  ])('with %s is kept until it has no more effect', (_, of, seconds) => {
    const take = { needs: [NO_NEED], leased: 0, leasedNeed: NO_NEED, leaseMs: 0, nowMs: NOW, mark: 7 };
    const { UpdateExpression = '', ...input } = takeUpdate(EMPTY_LEDGER, of, take).toInput('t', 'k');
    const [, name, value] = /(#\w+) = (:\w+)$/.exec(UpdateExpression.split(/ (?:ADD|REMOVE) /)[0] ?? '') ?? [];
    expect(input.ExpressionAttributeNames?.[name ?? '']).toBe('expiresAt');
    expect(input.ExpressionAttributeValues?.[value ?? '']).toBe(NOW / 1000 + seconds + 1);
  });
});

describe('a lease', () => {
  it('moves the bucket on by its time, so that the time refills nothing for other functions', () => {
    const take = (leaseMs: number) => {
      const parts = takeUpdate(EMPTY_LEDGER, limits, {
        needs: [NO_NEED],
        leased: 1,
        leasedNeed: NO_NEED,
        leaseMs,
        ...{ nowMs: NOW, mark: 7 },
      });
      return Object.values(parts.toInput('t', 'k').ExpressionAttributeValues ?? {});
    };
    const twoRequests = 2 * 10_000;
    expect(take(0)).toContain(NOW * 1000 + twoRequests);
    expect(take(200)).toContain((NOW + 200) * 1000 + twoRequests);
  });
});
