import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DynamoRequestRecords } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import type { RecordedFinding } from '../../functions/kernel/model/index.ts';
import { THREAT_TYPES } from '../../functions/kernel/model/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
  await admin.call('PUT', '/policy', { body: { preset: 'strict', input: { pii: { action: 'block' } } } });
});
afterAll(() => admin.stop());

describe('the effective policy', () => {
  it("of the deployment has each type's action, threshold and source", async () => {
    const { status, json } = await admin.call('GET', '/policy?effective=true');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'policy.effective',
      keyId: null,
      version: 1,
      flagFrom: 0.5,
      preset: { value: 'strict', source: 'deployment' },
      input: {
        pii: { action: 'block', threshold: 0.6, source: 'deployment', thresholdSource: 'preset' },
        jailbreak: { action: 'block', threshold: 0.6, source: 'preset' },
      },
      onBlock: { value: 'error', source: 'default' },
    });
    expect(Object.keys(json.input)).toEqual([...THREAT_TYPES]);
  });

  it("of a key shows what the key changes, and the key's own policy without the parameter", async () => {
    const policy = { output: { toxicity: { action: 'block', threshold: 0.9 } }, capture: 'redacted' };
    const { id } = (await admin.call('POST', '/keys', { body: { name: 'app', policy } })).json;
    const { json } = await admin.call('GET', `/keys/${id}/policy?effective=true`);
    expect(json).toMatchObject({
      keyId: id,
      output: { toxicity: { action: 'block', threshold: 0.9, source: 'key', thresholdSource: 'key' } },
      input: { pii: { source: 'deployment' } },
      capture: { value: 'redacted', source: 'key' },
    });
    expect((await admin.call('GET', `/keys/${id}/policy`)).json).toEqual({ object: 'key.policy', keyId: id, policy });
    expect((await admin.call('GET', '/keys/key_none/policy?effective=true')).status).toBe(404);
    expect((await admin.call('GET', '/policy?effective=yes')).json.error.param).toBe('effective');
  });
});

it('counts the scores of recorded findings, of one key if requested', async () => {
  const finding = (score: number, part: 'input' | 'output'): RecordedFinding => ({
    type: 'pii',
    rule: 'pii/email',
    severity: 'low',
    score,
    action: 'flag',
    location: { part, message: 0, field: 'content', start: 0, end: 1 },
  });
  const clients = { together: admin.dynamo, alone: admin.dynamo };
  const records = new DynamoRequestRecords(clients, 'records', { keptDays: 30, lingerMs: 1, pendingIndex: false });
  const time = (days: number) => new Date(admin.clock.time - days * 86_400_000).toISOString();
  await records.write(
    recordOf({ time: time(1), keyId: 'key_a', findings: [finding(0.6, 'input'), finding(1, 'input')] }),
  );
  await records.write(recordOf({ time: time(2), keyId: 'key_b', findings: [finding(0.649, 'output')] }));
  await records.write(recordOf({ time: time(9), keyId: 'key_b', findings: [finding(0.7, 'output')] }));
  const { json } = await admin.call('GET', '/policy/scores');
  expect(json).toMatchObject({ object: 'policy.scores', requests: 2, isCut: false, bins: 20 });
  expect([json.input.pii[12], json.input.pii[19], json.output.pii[12], json.output.pii[14]]).toEqual([1, 1, 1, 0]);
  const ofKey = (await admin.call('GET', '/policy/scores?keyId=key_b')).json;
  expect([ofKey.requests, ofKey.input]).toEqual([1, {}]);
});
