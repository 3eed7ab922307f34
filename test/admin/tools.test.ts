import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DynamoRequestRecords } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { DynamoToolPinStore } from '../../functions/adapters/dynamo/dynamo-tool-pin-store.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import { callOf } from '../../functions/control/tool-usage/memory-records.fixture.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';
import { startHttpHost } from '../../functions/server/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { runAdminInProcess } from '../support/run-bin.ts';

const HOUR_MS = 3_600_000;

let admin: AdminApp;
let keyId: string;
let readerKey: string;

beforeAll(async () => {
  admin = await startAdminApp();
  ({ id: keyId } = await newKey('Mail agent', ['chat_completions']));
  ({ key: readerKey } = await newKey('Reader', ['analytics']));
  await write(25, { keyId, toolCalls: [callOf('send_email', { 'to[0]': 'user' })] });
  await write(3, { keyId: 'key_2', toolCalls: [callOf('read_mail', {}, { effect: 'read' })] });
  await write(1, {
    keyId: 'key_2',
    toolCalls: [callOf('transfer', { iban: 'prose read_mail.body' }, { action: 'ask' })],
  });
  const pins = new DynamoToolPinStore(admin.dynamo, 'limits');
  const version = (digest: string) => ({ digest, fields: {}, seenAtMs: admin.clock.now() });
  await pins.pin(keyId, new Map([['send_email', version('a')]]), admin.clock.now() + HOUR_MS);
  await pins.suggest(keyId, new Map([['send_email', version('b')]]));
  await admin.approvals.request({
    ...{ keyId: 'key_2', environment: 'Production', sessionId: 'chat', endUserId: 'ann', requestId: 'req_1' },
    field: 'choices[0].message.tool_calls[0].function.arguments.iban',
    origin: { call: 'transfer', argument: 'iban', user: false, sources: [], ordered: true },
    ...{ value: 'x', policyRule: undefined, reason: 'Doubtful.' },
    call: { id: 'call_1', name: 'transfer', arguments: '{}' },
  });
});
afterAll(() => admin.stop());

async function newKey(name: string, permissions: readonly string[]) {
  return (await admin.call('POST', '/keys', { body: { name, permissions } })).json;
}

async function write(count: number, fields: Partial<RequestRecord>): Promise<void> {
  const clients = { together: admin.dynamo, alone: admin.dynamo };
  const records = new DynamoRequestRecords(clients, 'records', { keptDays: 30, lingerMs: 1, pendingIndex: false });
  const time = new Date(admin.clock.time - HOUR_MS).toISOString();
  await Promise.all(Array.from({ length: count }, () => records.write(recordOf({ time, ...fields }))));
}

const list = (query = '', key = readerKey) => admin.callAt('GET', `/v1/analytics/tools${query}`, { key });

describe('the tools that agents call', () => {
  it('are listed with their calls, pins and waiting approvals, of the last day by default', async () => {
    const { status, json } = await list();
    expect(status).toBe(200);
    expect(json).toMatchObject({ object: 'list', nextCursor: null, requests: 29, isCut: false });
    expect(json.data).toMatchObject([
      { tool: 'send_email', calls: 25, from: { user: 25 }, pins: [{ keyId, isChanged: true }], waiting: 0 },
      { tool: 'read_mail', calls: 3, effect: 'read', pins: [], waiting: 0 },
      { tool: 'transfer', calls: 1, asked: 1, fromProse: 1, keyIds: ['key_2'], waiting: 1 },
    ]);
    expect((await list(`?from=${new Date(admin.clock.time - HOUR_MS / 2).toISOString()}`)).json.data).toEqual([]);
  });

  it('are listed in pages, which have the same range', async () => {
    const first = (await list('?limit=2')).json;
    admin.clock.time += 23.5 * HOUR_MS;
    const { json } = await list(`?limit=2&cursor=${first.nextCursor}`);
    admin.clock.time -= 23.5 * HOUR_MS;
    const names = [first, json].map(({ data }) => data.map(({ tool }: { tool: string }) => tool));
    expect([names, json.to, json.nextCursor]).toEqual([[['send_email', 'read_mail'], ['transfer']], first.to, null]);
    expect((await list('?cursor=x')).json.error.param).toBe('cursor');
  });

  it.each([
    [`?keyId=`, ['send_email']],
    ['?tool=transfer', ['transfer']],
    ['?effect=read', ['read_mail']],
    ['?environment=staging', []],
  ])('are filtered by %s', async (query, expected) => {
    const { json } = await list(query.endsWith('keyId=') ? `${query}${keyId}` : query);
    expect(json.data.map(({ tool }: { tool: string }) => tool)).toEqual(expected);
  });

  it('are shown to keys with the permission analytics only; rules are suggested to administrators', async () => {
    const { key } = await newKey('App', ['chat_completions']);
    expect([(await list('', key)).status, (await list('?tools=x')).status]).toEqual([403, 400]);
    const suggestion = (as: string) => admin.callAt('GET', '/v1/admin/policy/tool-suggestion', { key: as });
    expect((await suggestion(readerKey)).status).toBe(403);
  });
});

