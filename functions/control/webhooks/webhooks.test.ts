import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isDelivered, maskResponse } from './attempt.ts';
import {
  alikeName,
  type DeliveredEvent,
  deliveryIdOf,
  digestEvent,
  eventBody,
  MAX_EVENT_BYTES,
  wants,
} from './delivered-event.ts';
import { GIVE_UP_MS, pauseMs, retryAfterMs, retryDelayMs, TRIP_FAILURES } from './delivery-pace.ts';
import { aWebhook } from './memory-webhooks.fixture.ts';

const event = (change: Partial<DeliveredEvent> = {}, data: Record<string, unknown> = {}): DeliveredEvent => ({
  id: 'evt_1',
  type: 'threat.detected',
  created: '2026-11-21T09:30:00.000Z',
  ...change,
  data: {
    keyId: 'key_1',
    environment: 'Production',
    threatScore: 0.8,
    detectedThreats: [{ type: 'jailbreak' }, { type: 'obfuscation' }],
    ...data,
  },
});

test.each([
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [301, false],
  [302, false],
  [304, false],
  [307, false],
  [400, false],
  [410, false],
  [500, false],
])('a delivery with status %i is done: %s', (status, isDone) => {
  expect(isDelivered({ answer: { status, text: '' } })).toBe(isDone);
});

describe('an endpoint', () => {
  test('is told of the types that it asked for', () => {
    expect(wants(aWebhook(), event())).toBe(true);
    expect(wants(aWebhook({ events: ['key.created'] }), event())).toBe(false);
  });

  test.each([
    ['a score that is high enough', { minThreatScore: 0.8 }, true],
    ['a score that is too low', { minThreatScore: 0.81 }, false],
    ['one of the types', { threatTypes: ['pii', 'obfuscation'] }, true],
    ['none of the types', { threatTypes: ['pii'] }, false],
    ['its environment, in any case', { environments: ['production'] }, true],
    ['another environment', { environments: ['Staging'] }, false],
    ['all of these', { minThreatScore: 0.5, threatTypes: ['jailbreak'], environments: ['Production'] }, true],
    ['not all of these', { minThreatScore: 0.5, threatTypes: ['jailbreak'], environments: ['Staging'] }, false],
  ])('that filters is told of %s: %j %s', (_, filter, told) => {
    expect(wants(aWebhook({ filter }), event())).toBe(told);
  });

  test('filters by what was found only what tells of findings', () => {
    const picky = aWebhook({ filter: { minThreatScore: 1, threatTypes: ['pii'] } });
    expect(wants(picky, event({ type: 'key.created' }))).toBe(true);
    expect(wants(aWebhook({ filter: { minThreatScore: 0.1 } }), event({}, { threatScore: undefined }))).toBe(false);
  });

  test('gets a test event that names it, whatever it filters, and no other', () => {
    const webhook = aWebhook({ events: [], filter: { environments: ['Staging'] } });
    expect(wants(webhook, event({ type: 'webhook.test' }, { webhookId: webhook.id }))).toBe(true);
    expect(wants(aWebhook(), event({ type: 'webhook.test' }, { webhookId: webhook.id }))).toBe(false);
  });
});

describe('events are alike', () => {
  const name = (change?: Partial<DeliveredEvent>, data?: Record<string, unknown>, webhook = 'wh_1') =>
    alikeName(webhook, event(change, data));

  test('of the same type, key and types of threats, for the same endpoint', () => {
    expect(name({ id: 'evt_2' }, { detectedThreats: [{ type: 'obfuscation' }, { type: 'jailbreak' }] })).toBe(name());
    expect(name({}, { threatScore: 1, requestId: 'req_2' })).toBe(name());
  });

  test.each<[string, string | undefined]>([
    ['type', name({ type: 'request.blocked' })],
    ['key', name({}, { keyId: 'key_2' })],
    ['types of threats', name({}, { detectedThreats: [{ type: 'jailbreak' }] })],
    ['endpoint', name({}, {}, 'wh_2')],
  ])('and differ by %s', (_, other) => expect([undefined, name()]).not.toContain(other));

  test('never where they are no findings', () => expect(name({ type: 'key.created' })).toBeUndefined());
});

