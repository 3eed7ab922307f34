import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ALERT_STATES, DynamoStateStore } from '../../functions/adapters/dynamo/dynamo-state-store.ts';
import { evaluateAlerts } from '../../functions/control/alerts/index.ts';
import { limitsWithoutRate } from '../../functions/control/limits/index.ts';
import { startHttpHost } from '../../functions/server/index.ts';
import { runAdminInProcess } from '../support/run-bin.ts';
import { startTwoTeams } from '../support/two-teams.ts';

let teams: Awaited<ReturnType<typeof startTwoTeams>>;
let host: Awaited<ReturnType<typeof startHttpHost>>;
beforeAll(async () => {
  teams = await startTwoTeams();
  host = await startHttpHost(teams.service.app, { port: 0, host: '127.0.0.1', maxBodyBytes: 100_000 });
});
afterAll(async () => {
  await host.stop(0);
  await teams.stop();
});

const call = (method: string, path: string, body?: object) =>
  teams.service.call(method, path, body === undefined ? {} : { body });
const RULE = { name: 'Errors', metric: 'errorRate', threshold: 0.05 };
const SLACK = 'https://hooks.slack.example.com/services/T00/B00/secretpart9876';

async function create(fields: object = {}): Promise<{ readonly id: string } & Record<string, unknown>> {
  const { status, json } = await call('POST', '/alerts', { ...RULE, ...fields });
  expect([status, json.error]).toEqual([201, undefined]);
  return json;
}

async function webhook(fields: object = {}): Promise<string> {
  const { status, json } = await call('POST', '/webhooks', { url: SLACK, format: 'slack', ...fields });
  expect([status, json.error]).toEqual([201, undefined]);
  return json.id;
}

/** Evaluates as the scheduled function does. */
async function evaluate(): Promise<number> {
  const { deps, dynamo, clock } = teams.service;
  const { alerts, aggregates, keys, teams: all, limits } = deps;
  const states = new DynamoStateStore(dynamo, 'policies', ALERT_STATES);
  const onFailure = (id: string, error: unknown) => {
    throw new Error(`${id} failed`, { cause: error });
  };
  return evaluateAlerts({ alerts, states, aggregates, keys, teams: all, limits, clock, onFailure });
}

const told = async (id: string) =>
  (await teams.service.events())
    .filter(({ data }) => (data as { alertId?: string }).alertId === id)
    .map(({ type }) => type);

