import * as z from 'zod';
import type { ChatCompletion, FinishReason, ToolCall, Usage } from '../../core/model/chat.ts';
import type { BedrockAnswer } from '../../core/routing/provider.ts';
import { unreadableAnswer } from '../provider-failures.ts';

const Count = z.int().nonnegative().nullish().catch(undefined);

/** Token counts; anything unreadable is unknown. */
export const ConverseUsage = z
  .looseObject({
    inputTokens: Count,
    outputTokens: Count,
    cacheReadInputTokens: Count,
    cacheWriteInputTokens: Count,
  })
  .nullish()
  .catch(undefined);

const Block = z.looseObject({
  text: z.string().optional(),
  toolUse: z.looseObject({ toolUseId: z.string(), name: z.string(), input: z.unknown().optional() }).optional(),
  citationsContent: z
    .looseObject({ content: z.array(z.looseObject({ text: z.string().optional() })).optional() })
    .optional(),
});
const Answer = z.looseObject({
  output: z.looseObject({ message: z.looseObject({ content: z.array(Block) }) }),
  stopReason: z.string().nullish(),
  usage: ConverseUsage,
});

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseSyntax */
const REASONS: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
]);

/** Why the answer ended; a reason that is not known counts as an ordinary end. */
export function fromConverseStopReason(reason: string | null | undefined): FinishReason {
  return REASONS.get(reason ?? '') ?? 'stop';
}

/** Usage in the gateway's terms: `inputTokens` leaves out what the prompt cache read or wrote, so the three are added. */
export function fromConverseUsage(usage: z.infer<typeof ConverseUsage>): Usage {
  const { inputTokens, outputTokens, cacheReadInputTokens: read, cacheWriteInputTokens: written } = usage ?? {};
  return {
    ...(inputTokens != null && { inputTokens: inputTokens + (read ?? 0) + (written ?? 0) }),
    ...(outputTokens != null && { outputTokens }),
    ...(read != null && { cachedInputTokens: read }),
    ...(written && { cacheWriteInputTokens: written }),
  };
}

/**
 * A whole answer of Converse. Texts are joined without a separator, those with citations too; reasoning is left out.
 * @throws GatewayError `provider_error` where it is none
 */
export function fromConverse({ requestId, answer }: BedrockAnswer, model: string): ChatCompletion {
  const read = Answer.safeParse(answer);
  if (!read.success) throw unreadableAnswer('bedrock', 'answer is no message');
  const { output, stopReason, usage } = read.data;
  const texts: string[] = [];
  const toolCalls: ToolCall[] = [];
  for (const { text, toolUse, citationsContent } of output.message.content) {
    if (text !== undefined) texts.push(text);
    for (const cited of citationsContent?.content ?? []) texts.push(cited.text ?? '');
    if (toolUse !== undefined) {
      const { toolUseId: id, name, input = {} } = toolUse;
      toolCalls.push({ id, name, arguments: JSON.stringify(input) });
    }
  }
  return {
    id: requestId,
    model,
    choices: [
      {
        index: 0,
        text: texts.length === 0 && toolCalls.length > 0 ? null : texts.join(''),
        ...(toolCalls.length > 0 && { toolCalls }),
        finishReason: fromConverseStopReason(stopReason),
      },
    ],
    usage: fromConverseUsage(usage),
  };
}
