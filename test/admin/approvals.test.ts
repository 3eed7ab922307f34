import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewApproval } from '../../functions/control/approvals/approval.ts';
import { startHttpHost } from '../../functions/server/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { runAdminInProcess } from '../support/run-bin.ts';

const HOUR_MS = 3_600_000;
const REASON = 'Rule "accounts" of the policy: the argument "iban" is not from user.';
const ARGUMENTS = '{"iban":"DE12500105170648489890","amount":900}';

let admin: AdminApp;
let approver: { id: string; key: string };
let session = 0;
beforeAll(async () => {
  admin = await startAdminApp();
  approver = await newKey(['approvals']);
});
afterAll(() => admin.stop());
beforeEach(() => {
  session += 1;
});

async function newKey(permissions: readonly string[], excludePermissions: readonly string[] = []) {
  const { json } = await admin.call('POST', '/keys', { body: { name: 'Approver', permissions, excludePermissions } });
  return { id: json.id as string, key: json.key as string };
}

/** Asks for a call as the gateway does. @returns the id of the approval */
async function ask(fields: Partial<NewApproval> = {}): Promise<string> {
  const sources = [{ message: 3, tool: 'read_mail', field: 'body', start: 104, end: 126, as: 'prose' as const }];
  const origin = { call: 'transfer', argument: 'iban', user: false, sources, ordered: true };
  const call = { id: 'call_1', name: 'transfer', arguments: ARGUMENTS };
  const about = { keyId: 'key_1', environment: 'Production', sessionId: `chat ${session}`, endUserId: 'ann' };
  const asked = await admin.approvals.request({
    ...about,
    requestId: 'req_1',
    field: 'choices[0].message.tool_calls[0].function.arguments.iban',
    ...{ origin, call, value: 'DE12500105170648489890', policyRule: 'accounts', reason: REASON },
    ...fields,
  });
  return 'id' in asked ? asked.id : '';
}

const call = (method: string, path: string, key = approver.key, body?: unknown) =>
  admin.callAt(method, `/v1/approvals${path}`, { key, ...(body !== undefined && { body }) });
const decide = (id: string, decision: string, key?: string) => call('POST', `/${id}`, key, { decision });
const audited = async () => (await admin.call('GET', '/audit?limit=1')).json.data[0];

