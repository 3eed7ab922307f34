import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ConverseUsage, fromConverseUsage } from '../../providers/bedrock/from-converse.ts';
import { TERMS, type Usage } from '../model/chat.ts';
import { AnthropicUsage, fromAnthropicUsage } from '../protocols/anthropic-messages/usage-and-stop-reasons.ts';
import { fromOpenAiTokenUsage, fromOpenAiUsage, fromResponsesUsage } from '../protocols/bodies/provider-usage.ts';
import { fromGeminiUsage } from '../protocols/gemini/gemini-response-reader.ts';
import { CHARGES } from './charges.ts';
import { costBound, costOf, unknownChargesOf } from './cost.ts';
import { ModelCatalog, modelPricesSchema } from './model-catalog.ts';

const catalog = new ModelCatalog();
const usdOf = (provider: string, model: string, usage: Usage | undefined) => {
  const facts = catalog.find(provider, model);
  const nanoUsd = costOf(facts, usage ?? null);
  return { usd: nanoUsd === null ? null : nanoUsd / 1e9, unknown: unknownChargesOf(facts, usage ?? null) };
};
const anthropic = (usage: object) => fromAnthropicUsage(AnthropicUsage.parse(usage));

it('every charge has a source and the day on which it was read', () => {
  for (const { source, read } of CHARGES)
    expect([source, read]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^2026-\d\d-\d\d$/)]);
});

