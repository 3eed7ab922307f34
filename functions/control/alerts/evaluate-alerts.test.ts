import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Alert, createAlertSchema } from '../../kernel/alerts/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { createKeySchema, type GatewayEvent, type RequestRecord } from '../../kernel/model/index.ts';
import { countRecords } from '../analytics/count-records.ts';
import { MemoryAggregates } from '../analytics/memory-aggregates.fixture.ts';
import { recordOf } from '../analytics/record.fixture.ts';
import { type AlertState, type AlertStates, firstState } from './alert-state.ts';
import { evaluateAlerts } from './evaluate-alerts.ts';
import { rangeOf } from './measure.ts';

const START = Date.parse('2026-11-30T09:30:15.000Z');

class MemoryStates implements AlertStates {
  readonly states = new Map<string, AlertState>();
  readonly events: GatewayEvent[] = [];

  async read(ids: readonly string[]): Promise<readonly AlertState[]> {
    return ids.map((id) => this.states.get(id) ?? firstState());
  }

  async replace(id: string, read: AlertState, next: AlertState, event: GatewayEvent | undefined): Promise<boolean> {
    if ((this.states.get(id)?.version ?? 0) !== read.version) return false;
    this.states.set(id, next);
    if (event !== undefined) this.events.push(event);
    return true;
  }

  async delete(id: string): Promise<void> {
    this.states.delete(id);
  }
}

let now: number;
let aggregates: MemoryAggregates;
let states: MemoryStates;
let failed: string[];
let position: number;
let alerts: Alert[];
beforeEach(() => {
  now = START;
  [aggregates, states, failed, position, alerts] = [new MemoryAggregates(), new MemoryStates(), [], 0, []];
});

function add(fields: object): Alert {
  const { minutes = 5, ...rest } = createAlertSchema.parse({ name: 'Alert', ...fields });
  const alert = { ...rest, minutes, id: `alert_${alerts.length}`, createdAt: '2026-11-01T00:00:00.000Z' };
  alerts.push(alert);
  return alert;
}

async function count(amount: number, fields: Partial<RequestRecord>, agoMs = 60_000): Promise<void> {
  const time = new Date(now - agoMs).toISOString();
  const deliveries = Array.from({ length: amount }, () => {
    position += 1;
    return { position: String(position), record: recordOf({ id: `req_${position}`, time, ...fields }) };
  });
  await countRecords(
    { source: 'test', deliveries },
    { store: aggregates, now: () => now, aggregateDays: 400, sessionDays: 30 },
  );
}

const NO_BUDGETS = {
  keys: { get: async () => undefined },
  teams: { current: async () => ({ version: 0, settings: { teams: [] }, createdAt: null, createdBy: null }) },
  limits: { peek: async () => Promise.reject(new StoreUnavailable('limits table')) },
};
const run = (change: object = {}) =>
  evaluateAlerts({
    alerts: { current: async () => ({ version: 1, settings: { alerts }, createdAt: null, createdBy: null }) },
    states,
    aggregates,
    clock: { now: () => now },
    onFailure: (id) => void failed.push(id),
    ...NO_BUDGETS,
    ...change,
  });
const emitted = () => states.events.map(({ type, data }) => [type, (data as { value: number }).value]);

const FAILED = { state: 'failed', status: 502 } as const;

