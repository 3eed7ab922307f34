import * as z from 'zod';
import type { FinishReason, Usage } from '../../model/chat.ts';

const Count = z.int().nonnegative().nullish().catch(undefined);

/** Token counts in a message and, cumulative, in `message_delta`. An unreadable count is unknown. */
export const AnthropicUsage = z
  .looseObject({
    input_tokens: Count,
    cache_creation_input_tokens: Count,
    cache_read_input_tokens: Count,
    output_tokens: Count,
    output_tokens_details: z.looseObject({ thinking_tokens: Count }).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined);

export type AnthropicUsage = z.infer<typeof AnthropicUsage>;

/** Converts Anthropic's usage. Its `input_tokens` exclude tokens read from or written to the prompt cache, so the three are added. */
export function fromAnthropicUsage(usage: AnthropicUsage): Usage {
  const input = usage?.input_tokens ?? undefined;
  const created = usage?.cache_creation_input_tokens ?? 0;
  const read = usage?.cache_read_input_tokens ?? undefined;
  const output = usage?.output_tokens ?? undefined;
  const thinking = usage?.output_tokens_details?.thinking_tokens ?? undefined;
  return {
    ...(input !== undefined && { inputTokens: input + created + (read ?? 0) }),
    ...(output !== undefined && { outputTokens: output }),
    ...(read !== undefined && { cachedInputTokens: read }),
    ...(created > 0 && { cacheWriteInputTokens: created }),
    ...(thinking !== undefined && { reasoningTokens: thinking }),
  };
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
  reasoningTokens,
}: Usage): object {
  return {
    input_tokens: Math.max(0, inputTokens - cachedInputTokens - cacheWriteInputTokens),
    cache_creation_input_tokens: cacheWriteInputTokens,
    cache_read_input_tokens: cachedInputTokens,
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
