import * as z from 'zod';
import type { FinishReason, Usage } from '../../../kernel/model/index.ts';
import { searchCountOf, termsOf, withoutUnknown } from '../bodies/provider-usage.ts';

const Count = z.int().nonnegative().nullish().catch(undefined);
const Name = z.string().nullish().catch(undefined);

/** Model calls that are in the counts of their message. */
const COUNTED: readonly unknown[] = ['message', 'fallback_message'];

/** One model call of a message. */
const Iteration = z.looseObject({
  type: Name,
  input_tokens: Count,
  output_tokens: Count,
  cache_read_input_tokens: Count,
  cache_creation_input_tokens: Count,
});

/** Token counts in a message and, cumulative, in `message_delta`. An unreadable count is unknown. */
export const AnthropicUsage = z
  .looseObject({
    input_tokens: Count,
    cache_creation_input_tokens: Count,
    cache_creation: z
      .looseObject({ ephemeral_5m_input_tokens: Count, ephemeral_1h_input_tokens: Count })
      .nullish()
      .catch(undefined),
    cache_read_input_tokens: Count,
    output_tokens: Count,
    output_tokens_details: z.looseObject({ thinking_tokens: Count }).nullish().catch(undefined),
    server_tool_use: z.looseObject({ web_search_requests: z.unknown() }).nullish().catch(undefined),
    service_tier: Name,
    speed: Name,
    inference_geo: Name,
    iterations: z.array(Iteration).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined);

export type AnthropicUsage = z.infer<typeof AnthropicUsage>;

/**
 * Converts Anthropic's usage. Its `input_tokens` exclude tokens read from or written to the prompt cache, so the three are added, and so are the
 * tokens of compaction (https://platform.claude.com/docs/en/build-with-claude/compaction) and of advisors, which have the price of another model.
 */
export function fromAnthropicUsage(usage: AnthropicUsage): Usage {
  const others = (usage?.iterations ?? []).filter(({ type }) => !COUNTED.includes(type));
  const sum = (name: CountName) => sumOf([usage, ...others], name);
  const [input, output, read] = [sum('input_tokens'), sum('output_tokens'), sum('cache_read_input_tokens')];
  const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: hour } = usage?.cache_creation ?? {};
  const created = Math.max(sum('cache_creation_input_tokens') ?? 0, (short ?? 0) + (hour ?? 0));
  const isOfFurther = others.some(({ type }) => type !== 'compaction');
  return withoutUnknown({
    inputTokens: input === undefined ? undefined : input + created + (read ?? 0),
    outputTokens: output,
    cachedInputTokens: read,
    cacheWriteInputTokens: created || undefined,
    cacheWriteHourInputTokens: hour || undefined,
    reasoningTokens: usage?.output_tokens_details?.thinking_tokens ?? undefined,
    searches: searchCountOf(usage?.server_tool_use?.web_search_requests),
    terms: termsOf({ serviceTier: usage?.service_tier, speed: usage?.speed, inferenceGeo: usage?.inference_geo }),
    otherFees: isOfFurther ? ['furtherModel'] : undefined,
  });
}

type CountName = 'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens';

/** undefined if the first one, the message itself, has no count. */
function sumOf(
  parts: readonly ({ readonly [Name in CountName]?: number | null | undefined } | null | undefined)[],
  name: CountName,
): number | undefined {
  const [own, ...others] = parts.map((part) => part?.[name] ?? undefined);
  return own === undefined ? undefined : others.reduce<number>((sum, count) => sum + (count ?? 0), own);
}

/** Merges stream usage: known counts of a later event replace earlier ones. */
export function mergeAnthropicUsage(earlier: AnthropicUsage, later: AnthropicUsage): AnthropicUsage {
  const known = Object.entries(later ?? {}).filter(([, count]) => count !== null && count !== undefined);
  return { ...earlier, ...Object.fromEntries(known) };
}

/** Converts usage to Anthropic's format. Unknown counts become 0, since clients require a number. */
export function toAnthropicUsage({
  inputTokens = 0,
  outputTokens = 0,
  cachedInputTokens = 0,
  cacheWriteInputTokens = 0,
  cacheWriteHourInputTokens,
  reasoningTokens,
}: Usage): object {
  return {
    input_tokens: Math.max(0, inputTokens - cachedInputTokens - cacheWriteInputTokens),
    cache_creation_input_tokens: cacheWriteInputTokens,
    cache_read_input_tokens: cachedInputTokens,
    ...(cacheWriteHourInputTokens !== undefined && {
      cache_creation: {
        ephemeral_5m_input_tokens: Math.max(0, cacheWriteInputTokens - cacheWriteHourInputTokens),
        ephemeral_1h_input_tokens: cacheWriteHourInputTokens,
      },
    }),
    output_tokens: outputTokens,
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** The finish reason of a response; an unknown stop reason counts as a normal end. */
export function fromAnthropicStopReason(reason: string | null | undefined): FinishReason {
  return FINISH_REASONS.get(reason ?? '') ?? 'stop';
}

const STOP_REASONS: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

export function toAnthropicStopReason(reason: FinishReason): string {
  return STOP_REASONS[reason];
}
