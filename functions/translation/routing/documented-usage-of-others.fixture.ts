import { fromGeminiUsage } from '../protocols/gemini/gemini-response-reader.ts';
import { ConverseUsage, fromConverseUsage } from '../providers/bedrock/from-converse.ts';
import { anthropic, type Documented } from './cost.fixture.ts';

/** Usage in the formats of Anthropic, Google and Bedrock, as their documentation shows it. */
export const DOCUMENTED_OF_OTHERS: Documented = [
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
];
