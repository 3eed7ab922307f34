import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoApprovalStore } from '../../functions/adapters/dynamo/dynamo-approval-store.ts';
import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import { createApprovalSecrets } from '../../functions/adapters/node/approval-secrets.ts';
import type { NewApproval } from '../../functions/control/approvals/approval.ts';
import { Approvals, decidedEvent } from '../../functions/control/approvals/index.ts';
import type { HttpClient } from '../../functions/kernel/http/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { availableEngines } from './engines.ts';

const HOUR_MS = 3_600_000;
const secrets = createApprovalSecrets(async () => 'p'.repeat(64));

/** A network that loses the response of each UpdateItem, so that the client repeats it. */
function repeatingUpdates(): HttpClient {
  const http = new UndiciHttpClient();
  return {
    send: async (request) => {
      const response = await http.send(request);
      if (!request.headers['x-amz-target']?.endsWith('UpdateItem')) return response;
      for await (const _ of response.body);
      return http.send(request);
    },
  };
}

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let client: DynamoClient;
  let url = '';
  let stop = async () => {};
  const clock = { now: () => clock.time, monotonic: () => clock.time, time: Date.parse('2026-06-01T00:00:00.500Z') };
  let session = 0;
  let wanted: NewApproval;
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
    client = createDynamoClient(embeddedAccess(url));
  });
  afterAll(async () => {
    await stop();
  });
  beforeEach(() => {
    session += 1;
    clock.time = Date.parse('2026-06-01T00:00:00.500Z');
    const origin = { call: 'transfer', argument: 'iban', user: false, sources: [], ordered: true };
    const call = { id: 'call_1', name: 'transfer', arguments: '{"iban":"DE12500105170648489890"}' };
    const about = { keyId: `key_${session}`, environment: 'Staging', sessionId: `chat ${session}`, endUserId: 'ann' };
    const doubt = { origin, value: 'DE12500105170648489890', policyRule: undefined, reason: 'Doubtful.' };
    wanted = { ...about, requestId: 'req_1', field: 'output', ...doubt, call };
  });

  const storeAt = (dynamo = client) => new DynamoApprovalStore(dynamo, 'approvals', clock);
  /** A separate function. */
  const approvals = (dynamo = client) => new Approvals({ store: storeAt(dynamo), secrets, clock, onChanged: () => {} });
  const ask = async (dynamo = client) => ({ id: '', code: '', ...(await approvals(dynamo).request(wanted)) });
  const redeem = async (code: string, dynamo = client) =>
    (await approvals(dynamo).redeem(wanted.keyId, wanted.sessionId, [code]))[0];
  const decide = async (id: string, state: 'approved' | 'denied', dynamo = client) => {
    const store = storeAt(dynamo);
    const found = await store.get(id);
    if (found?.state !== 'pending') return false;
    const change = { state, decidedAt: new Date(clock.time).toISOString(), decidedBy: 'key_a' };
    return store.change(found, change, decidedEvent(found, change, clock.time));
  };
  const times = <T>(count: number, run: () => Promise<T>) => Promise.all(Array.from({ length: count }, run));

  it('of many concurrent requests for one call all have the same question', async () => {
    const asked = await times(5, () => ask());
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect(new Set(asked.map(({ state }) => state))).toEqual(new Set(['pending']));
  });

  it('an approved call passes once, whether the model repeats it or the user enters the code, however many do at once', async () => {
    const { id, code } = await ask();
    expect(await decide(id, 'approved')).toBe(true);
    const outcomes = await Promise.all([
      ...Array.from({ length: 4 }, async () => (await ask()).state === 'approved'),
      ...Array.from({ length: 4 }, async () => (await redeem(code)) !== undefined),
    ]);
    expect(outcomes.filter((passed) => passed)).toHaveLength(1);
  });

  it('no order of requests, codes and decisions releases an approval twice, or one that was denied', async () => {
    const step = fc.constantFrom('ask' as const, 'redeem' as const, 'approve' as const, 'deny' as const);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (rounds) => {
        session += 1;
        wanted = { ...wanted, keyId: `key_${session}` };
        let last = await ask();
        const released: string[] = [];
        const denied = new Set<string>();
        for (const steps of rounds) {
          const { id, code } = last;
          await Promise.all(
            steps.map(async (name) => {
              if (name === 'ask') {
                const asked = await ask();
                if (asked.state === 'approved') released.push(asked.id);
                if (asked.state === 'pending') last = asked;
              } else if (name === 'redeem') {
                if ((await redeem(code)) !== undefined) released.push(id);
              } else if ((await decide(id, name === 'deny' ? 'denied' : 'approved')) && name === 'deny') denied.add(id);
            }),
          );
        }
        expect(new Set(released).size).toBe(released.length);
        expect(released.filter((id) => denied.has(id))).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });

  it('a write whose response is lost counts once', async () => {
    const flaky = createDynamoClient({ ...embeddedAccess(url), http: repeatingUpdates() });
    const { id, code } = await ask(flaky);
    expect((await storeAt().get(id))?.state).toBe('pending');
    expect(await redeem(code, flaky)).toEqual({ ...wanted.call, approvalId: id });
    expect(await redeem(code)).toBeUndefined();
  });

  it('guesses of a key are counted for an hour, in all functions', async () => {
    const { code } = await ask();
    await times(12, () => redeem('AAAA-AAAA'));
    expect(await redeem(code)).toBeUndefined();
    clock.time += HOUR_MS - 30 * 60_000;
    expect(await redeem(code)).toBeUndefined();
    clock.time += 29 * 60_000 + 59_000;
    expect(await redeem(code)).toBeUndefined();
  });

  it('guesses of another hour do not count', async () => {
    clock.time += 30 * 60_000;
    const { id, code } = await ask();
    await times(10, () => redeem('AAAA-AAAA'));
    clock.time += 30 * 60_000;
    expect(await redeem(code)).toEqual({ ...wanted.call, approvalId: id });
  });

  it('are listed newest first, by state and in pages, and for a day after they expire', async () => {
    const ids: string[] = [];
    const store = storeAt();
    for (let at = 0; at < 5; at += 1) {
      wanted = { ...wanted, sessionId: `list ${at}` };
      clock.time += 1_000;
      ids.unshift((await ask()).id);
    }
    await decide(ids[1] as string, 'denied');
    const idsOf = async (state: 'pending' | 'denied' | 'expired' | undefined, limit = 100) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.list({ state, limit, cursor });
        found.push(...page.approvals.filter(({ id }) => ids.includes(id)).map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return found;
    };
    expect(await idsOf(undefined)).toEqual(ids);
    expect(await idsOf(undefined, 2)).toEqual(ids);
    expect(await idsOf('denied', 1)).toEqual([ids[1]]);
    expect(await idsOf('pending', 3)).toEqual(ids.filter((id) => id !== ids[1]));
    clock.time += HOUR_MS;
    expect(await idsOf('expired')).toEqual(ids.filter((id) => id !== ids[1]));
    clock.time += 24 * HOUR_MS + 1_000;
    expect(await idsOf(undefined)).toEqual([]);
    expect(await store.get(ids[0] as string)).toBeUndefined();
    expect((await ask()).state).toBe('pending');
  });

  it("an end user's approvals are deleted, and no others", async () => {
    const { id } = await ask();
    wanted = { ...wanted, sessionId: 'of another', endUserId: null };
    const other = await ask();
    const { approvals: deleted } = await storeAt().deleteEndUser('ann');
    expect(deleted).toBeGreaterThan(0);
    expect(await storeAt().get(id)).toBeUndefined();
    expect((await storeAt().get(other.id))?.id).toBe(other.id);
    expect(await storeAt().deleteEndUser('ann')).toEqual({ approvals: 0 });
  });

  it('no item has arguments or codes in plain text', async () => {
    const { code } = await ask();
    const { Items } = await client.send(new ScanCommand({ TableName: 'approvals' }));
    expect(JSON.stringify(Items)).not.toMatch(new RegExp(`DE125001|${code}|${code.replace('-', '')}`));
  });
});
