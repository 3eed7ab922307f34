import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RequestRecord, Threat } from '../../../functions/contract/index.ts';
import {
  requestDetailSchema,
  requestListSchema,
  sessionListSchema,
  summarySchema,
  threatDetailSchema,
  threatListSchema,
  threatSchema,
  timeseriesSchema,
} from '../../../functions/kernel/model/index.ts';
import { type Contract, saying } from '../contract.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { expectError, type Reply } from '../reply.ts';
import { PLANTED } from '../service.ts';

const PROMPT = 'Periwinkle gramophone beneath the orchard';
const PATHS = ['/summary', '/timeseries', '/threats', '/requests', '/sessions'];

export function analyticsContract(contract: Contract): void {
  describe('analytics', () => {
    let keyId = '';
    let key = '';
    /** What was sent, in order, with what each is to be remembered as. */
    const sent: {
      reply: Reply | { headers: Headers; status: number };
      state: string;
      status: number;
      model: string | null;
    }[] = [];
    const of = (path: string, more = '') => contract.analytics(`${path}?keyId=${keyId}${more}`);
    const until = (path: string, done: (json: { data: unknown[]; requests: number }) => boolean) =>
      contract.settled(
        () => of(path),
        (reply) => done(reply.json),
      );

    beforeAll(async () => {
      ({ id: keyId, key } = await contract.createKey({ environment: 'Staging', policy: { output: {} } }));
      const send = async (state: string, status: number, model: string | null, body: object | string, headers = {}) => {
        const reply = await contract.chat(body, { key, headers });
        expect(reply.status).toBe(status);
        sent.push({ reply, state, status, model });
        // Records of one millisecond have no order.
        await setTimeout(2);
      };
      await send('completed', 200, 'echo', saying(PROMPT, 'echo'), { 'X-End-User-ID': 'ann', 'X-App-Version': '7' });
      await send('completed', 200, 'gpt-4o-mini', saying(PROMPT), { 'X-Environment': 'production' });
      await send('blocked', 400, 'echo', saying(`${PROMPT} SVC-TEST-BLOCK-7f3a`, 'echo'), { 'X-End-User-ID': 'ann' });
      await send('completed', 200, 'echo', saying(`${PROMPT} SVC-TEST-FLAG-7f3a ${GITHUB_TOKEN}`, 'echo'));
      await send('failed', 404, null, saying(PROMPT, 'no-such-model'));
      await send('failed', 400, null, { ...saying(PROMPT, 'echo'), temperature: 9, [GITHUB_TOKEN]: 'x' });
      await send('failed', 400, null, `{"messages": ${PROMPT}`);
      contract.upstream.next({ status: 401 });
      await send('failed', 502, 'gpt-4o-mini', saying(PROMPT));
      const streamed = await contract.stream(saying(PROMPT, 'echo'), { key, headers: { 'X-Session-ID': 'a talk' } });
      await setTimeout(2);
      sent.push({ reply: streamed, state: 'completed', status: 200, model: 'echo' });
      const guarded = await contract.call('/guard', JSON.stringify({ input: 'SVC-TEST-BLOCK-7f3a' }), { key });
      sent.push({ reply: guarded, state: 'completed', status: 200, model: null });
    });

    test('have one record of each request with its state, newest first', async () => {
      const { json } = await until('/requests', ({ data }) => data?.length >= sent.length);
      expect(requestListSchema.safeParse(json).error).toBeUndefined();
      const ids = sent.map(({ reply }) => reply.headers.get('x-request-id'));
      expect(json.data.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse());
      for (const [at, record] of [...json.data].reverse().entries()) {
        const { state, status, model } = sent[at] as (typeof sent)[number];
        expect(record).toMatchObject({ object: 'request', keyId, state, status, model, capture: 'none' });
        expect(record.latencyMs).toBeGreaterThan(0);
      }
      const [first, second] = [...json.data].reverse();
      expect(first).toMatchObject({ endUserId: 'ann', appVersion: '7', environment: 'Staging', provider: 'echo' });
      expect(first.sessionId).toMatch(/^ses_/);
      expect(first.tokens).toEqual({ input: expect.any(Number), output: expect.any(Number) });
      expect(second.environment).toBe('Production');
    });

    test('filter findings and requests by their fields', async () => {
      await until('/requests', ({ data }) => data?.length >= sent.length);
      const all: Threat[] = (await of('/threats', '&limit=100')).json.data;
      const found = async (more: string): Promise<string[]> =>
        (await of('/threats', `&limit=100&${more}`)).json.data.map(({ id }: Threat) => id);
      const idsOf = (keep: (threat: Threat) => boolean) => all.filter(keep).map(({ id }) => id);
      expect(all.length).toBeGreaterThanOrEqual(4);
      for (const [param, of] of [
        ['type', (threat: Threat) => threat.type],
        ['severity', (threat: Threat) => threat.severity],
        ['action', (threat: Threat) => threat.action],
        ['rule', (threat: Threat) => threat.rule],
      ] as const) {
        for (const value of new Set(all.map(of))) {
          expect([param, await found(`${param}=${value}`)]).toEqual([param, idsOf((threat) => of(threat) === value)]);
        }
      }
      const secrets = idsOf(({ type }) => type === 'secret');
      const [marked = ''] = secrets;
      await contract.call(`/analytics/threats/${marked}`, '{"mark":"confirmed"}', {
        method: 'PATCH',
        key: contract.service.adminKey,
      });
      expect(await found('mark=confirmed')).toEqual([marked]);
      expect(await found('mark=none')).toEqual(idsOf(({ id }) => id !== marked));
      // Pages that end within a request, and between findings that do not fit.
      const paged: string[] = [];
      let cursor = '';
      do {
        const { json } = await of('/threats', `&limit=1&action=block${cursor}`);
        paged.push(...json.data.map(({ id }: Threat) => id));
        cursor = json.nextCursor === null ? '' : `&cursor=${json.nextCursor}`;
      } while (cursor !== '');
      expect(paged).toEqual(idsOf(({ action }) => action === 'block'));

      const requests: RequestRecord[] = (await of('/requests')).json.data;
      const listed = async (more: string) => (await of('/requests', more)).json.data.map(({ id }: RequestRecord) => id);
      const kept = (keep: (record: RequestRecord) => boolean) => requests.filter(keep).map(({ id }) => id);
      expect(await listed('&state=blocked')).toEqual(kept(({ state }) => state === 'blocked'));
      expect(await listed('&action=allow')).toEqual(kept(({ action }) => action === 'allow'));
      expect(await listed('&sessionId=a%20talk')).toEqual(kept(({ sessionId }) => sessionId === 'a talk'));
      expect(await listed('&outcome=blocked')).toEqual(kept(({ state }) => state === 'blocked'));
      const [latest] = requests as [RequestRecord];
      expect(await listed(`&id=${latest.id}`)).toEqual([latest.id]);
      expect(await listed('&status=4xx')).toEqual(
        kept(({ status }) => status !== null && status >= 400 && status < 500),
      );
      expect(await listed('&errorCode=content_blocked')).toEqual(
        kept(({ errorCode }) => errorCode === 'content_blocked'),
      );
      expect(await listed('&minScore=0.5')).toEqual(kept(({ threatScore }) => threatScore >= 0.5));
      expect(await listed('&not=state=blocked&not=sessionId=a%20talk')).toEqual(
        kept(({ state, sessionId }) => state !== 'blocked' && sessionId !== 'a talk'),
      );
      expect(await found('not=type=secret')).toEqual(idsOf(({ type }) => type !== 'secret'));
      for (const wrong of [
        'state',
        'state=x',
        'x=1',
        'limit=5',
        'from=2026-11-21',
        'not=state=blocked',
        '__proto__=x',
      ]) {
        expectError(await of('/requests', `&not=${wrong}`), 'invalid_value', 'not');
      }
      const minute = latest.time.slice(0, 16);
      expect(await listed(`&since=${minute}Z`)).toEqual(kept(({ time }) => time >= `${minute}:00.000Z`));
      for (const [path, param] of [
        ['/threats', 'severity'],
        ['/threats', 'mark'],
        ['/requests', 'state'],
        ['/requests', 'status'],
        ['/requests', 'id'],
        ['/requests', 'minCostUsd'],
      ]) {
        expectError(await of(path as string, `&${param}=x`), 'invalid_value', param);
      }
    });

    test('return each record by its id and time, with its findings and their marks', async () => {
      const [threat] = (await of('/threats', '&type=secret')).json.data as Threat[];
      const { requestId, time } = threat as Threat;
      const { json } = await contract.analytics(`/requests/${requestId}?time=${time}`);
      expect(requestDetailSchema.safeParse(json).error).toBeUndefined();
      const listed = (await of('/requests')).json.data.find(({ id }: RequestRecord) => id === requestId);
      const findings = (await of('/threats')).json.data.filter((one: Threat) => one.requestId === requestId);
      expect(json).toEqual({ ...listed, findings });
      expectError(await contract.analytics(`/requests/${requestId}?time=2026-01-01`), 'not_found');
      expectError(await contract.analytics(`/requests/req_none?time=${time}`), 'not_found');
      expect((await contract.analytics(`/requests/${requestId}`)).json).toEqual(json);
      const detail = (await contract.analytics(`/threats/${threat?.id}`)).json;
      expect(threatDetailSchema.safeParse(detail).error).toBeUndefined();
      const ofTheRule = { message: 'Text contains a GitHub token.', owasp: 'LLM02:2025', atlas: 'AML.T0057' };
      expect(detail).toEqual({ ...threat, ...ofTheRule });
      expectError(await contract.analytics('/threats/thr_none'), 'not_found');
    });

    test('name keys in groups', async () => {
      const { json } = await of('/summary', '&groupBy=keyId');
      expect(json.groups).toEqual([expect.objectContaining({ group: keyId, label: 'contract' })]);
    });

    test('add up to a recount of the records, for all and by group', async () => {
      const { json: list } = await until('/requests', ({ data }) => data?.length >= sent.length);
      const { json } = await until('/summary', ({ requests }) => requests >= sent.length);
      expect(summarySchema.safeParse(json).error).toBeUndefined();
      type Record = {
        state: string;
        action: string;
        model: string | null;
        tokens: { input: number | null; output: number | null };
        threats: object;
      };
      const records: Record[] = list.data;
      const sum = (of: (record: Record) => number) => records.reduce((total, record) => total + of(record), 0);
      expect(json).toMatchObject({
        object: 'analytics.summary',
        requests: records.length,
        blocked: sum(({ state }) => Number(state === 'blocked')),
        flagged: sum(({ state, action }) => Number(state !== 'blocked' && action !== 'allow')),
        errors: sum(({ state }) => Number(state === 'failed')),
        tokens: { input: sum(({ tokens }) => tokens.input ?? 0), output: sum(({ tokens }) => tokens.output ?? 0) },
      });
      expect(json.latencyMs.p50).toBeGreaterThan(0);
      expect(json.timeToFirstTokenMs.p99).toBeGreaterThan(0);
      expect(json.threats.prompt_injection).toBeGreaterThanOrEqual(3);
      const { json: byModel } = await of('/summary', '&groupBy=model');
      const groups = byModel.groups.map(({ group, requests }: { group: string; requests: number }) => [
        group,
        requests,
      ]);
      const counts = new Map<string | null, number>();
      for (const { model } of records) counts.set(model, (counts.get(model) ?? 0) + 1);
      expect(new Map(groups)).toEqual(counts);
      const { json: series } = await of('/timeseries', '&interval=hour');
      expect(timeseriesSchema.safeParse(series).error).toBeUndefined();
      expect(series.data).toHaveLength(24);
      expect(series.data.reduce((total: number, { requests }: { requests: number }) => total + requests, 0)).toBe(
        records.length,
      );
    });

    test('are filtered by environment, model, end user and time', async () => {
      await until('/summary', ({ requests }) => requests >= sent.length);
      const requests = async (more: string) => (await of('/summary', more)).json.requests;
      const listed = async (more: string) => (await of('/requests', more)).json.data.length;
      for (const [more, count] of [
        ['&environment=production', 1],
        ['&environment=Staging', sent.length - 1],
        ['&model=gpt-4o-mini', 2],
        ['&endUserId=ann', 2],
        ['&endUserId=ann&model=gpt-4o-mini', 0],
        ['&from=2020-01-01&to=2020-01-02', 0],
        [`&from=${new Date(Date.now() - 60_000).toISOString()}`, sent.length],
      ] as const) {
        expect([more, await requests(more), await listed(more)]).toEqual([more, count, count]);
      }
    });

    test('list findings, which an admin may mark', async () => {
      const { json } = await until('/threats', ({ data }) => data?.length >= 3);
      expect(threatListSchema.safeParse(json).error).toBeUndefined();
      const blocked = json.data.find(({ action }: { action: string }) => action === 'block');
      const id = blocked.id;
      const mark = (body: unknown, by?: string) =>
        contract.call(`/analytics/threats/${id}`, JSON.stringify(body), {
          method: 'PATCH',
          key: by ?? contract.service.adminKey,
        });
      const marked = await mark({ mark: 'false_positive' });
      expect([marked.status, marked.json]).toEqual([200, { ...blocked, mark: 'false_positive' }]);
      expect(threatSchema.safeParse(marked.json).error).toBeUndefined();
      const { json: again } = await of('/threats');
      expect(again.data.find((threat: { id: string }) => threat.id === id).mark).toBe('false_positive');
      expect((await mark({ mark: null })).json).toEqual(blocked);
      // The same again changes nothing, and is no news.
      expect((await mark({ mark: null })).json).toEqual(blocked);
      const { json: log } = await contract.admin('GET', '/audit?limit=100');
      const told = log.data.filter(({ target }: { target: object }) => JSON.stringify(target).includes(id));
      expect(told).toMatchObject([
        { action: 'threat.marked', before: { mark: 'false_positive' }, after: { mark: null } },
        {
          action: 'threat.marked',
          target: { type: 'threat', id },
          before: { mark: null },
          after: { mark: 'false_positive' },
        },
      ]);

      expectError(await mark({ mark: 'nonsense' }), 'invalid_value', 'mark');
      expectError(await mark({}), 'missing_field', 'mark');
      expectError(await mark({ mark: 'confirmed', note: 'x' }), 'invalid_value', 'note');
      const reading = await contract.newKey({ permissions: ['analytics'] });
      expectError(await mark({ mark: 'confirmed' }, reading), 'insufficient_permissions');
      for (const none of ['thr_1_2_3', id.replace(/_\d+$/, '_19'), id.replace(/_(\w)/, '_1$1')]) {
        const path = `/analytics/threats/${none}`;
        const body = '{"mark":"confirmed"}';
        expectError(await contract.call(path, body, { method: 'PATCH', key: contract.service.adminKey }), 'not_found');
      }
    });

    test('are paged, each row once', async () => {
      await until('/requests', ({ data }) => data?.length >= sent.length);
      for (const path of ['/requests', '/threats']) {
        const all = (await of(path)).json.data;
        const seen: unknown[] = [];
        let cursor: string | null = null;
        do {
          const page: Reply = await of(path, `&limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
          expect(page.json.data.length).toBeLessThanOrEqual(3);
          seen.push(...page.json.data);
          cursor = page.json.nextCursor;
        } while (cursor !== null);
        expect(seen).toEqual(all);
      }
    });

    test('return sessions by name, and 404 for an unknown one', async () => {
      const { json } = await until('/sessions', ({ data }) => data?.length >= 2);
      expect(sessionListSchema.safeParse(json).error).toBeUndefined();
      const [talk] = json.data;
      expect(talk).toMatchObject({ id: 'a talk', keyId, requests: 1, endUserId: null });
      expect((await contract.analytics(`/sessions/a%20talk?keyId=${keyId}`)).json).toEqual(talk);
      expectError(await contract.analytics(`/sessions/a%20talk?keyId=key_none`), 'not_found');
      expectError(await contract.analytics('/sessions/nobody'), 'not_found');
      const other = await contract.newKey();
      await contract.chat(saying('Hi', 'echo'), { key: other, headers: { 'X-Session-ID': 'a talk' } });
      const ambiguous = await contract.settled(
        () => contract.analytics('/sessions/a%20talk'),
        ({ status }) => status === 400,
      );
      expectError(ambiguous, 'invalid_value', 'keyId');
    });

    test.each(PATHS)('need the permission: %s', async (path) => {
      expectError(await contract.analytics(path, contract.key), 'insufficient_permissions');
      expectError(await contract.analytics(path, ''), 'invalid_api_key');
      const reading = await contract.newKey({ permissions: ['analytics'] });
      expect((await contract.analytics(path, reading)).status).toBe(200);
      const excluded = await contract.newKey({ permissions: ['admin'], excludePermissions: ['analytics'] });
      expectError(await contract.analytics(path, excluded), 'insufficient_permissions');
    });

    test.each([
      ['/summary', 'colour=red', 'colour'],
      ['/summary', 'limit=3', 'limit'],
      ['/summary', 'groupBy=colour', 'groupBy'],
      ['/summary', 'from=yesterday', 'from'],
      ['/summary', 'to=2026-11-21T10:00', 'to'],
      ['/summary', 'from=2026-11-22&to=2026-11-21', 'from'],
      ['/summary', 'from=2020-01-01&to=2026-01-01', 'from'],
      ['/summary', 'to=9999-12-31T23:59:59Z', 'to'],
      ['/requests', 'to=9999-12-31', 'to'],
      ['/summary', 'keyId=', 'keyId'],
      ['/summary', 'keyId=a&keyId=b', 'keyId'],
      ['/summary', '__proto__=x', '__proto__'],
      ['/timeseries', 'interval=minute', 'interval'],
      ['/timeseries', 'interval=hour&from=2026-01-01&to=2026-03-01', 'interval'],
      ['/requests', 'limit=0', 'limit'],
      ['/requests', 'limit=101', 'limit'],
      ['/requests', 'limit=x', 'limit'],
      ['/requests', 'cursor=garbage', 'cursor'],
      ['/requests', `cursor=${Buffer.from('["2026-11-21","req_1",0]').toString('base64url')}`, 'cursor'],
      ['/requests', 'groupBy=model', 'groupBy'],
      ['/requests', 'from=2026-11-22&to=2026-11-21', 'from'],
      ['/threats', 'cursor=W10', 'cursor'],
      ['/sessions', 'cursor=WzFd', 'cursor'],
      ['/sessions', 'interval=day', 'interval'],
      ['/sessions/x', 'model=echo', 'model'],
    ])('refuse %s?%s', async (path, query, param) => {
      expectError(await contract.analytics(`${path}?${query}`), 'invalid_value', param);
    });

    test('contain no text of a request or response, and nothing of a key', async () => {
      await until('/requests', ({ data }) => data?.length >= sent.length);
      const told = await Promise.all(PATHS.map((path) => of(path)));
      expect(told.every(({ status }) => status === 200)).toBe(true);
      const all = told.map(({ text }) => text).join('\n');
      const planted = [PROMPT, GITHUB_TOKEN, key, contract.service.adminKey, PLANTED.openaiKey, 'svc_sk_', 'SVC-TEST'];
      for (const text of [...planted, ...PROMPT.split(' ').filter((word) => word.length > 7)]) {
        expect([text.slice(0, 6), all.includes(text)]).toEqual([text.slice(0, 6), false]);
      }
    });
  });
}