test('a digest tells its first event as an example, under a stable id of its own', () => {
  const digest = digestEvent('delivery_1', event(), 12);
  expect(digest).toEqual({ ...event(), id: digest.id, data: { ...event().data, count: 12 } });
  expect(digest.id).not.toBe('evt_1');
  expect(digestEvent('delivery_1', event({ id: 'evt_2' }), 13).id).toBe(digest.id);
});

test('a delivery has the same id for the same event and endpoint alone', () => {
  expect(deliveryIdOf('evt_1', 'wh_1')).toMatch(/^delivery_[0-9a-f]{32}$/);
  const ids = [deliveryIdOf('evt_1', 'wh_1'), deliveryIdOf('evt_1', 'wh_2'), deliveryIdOf('evt_2', 'wh_1')];
  expect(new Set(ids).size).toBe(3);
});

describe('a body', () => {
  test('is id, type, time and data, and nothing else of what the queue said', () => {
    const told = { ...event(), more: 'of it' } as DeliveredEvent;
    expect(JSON.parse(eventBody(told))).toEqual(event());
  });

  test('stays below 64 KB: what is largest is left out, by name', () => {
    const long = event(
      {},
      { detectedThreats: [{ type: 'jailbreak', message: 'é'.repeat(40_000) }], tags: 'x'.repeat(10) },
    );
    const body = eventBody(long);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    const { data } = JSON.parse(body) as DeliveredEvent;
    expect(data).toMatchObject({ keyId: 'key_1', tags: 'x'.repeat(10), omitted: ['detectedThreats'] });
    expect(data.detectedThreats).toBeUndefined();
  });
});

describe('waiting', () => {
  const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test('grows exponentially to an hour, with jitter over all of it, and is a second at least', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), anyRandom, (attempts, random) => {
        const delay = retryDelayMs(attempts, () => random);
        expect(delay).toBeGreaterThanOrEqual(1_000);
        expect(delay).toBeLessThanOrEqual(Math.min(3_600_000, 5_000 * 2 ** (attempts - 1)));
      }),
    );
    expect(retryDelayMs(3, () => 0.5)).toBe(10_000);
    expect(retryDelayMs(400, () => 0.999999)).toBeGreaterThan(3_599_000);
  });

  test('leaves an endpoint alone that fails again and again, five minutes at most', () => {
    expect(pauseMs(9, () => 1)).toBe(0);
    expect([10, 11, 12, 18, 19].map((failures) => pauseMs(failures, () => 1))).toEqual([
      1_000, 2_000, 4_000, 256_000, 300_000,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: TRIP_FAILURES, max: 5_000 }), anyRandom, (failures, random) => {
        const pause = pauseMs(failures, () => random);
        expect(pause).toBeGreaterThanOrEqual(500);
        expect(pause).toBeLessThanOrEqual(300_000);
      }),
    );
  });

  test.each<[string | undefined, number | undefined]>([
    ['120', 120_000],
    ['0', 0],
    [' 5 ', 5_000],
    ['Sat, 21 Nov 2026 09:31:00 GMT', 60_000],
    ['999999999', GIVE_UP_MS],
    ['Sat, 21 Nov 2020 09:31:00 GMT', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['9'.repeat(40), undefined],
    [undefined, undefined],
  ])('Retry-After %j is %j ms', (header, ms) => {
    expect(retryAfterMs(header, Date.parse('2026-11-21T09:30:00Z'))).toBe(ms);
  });
});

describe('what is kept of an answer', () => {
  test('has no secret in it that we know, and nothing that looks like one', () => {
    const known = `whsec_${'a'.repeat(10)}`;
    const key = ['svc', 'sk', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4'].join('_');
    const masked = maskResponse(`{"error":"no ${known}","token":"${key}","id":"7f3a"}`, [known]);
    expect(masked).toBe('{"error":"no ***","token":"***","id":"7f3a"}');
  });

  test('stays readable', () => {
    expect(maskResponse('<h1>Service temporarily unavailable</h1>\r\n\u0000', [])).toBe(
      '<h1>Service temporarily unavailable</h1>   ',
    );
  });
});