/** Usage as the providers' documentation shows it. */
const DOCUMENTED: readonly (readonly [string, string, Usage | undefined, number | null, readonly string[]])[] = [
  [
    // https://platform.claude.com/docs/en/build-with-claude/prompt-caching
    'anthropic',
    'claude-sonnet-4-5',
    anthropic({
      ...{ input_tokens: 2048, cache_read_input_tokens: 1800, cache_creation_input_tokens: 248, output_tokens: 503 },
      cache_creation: { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 },
    }),
    (2048 * 3 + 1800 * 0.3 + 148 * 3.75 + 100 * 6 + 503 * 15) / 1e6,
    [],
  ],
  [
    // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
    'anthropic',
    'claude-sonnet-4-5',
    anthropic({
      ...{ input_tokens: 105, output_tokens: 6039, cache_read_input_tokens: 7123, cache_creation_input_tokens: 7345 },
      server_tool_use: { web_search_requests: 1 },
    }),
    (105 * 3 + 6039 * 15 + 7123 * 0.3 + 7345 * 3.75) / 1e6 + 0.01,
    [],
  ],
  [
    // https://platform.claude.com/docs/en/api/service-tiers: what a commitment costs is in its contract.
    'anthropic',
    'claude-sonnet-4-5',
    anthropic({
      ...{ input_tokens: 410, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 585 },
      service_tier: 'priority',
    }),
    (410 * 3 + 585 * 15) / 1e6,
    ['serviceTier'],
  ],
  [
    // https://platform.claude.com/docs/en/build-with-claude/compaction
    'anthropic',
    'claude-opus-4-6',
    anthropic({
      ...{ input_tokens: 23_000, output_tokens: 1_000 },
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
        { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
      ],
    }),
    (203_000 * 5 + 4_500 * 25) / 1e6,
    [],
  ],
  [
    // https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
    'anthropic',
    'claude-sonnet-4-6',
    anthropic({
      ...{ input_tokens: 412, output_tokens: 531 },
      iterations: [
        { type: 'message', input_tokens: 412, output_tokens: 89 },
        { type: 'advisor_message', model: 'claude-fable-5', input_tokens: 823, output_tokens: 1612 },
        { type: 'message', input_tokens: 1348, output_tokens: 442 },
      ],
    }),
    ((412 + 823) * 3 + (531 + 1612) * 15) / 1e6,
    ['furtherModel'],
  ],
  [
    // https://www.openrouter.ai/docs/use-cases/usage-accounting
    'openrouter',
    'acme/unheard-of',
    fromOpenAiUsage({
      usage: {
        ...{ completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 0 }, cost: 0.95 },
        cost_details: { upstream_inference_cost: 19 },
        ...{ prompt_tokens: 194, prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 }, total_tokens: 196 },
      },
    }),
    0.95,
    [],
  ],
  [
    // The same with the caller's own key upstream.
    'openrouter',
    'acme/unheard-of',
    fromOpenAiUsage({ usage: { cost: 0.95, is_byok: true, cost_details: { upstream_inference_cost: 19 } } }),
    19.95,
    [],
  ],
  [
    // The response of Sonar's quickstart in Perplexity's documentation: the fee of the request is only in the reported cost.
    'perplexity',
    'sonar-pro',
    fromOpenAiUsage({
      usage: {
        ...{ completion_tokens: 2681, prompt_tokens: 24, total_tokens: 2705, search_context_size: 'low' },
        cost: { input_tokens_cost: 7e-5, output_tokens_cost: 0.04022, request_cost: 0.006, total_cost: 0.04629 },
      },
    }),
    0.046_29,
    [],
  ],
  [
    // Without a reported cost, the fee is named.
    'perplexity',
    'sonar-pro',
    fromOpenAiUsage({ usage: { completion_tokens: 2681, prompt_tokens: 24, total_tokens: 2705 } }),
    (24 * 3 + 2681 * 15) / 1e6,
    ['webSearch'],
  ],
  // https://docs.x.ai/developers/cost-tracking.md
  ['xai', 'grok-unheard-of', fromOpenAiUsage({ usage: { cost_in_usd_ticks: 37_756_000 } }), 0.003_775_6, []],
  ['xai', 'grok-imagine', fromOpenAiTokenUsage({ cost_in_usd_ticks: 400_000_000 }), 0.04, []],
  [
    // A real response of xAI's Responses API with three searches of X, whose fee the table has.
    'xai',
    'grok-4.5',
    fromResponsesUsage({
      usage: {
        ...{ input_tokens: 9212, input_tokens_details: { cached_tokens: 3072 }, output_tokens: 3417 },
        ...{ output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 12_629, cost_in_usd_ticks: 318_319_000 },
        server_side_tool_usage_details: { web_search_calls: 0, x_search_calls: 3 },
      },
    }),
    (6140 * 2 + 3072 * 0.3 + 3417 * 6) / 1e6 + 0.015,
    [],
  ],
  [
    // https://docs.x.ai/developers/pricing.md: its tools besides searches have fees, which the reported cost contains.
    'xai',
    'grok-4.7',
    fromOpenAiUsage({
      usage: {
        ...{ prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, cost_in_usd_ticks: 352_600_000 },
        server_side_tool_usage_details: { code_interpreter_calls: 3, document_search_calls: 2, web_search_calls: 0 },
      },
    }),
    0.035_26,
    [],
  ],
  [
    // The same without a reported cost: the fees are named.
    'xai',
    'grok-4.7',
    fromResponsesUsage({
      usage: {
        ...{ input_tokens: 100, output_tokens: 10, total_tokens: 110 },
        server_side_tool_usage_details: { code_interpreter_calls: 3, file_search_calls: 2, mcp_calls: 4 },
      },
    }),
    (100 * 2 + 10 * 6) / 1e6,
    ['fileSearch', 'codeExecution'],
  ],
  [
    // https://ai.google.dev/gemini-api/docs/maps-grounding: places without queries.
    'gemini',
    'gemini-3.5-flash',
    fromGeminiUsage({ candidates: [{ groundingMetadata: { groundingChunks: [{ maps: { placeId: 'p' } }] } }] }),
    0.014,
    ['inputTokens', 'outputTokens'],
  ],
  [
    // https://ai.google.dev/gemini-api/docs/code-execution: tools and thoughts are outside of prompt and candidates.
    'gemini',
    'gemini-2.5-flash',
    fromGeminiUsage({
      usageMetadata: {
        ...{ promptTokenCount: 74, candidatesTokenCount: 103, thoughtsTokenCount: 293 },
        ...{ toolUsePromptTokenCount: 155, totalTokenCount: 625 },
      },
    }),
    ((74 + 155) * 0.3 + (103 + 293) * 2.5) / 1e6,
    [],
  ],
  [
    // https://ai.google.dev/gemini-api/docs/google-search: per prompt before Gemini 3, per query since.
    'gemini',
    'gemini-2.5-flash',
    fromGeminiUsage({ candidates: [{ groundingMetadata: { webSearchQueries: ['a', 'b'] } }] }),
    0.035,
    ['inputTokens', 'outputTokens'],
  ],
  [
    'gemini',
    'gemini-3.5-flash',
    fromGeminiUsage({ candidates: [{ groundingMetadata: { webSearchQueries: ['a', 'b'] } }] }),
    0.028,
    ['inputTokens', 'outputTokens'],
  ],
  [
    // https://ai.google.dev/gemini-api/docs/pricing: "$25 / 1,000 grounded prompts" with Google Maps before Gemini 3, however many queries.
    'gemini',
    'gemini-2.5-flash',
    fromGeminiUsage({
      usageMetadata: { promptTokenCount: 74, candidatesTokenCount: 103, totalTokenCount: 177 },
      candidates: [
        { groundingMetadata: { webSearchQueries: ['a', 'b'], groundingChunks: [{ maps: { placeId: 'p' } }] } },
      ],
    }),
    (74 * 0.3 + 103 * 2.5) / 1e6 + 0.025,
    [],
  ],
  [
    // Queries of both tools are in one list: the dearer fee.
    'gemini',
    'gemini-2.5-flash',
    fromGeminiUsage({
      candidates: [
        { groundingMetadata: { webSearchQueries: ['a'], groundingChunks: [{ maps: {} }, { web: { uri: 'u' } }] } },
      ],
    }),
    0.035,
    ['inputTokens', 'outputTokens'],
  ],
  [
    // https://platform.claude.com/docs/en/manage-claude/data-residency.md
    'anthropic',
    'claude-opus-4-6',
    anthropic({ input_tokens: 25, output_tokens: 150, inference_geo: 'us' }),
    ((25 * 5 + 150 * 25) / 1e6) * 1.1,
    [],
  ],
  // https://docs.x.ai/developers/pricing: "once its prompt reaches the model's long context threshold", all tokens.
  [
    'xai',
    'grok-4.7',
    fromOpenAiUsage({ usage: { prompt_tokens: 199_999, completion_tokens: 100, total_tokens: 200_099 } }),
    (199_999 * 2 + 100 * 6) / 1e6,
    [],
  ],
  [
    'xai',
    'grok-4.7',
    fromOpenAiUsage({ usage: { prompt_tokens: 200_000, completion_tokens: 100, total_tokens: 200_100 } }),
    (200_000 * 4 + 100 * 12) / 1e6,
    [],
  ],
  [
    // https://docs.x.ai/developers/advanced-api-usage/priority-processing: a premium by model, which only the reported cost shows.
    'xai',
    'grok-4.7',
    fromOpenAiUsage({
      usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
      service_tier: 'priority',
    }),
    (10 * 2 + 10 * 6) / 1e6,
    ['serviceTier'],
  ],
  [
    'xai',
    'grok-4.7',
    fromOpenAiUsage({
      usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20, cost_in_usd_ticks: 1_600_000 },
      service_tier: 'priority',
    }),
    0.000_16,
    [],
  ],
  [
    // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CacheDetail.html
    'bedrock',
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    fromConverseUsage({
      usage: ConverseUsage.parse({
        ...{ inputTokens: 10, outputTokens: 20, cacheWriteInputTokens: 300 },
        cacheDetails: [
          { ttl: '5m', inputTokens: 200 },
          { ttl: '1h', inputTokens: 100 },
        ],
      }),
      serviceTier: { type: 'default' },
    }),
    (10 * 3 + 200 * 3.75 + 100 * 6 + 20 * 15) / 1e6,
    [],
  ],
  [
    // https://docs.aws.amazon.com/bedrock/latest/userguide/service-tiers-inference.html: a premium, by model.
    'bedrock',
    'amazon.nova-pro-v1:0',
    fromConverseUsage({ usage: { inputTokens: 10, outputTokens: 20 }, serviceTier: { type: 'priority' } }),
    (10 * 0.8 + 20 * 3.2) / 1e6,
    ['serviceTier'],
  ],
  [
    // https://platform.openai.com/docs/api-reference/chat/object, with audio.
    'openai',
    'gpt-audio',
    fromOpenAiUsage({
      usage: {
        ...{ prompt_tokens: 1117, completion_tokens: 46, total_tokens: 1163 },
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 100 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 40 },
      },
      service_tier: 'default',
    }),
    (1017 * 2.5 + 100 * 32 + 6 * 10 + 40 * 64) / 1e6,
    [],
  ],
  [
    // https://api-docs.deepseek.com/api/create-chat-completion
    'deepseek',
    'deepseek-v4-pro',
    fromOpenAiUsage({
      usage: {
        ...{ prompt_tokens: 16, completion_tokens: 10, total_tokens: 26 },
        ...{ prompt_cache_hit_tokens: 16, prompt_cache_miss_tokens: 0 },
      },
    }),
    (16 * (catalog.find('deepseek', 'deepseek-v4-pro').prices?.cachedInput ?? 0)) / 1e15 + (10 * 3.96) / 1e6,
    [],
  ],
  [
    // The numbers of https://community.openai.com/t/1347529: 0.001003 dollars of tokens and a search by the preview tool.
    'openai',
    'gpt-4.1-mini',
    fromResponsesUsage({
      usage: { input_tokens: 347, input_tokens_details: { cached_tokens: 0 }, output_tokens: 540, total_tokens: 887 },
      tools: [{ type: 'web_search_preview' }],
      output: [{ type: 'web_search_call', action: { type: 'search' } }],
    }),
    (347 * 0.4 + 540 * 1.6) / 1e6 + 0.025,
    [],
  ],
  [
    'azure',
    'gpt-5-mini',
    fromResponsesUsage({
      usage: { input_tokens: 1000, output_tokens: 100 },
      output: [{ type: 'web_search_call', action: { type: 'search' } }, { type: 'code_interpreter_call' }],
    }),
    (1000 * 0.25 + 100 * 2) / 1e6,
    ['webSearch', 'codeExecution'],
  ],
];

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