describe('alerts', () => {
  test('fire once, and are resolved once', async () => {
    add({ metric: 'errorRate', threshold: 0.1 });
    await count(30, {});
    await run();
    expect(emitted()).toEqual([]);
    await count(10, FAILED);
    await run();
    await run();
    expect(emitted()).toEqual([['alert.fired', 0.25]]);
    now += 6 * 60_000;
    await count(30, {});
    await run();
    await run();
    expect(emitted()).toEqual([
      ['alert.fired', 0.25],
      ['alert.resolved', 0],
    ]);
  });

  test('of several processes notify once', async () => {
    add({ metric: 'requests', threshold: 10 });
    await count(11, {});
    await Promise.all([run(), run(), run()]);
    expect(emitted()).toEqual([['alert.fired', 11]]);
  });

  test('have the name, rule and targets in their event', async () => {
    add({
      name: 'Busy',
      metric: 'requests',
      threshold: 10,
      targets: [{ webhookId: 'wh_1' }, { snsTopicArn: 'arn:aws:sns:eu-central-1:123456789012:alerts' }],
    });
    await count(11, {});
    await run();
    expect(states.events).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'alert.fired',
        created: new Date(now).toISOString(),
        data: {
          alertId: 'alert_0',
          name: 'Busy',
          state: 'firing',
          since: new Date(now).toISOString(),
          rule: { metric: 'requests', compare: 'above', threshold: 10, minutes: 5, scope: {} },
          value: 11,
          requests: 11,
          webhookIds: ['wh_1'],
          topicArns: ['arn:aws:sns:eu-central-1:123456789012:alerts'],
        },
      },
    ]);
  });

  test.each<[string, object, Partial<RequestRecord>, number]>([
    ['errors', { metric: 'errorRate', threshold: 0.2 }, FAILED, 0.5],
    ['p95', { metric: 'latencyP95', threshold: 1_000 }, { latencyMs: 2_000 }, 2_000],
    ['money', { metric: 'spendUsd', threshold: 5 }, { costUsd: 0.5 }, 10],
    ['blocked requests', { metric: 'blockedShare', threshold: 0.2 }, { state: 'blocked' }, 0.5],
    ['flagged requests', { metric: 'flaggedShare', threshold: 0.2 }, { action: 'flag' }, 0.5],
    [
      'findings of a type',
      { metric: 'findings', threshold: 1, scope: { threatType: 'pii' } },
      { threats: { pii: 2, jailbreak: 1 } },
      40,
    ],
    ['changed tools', { metric: 'toolChanges', threshold: 0, minRequests: 1_000 }, { toolChange: 'changed' }, 20],
    [
      'an MCP server',
      { metric: 'requests', threshold: 0, scope: { provider: 'mcp:crm' } },
      { provider: 'mcp:crm' },
      20,
    ],
  ])('are about %s', async (_, fields, record, value) => {
    add(fields);
    await count(20, { costUsd: 0, latencyMs: 10 });
    await count(20, { costUsd: 0, ...record });
    await run();
    const [[type, found] = []] = emitted();
    expect(type).toBe('alert.fired');
    expect(found).toBeGreaterThan(0.98 * value);
    expect(found).toBeLessThan(1.02 * value);
  });

  test('are no errors of clients and no refusals by limits', async () => {
    add({ metric: 'errorRate', threshold: 0.01 });
    await count(20, { state: 'failed', status: 400 });
    await count(20, { state: 'failed', status: 429 });
    await run();
    expect(emitted()).toEqual([]);
  });

  test.each([
    ['a provider', { provider: 'openai' }, 5],
    ['a model', { model: 'gpt-x' }, 5],
    ['a key', { keyId: 'key_a' }, 60],
    ['a team', { teamId: 'team_a' }, 60],
    ['a key and a provider', { keyId: 'key_a', provider: 'openai' }, 60],
  ])('are about %s alone', async (_, scope, minutes) => {
    add({ metric: 'requests', threshold: 2, minutes, scope });
    await count(50, { provider: 'x', model: 'x', keyId: 'key_x', teamId: 'team_x' });
    await count(3, { provider: 'openai', model: 'gpt-x', keyId: 'key_a', teamId: 'team_a' });
    await run();
    expect(emitted()).toEqual([['alert.fired', 3]]);
  });

  test('fire by silence, and are resolved by requests', async () => {
    add({ metric: 'requests', compare: 'below', threshold: 1 });
    await run();
    await count(1, {});
    await run();
    expect(emitted()).toEqual([
      ['alert.fired', 0],
      ['alert.resolved', 1],
    ]);
  });

  test('keep their state while they cannot be evaluated, and delay no other', async () => {
    add({ metric: 'requests', threshold: 2 });
    await count(3, {});
    await run();
    const range = async () => Promise.reject(new StoreUnavailable('aggregates table'));
    now += 10 * 60_000;
    await run({ aggregates: { range } });
    expect([failed, emitted()]).toEqual([['alert_0'], [['alert.fired', 3]]]);
    add({ metric: 'budgetShare', threshold: 0.5, scope: { keyId: 'key_1' } });
    failed = [];
    const key = createKeySchema.parse({ name: 'Key', budget: { usd: 1, period: 'day' } });
    await run({ keys: { get: async () => ({ key }) } });
    expect(failed).toEqual(['alert_1']);
    expect(emitted()).toHaveLength(2);
  });

  test('of the same range share their reads', async () => {
    for (let at = 0; at < 20; at += 1) add({ metric: 'errorRate', threshold: at / 20 });
    let reads = 0;
    await run({
      aggregates: {
        range: async () => {
          reads += 1;
          return [];
        },
      },
    });
    expect(reads).toBe(1);
  });
});

describe('the range of an alert', () => {
  const at = (iso: string, minutes: number, compare: 'above' | 'below', scope = {}) => {
    const { fromMs, toMs } = rangeOf({ minutes, compare, scope }, Date.parse(iso));
    return [new Date(fromMs).toISOString().slice(11, 16), new Date(toMs).toISOString().slice(11, 16)];
  };
  test('is of full minutes, once they are counted', () => {
    expect(at('2026-11-30T09:30:10Z', 5, 'above')).toEqual(['09:25', '09:30']);
    expect(at('2026-11-30T09:30:09Z', 5, 'above')).toEqual(['09:24', '09:29']);
  });
  test('is of hours for keys and teams: never longer for above, never shorter for below', () => {
    expect(at('2026-11-30T09:30:10Z', 60, 'above', { keyId: 'key_1' })).toEqual(['09:00', '10:00']);
    expect(at('2026-11-30T09:30:10Z', 60, 'below', { teamId: 'team_1' })).toEqual(['08:00', '10:00']);
    expect(at('2026-11-30T09:00:00Z', 120, 'above')).toEqual(['08:00', '10:00']);
  });
});
