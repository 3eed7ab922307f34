import { isObject } from '../../../kernel/json/index.ts';
import { OTHER_FEES, type OtherFee, TERMS, type Term, type Usage } from '../../../kernel/model/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** More is no count of one response. */
const MOST_SEARCHES = 100_000;
const MOST_USD = 1_000_000;

/** A token count; undefined if it is not a whole number in range: a negative or fractional count must not lower a cost. */
export function countOf(value: unknown, most = Number.MAX_SAFE_INTEGER): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most ? Number(value) : undefined;
}

export function searchCountOf(value: unknown): number | undefined {
  return countOf(value, MOST_SEARCHES);
}

/** The usage without unknown members. */
export function withoutUnknown(usage: { readonly [Name in keyof Usage]: Usage[Name] | undefined }): Usage {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined)) as Usage;
}

const TERM_NAME = /^[a-z0-9_-]{1,64}$/;

/** The terms that a provider reports, in lower case without Google's prefix, `other` for what is no name; undefined if there are none. */
export function termsOf(reported: Readonly<Partial<Record<Term, unknown>>>): Usage['terms'] {
  let terms: Usage['terms'];
  for (const term of TERMS) {
    const value = reported[term];
    if (typeof value !== 'string' || value === '') continue;
    const name = value.toLowerCase().replace(/^service_tier_/, '');
    terms = { ...terms, [term]: TERM_NAME.test(name) ? name : 'other' };
  }
  return terms;
}

/** Usage of OpenAI's chat and completions, and of servers that extend it, from a whole response or the chunk that has it. */
export function fromOpenAiUsage({ usage, service_tier: serviceTier }: Json): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const inputs = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const outputs = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return withoutUnknown({
    inputTokens: countOf(usage.prompt_tokens),
    outputTokens: outputOf(usage.prompt_tokens, usage.completion_tokens, usage.total_tokens, outputs.reasoning_tokens),
    // DeepSeek's and Moonshot's members: https://api-docs.deepseek.com/api/create-chat-completion
    cachedInputTokens:
      countOf(inputs.cached_tokens) ?? countOf(usage.prompt_cache_hit_tokens) ?? countOf(usage.cached_tokens),
    cacheWriteInputTokens: countOf(inputs.cache_write_tokens),
    audioInputTokens: countOf(inputs.audio_tokens),
    audioOutputTokens: countOf(outputs.audio_tokens),
    reasoningTokens: countOf(outputs.reasoning_tokens),
    searches: searchesIn(usage),
    otherFees: toFees(usage),
    terms: termsOf({ serviceTier: serviceTier ?? usage.service_tier }),
    reportedNanoUsd: reportedCost(usage),
  });
}

/** The tier of a chunk or response without usage: a stream may be cut before it, and need not name the tier again. */
export function tierIn({ service_tier: serviceTier }: Json): Usage | undefined {
  const terms = termsOf({ serviceTier });
  return terms && { terms };
}

/**
 * xAI counts reasoning outside of `completion_tokens`; `total_tokens` shows it: https://docs.x.ai/docs/guides/reasoning. Without a total,
 * more reasoning than output is outside of it.
 */
function outputOf(...counts: readonly unknown[]): number | undefined {
  const [input, output, total, reasoning = 0] = counts.map((value) => countOf(value));
  if (output === undefined) return undefined;
  const inAll = input === undefined || total === undefined ? 0 : total - input;
  return Math.max(output, inAll, reasoning > output ? output + reasoning : 0);
}

/** OpenRouter's and Anthropic's count, xAI's (https://docs.x.ai/developers/cost-tracking) and Perplexity's. */
function searchesIn(usage: Json): number | undefined {
  const { server_tool_use: ofServer, server_side_tool_usage_details: details } = usage;
  if (isObject(ofServer)) return searchCountOf(ofServer.web_search_requests);
  if (isObject(details)) {
    const counts = [details.web_search_calls, details.x_search_calls].flatMap((one) => searchCountOf(one) ?? []);
    return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
  }
  return searchCountOf(usage.num_search_queries);
}

/**
 * The cost that a provider reports, in whole nano-dollars, rounded up: OpenRouter's `cost`, to which the cost at the caller's own account
 * upstream adds (https://openrouter.ai/docs/use-cases/usage-accounting), Perplexity's `cost.total_cost`, xAI's ticks of 1e-10 dollars
 * (https://docs.x.ai/developers/cost-tracking).
 */
