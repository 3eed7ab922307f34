import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import type { Reply } from '../reply.ts';

/** The table has no price of it. */
const MODEL = 'gpt-without-a-price';

export function pricesContract(contract: Contract): void {
  const write = (path: string, body: object, method = 'POST') =>
    contract.call(`/admin${path}`, JSON.stringify(body), {
      method,
      key: contract.service.adminKey,
      headers: { 'if-match': '*' },
    });
  const budgetKey = (policy = {}) => contract.createKey({ budget: { usd: 5, period: 'day' }, policy });
  const ask = (key: string, model = MODEL) => contract.chat({ ...saying('Hi', model), max_tokens: 10 }, { key });
  const recordOf = async ({ headers }: Reply) => {
    const path = `/requests/${headers.get('x-request-id')}`;
    return (
      await contract.settled(
        () => contract.analytics(path),
        ({ status }) => status === 200,
      )
    ).json;
  };

  describe('prices', () => {
    test('take effect without a restart: set, dated, rolled back', async () => {
      const { key } = await budgetKey();
      const until = (status: number) =>
        contract.everywhere(
          () => ask(key),
          (reply) => reply.status === status,
        );
      expect((await ask(key)).json.error).toMatchObject({ code: 'invalid_value', param: 'model' });
      const { version } = (await contract.admin('GET', '/prices')).json;

      await write('/prices/set', { model: `openai/${MODEL}`, input: 1000, output: 1000 });
      const { tokens, costUsd, unknownCharges } = await recordOf(await until(200));
      expect(costUsd).toBeCloseTo((tokens.input + tokens.output) / 1000, 9);
      expect(unknownCharges).toBeUndefined();
      // Valid in seven seconds: another price of the same version.
      const validFrom = new Date(Date.now() + 7_000).toISOString();
      await write('/prices/set', { model: `openai/${MODEL}`, input: 2000, output: 2000, validFrom });
      const later = await contract.everywhere(
        async () => {
          const record = await recordOf(await ask(key));
          return { json: record } as Reply;
        },
        ({ json }) => json.costUsd > costUsd,
      );
      expect(later.json.costUsd).toBeCloseTo((tokens.input + tokens.output) / 500, 9);
      expect((await write('/prices/rollback', { version })).status).toBe(200);
      await until(400);
    });

    test("that are unknown are decided by the policy's unknownPrice", async () => {
      const tokensOnly = await budgetKey({ unknownPrice: 'tokensOnly' });
      const served = await ask(tokensOnly.key);
      expect(served.status).toBe(200);
      const record = await recordOf(served);
      expect(record).toMatchObject({ costUsd: null, unknownCharges: ['tokens'] });
      expect(record.tokens.input).toBeGreaterThan(0);
      const usage = (await contract.settledUsage(tokensOnly.id)).json;
      expect(usage.budget.remainingUsd).toBe(5);

      const alias = await budgetKey({ unknownPrice: 'alias' });
      expect((await ask(alias.key)).status).toBe(400);
      // Another spelling, of which the table has no price.
      const asAlias = await ask(alias.key, 'openai/openai/GPT-4o-mini:free');
      expect(asAlias.status).toBe(200);
      const priced = await recordOf(asAlias);
      expect(priced.unknownCharges).toEqual(['tokens']);
      expect(priced.costUsd).toBeGreaterThan(0);
      expect((await contract.settledUsage(alias.id)).json.budget.remainingUsd).toBeCloseTo(5 - priced.costUsd, 6);
    });
  });
}
