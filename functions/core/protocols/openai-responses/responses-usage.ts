import { isObject } from '../../base/json.ts';
import type { Usage } from '../../model/chat.ts';

/** Usage as the Responses API tells it; undefined where nothing does. */
export function fromResponsesUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const inputs = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const outputs = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const known = {
    inputTokens: countOf(usage.input_tokens),
    outputTokens: countOf(usage.output_tokens),
    cachedInputTokens: countOf(inputs.cached_tokens),
    cacheWriteInputTokens: countOf(inputs.cache_write_tokens),
    reasoningTokens: countOf(outputs.reasoning_tokens),
  };
  return Object.fromEntries(Object.entries(known).filter(([, count]) => count !== undefined)) as Usage;
}

/** `usage` as the API shows it; no field where nothing is known, since unknown is not 0. */
export function responsesUsageField(usage: Usage): object {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteInputTokens, reasoningTokens = 0 } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return {};
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  return {
    usage: {
      input_tokens: input,
      input_tokens_details: {
        cached_tokens: cachedInputTokens,
        ...(cacheWriteInputTokens !== undefined && { cache_write_tokens: cacheWriteInputTokens }),
      },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: input + output,
    },
  };
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