describe('an alert', () => {
  test('notifies topics of SNS that the settings name', async () => {
    const targets = [{ snsTopicArn: 'arn:aws:sns:eu-central-1:123456789012:alerts' }];
    expect(await create({ targets })).toMatchObject({ targets });
  });

  test('is created with defaults, read, changed, listed and deleted, each in the audit log', async () => {
    const made = await create();
    expect(made).toEqual({
      object: 'alert',
      id: expect.stringMatching(/^alert_[0-9a-f]{32}$/),
      ...RULE,
      compare: 'above',
      minutes: 5,
      minRequests: 20,
      scope: {},
      targets: [],
      silencedUntil: null,
      state: 'ok',
      since: null,
      createdAt: expect.any(String),
    });
    const changed = await call('PATCH', `/alerts/${made.id}`, { threshold: 0.1 });
    expect([changed.status, changed.json]).toEqual([200, { ...made, threshold: 0.1 }]);
    expect((await call('GET', `/alerts/${made.id}`)).json).toEqual(changed.json);
    expect((await call('GET', '/alerts')).json.data).toContainEqual(changed.json);
    expect((await call('GET', `/alerts/${made.id}/history`)).json.data).toEqual([]);
    expect((await call('DELETE', `/alerts/${made.id}`)).json).toEqual({
      object: 'alert.deletion',
      id: made.id,
      deleted: true,
    });
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/history'],
    ] as const) {
      const gone = await call(method, `/alerts/${made.id}${path}`, method === 'PATCH' ? {} : undefined);
      expect([gone.status, gone.json.error.code]).toEqual([404, 'not_found']);
    }
    const { data } = (await call('GET', '/audit?limit=3')).json;
    expect(
      data.map(({ action, before, after }: Record<string, object | null>) => [action, before === null, after]),
    ).toEqual([
      ['alert.deleted', false, null],
      ['alert.updated', false, { threshold: 0.1 }],
      ['alert.created', true, expect.objectContaining(RULE)],
    ]);
  });

  test.each<[string, object, string]>([
    ['threshold', { threshold: 1.5 }, 'at most 1'],
    ['scope.threatType', { metric: 'findings', threshold: 1 }, 'needed'],
    ['scope.threatType', { scope: { threatType: 'pii' } }, 'only for'],
    ['scope', { metric: 'budgetShare' }, "'teamId' or 'keyId'"],
    ['minutes', { minutes: 90 }, 'multiple of 60'],
    ['scope.teamId', { scope: { teamId: 'team_none' } }, 'no team'],
    ['scope.keyId', { scope: { keyId: 'key_none' } }, 'no key'],
    ['targets[0].webhookId', { targets: [{ webhookId: 'wh_none' }] }, 'no webhook'],
    [
      'targets[0].snsTopicArn',
      { targets: [{ snsTopicArn: 'arn:aws:sns:eu-central-1:123456789012:other' }] },
      "not in the setting 'alertTopicArns'",
    ],
  ])('is refused with a reason for %s: %j', async (param, fields, reason) => {
    const { status, json } = await call('POST', '/alerts', { ...RULE, ...fields });
    expect([status, json.error.param, json.error.message]).toEqual([400, param, expect.stringContaining(reason)]);
  });

  test('of a change that does not fit is refused, and stays', async () => {
    const { id } = await create();
    expect((await call('PATCH', `/alerts/${id}`, { metric: 'findings' })).status).toBe(400);
    expect((await call('GET', `/alerts/${id}`)).json.metric).toBe('errorRate');
    await call('DELETE', `/alerts/${id}`);
  });

  test('of a team counts its requests alone, fires once, is silenced, and is resolved', async () => {
    const [own, other] = [await teams.newTeam('books'), await teams.newTeam('toys')];
    const rule = { metric: 'requests', threshold: 2, minutes: 120, scope: { teamId: own.id } };
    const { id } = await create(rule);
    for (let at = 0; at < 5; at += 1) await teams.addRequest({ keyId: other.keyId, teamId: other.id });
    await evaluate();
    expect((await call('GET', `/alerts/${id}`)).json.state).toBe('ok');
    for (let at = 0; at < 2; at += 1) await teams.addRequest({ keyId: own.keyId, teamId: own.id });
    await Promise.all([evaluate(), evaluate()]);
    await evaluate();
    expect(await told(id)).toEqual(['alert.fired']);
    const until = new Date(teams.service.clock.time + 4 * 3_600_000).toISOString();
    const silenced = (await call('PATCH', `/alerts/${id}`, { silencedUntil: until })).json;
    expect([silenced.state, silenced.since]).toEqual(['silenced', expect.any(String)]);
    teams.service.clock.time += 3 * 3_600_000;
    await evaluate();
    expect(await told(id)).toEqual(['alert.fired']);
    teams.service.clock.time += 3_600_000;
    await evaluate();
    expect(await told(id)).toEqual(['alert.fired', 'alert.resolved']);
    const { data } = (await call('GET', `/alerts/${id}/history`)).json;
    expect(data).toMatchObject([
      { state: 'ok', value: 0, silenced: true },
      { state: 'firing', value: 3, requests: 3, silenced: false },
    ]);
    await call('DELETE', `/alerts/${id}`);
  });

  test('of a budget fires as soon as its share is used', async () => {
    const { id: keyId } = await teams.newKey({ budget: { usd: 1, period: 'month' } });
    const { id } = await create({ metric: 'budgetShare', threshold: 0.8, scope: { keyId } });
    const bounds = limitsWithoutRate({ budget: { usd: 1, period: 'month' } });
    const spend = (usd: number) =>
      teams.service.deps.limits.take(keyId, bounds, { needs: [{ tokens: 0, nanoUsd: usd * 1e9 }] });
    await spend(0.5);
    await evaluate();
    expect(await told(id)).toEqual([]);
    await spend(0.3);
    await evaluate();
    expect(await told(id)).toEqual(['alert.fired']);
    await call('DELETE', `/alerts/${id}`);
  });

  test('is one of a hundred at most', async () => {
    const made = await Promise.all(Array.from({ length: 3 }, () => create()));
    const { deps } = teams.service;
    const read = await deps.alerts.current();
    const full = Array.from({ length: 100 }, (_, at) => ({
      ...(read.settings.alerts[0] as object),
      id: `alert_${at}`,
    }));
    const write = (version: number, alerts: readonly object[]) => ({
      ...read,
      version,
      settings: { alerts } as typeof read.settings,
    });
    await deps.alerts.replace(read, write(read.version + 1, full));
    expect((await call('POST', '/alerts', RULE)).json.error).toMatchObject({ code: 'conflict' });
    await deps.alerts.replace(write(read.version + 1, full), write(read.version + 2, []));
    expect(made).toHaveLength(3);
  });
});

