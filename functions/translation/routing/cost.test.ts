import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { modelPricesSchema } from '../../kernel/configuration/index.ts';
import { TERMS, type Usage } from '../../kernel/model/index.ts';
import { fromOpenAiTokenUsage, fromOpenAiUsage, fromResponsesUsage } from '../protocols/bodies/provider-usage.ts';
import { fromGeminiUsage } from '../protocols/gemini/gemini-response-reader.ts';
import { anthropic, catalog, usdOf } from './cost.fixture.ts';
import { costBound, costOf, unknownChargesOf } from './cost.ts';
import { ModelCatalog } from './model-catalog.ts';

describe('what the provider did not report', () => {
  const estimated = ['inputTokens', 'outputTokens'] as const;
  const counts = { inputTokens: 10, outputTokens: 10, estimated };

  it('is estimated at list prices and named; a reservation is the cost only where nothing else is known', () => {
    const reserved = { ...counts, reservedNanoUsd: 5e9 };
    expect(usdOf('xai', 'grok-4.7', reserved)).toEqual({ usd: (10 * 2 + 10 * 6) / 1e6, unknown: [...estimated] });
    expect(usdOf('mistral', 'unheard-of', reserved)).toEqual({ usd: null, unknown: ['tokens', ...estimated] });
    for (const searches of [0, 1])
      expect(usdOf('xai', 'unheard-of', { ...reserved, searches })).toEqual({
        usd: 5,
        unknown: ['tokens', ...estimated],
      });
  });
});

describe("a deployment's own prices", () => {
  const own = new ModelCatalog(
    modelPricesSchema.parse({
      'mistral/own': { input: 1, output: 2, inputAudio: 3, perSearch: 0.5, serviceTiers: { priority: 4 } },
      'anthropic/claude-sonnet-4-5': { input: 1, output: 2, cacheWriteInputHour: 9 },
    }),
  );

  it('have all charges', () => {
    const usage = {
      inputTokens: 10,
      audioInputTokens: 4,
      outputTokens: 1,
      searches: 1,
      terms: { serviceTier: 'priority' },
    };
    expect(costOf(own.find('mistral', 'own'), usage)).toBe((6 * 1_000 + 4 * 3_000 + 2_000) * 4 + 500_000_000);
    expect(unknownChargesOf(own.find('mistral', 'own'), usage)).toEqual([]);
    const written = { inputTokens: 10, cacheWriteInputTokens: 10, cacheWriteHourInputTokens: 10, outputTokens: 0 };
    expect(costOf(own.find('anthropic', 'claude-sonnet-4-5'), written)).toBe(10 * 9_000);
  });

  it.each([{ perSearch: -1 }, { serviceTiers: { priority: -1 } }, { serviceTiers: { 'a b': 1 } }, { inputAudio: '1' }])(
    'are refused with %j',
    (fields) => {
      expect(modelPricesSchema.safeParse({ 'a/b': { input: 1, output: 1, ...fields } }).success).toBe(false);
    },
  );
});

const MODELS: readonly (readonly [string, string])[] = [
  ['openai', 'gpt-5-mini'],
  ['openai', 'gpt-audio'],
  ['openai', 'gpt-6-sol'],
  ['anthropic', 'claude-haiku-5-5'],
  ['anthropic', 'claude-opus-5-5'],
  ['gemini', 'gemini-2.5-flash'],
  ['gemini', 'gemini-3.5-flash'],
  ['bedrock', 'amazon.nova-pro-v1:0'],
  ['xai', 'grok-4.7'],
  ['openrouter', 'acme/unheard-of'],
  ['perplexity', 'sonar'],
];
/** Counts whose rise raises the cost. Tokens from the cache replace dearer ones. */
const RISING = [
  'inputTokens',
  'outputTokens',
  'cacheWriteInputTokens',
  'cacheWriteHourInputTokens',
  'audioInputTokens',
  'audioOutputTokens',
  'searches',
  'otherSearches',
  'reportedNanoUsd',
] as const;
const term = fc.constantFrom('standard', 'priority', 'flex', 'fast', 'us', 'x');
type Counted = Usage & { readonly inputTokens: number; readonly outputTokens: number };
const usages: fc.Arbitrary<Counted> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...RISING, 'cachedInputTokens'), fc.nat(500_000)), { maxLength: 10 }),
    fc.array(fc.tuple(fc.constantFrom(...TERMS), term), { maxLength: 3 }),
  )
  .map(([counts, terms]) => ({
    ...{ inputTokens: 10, outputTokens: 10, terms: Object.fromEntries(terms) },
    ...Object.fromEntries(counts),
  }));

describe('laws of cost', () => {
  it('it never falls when a count rises', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...MODELS),
        usages,
        fc.constantFrom(...RISING),
        fc.nat(500_000),
        (name, usage, count, by) => {
          const facts = catalog.find(...name);
          const more = { ...usage, [count]: (usage[count] ?? 0) + by };
          // What a provider reports counts only if it reports it.
          if (count === 'reportedNanoUsd' && usage.reportedNanoUsd === undefined) return;
          expect(costOf(facts, more) ?? 0).toBeGreaterThanOrEqual(costOf(facts, usage) ?? 0);
        },
      ),
    );
  });

  it('it is within the bound of its tokens, searches and terms, if all prices are known', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MODELS), usages, fc.nat(1000), (name, { reportedNanoUsd: _, ...usage }, more) => {
        const facts = catalog.find(...name);
        if (facts.prices === undefined || unknownChargesOf(facts, usage).length > 0) return;
        const searches = (usage.searches ?? 0) + (usage.otherSearches ?? 0);
        const bound = costBound(facts, usage.inputTokens + more, usage.outputTokens + more, { ...usage, searches });
        expect(costOf(facts, usage)).toBeLessThanOrEqual(bound as number);
      }),
    );
  });

  it('no usage that a provider could send makes it negative, fractional or infinite', () => {
    const hostile = fc.oneof(fc.constantFrom(-1, 1.5, Number.NaN, 1e308, '7', null, true, [], {}), fc.nat());
    const names = [
      ...['prompt_tokens', 'completion_tokens', 'total_tokens', 'cost', 'cost_in_usd_ticks', 'num_search_queries'],
      ...['prompt_tokens_details', 'server_tool_use', 'input_tokens', 'output_tokens', 'cache_creation_input_tokens'],
      ...['cache_creation', 'iterations', 'service_tier', 'promptTokenCount', 'candidatesTokenCount'],
    ];
    const bodies = fc.record(Object.fromEntries(names.map((name) => [name, hostile])), { requiredKeys: [] });
    const reads: readonly ((body: object) => Usage | undefined)[] = [
      (usage) => fromOpenAiUsage({ usage }),
      (usage) => fromResponsesUsage({ usage }),
      fromOpenAiTokenUsage,
      anthropic,
      (usageMetadata) => fromGeminiUsage({ usageMetadata }),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...MODELS), fc.constantFrom(...reads), bodies, (name, read, body) => {
        const cost = costOf(catalog.find(...name), read(body) ?? null) ?? 0;
        expect(Number.isFinite(cost) && cost >= 0 && Number.isInteger(cost)).toBe(true);
      }),
    );
  });
});
