import { beforeAll, describe, expect, test } from '@jest/globals';
import { analyticsOperations } from '../../../functions/contract/index.ts';
import { requestListSchema, summarySchema } from '../../../functions/kernel/model/index.ts';
import { type Contract, saying } from '../contract.ts';
import { expectError } from '../reply.ts';

export function spendContract(contract: Contract): void {
  describe('tags of requests', () => {
    let keyId = '';
    let key = '';
    const send = (tags: string) => contract.chat(saying('Hello', 'echo'), { key, headers: { 'X-Svc-Tags': tags } });

    beforeAll(async () => {
      ({ id: keyId, key } = await contract.createKey({ tags: { app: 'shop' } }));
      await send('feature=search, tier=gold');
      await send('feature=chat');
      await send('');
    });

    const requests = async (more: string, count: number) => {
      const { json } = await contract.settled(
        () => contract.analytics(`/requests?keyId=${keyId}${more}`),
        (reply) => reply.json.data?.length >= count,
      );
      return json;
    };
    const summary = (query: string) =>
      contract.settled(
        () => contract.analytics(`/summary?keyId=${keyId}&${query}`),
        ({ json }) => json.requests >= 3 || query.includes('tag=feature'),
      );

    test('are in records beside those of the key, and lists are filtered by all that are given', async () => {
      const all = await requests('', 3);
      expect(requestListSchema.safeParse(all).error).toBeUndefined();
      const [last, ...others] = all.data;
      expect(last).toMatchObject({ tags: { app: 'shop' } });
      expect(last).not.toHaveProperty('requestTags');
      expect(others.map(({ requestTags }: { requestTags: object }) => requestTags)).toEqual([
        { feature: 'chat' },
        { feature: 'search', tier: 'gold' },
      ]);
      expect((await requests('&tag=feature', 2)).data).toHaveLength(2);
      expect((await requests('&tag=app%3Dshop&tag=tier%3Dgold', 1)).data).toHaveLength(1);
      expect((await requests('&tag=feature%3Dchat&tag=tier%3Dgold', 0)).data).toHaveLength(0);
    });

    test('have totals by their values, with those of the key', async () => {
      const { json } = await summary('groupBy=tag:feature');
      expect(summarySchema.safeParse(json).error).toBeUndefined();
      const byGroup = (groups: { group: string | null; requests: number }[]) =>
        groups.map(({ group, requests: count }) => `${group} ${count}`).sort();
      expect(byGroup(json.groups)).toEqual(['chat 1', 'null 1', 'search 1']);
      expect(byGroup((await summary('groupBy=tag:app')).json.groups)).toEqual(['shop 3']);
      expect((await summary('tag=feature%3Dsearch')).json.requests).toBe(1);
      expect(byGroup((await summary('groupBy=teamId')).json.groups)).toEqual(['null 3']);
    });

    test('do not change those of the key', async () => {
      const { json } = await send('app=other,feature=x');
      expect(json.svc.warnings).toEqual([expect.objectContaining({ code: 'tag_ignored', field: 'X-Svc-Tags' })]);
      const { data } = await requests('&tag=feature%3Dx', 1);
      expect(data).toMatchObject([{ tags: { app: 'shop' }, requestTags: { feature: 'x' } }]);
    });

    test('are refused if one is malformed or given twice, without a provider', async () => {
      for (const tags of ['feature', 'feature=a,feature=b']) {
        expectError(await send(tags), 'invalid_value', 'X-Svc-Tags');
      }
    });

    test('are in the report of the month, as JSON and as CSV', async () => {
      const query = `/spend?keyId=${keyId}&groupBy=tag:feature`;
      const { json } = await contract.settled(
        () => contract.analytics(query),
        (reply) => reply.json.requests >= 6,
      );
      expect(analyticsOperations.getSpend.response.body.safeParse(json).error).toBeUndefined();
      expect(json).toMatchObject({ timeZone: 'UTC', requests: 6, costUsd: 0, previousUsd: 0, budget: null });
      expect(json.groups.map(({ group }: { group: string | null }) => group).sort()).toEqual([
        'chat',
        null,
        'search',
        'x',
      ]);
      const csv = await contract.analytics(`${query}&format=csv`);
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(csv.headers.get('content-disposition')).toContain(`spend-${json.month}.csv`);
      expect(csv.text.split('\r\n')).toHaveLength(1 + json.groups.length + 1);
    });

    test('are in no report for a key without the permission, and a report of no month is refused', async () => {
      expectError(await contract.analytics('/spend', key), 'insufficient_permissions');
      for (const [param, query] of [
        ['month', 'month=2026-13'],
        ['timeZone', 'timeZone=Mars/Olympus'],
        ['tag', 'tag=a&tag=b'],
        ['from', 'from=2026-11-01'],
      ] as const) {
        expectError(await contract.analytics(`/spend?${query}`), 'invalid_value', param);
      }
    });

    test('of totals are one at a time', async () => {
      for (const [param, query] of [
        ['tag', 'tag=a&tag=b'],
        ['groupBy', 'groupBy=tag:a&tag=b'],
        ['groupBy', 'groupBy=tag:a&endUserId=ann'],
        ['groupBy', 'groupBy=tags'],
        ['interval', 'groupBy=tag:a&interval=1m'],
      ] as const) {
        const reply = await contract.analytics(`/summary?${query}`);
        expect([reply.status, reply.json.error.param]).toEqual([400, param]);
      }
    });
  });
}
