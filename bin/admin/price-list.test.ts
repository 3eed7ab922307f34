import { describe, expect, it } from '@jest/globals';
import { comparePrices, type ModelPriceView, readPriceList } from './price-list.ts';

const NOW = Date.parse('2026-11-30');
const OURS = new Set(['openai', 'gemini', 'bedrock']);
/** In the form of genai-prices. */
const GENAI = [
  {
    id: 'openai',
    models: [
      {
        id: 'a',
        match: { or: [{ equals: 'a' }, { equals: 'a-latest' }, { starts_with: 'a-2' }] },
        prices: { input_mtok: 1, output_mtok: 2 },
      },
      {
        id: 'long',
        match: { equals: 'long' },
        prices: { input_mtok: { base: 1, tiers: [{ start: 200000, price: 2 }] }, output_mtok: 2 },
      },
      { id: 'embed', match: { equals: 'embed' }, prices: { input_mtok: 0.02 } },
    ],
  },
  {
    id: 'google',
    models: [
      {
        id: 'dated',
        match: { equals: 'dated' },
        prices: [
          { prices: { input_mtok: 9, output_mtok: 9 } },
          {
            constraint: { start_date: '2026-03-13' },
            prices: { input_mtok: 5, output_mtok: 25, cache_read_mtok: 0.5 },
          },
          { constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 4, output_mtok: 20 } },
        ],
      },
      {
        id: 'night',
        match: { equals: 'night' },
        prices: [{ constraint: { start_time: '01:00' }, prices: { input_mtok: 1 } }],
      },
    ],
  },
  { id: 'avian', models: [{ id: 'x', match: { equals: 'x' }, prices: { input_mtok: 1 } }] },
];
const price = (model: string, fields: Partial<ModelPriceView>): ModelPriceView => ({
  ...{ object: 'price', model, source: 'table', later: [] },
  ...fields,
});

describe('a published list', () => {
  it('of genai-prices is read for our providers, with the price of today and later ones', () => {
    const { prices, skipped } = readPriceList(GENAI, OURS, NOW);
    expect(Object.fromEntries(prices)).toEqual({
      'openai/a': { current: { input: 1, output: 2 }, later: [] },
      'openai/a-latest': { current: { input: 1, output: 2 }, later: [] },
      'openai/embed': { current: { input: 0.02, output: 0 }, later: [] },
      'gemini/dated': {
        current: { input: 5, output: 25, cachedInput: 0.5, validFrom: '2026-03-13' },
        later: [{ input: 4, output: 20, validFrom: '2027-01-01' }],
      },
    });
    expect(skipped).toEqual(['openai/long', 'gemini/night']);
  });

  it('of LiteLLM is read for models that are billed by tokens', () => {
    const list = {
      sample_spec: { mode: 'one of: chat' },
      'gpt-x': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1.5e-7, output_cost_per_token: 6e-7 },
      'gemini/g': {
        ...{ litellm_provider: 'gemini', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
        cache_read_input_token_cost: 1e-7,
      },
      long: {
        litellm_provider: 'openai',
        mode: 'chat',
        input_cost_per_token: 1e-6,
        input_cost_per_token_above_200k_tokens: 2e-6,
      },
      picture: { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_token: 1e-6 },
      'anthropic.c': {
        litellm_provider: 'bedrock_converse',
        mode: 'chat',
        input_cost_per_token: 3e-6,
        output_cost_per_token: 1.5e-5,
      },
    };
    const { prices, skipped } = readPriceList(list, OURS, NOW);
    expect(Object.fromEntries([...prices].map(([name, { current }]) => [name, current]))).toEqual({
      'openai/gpt-x': { input: 0.15, output: 0.6 },
      'gemini/g': { input: 1, output: 2, cachedInput: 0.1 },
      'bedrock/anthropic.c': { input: 3, output: 15 },
    });
    expect(skipped).toEqual(['openai/long']);
  });

  it.each([[{}], [[]], [[1, null]], [null], ['prices'], [{ a: 1 }]])('%j is refused', (value) => {
    expect(() => readPriceList(value, OURS, NOW)).toThrow('no list of prices in a known form');
  });
});

describe('the comparison', () => {
  const list = readPriceList(GENAI, OURS, NOW);
  const byModel = (inForce: readonly ModelPriceView[]) =>
    Object.fromEntries(comparePrices(list, inForce).map((change) => [change.model, change]));

  it('has new and changed prices, and those that look wrong', () => {
    const changes = byModel([
      price('openai/a', { input: 1, output: 2 }),
      price('openai/a-latest', { input: 1, output: 20 }),
      price('openai/embed', { input: 0.02, output: 0.02 }),
      price('gemini/dated', { input: 5, output: 25, cachedInput: 0.5, contextTokens: 100 }),
    ]);
    expect(Object.keys(changes).sort()).toEqual(['gemini/dated', 'openai/a-latest', 'openai/embed']);
    expect(changes['openai/a-latest']).toMatchObject({
      ...{ kind: 'changed', isSuspect: true, price: { input: 1, output: 2 } },
      differences: ['output: 20 -> 2'],
    });
    // Free output is suspect.
    expect(changes['openai/embed']).toMatchObject({ kind: 'changed', isSuspect: true });
    expect(changes['gemini/dated']).toMatchObject({
      ...{ kind: 'later', isSuspect: false },
      price: {
        ...{ input: 5, output: 25, cachedInput: 0.5, contextTokens: 100 },
        changes: [{ input: 4, output: 20, cachedInput: 0.5, contextTokens: 100, validFrom: '2027-01-01' }],
      },
    });
    expect(byModel([])['openai/a']).toMatchObject({ kind: 'new', isSuspect: false, price: { input: 1, output: 2 } });
  });

  it('keeps what the list does not have', () => {
    const ours = { input: 1, output: 3, serviceTiers: { priority: 2 }, perSearch: 0.01 };
    const later = [{ input: 7, output: 7, validFrom: '2027-06-01' }];
    const { price: written } = byModel([price('openai/a', { ...ours, source: 'api', later })])['openai/a'] ?? {};
    expect(written).toEqual({ ...ours, output: 2, changes: later });
  });
});
