import { isObject } from '../base/json.ts';
import type { Usage } from '../model/chat.ts';

/** The counts of OpenAI's newer APIs: `input_tokens` and `output_tokens`; undefined where there are none. */
export function toTokenUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { input_tokens: input, output_tokens: output } = usage;
  if (!isCount(input) || !isCount(output)) return undefined;
  return { inputTokens: input, outputTokens: output };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
