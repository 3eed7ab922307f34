import * as z from 'zod';
import type { ChatCompletion, ToolCall } from '../../core/model/chat.ts';
import {
  AnthropicUsage,
  fromAnthropicStopReason,
  fromAnthropicUsage,
} from '../../core/protocols/anthropic-messages/usage-and-stop-reasons.ts';
import { unreadableAnswer } from '../provider-failures.ts';

const TextBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const ToolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown().optional(),
});
const Message = z.looseObject({
  type: z.literal('message'),
  id: z.string(),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullish(),
  usage: AnthropicUsage,
});

/**
 * A whole answer of the Messages API. Texts are joined without a separator; thinking and the blocks of server tools
 * are left out.
 * @throws GatewayError `provider_error` when the text is not such an answer
 */
export function fromAnthropicMessage(body: string): ChatCompletion {
  const message = parse(Message, parseJson(body));
  const texts: string[] = [];
  const toolCalls: ToolCall[] = [];
  for (const block of message.content) {
    if (block.type === 'text') texts.push(parse(TextBlock, block).text);
    if (block.type === 'tool_use') toolCalls.push(toToolCall(parse(ToolUseBlock, block)));
  }
  return {
    id: message.id,
    model: message.model,
    choices: [
      {
        index: 0,
        text: texts.length === 0 && toolCalls.length > 0 ? null : texts.join(''),
        ...(toolCalls.length > 0 && { toolCalls }),
        finishReason: fromAnthropicStopReason(message.stop_reason),
      },
    ],
    usage: fromAnthropicUsage(message.usage),
  };
}

function toToolCall(block: z.infer<typeof ToolUseBlock>): ToolCall {
  return { id: block.id, name: block.name, arguments: JSON.stringify(block.input ?? {}) };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unreadableAnswer('anthropic', 'answer is not JSON');
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw unreadableAnswer('anthropic', 'answer is not a message');
  return result.data;
}