describe('a suggested policy', () => {
  it('can be saved, and then suggests nothing more', async () => {
    const { json } = await admin.call('GET', '/policy/tool-suggestion');
    expect(json.proposals.map(({ tool, argument, calls }: Record<string, unknown>) => [tool, argument, calls])).toEqual(
      [
        ['send_email', null, 25],
        ['send_email', 'to[*]', 25],
      ],
    );
    expect((await admin.call('PUT', '/policy', { body: json.policy })).status).toBe(200);
    expect((await admin.call('GET', '/policy/tool-suggestion')).json).toMatchObject({
      proposals: [],
      policy: json.policy,
    });
    await admin.call('PUT', '/policy', { body: {} });
  });

  it("is one for a key's policy too, which keeps the tools that are in force for the key", async () => {
    const suggest = (query: string) => admin.call('GET', `/policy/tool-suggestion?as=key${query}`);
    expect([(await suggest('')).json.error.param, (await suggest('&keyId=key_none')).status]).toEqual(['keyId', 404]);
    await admin.call('PUT', '/policy', { body: { preset: 'strict', tools: { pin: 'flag' } } });
    const { json } = await suggest(`&keyId=${keyId}`);
    expect(json.policy).toMatchObject({ tools: { pin: 'flag', effects: { send_email: 'send' } } });
    expect(json.policy).not.toHaveProperty('preset');
    expect((await admin.call('PATCH', `/keys/${keyId}`, { body: { policy: json.policy } })).status).toBe(200);
    expect((await suggest(`&keyId=${keyId}`)).json).toMatchObject({ proposals: [], policy: json.policy });
    const unused = await suggest(`&keyId=${(await newKey('Unused', ['chat_completions'])).id}`);
    expect(unused.json).toMatchObject({ proposals: [], policy: {} });
    await admin.call('PATCH', `/keys/${keyId}`, { body: { policy: {} } });
    await admin.call('PUT', '/policy', { body: {} });
  });

  it('names the rules in force for tools that no agent called', async () => {
    const ruleFor = (id: string, tool: string) => ({ id, tool, action: 'flag' });
    const rules = [ruleFor('mail', 'send_*'), ruleFor('typing', 'sent_email')];
    await admin.call('PUT', '/policy', { body: { tools: { rules } } });
    expect((await list('?limit=1')).json).toMatchObject({ unmatchedRules: ['typing'], unmatchedArguments: [] });
    const [mail] = rules.map((rule) => ({ ...rule, args: { 'too[*]': { from: ['user'] } } }));
    await admin.call('PUT', '/policy', { body: { tools: { rules: [mail] } } });
    expect((await list()).json.unmatchedArguments).toEqual([{ rule: 'mail', argument: 'too[*]' }]);
    await admin.call('PUT', '/policy', { body: {} });
    expect((await list()).json.unmatchedRules).toEqual([]);
  });

  it('is printed by the command line for "policy set", with the reasons beside it', async () => {
    const host = await startHttpHost(admin.app, { port: 0, host: '127.0.0.1', maxBodyBytes: 100_000 });
    const env = { SVC_URL: `${host.url}/v1`, SVC_ADMIN_KEY: admin.admin.secret };
    // The command's clock is real.
    const range = ['--from', '2026-05-30T00:00:00Z', '--to', '2026-06-02T00:00:00Z'];
    try {
      const { out, error } = await runAdminInProcess(['policy', 'suggest-tools', ...range], env);
      expect(error).toContain('send_email, to[*]: {"rules":[{"id":"send_email-to"');
      expect(error).toContain('In 25 of 25 calls its value was from the user or the operator (25)');
      const set = await runAdminInProcess(['policy', 'set', '-'], env, out);
      expect(set).toMatchObject({ code: 0, error: expect.stringContaining('The policy is now version') });
      const table = await runAdminInProcess(['tools', 'list', ...range], env);
      expect(table.out).toMatch(/^TOOL +EFFECT +CALLS +FROM PROSE +FLAGGED/);
      expect(table.out).toMatch(/transfer +send +1 +100 % +0 +1 +0 +1 +1/);
      const shown = await runAdminInProcess(['tools', 'show', 'transfer', ...range], env);
      expect(shown.out).toMatch(/iban +1 +0 +0 +1 +0 +prose read_mail body \(1\)/);
      expect((await runAdminInProcess(['tools', 'show', 'none', ...range], env)).code).toBe(1);
    } finally {
      await host.stop(0);
    }
  });
});
