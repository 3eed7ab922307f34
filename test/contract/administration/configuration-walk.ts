import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type MockUpstream, startMockUpstream } from '../../support/mock-upstream/start-mock-upstream.ts';
import { Contract, PROCESSES, saying } from '../contract.ts';
import type { Reply } from '../reply.ts';
import { PLANTED, type ProviderSettings, type Service } from '../service.ts';

/** What goes wrong in the middle of the walk. */
export interface Interference {
  /** Ends a process that serves requests; another one starts. */
  killProcess(): Promise<void>;
  /** Every call of the tables fails, until what it gives is called. */
  loseTables(): () => void;
}

/** Failed requests that open a circuit. */
const FAILURES = 5;
const FIRST = `sk-walk-${'q7Zt2'.repeat(5)}`;
const SECOND = `sk-walk-${'w4Lp9'.repeat(5)}`;

/**
 * The configuration of a provider from its credential to its removal, in this order and without a restart, as every process sees it. `start`
 * gets the provider `acme` in its settings, without a key.
 */
export function configurationWalk(
  start: (providers: ProviderSettings) => Promise<Service>,
  interference?: () => Interference,
): void {
  const accepted = { value: FIRST };
  let isBroken = false;
  let acme: MockUpstream;
  const withAcme = (settings: ProviderSettings) => ({
    ...settings,
    SVC_PROVIDERS: 'acme',
    ACME_BASE_URL: `${acme.url}/v1`,
  });
  const contract = new Contract((settings) => start(withAcme(settings)), {});
  let key: string;
  beforeAll(async () => {
    acme = await startMockUpstream({
      behave: ({ headers }) => {
        if (isBroken) return { status: 503, headers: { 'retry-after': '0' } };
        return headers.authorization === `Bearer ${accepted.value}` ? {} : { status: 401 };
      },
    });
    await contract.start();
    // It is served even while its limits cannot be read.
    key = (await contract.createKey({ onStoreFailure: 'open' })).key;
  });
  afterAll(async () => {
    await contract.stop();
    await acme?.close();
  });

  const ask = () => contract.chat(saying('Hi', 'assistant'), { key });
  const routeOf = (reply: Reply | undefined) => reply?.headers.get('x-svc-route');
  /** Waits until every process gives a response like this. */
  const everywhere = (isExpected: (reply: Reply) => boolean) => contract.everywhere(ask, isExpected);
  const byAcme = (reply: Reply) => reply.status === 200 && routeOf(reply) === 'acme/acme-1';
  const byOpenAi = ({ status, headers }: Reply) =>
    status === 200 && headers.get('x-svc-route')?.endsWith('openai/gpt-4o-mini') === true;
  const change = async (method: string, path: string, body?: object) => {
    const reply = await contract.call(`/admin${path}`, body && JSON.stringify(body), {
      method,
      key: contract.service.adminKey,
      headers: { 'if-match': '*' },
    });
    expect([reply.status, reply.json?.error]).toEqual([expect.any(Number), undefined]);
    return reply;
  };
  const providerNow = async () => (await contract.admin('GET', '/providers')).json.data.find(isAcme);
  const isAcme = ({ name }: { name: string }) => name === 'acme';
  let credential: { id: string };
  let routesBefore: { version: number };

  describe('a provider that is added, used, broken and removed without a restart', () => {
    test('gets a credential that it accepts, and no other', async () => {
      const body = { name: 'Acme', provider: 'acme', value: FIRST };
      const refused = await contract.admin('POST', '/credentials', { ...body, value: SECOND });
      expect([refused.status, refused.json.error.param]).toEqual([400, 'value']);
      expect((await contract.admin('GET', '/credentials')).json.data).toEqual([]);
      credential = (await change('POST', '/credentials', body)).json;
      await change('PATCH', '/providers/acme', { models: ['acme-*'], credentialId: credential.id });
    });

    test('gets a route with a fallback, which every process follows', async () => {
      routesBefore = (await contract.admin('GET', '/routes')).json;
      const alias = {
        models: 'assistant',
        targets: [{ provider: 'acme', model: 'acme-1' }],
        fallbacks: [{ provider: 'openai', model: 'gpt-4o-mini' }],
      };
      const { routes } = routesBefore as unknown as { routes: object[] };
      await change('PUT', '/routes', { routes: [alias, ...routes] });
      await everywhere(byAcme);
      expect(acme.requests.at(-1)?.headers.authorization).toBe(`Bearer ${FIRST}`);
    });

    test('fails: the fallback serves, all processes learn it, and it is counted', async () => {
      isBroken = true;
      const failed = await contract.settled(ask, (reply) => routeOf(reply)?.includes(';provider_error') === true);
      expect(byOpenAi(failed)).toBe(true);
      for (let request = 1; request < FAILURES * PROCESSES; request += 1) expect((await ask()).status).toBe(200);
      await everywhere((reply) => byOpenAi(reply) && routeOf(reply)?.includes('acme/acme-1;open') === true);
      const { circuit } = await providerNow();
      expect(circuit).toEqual([expect.objectContaining({ model: 'acme-1', state: 'open' })]);
      expect(contract.service.logs()).toMatch(/"provider failed"[^\n]*"acme"/);
    });

    if (interference !== undefined) {
      test('a process that starts now has the whole configuration', async () => {
        await interference().killProcess();
        // A frozen process ends when it gets its next request.
        await contract.settled(ask, () => contract.service.logs().includes('"process failed"'));
        await everywhere(byOpenAi);
      });

      test('without tables what is known stays in force, and no change is applied in part', async () => {
        const before = (await contract.admin('GET', '/providers/versions?limit=1')).json.data;
        const mend = interference().loseTables();
        const refused = await contract.admin('PATCH', '/providers/acme', { state: 'disabled' });
        expect(refused.status).toBe(503);
        expect(byOpenAi(await ask())).toBe(true);
        mend();
        const after = await contract.settled(
          () => contract.admin('GET', '/providers/versions?limit=1'),
          ({ status }) => status === 200,
        );
        expect(after.json.data).toEqual(before);
      });
    }

    test('is disabled, and called no more, then mended and enabled', async () => {
      await change('PATCH', '/providers/acme', { state: 'disabled' });
      await everywhere((reply) => routeOf(reply) === 'openai/gpt-4o-mini');
      const calls = acme.requests.length;
      expect(byOpenAi(await ask())).toBe(true);
      expect(acme.requests).toHaveLength(calls);
      isBroken = false;
      await change('PATCH', '/providers/acme', { state: 'active' });
      // The circuit closes with a trial.
      await everywhere(byAcme);
    });

    test('gets a new value of its credential; the old one ends', async () => {
      accepted.value = SECOND;
      await change('POST', `/credentials/${credential.id}/rotate`, { value: SECOND, graceSeconds: 0 });
      await everywhere(byAcme);
      expect(acme.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECOND}`);
    });

    test('leaves with its route, override and credential', async () => {
      await change('POST', '/routes/rollback', { version: routesBefore.version });
      const { json } = await everywhere(({ status }) => status === 404);
      expect(json.error.code).toBe('model_not_found');
      const early = await contract.admin('DELETE', `/credentials/${credential.id}`);
      expect(early.status).toBe(409);
      await change('DELETE', '/providers/acme');
      await change('DELETE', `/credentials/${credential.id}`);
      const audit = (await contract.admin('GET', '/audit?limit=100')).json.data;
      expect(audit.map(({ action }: { action: string }) => action).sort()).toEqual(
        expect.arrayContaining(['credential.created', 'credential.deleted', 'credential.rotated', 'routes.updated']),
      );
      const seen = [JSON.stringify(audit), contract.service.logs()].join('\n');
      for (const secret of [FIRST, SECOND, PLANTED.openaiKey]) expect(seen).not.toContain(secret);
    });
  });
}
