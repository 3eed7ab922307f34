import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Usage } from '../../kernel/model/index.ts';
import { boundCost } from './bound-cost.ts';
import { ModelCatalog } from './model-catalog.ts';

const DAY = Date.parse('2027-01-01');
const dollars = (usd: number) => usd * 1e9;

describe('dated prices', () => {
  const prices = {
    'lab/a': {
      ...{ input: 1, output: 1, validFrom: '2026-12-01' },
      changes: [
        { input: 3, output: 3, validFrom: '2027-02-01T00:00:00+01:00' },
        { input: 2, output: 2, validFrom: '2027-01-01' },
      ],
    },
    'openai/gpt-4o-mini': { input: 9, output: 9, validFrom: '2027-01-01' },
  };
  const inputAt = (time: number, provider = 'lab', model = 'a') =>
    new ModelCatalog(prices, time).find(provider, model).prices?.input;

  it('are in force from their time on, and the newest of them counts', () => {
    expect(inputAt(Date.parse('2026-11-30'))).toBeUndefined();
    expect(inputAt(Date.parse('2026-12-01'))).toBe(dollars(1));
    expect([inputAt(DAY - 1), inputAt(DAY)]).toEqual([dollars(1), dollars(2)]);
    expect(inputAt(Date.parse('2027-01-31T23:00:00Z'))).toBe(dollars(3));
  });

  it("leave the table's price in force until then", () => {
    expect(inputAt(DAY - 1, 'openai', 'gpt-4o-mini')).toBe(dollars(0.15));
    expect(inputAt(DAY, 'openai', 'gpt-4o-mini')).toBe(dollars(9));
  });

  it('say when the next of them becomes valid', () => {
    expect(new ModelCatalog(prices, DAY - 1).changesAt).toBe(DAY);
    expect(new ModelCatalog(prices, DAY).changesAt).toBe(Date.parse('2027-01-31T23:00:00Z'));
    expect(new ModelCatalog(prices, Date.parse('2028-01-01')).changesAt).toBe(Number.POSITIVE_INFINITY);
  });
});

it('the factor of batches replaces that of the provider', () => {
  const usage: Usage = { inputTokens: 1_000_000, outputTokens: 0, terms: { serviceTier: 'batch' } };
  const cost = (fields: object) =>
    new ModelCatalog({ 'openai/b': { input: 1, output: 1, ...fields } }).costOf(
      { provider: 'openai', model: 'b' },
      usage,
    );
  expect([cost({}).nanoUsd, cost({ batchFactor: 0.25 }).nanoUsd]).toEqual([dollars(0.5), dollars(0.25)]);
});

describe('a model without a price', () => {
  const prices = {
    'lab/dear-1': { input: 8, output: 1, inputAudio: 9 },
    'other/vendor/Dear.1:free': { input: 2, output: 20 },
    'echo/dear-1': { input: 99, output: 99 },
  };
  const catalog = new ModelCatalog(prices);

  it('has under `alias` the highest price of each kind of token that a model of its name has, and it is named as estimated', () => {
    const { prices: found, isEstimated } = catalog.under('alias').find('third', 'dear-1');
    expect([found?.input, found?.output, found?.inputAudio]).toEqual([8, 20, 9].map(dollars));
    expect(isEstimated).toBe(true);
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    expect(catalog.under('alias').costOf({ provider: 'third', model: 'dear-1-20270101' }, usage)).toEqual({
      ...{ nanoUsd: dollars(8), unknown: ['tokens'] },
    });
    expect(catalog.under('alias').find('lab', 'dear-1').isEstimated).toBeUndefined();
    expect(catalog.under('alias').find('third', 'unheard-of').prices).toBeUndefined();
    // A provider that reports the cost is better known than an alias.
    expect(catalog.under('alias').find('openrouter', 'dear-1').prices).toBeUndefined();
  });

  it('has none under the others', () => {
    for (const mode of ['refuse', 'tokensOnly'] as const) {
      expect(catalog.under(mode).find('third', 'dear-1').prices).toBeUndefined();
    }
    expect(catalog.under()).toBe(catalog);
    expect(catalog.under('alias')).toBe(catalog.under('alias'));
  });
});

describe('what a request reserves', () => {
  const count = fc.nat(2_000_000);
  const usd = fc.constantFrom(0, 0.1, 1.25, 30);
  const price = fc.record(
    {
      input: usd,
      output: usd,
      cachedInput: usd,
      cacheWriteInput: usd,
      inputAudio: usd,
      outputAudio: usd,
      perSearch: usd,
    },
    { requiredKeys: ['input', 'output'] },
  );
  const terms = fc.constantFrom({}, { serviceTier: 'priority' }, { serviceTier: 'batch' }, { speed: 'unheard-of' });
  const asked = (searches: number, ofTerms: object) => ({
    request: { choiceCount: 1, messages: [{ role: 'user', parts: [{ type: 'audio' }] }] },
    charges: { searches, terms: ofTerms, members: {}, edits: [] },
    isNative: true,
    inputField: 'messages',
  });

  it('is never less than what its usage costs, in every mode and for known and unknown models', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('openai/new', 'lab/new', 'lab/other', 'gemini/new'), price),
        fc.constantFrom('refuse' as const, 'tokensOnly' as const, 'alias' as const),
        fc.constantFrom('openai', 'lab', 'gemini', 'mistral'),
        fc.constantFrom('new', 'other', 'unheard-of', 'gpt-4o-mini'),
        fc.tuple(count, count, fc.nat(3), terms),
        fc.tuple(count, count, count, count, fc.nat(3)),
        (prices, mode, provider, model, [input, output, searches, ofTerms], used) => {
          const models = new ModelCatalog(prices).under(mode);
          let bound: ReturnType<typeof boundCost>;
          try {
            bound = boundCost(models, { provider, name: model, input, output }, asked(searches, ofTerms) as never);
          } catch {
            expect(mode).not.toBe('tokensOnly');
            return;
          }
          if (bound === undefined) {
            expect([mode === 'tokensOnly', models.find(provider, model).prices]).toEqual([false, undefined]);
            return;
          }
          const [ofInput, ofOutput, cached, audio, ofSearches] = used;
          const usage: Usage = {
            ...{ inputTokens: Math.min(ofInput, input), outputTokens: Math.min(ofOutput, output) },
            ...{ cachedInputTokens: cached, audioInputTokens: audio, audioOutputTokens: audio },
            ...{ searches: Math.min(ofSearches, searches), terms: ofTerms },
          };
          expect(models.costOf({ provider, model }, usage).nanoUsd ?? 0).toBeLessThanOrEqual(bound.nanoUsd);
        },
      ),
      { numRuns: 300 },
    );
  });
});
