import { describe, expect, it } from '@jest/globals';
import type { Usage } from '../../kernel/model/index.ts';
import { fromOpenAiUsage } from '../protocols/bodies/provider-usage.ts';
import { CHARGES } from './charges.ts';
import { usdOf } from './cost.fixture.ts';
import { DOCUMENTED_LIKE_OPENAI } from './documented-usage-like-openai.fixture.ts';
import { DOCUMENTED_OF_OTHERS } from './documented-usage-of-others.fixture.ts';

it('every charge has a source and the day on which it was read', () => {
  for (const { source, read } of CHARGES)
    expect([source, read]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^2026-\d\d-\d\d$/)]);
});

const DOCUMENTED = [...DOCUMENTED_OF_OTHERS, ...DOCUMENTED_LIKE_OPENAI];

/** Of a million tokens of input and of output: https://openai.com/api-priority-processing/, https://developers.openai.com/api/docs/pricing */
const TIERS: readonly (readonly [string, string, number])[] = [
  ['gpt-5', 'priority', 2.5 + 20],
  ['gpt-5', 'fast', 2.5 + 20],
  ['gpt-5', 'flex', 0.625 + 5],
  ['gpt-5', 'batch', 0.625 + 5],
  ['gpt-5', 'default', 1.25 + 10],
  ['gpt-5-codex', 'priority', 2.5 + 20],
  ['gpt-5-mini', 'priority', 0.45 + 3.6],
  ['gpt-4.1', 'priority', 3.5 + 14],
  ['gpt-4.1-nano', 'priority', 0.2 + 0.8],
  ['gpt-4o', 'priority', 4.25 + 17],
  ['gpt-4o-2024-05-13', 'priority', 8.75 + 26.25],
  ['gpt-4o-mini', 'priority', 0.25 + 1],
  ['o3', 'priority', 3.5 + 14],
  ['o4-mini', 'priority', 2 + 8],
];

const TERM_FACTORS: readonly (readonly [string, string, NonNullable<Usage['terms']>, number])[] = [
  ['anthropic', 'claude-opus-4-8', { speed: 'fast' }, 2],
  ['anthropic', 'claude-opus-4-8', { speed: 'fast', inferenceGeo: 'us' }, 2.2],
  ['anthropic', 'claude-opus-4-6', { inferenceGeo: 'us' }, 1.1],
  ['anthropic', 'claude-opus-4-6', { inferenceGeo: 'global' }, 1],
  ['anthropic', 'claude-sonnet-4-5', { serviceTier: 'batch' }, 0.5],
  ['gemini', 'gemini-2.5-flash', { serviceTier: 'flex' }, 0.5],
];

/** https://developers.openai.com/api/docs/pricing, https://platform.claude.com/docs/en/about-claude/pricing */
const SEARCH_FEES: readonly (readonly [string, string, Usage, number])[] = [
  ['openai', 'gpt-5', { searches: 2 }, 0.02],
  ['openai', 'gpt-5', { otherSearches: 2 }, 0.02],
  ['openai', 'gpt-4o', { otherSearches: 2 }, 0.05],
  ['openai', 'gpt-4.1', { searches: 1, otherSearches: 1 }, 0.035],
  ['anthropic', 'claude-sonnet-4-6', { searches: 3 }, 0.03],
  ['xai', 'grok-4.5', { searches: 3 }, 0.015],
];

/** US dollars per million tokens of input and output: https://openai.com/api-priority-processing/, https://openai.com/api-fast-mode/ */
const PRIORITY: readonly (readonly [string, number, number])[] = [
  ['gpt-5.6-sol', 8, 40],
  ['gpt-5.6-terra', 4, 24],
  ['gpt-5.6-luna', 0.4, 2.4],
  ['gpt-5.5', 12.5, 75],
  ['gpt-5.4-mini', 1.5, 9],
  ['gpt-5.4', 5, 30],
  ['gpt-5.2', 3.5, 28],
  ['gpt-5.1', 2.5, 20],
  ['gpt-5', 2.5, 20],
  ['gpt-5-mini', 0.45, 3.6],
  ['gpt-5.1-codex', 2.5, 20],
  ['gpt-5-codex', 2.5, 20],
  ['gpt-4.1', 3.5, 14],
];

it('every row of charges is about the model of an example', () => {
  const openai = [...TIERS, ...PRIORITY].map(([model]) => ['openai', model] as const);
  const examples = [...DOCUMENTED, ...TERM_FACTORS, ...SEARCH_FEES, ...openai];
  const isShown = ({ provider, models }: (typeof CHARGES)[number]) =>
    examples.some((example) => example[0] === provider && (models === undefined || models.test(example[1])));
  expect(CHARGES.filter((row) => !isShown(row))).toEqual([]);
});

describe('documented usage', () => {
  it.each(DOCUMENTED)('of %s for %s has all charges (%#)', (provider, model, usage, usd, unknown) => {
    const cost = usdOf(provider, model, usage);
    if (usd === null) expect(cost.usd).toBeNull();
    else expect(cost.usd).toBeCloseTo(usd, 8);
    expect(cost.unknown).toEqual(unknown);
  });
});

describe('a million tokens of input and of output', () => {
  it.each(TIERS)('of %s in the tier %s cost %d dollars', (model, serviceTier, usd) => {
    const usage = { inputTokens: 1e6, outputTokens: 1e6, terms: { serviceTier } };
    expect(usdOf('openai', model, usage)).toEqual({ usd: expect.closeTo(usd, 4), unknown: [] });
  });

  it.each(TERM_FACTORS)('of %s %s with %j cost %d times the list price', (provider, model, terms, factor) => {
    const usage = { inputTokens: 1e6, outputTokens: 1e6 };
    const { usd: list } = usdOf(provider, model, usage);
    expect(usdOf(provider, model, { ...usage, terms })).toEqual({
      usd: expect.closeTo((list ?? 0) * factor, 6),
      unknown: [],
    });
  });

  it.each([
    ['openai', 'gpt-5-nano', { serviceTier: 'priority' }, 'serviceTier'],
    ['anthropic', 'claude-sonnet-4-5', { inferenceGeo: 'us' }, 'inferenceGeo'],
    ['anthropic', 'claude-sonnet-4-6', { speed: 'fast' }, 'speed'],
  ])('of %s %s with %j have a charge that is unknown: %s', (provider, model, terms, unknown) => {
    const { unknown: found } = usdOf(provider, model, { inputTokens: 1e6, outputTokens: 1e6, terms });
    expect(found).toEqual([unknown]);
  });
});

describe('a search', () => {
  it.each(SEARCH_FEES)('at %s by %s has a fee: %j', (provider, model, searches, usd) => {
    const usage = { inputTokens: 0, outputTokens: 0, ...searches };
    expect(usdOf(provider, model, usage)).toEqual({ usd: expect.closeTo(usd, 8), unknown: [] });
  });
});

it.each(PRIORITY)("OpenAI's documented price of priority processing for %s is %f and %f", (model, input, output) => {
  const usage = { prompt_tokens: 100_000, completion_tokens: 10_000, total_tokens: 110_000 };
  const { usd, unknown } = usdOf('openai', model, fromOpenAiUsage({ usage, service_tier: 'priority' }));
  expect([usd, unknown]).toEqual([expect.closeTo((100_000 * input + 10_000 * output) / 1e6, 6), []]);
});
