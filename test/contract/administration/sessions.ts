import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import type { Reply } from '../reply.ts';

const SESSION = 'x-svc-session-id';

export function sessionContract(contract: Contract): void {
  const say = (headers: Record<string, string>, key?: string): Promise<Reply> =>
    contract.chat(saying('Hi', 'echo'), { headers, ...(key !== undefined && { key }) });
  const idOf = ({ headers }: Reply) => headers.get(SESSION);

  describe('sessions', () => {
    test('are named by the caller, or the open one of the end user, and returned in header and body', async () => {
      const named = await say({ 'X-Session-ID': 'mine', 'X-End-User-ID': 'ann' });
      expect([idOf(named), named.json.svc.session_id]).toEqual(['mine', 'mine']);
      const first = await say({ 'X-End-User-ID': 'ann' });
      const again = await say({ 'X-User-ID': 'ann' });
      expect(idOf(first)).toMatch(/^ses_[0-9a-f]{32}$/);
      expect([idOf(again), again.json.svc.session_id]).toEqual([idOf(first), idOf(first)]);
      const none = await say({});
      expect([idOf(none), none.json.svc.session_id]).toEqual([null, null]);
    });

    test('are shared by concurrent requests of one end user, and belong to one key', async () => {
      const user = { 'X-End-User-ID': 'crowd' };
      const replies = await Promise.all(Array.from({ length: 12 }, () => say(user)));
      // A request waits a second at most for its session. After that it has none, and reports it.
      const late = replies.filter((reply) => idOf(reply) === null);
      for (const { json } of late) expect(json.svc.coverage.skipped).toContain('session score');
      const ids = new Set(replies.filter((reply) => !late.includes(reply)).map(idOf));
      expect(ids.size).toBe(1);
      const other = await say(user, await contract.newKey());
      expect([...ids]).not.toContain(idOf(other));
    });

    test('are also returned by streams and the guard', async () => {
      const user = { 'X-End-User-ID': 'everywhere' };
      const id = idOf(await say(user));
      const { headers } = await contract.stream(saying('Hi', 'echo'), { headers: user });
      expect(headers.get(SESSION)).toBe(id);
      for (const body of [{ input: 'Hi' }, { output: 'Hi' }]) {
        const judged = await contract.call('/guard', JSON.stringify(body), { headers: user });
        expect([idOf(judged), judged.json.svc.session_id]).toEqual([id, id]);
      }
    });

    test('add up their requests, from any client', async () => {
      const { id: keyId, key } = await contract.createKey();
      const headers = { 'X-End-User-ID': 'counted', 'X-App-Version': '1.2' };
      await say(headers, key);
      await contract.chat(saying('SVC-TEST-BLOCK-7f3a', 'echo'), { headers, key });
      const id = idOf(await contract.chat(saying('SVC-TEST-FLAG-7f3a', 'echo'), { headers, key }));
      const { status, json } = await contract.settled(
        () => contract.analytics(`/sessions/${id}`),
        (reply) => reply.json?.requests === 3,
      );
      expect(status).toBe(200);
      expect(json).toMatchObject({
        id,
        object: 'session',
        keyId,
        endUserId: 'counted',
        environment: 'Development',
        requests: 3,
        blocked: 1,
        flagged: 1,
        errors: 0,
        rateLimited: 0,
        clientErrors: 0,
        serverErrors: 0,
        models: ['echo'],
        appVersions: ['1.2'],
        threatScore: { highest: 1 },
      });
      expect(json.threatScore.accumulated).toBeGreaterThan(1.3);
      expect(Date.parse(json.firstAt)).toBeLessThanOrEqual(Date.parse(json.lastAt));
      const listed = await contract.analytics(`/sessions?keyId=${keyId}&endUserId=counted`);
      expect(listed.json).toEqual({ object: 'list', data: [json], nextCursor: null });
    });
  });
}