export function reportedCost(usage: Json): number | undefined {
  const { cost, cost_details: details, is_byok: isByok, cost_in_usd_ticks: ticks } = usage;
  if (ticks !== undefined) return toNanos(typeof ticks === 'number' ? ticks / 1e10 : undefined);
  const total = toNanos(isObject(cost) ? cost.total_cost : cost);
  if (total === undefined || isByok !== true) return total;
  const upstream = toNanos(isObject(details) ? details.upstream_inference_cost : undefined);
  return upstream === undefined ? undefined : total + upstream;
}

function toNanos(usd: unknown): number | undefined {
  if (typeof usd !== 'number' || !(usd >= 0 && usd <= MOST_USD)) return undefined;
  // Fifteen digits: the product of a decimal fraction must not round up by a nano-dollar.
  return Math.ceil(Number((usd * 1e9).toPrecision(15)));
}

/** Usage in OpenAI's newer APIs (`input_tokens`, `output_tokens`) for images and transcripts; undefined if there is none. */
export function fromOpenAiTokenUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const [inputTokens, outputTokens] = [countOf(usage.input_tokens), countOf(usage.output_tokens)];
  const cost = reportedCost(usage);
  if ((inputTokens === undefined || outputTokens === undefined) && cost === undefined) return undefined;
  // Transcripts have `input_token_details`.
  const details = usage.input_token_details ?? usage.input_tokens_details;
  return withoutUnknown({
    inputTokens,
    outputTokens,
    audioInputTokens: isObject(details) ? countOf(details.audio_tokens) : undefined,
    reportedNanoUsd: cost,
  });
}

/** The usage of a response in OpenAI's Responses API; undefined if it reports none. */
export function fromResponsesUsage({ usage, service_tier: serviceTier, output, tools }: Json): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const inputs = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const outputs = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const items = Array.isArray(output) ? output : [];
  return withoutUnknown({
    inputTokens: countOf(usage.input_tokens),
    outputTokens: outputOf(usage.input_tokens, usage.output_tokens, usage.total_tokens, outputs.reasoning_tokens),
    cachedInputTokens: countOf(inputs.cached_tokens),
    cacheWriteInputTokens: countOf(inputs.cache_write_tokens),
    audioInputTokens: countOf(inputs.audio_tokens),
    audioOutputTokens: countOf(outputs.audio_tokens),
    reasoningTokens: countOf(outputs.reasoning_tokens),
    terms: termsOf({ serviceTier }),
    reportedNanoUsd: reportedCost(usage),
    otherFees: toFees(usage),
    ...feesOf(items, { isPreview: hasPreviewTool(tools), counted: searchesIn(usage) }),
  });
}

/** xAI's counts of tools that have a fee, besides searches: https://docs.x.ai/developers/pricing */
const COUNTED_FEES: readonly (readonly [count: string, fee: OtherFee])[] = [
  ['code_interpreter_calls', 'codeExecution'],
  ['file_search_calls', 'fileSearch'],
  ['document_search_calls', 'fileSearch'],
];

function toFees({ server_side_tool_usage_details: details }: Json): readonly OtherFee[] | undefined {
  const counted = isObject(details)
    ? COUNTED_FEES.filter(([name]) => countOf(details[name]) !== 0 && details[name] != null)
    : [];
  return listFees(counted.map(([, fee]) => fee));
}

/** Each fee once, in one order. */
function listFees(fees: readonly OtherFee[]): readonly OtherFee[] | undefined {
  return fees.length === 0 ? undefined : OTHER_FEES.filter((fee) => fees.includes(fee));
}

const FEES: ReadonlyMap<unknown, OtherFee> = new Map<unknown, OtherFee>([
  ['file_search_call', 'fileSearch'],
  ['code_interpreter_call', 'codeExecution'],
  ['image_generation_call', 'imageGeneration'],
]);

/** Fees of output items. Of searches only the action `search` has one: https://developers.openai.com/api/docs/guides/tools-web-search */
export function feesOf(
  items: readonly unknown[],
  { isPreview, counted }: { readonly isPreview: boolean; readonly counted?: number | undefined },
): Pick<Usage, 'searches' | 'otherSearches' | 'otherFees'> {
  const found = items.filter((item) => isObject(item) && item.type === 'web_search_call' && isSearch(item)).length;
  const searches = Math.max(found, counted ?? 0);
  const otherFees = listFees(items.flatMap((item) => (isObject(item) ? (FEES.get(item.type) ?? []) : [])));
  return {
    ...(searches > 0 && (isPreview ? { otherSearches: searches } : { searches })),
    ...(otherFees && { otherFees }),
  };
}

function isSearch({ action }: Json): boolean {
  return !isObject(action) || (action.type !== 'open_page' && action.type !== 'find_in_page');
}

export function hasPreviewTool(tools: unknown): boolean {
  return (
    Array.isArray(tools) && tools.some((tool) => isObject(tool) && String(tool.type).startsWith('web_search_preview'))
  );
}