describe('the address of a chat', () => {
  test('is sealed, and shown as its host and last characters, also in the audit log and events', async () => {
    const id = await webhook();
    const shown = 'https://hooks.slack.example.com/...9876';
    expect((await call('GET', `/webhooks/${id}`)).json).toMatchObject({ url: shown, format: 'slack', events: [] });
    const key = 'Rk'.repeat(16);
    const pager = await webhook({ format: 'pagerduty', routingKey: key });
    expect((await call('GET', `/webhooks/${pager}`)).json).toMatchObject({ routingKeyLast4: 'RkRk' });
    await call('PATCH', `/webhooks/${id}`, { state: 'disabled' });
    await call('PATCH', `/webhooks/${pager}`, { routingKey: 'Zz'.repeat(16) });
    await call('PATCH', `/webhooks/${id}`, { url: SLACK.replace('9876', '5432'), state: 'active' });
    const scans = ['webhooks', 'audit'].map((TableName) => teams.service.dynamo.send(new ScanCommand({ TableName })));
    const everything = JSON.stringify([
      await Promise.all(scans),
      await teams.service.events(),
      (await call('GET', '/webhooks')).json,
      (await call('GET', '/audit')).json,
    ]);
    for (const secret of ['secretpart', 'T00/B00', key, 'Zz'.repeat(16)]) expect(everything).not.toContain(secret);
    const stored = await teams.service.deps.webhooks.find(id);
    expect(stored?.webhook.url).toBe(SLACK.replace('9876', '5432'));
    expect((await teams.service.deps.webhooks.find(pager))?.webhook.routingKey).toBe('Zz'.repeat(16));
  });

  test.each<[string, object]>([
    ['events', { events: ['request.blocked'] }],
    ['events', { format: 'pagerduty', routingKey: 'R0'.repeat(16), events: ['spend.report'] }],
    ['routingKey', { routingKey: 'R0'.repeat(16) }],
    ['routingKey', { format: 'pagerduty' }],
    ['routingKey', { format: 'pagerduty', routingKey: 'short' }],
    ['url', { url: 'https://169.254.169.254/latest' }],
    ['format', { format: 'discord' }],
    ['events', { format: 'svc' }],
  ])('is refused with a reason for %s: %j', async (param, fields) => {
    const { status, json } = await call('POST', '/webhooks', { url: SLACK, format: 'slack', ...fields });
    expect([status, json.error.param]).toEqual([400, param]);
  });

  test('gets spend reports too, from who may read them', async () => {
    expect(await webhook({ events: ['spend.report'] })).toMatch(/^wh_/);
    const { key } = await teams.newKey({ permissions: ['admin'], excludePermissions: ['analytics'] });
    const body = { url: SLACK, format: 'slack', events: ['spend.report'] };
    const refused = await teams.service.call('POST', '/webhooks', { body, key });
    expect([refused.status, refused.json.error.message]).toEqual([403, expect.stringContaining('spend.report')]);
  });

  test('is no signing secret: none is shown, and there is none to rotate', async () => {
    const { json } = await call('POST', '/webhooks', { url: SLACK, format: 'slack' });
    expect(json).not.toHaveProperty('secret');
    const rotated = await call('POST', `/webhooks/${json.id}/rotate-secret`, {});
    expect([rotated.status, rotated.json.error.message]).toEqual([409, expect.stringContaining('no signing secret')]);
  });

  test('stays while an alert sends to it', async () => {
    const id = await webhook();
    const { id: alertId } = await create({ targets: [{ webhookId: id }] });
    const refused = await call('DELETE', `/webhooks/${id}`);
    expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringContaining(alertId)]);
    await call('DELETE', `/alerts/${alertId}`);
    expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(200);
  });
});

describe('commands of alerts', () => {
  const run = async (args: readonly string[], input = ''): Promise<string> => {
    const env = { SVC_URL: `${host.url}/v1`, SVC_ADMIN_KEY: teams.service.admin.secret };
    const { out, error, code } = await runAdminInProcess(args, env, input);
    expect([args, code, code === 0 || error]).toEqual([args, 0, true]);
    return out;
  };

  test('create, list, change, silence and delete one', async () => {
    const key = 'Rk'.repeat(16);
    const pager = ['webhooks', 'create', 'https://events.pagerduty.com/v2/enqueue', '--format', 'pagerduty', '--json'];
    const hook = JSON.parse(await run(pager, key));
    expect(JSON.stringify(hook)).not.toContain(key);
    // Only our own format has a signing secret to print.
    const create = (...more: string[]) => run(['webhooks', 'create', SLACK, '--events', 'spend.report', ...more]);
    expect(await create('--format', 'slack')).toBe('');
    expect(await create()).toMatch(/^whsec_\S+\n$/);
    await run(['webhooks', 'update', hook.id, '--routing-key'], 'Zz'.repeat(16));
    const fields = ['--metric', 'errorRate', '--threshold', '0.05', '--provider', 'openai', '--webhook', hook.id];
    const alert = JSON.parse(await run(['alerts', 'create', 'OpenAI fails', ...fields, '--json']));
    expect(alert).toMatchObject({ scope: { provider: 'openai' }, targets: [{ webhookId: hook.id }] });
    await run(['alerts', 'set', alert.id, '--threshold', '0.1']);
    expect(await run(['alerts', 'list'])).toMatch(
      /OpenAI fails +ok +- +errorRate above 0.1 over 5 min +provider=openai/,
    );
    await run(['alerts', 'silence', alert.id, '--for', '2h']);
    expect(await run(['alerts', 'list'])).toMatch(/silenced until 20/);
    await run(['alerts', 'silence', alert.id, '--for', '0']);
    expect(JSON.parse(await run(['alerts', 'show', alert.id, '--json']))).toMatchObject({
      threshold: 0.1,
      state: 'ok',
    });
    await run(['alerts', 'history', alert.id]);
    await run(['alerts', 'delete', alert.id, '--yes']);
    expect(await run(['alerts', 'list', '--json'])).not.toContain(alert.id);
  });
});
