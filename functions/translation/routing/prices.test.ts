import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { modelPricesSchema } from '../../kernel/configuration/index.ts';
import { costBound, costOf, unknownChargesOf } from './cost.ts';
import { ModelCatalog } from './model-catalog.ts';
import table from './models.generated.json' with { type: 'json' };

const catalog = new ModelCatalog();
const MILLION = 1_000_000;

describe('the table of prices', () => {
  it('is dated and says where it is from', () => {
    expect(catalog.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(table.sources.length).toBeGreaterThan(0);
  });

  it('knows prices and limits of a model, in nano-dollars a million tokens', () => {
    expect(catalog.find('openai', 'gpt-4o-mini')).toMatchObject({
      prices: { input: 150_000_000, output: 600_000_000, cachedInput: 75_000_000, cacheWriteInput: 150_000_000 },
      tiers: [],
      contextTokens: 128_000,
      maxOutputTokens: 16_384,
    });
  });

  it('has the whole context of models whose price rises within it, which budgets reserve', () => {
    const isShort = ({ provider, model }: { provider: string; model: string }) => {
      const { contextTokens = Infinity, tiers } = catalog.find(provider, model);
      return contextTokens <= (tiers.at(-1)?.inputTokensAbove ?? 0);
    };
    expect(catalog.ofProvider('openai').filter(isShort)).toEqual([]);
    expect(catalog.find('openai', 'gpt-6-sol').contextTokens).toBe(1_050_000);
  });

  it('has the prices of Vertex AI, also for versions with an @', () => {
    expect(catalog.find('vertex', 'gemini-2.5-pro').tiers).toEqual(catalog.find('gemini', 'gemini-2.5-pro').tiers);
    for (const name of ['claude-haiku-4-5@20251001', 'claude-sonnet-5@20991231']) {
      const { prices } = catalog.find('anthropic', name.replace(/@.*/, ''));
      // What an hour of its cache costs there is not known.
      expect(catalog.find('vertex', name).prices).toEqual({ ...prices, cacheWriteInputHour: undefined });
    }
  });

  it.each([
    ['openai', 'gpt-4o-mini-2024-07-18'],
    ['openai', 'gpt-4o-mini-2099-01-01'],
    ['openai', 'gpt-4o-mini-latest'],
  ])('knows %s/%s, a version, by its model', (provider, model) => {
    const { prices, maxOutputTokens } = catalog.find('openai', 'gpt-4o-mini');
    expect(catalog.find(provider, model)).toMatchObject({ prices, maxOutputTokens });
  });

  it('says so of a version that costs something else', () => {
    expect(catalog.find('openai', 'gpt-4o-2024-05-13').prices?.input).toBe(5_000_000_000);
    expect(catalog.find('openai', 'gpt-4o').prices?.input).toBe(2_500_000_000);
  });

  it.each([
    ['openai', 'no-such'],
    ['nobody', 'gpt-4o'],
    ['openai', 'toString'],
    ['constructor', 'name'],
  ])('knows nothing of %s/%s', (provider, model) => {
    expect(catalog.find(provider, model).prices).toBeUndefined();
    expect(costOf(catalog.find(provider, model), { inputTokens: 1, outputTokens: 1 })).toBeNull();
  });

  it('gives our own echo for nothing', () =>
    expect(costOf(catalog.find('echo', 'echo'), { inputTokens: 10, outputTokens: 10 })).toBe(0));
});

describe("a deployment's own prices", () => {
  const own = modelPricesSchema.parse({
    'openai/llama-at-home': { input: 0.0375, output: 2, maxOutputTokens: 100 },
    'openai/gpt-4o-mini': { input: 1, output: 2 },
  });
  const mine = new ModelCatalog(own);

  it('make a model known and take the place of the table', () => {
    expect(mine.find('openai', 'llama-at-home')).toMatchObject({
      prices: { input: 37_500_000, output: 2_000_000_000 },
      maxOutputTokens: 100,
    });
    expect(mine.find('openai', 'gpt-4o-mini')).toMatchObject({
      prices: { input: 1_000_000_000 },
      maxOutputTokens: 16_384,
    });
    expect(mine.find('openai', 'gpt-4o').prices?.input).toBe(2_500_000_000);
  });

  it.each([
    { 'gpt-4o': { input: 1, output: 1 } },
    { 'a/b': { input: -1, output: 1 } },
    { 'a/b': { input: 1 } },
    { 'a/b': { input: 1, output: 1, cost: 2 } },
  ])('are refused as %j', (settings) => expect(modelPricesSchema.safeParse(settings).success).toBe(false));
});

describe('the cost of a usage', () => {
  const model = catalog.find('anthropic', 'claude-haiku-5-5');

  it('is the sum of its parts, each at its price, rounded up to a nano-dollar', () => {
    const gpt = catalog.find('openai', 'gpt-4o-mini');
    expect(costOf(gpt, { inputTokens: 1, outputTokens: 0 })).toBe(150);
    expect(costOf(gpt, { inputTokens: MILLION, outputTokens: MILLION })).toBe(750_000_000);
    expect(costOf(gpt, { inputTokens: 1000, cachedInputTokens: 1000, outputTokens: 0 })).toBe(75_000);
    const written = { inputTokens: 1000, cachedInputTokens: 400, cacheWriteInputTokens: 500, outputTokens: 10 };
    expect(costOf(model, written)).toBe(100 * 100 + 400 * 10 + 500 * 125 + 10 * 500);
    const odd = new ModelCatalog({ 'a/b': { input: 0.0375, output: 0 } }).find('a', 'b');
    expect(costOf(odd, { inputTokens: 1, outputTokens: 0 })).toBe(38);
  });

  it('follows the tier of the input', () => {
    expect(costOf(model, { inputTokens: 100_000, outputTokens: 0 })).toBe(100_000 * 100);
    expect(costOf(model, { inputTokens: 100_001, outputTokens: 1 })).toBe(100_001 * 500 + 2_500);
  });

  it.each([null, {}])('of %j is not known, which is not 0', (usage) => expect(costOf(model, usage)).toBeNull());

  it.each([
    [{ inputTokens: 5 }, 500, ['outputTokens']],
    [{ outputTokens: 5 }, 2_500, ['inputTokens']],
  ])('of %j is its known part, and names the other', (usage, cost, unknown) => {
    expect([costOf(model, usage), unknownChargesOf(model, usage)]).toEqual([cost, unknown]);
  });

  it('is never above the bound of larger counts, for any model of the table', () => {
    const names = ['gpt-4o', 'gpt-5.4', 'gpt-6-sol', 'o3-mini', 'gpt-3.5-turbo'];
    const count = fc.integer({ min: 0, max: 2_000_000 });
    fc.assert(
      fc.property(fc.constantFrom(...names), count, count, count, count, count, (name, ...counts) => {
        const [inputTokens, outputTokens, cached, written, more] = counts as [number, number, number, number, number];
        const facts = catalog.find('openai', name);
        const usage = { inputTokens, outputTokens, cachedInputTokens: cached, cacheWriteInputTokens: written };
        const bound = costBound(facts, inputTokens + more, outputTokens + more) as number;
        expect(costOf(facts, usage)).toBeLessThanOrEqual(bound);
      }),
    );
  });
});
