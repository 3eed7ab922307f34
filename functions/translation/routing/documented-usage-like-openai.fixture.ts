import { fromOpenAiTokenUsage, fromOpenAiUsage, fromResponsesUsage } from '../protocols/bodies/provider-usage.ts';
import { catalog, type Documented } from './cost.fixture.ts';

/** Usage in OpenAI's formats, as the documentation of the providers shows it. */
export const DOCUMENTED_LIKE_OPENAI: Documented = [
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
