import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type Contract, saying } from '../contract.ts';
import type { Reply } from '../reply.ts';

const WATCH = { blockedPoints: 100, minRequests: 200, minutes: 60 };
const TEXT = 'The falcon flies tonight';
const CANDIDATE = { rules: [{ id: 'falcon', literals: ['falcon'], action: 'block' }] };

export function rolloutContract(contract: Contract): void {
  const admin = (method: string, path: string, body?: unknown) => contract.admin(method, path, body);
  /** Waits until every process gives a response that `done` accepts. */
  const everywhere = (ask: () => Promise<Reply>, done: (reply: Reply) => boolean) => contract.everywhere(ask, done);
  const statusIs = (status: number) => (reply: Reply) => reply.status === status;

  describe('a roll-out of a policy', () => {
    test('decides on the requests of its keys alone, beside the policy in force, until it is promoted', async () => {
      const before = (await admin('GET', '/policy')).json;
      const { id: keyId, key } = await contract.createKey({ environment: 'Staging' });
      const other = await contract.newKey();
      const ask = (of: string, headers: Record<string, string> = {}) =>
        contract.chat(saying(TEXT, 'echo'), { key: of, headers });
      const rollout = { percent: 100, keyIds: [keyId], environments: ['Staging'], watch: WATCH };
      const { json } = await admin('PUT', '/policy', { ...before, ...CANDIDATE, rollout });

      const blocked = await everywhere(() => ask(key), statusIs(400));
      expect(blocked.json.error.code).toBe('content_filter');
      for (const headers of [{ 'x-environment': 'Staging' }, { 'x-svc-tags': 'team=shop' }]) {
        expect((await ask(other, headers)).status).toBe(200);
      }
      const id = blocked.headers.get('x-request-id');
      const records = await contract.settled(
        () => contract.analytics(`/requests?keyId=${keyId}&state=blocked`),
        (reply) => reply.json.data?.some((one: { id: string }) => one.id === id),
      );
      expect(records.json.data[0]).toMatchObject({ rollout: json.version, shadow: { action: 'allow' } });
      const counted = await contract.settled(
        () => admin('GET', '/policy/rollout'),
        (reply) => reply.json.total?.blocked >= 1,
      );
      expect(counted.json).toMatchObject({ version: json.version, total: { blockedBefore: 0 } });

      expect((await admin('POST', '/policy/promote', { version: json.version })).status).toBe(200);
      await everywhere(() => ask(other), statusIs(400));
      expect((await admin('POST', '/policy/rollback', { version: before.version })).status).toBe(200);
      await everywhere(() => ask(other), statusIs(200));
      await everywhere(() => ask(key), statusIs(200));
    });
  });

  describe('the emergency override', () => {
    const set = (mode: string) =>
      admin('PUT', '/override', {
        mode,
        ...(mode !== 'none' && { until: new Date(Date.now() + 3_600_000).toISOString() }),
      });

    test('only flags while it observes, and refuses every request to a model while it refuses', async () => {
      const key = await contract.newKey({ policy: { preset: 'strict', ...CANDIDATE } });
      const ask = () => contract.chat(saying(TEXT, 'echo'), { key });
      expect((await ask()).status).toBe(400);
      try {
        await set('observe');
        const { json } = await everywhere(ask, statusIs(200));
        expect(json.svc).toMatchObject({ action: 'flag', warnings: [{ code: 'policy_observed', field: '' }] });
        const guard = { input: TEXT, policy: CANDIDATE };
        expect((await contract.call('/guard', JSON.stringify(guard), { key })).json.action).toBe('flag');

        await set('refuse');
        // A store that is late makes it unavailable too.
        const refused = await eventually(ask, ({ status, text }) => status === 503 && text.includes('stopped'));
        expect(refused.json.error).toMatchObject({ code: 'unavailable' });
        expect(refused.headers.get('retry-after')).toBe('30');
        expect((await contract.call('/models', undefined, { key })).status).toBe(200);
        expect((await admin('GET', '/policy')).status).toBe(200);
        expect((await contract.call('/chat/completions', '{}', { key: 'svc_sk_unknown' })).status).toBe(401);
      } finally {
        await set('none');
      }
      await everywhere(ask, statusIs(400));
      await everywhere(
        () => contract.chat(saying('Hello', 'echo')),
        (reply) => reply.json.svc?.warnings === undefined && reply.status === 200,
      );
    });
  });
}