describe('a tool call that waits', () => {
  it('is listed without its arguments, and shown with them, which the audit log records', async () => {
    const id = await ask();
    const { json: list } = await call('GET', '?state=pending&limit=1');
    const view = {
      ...{ id, object: 'approval', keyId: 'key_1', environment: 'Production', sessionId: `chat ${session}` },
      ...{ endUserId: 'ann', requestId: 'req_1', tool: 'transfer', argument: 'iban', state: 'pending' },
      field: 'choices[0].message.tool_calls[0].function.arguments.iban',
      sources: [{ message: 3, tool: 'read_mail', field: 'body', start: 104, end: 126, as: 'prose' }],
      ...{ user: false, ordered: true, policyRule: 'accounts', reason: REASON },
      createdAt: new Date(admin.clock.now()).toISOString(),
      expiresAt: new Date(admin.clock.now() + HOUR_MS).toISOString(),
      ...{ decidedAt: null, decidedBy: null },
    };
    expect(list.data).toEqual([view]);
    const { status, json } = await call('GET', `/${id}`);
    expect([status, json]).toEqual([200, { ...view, call: { id: 'call_1', name: 'transfer', arguments: ARGUMENTS } }]);
    expect(await audited()).toMatchObject({
      action: 'approval.read',
      target: { type: 'approval', id },
      actor: { type: 'key', id: approver.id },
    });
  });

  it('passes once after it is approved, which the audit log and an event report without the arguments', async () => {
    const id = await ask();
    const { status, json } = await decide(id, 'approve');
    expect([status, json.state, json.decidedBy]).toEqual([200, 'approved', approver.id]);
    const record = await audited();
    expect(record).toMatchObject({
      action: 'approval.decided',
      before: { state: 'pending' },
      after: { state: 'approved' },
    });
    const events = (await admin.events()).filter(({ data }) => (data as { id?: string }).id === id);
    expect(events).toMatchObject([
      { type: 'tool.approval_requested', data: { state: 'pending' } },
      { type: 'tool.approval_decided', data: { state: 'approved', decidedBy: approver.id } },
    ]);
    expect(JSON.stringify([record, events])).not.toContain('DE1250');
    expect(await ask()).toBe(id);
    expect((await call('GET', `/${id}`)).json.state).toBe('used');
    expect(await ask()).not.toBe(id);
  });

  it('is decided once: later decisions are a 409 and no audit record', async () => {
    const id = await ask();
    expect((await decide(id, 'deny')).json.state).toBe('denied');
    const before = await audited();
    for (const decision of ['approve', 'deny']) {
      const { status, json } = await decide(id, decision);
      expect([status, json.error.code]).toEqual([409, 'conflict']);
    }
    expect(await audited()).toEqual(before);
  });

  it('is decided by one of many at once', async () => {
    const id = await ask();
    const replies = await Promise.all(['approve', 'deny', 'approve'].map((decision) => decide(id, decision)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('cannot be decided by its own key, whatever that may do', async () => {
    const own = await newKey(['admin']);
    const id = await ask({ keyId: own.id });
    const { status, json } = await decide(id, 'approve', own.key);
    expect([status, json.error.code]).toEqual([403, 'insufficient_permissions']);
    expect((await call('GET', `/${id}`)).json.state).toBe('pending');
  });

  it.each([
    ['analytics', ['analytics'], []],
    ['chat', ['chat_completions'], []],
    ['admin without approvals', ['admin'], ['approvals']],
  ])('is hidden from a key with the permission %s', async (_, permissions, excluded) => {
    const { key } = await newKey(permissions, excluded);
    const id = await ask();
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', `/${id}`],
    ] as const) {
      const { status, json } = await call(method, path, key, method === 'POST' ? { decision: 'approve' } : undefined);
      expect([status, json.error.code]).toEqual([403, 'insufficient_permissions']);
    }
  });

  it('cannot be decided after an hour, shows no arguments any more, and is gone a day later', async () => {
    const id = await ask();
    admin.clock.time += HOUR_MS;
    const { status, json } = await decide(id, 'approve');
    expect([status, json.error.code]).toEqual([409, 'conflict']);
    expect((await call('GET', `/${id}`)).json).toMatchObject({ state: 'expired', call: null });
    admin.clock.time += 24 * HOUR_MS + 1_000;
    expect((await call('GET', `/${id}`)).status).toBe(404);
  });

  it('is deleted with the data of its end user', async () => {
    const id = await ask({ endUserId: 'bob' });
    const { json } = await admin.call('DELETE', '/end-users/bob');
    expect(json.deleted).toMatchObject({ approvals: 1, identities: 0 });
    expect((await call('GET', `/${id}`)).status).toBe(404);
    const keyId = `idn_${'0'.repeat(32)}`;
    const ofIdentity = await ask({ endUserId: null, keyId });
    expect((await admin.call('DELETE', `/end-users/${keyId}`)).json.deleted).toMatchObject({ approvals: 1 });
    expect((await call('GET', `/${ofIdentity}`)).status).toBe(404);
  });

  it.each([
    ['?state=open', 'state'],
    ['?limit=0', 'limit'],
    ['?cursor=x', 'cursor'],
    ['?colour=red', 'colour'],
  ])('is not listed by an invalid query: %s', async (query, param) => {
    const { status, json } = await call('GET', query);
    expect([status, json.error.param]).toEqual([400, param]);
  });

  it.each([[{}], [{ decision: 'maybe' }], [{ decision: 'approve', comment: 'ok' }]])(
    'is not decided by %j',
    async (body) => {
      const id = await ask();
      expect((await call('POST', `/${id}`, approver.key, body)).status).toBe(400);
      expect((await call('GET', `/${id}`)).json.state).toBe('pending');
    },
  );

  it('has an id that exists', async () => {
    for (const id of ['appr_0', `appr_${'0'.repeat(32)}`]) {
      expect((await call('GET', `/${id}`)).status).toBe(404);
      expect((await decide(id, 'approve')).status).toBe(404);
    }
  });
});

describe('the command line', () => {
  it('lists what waits, shows its arguments and decides, over HTTP with a key for approvals alone', async () => {
    const [approved, denied] = [await ask(), await ask({ sessionId: `other ${session}` })];
    const host = await startHttpHost(admin.app, { port: 0, host: '127.0.0.1', maxBodyBytes: 100_000 });
    const env = { SVC_URL: `${host.url}/v1`, SVC_ADMIN_KEY: approver.key };
    try {
      const list = await runAdminInProcess(['approvals', 'list', '--state', 'pending', '--json'], env);
      expect(list.out).toContain(approved);
      expect(list.out).not.toContain('DE1250');
      const table = await runAdminInProcess(['approvals', 'list', '--state', 'pending'], env);
      expect(table.out).toMatch(/^ID +CREATED +STATE +TOOL +ARGUMENT +SOURCE +RULE +ORDERED +KEY +SESSION/);
      expect(table.out).toMatch(
        new RegExp(`${denied} +\\S+ +pending +transfer +iban +read_mail +accounts +true +key_1 +other`),
      );
      const shown = await runAdminInProcess(['approvals', 'show', approved], env);
      expect(shown.out).toContain('DE12500105170648489890');
      const decisions = [
        await runAdminInProcess(['approvals', 'approve', approved], env),
        await runAdminInProcess(['approvals', 'deny', denied], env),
        await runAdminInProcess(['approvals', 'deny', approved], env),
      ];
      expect(decisions.map(({ code }) => code)).toEqual([0, 0, 1]);
      expect(decisions[0]?.error).toBe(`${approved} is approved.\n`);
      expect(decisions[1]?.error).toBe(`${denied} is denied.\n`);
    } finally {
      await host.stop(0);
    }
    expect(await ask()).toBe(approved);
  });
});
