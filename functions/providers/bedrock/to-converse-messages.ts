import { GatewayError } from '../../core/base/errors.ts';
import { readObject } from '../../core/base/json.ts';
import type { ChatMessage, ToolCall } from '../../core/model/chat.ts';
import type { ConverseBlock, ConverseMessage, ConverseText } from './converse-request.ts';
import { DocumentNames, toConverseContent, toConverseResult, toConverseText } from './to-converse-content.ts';
import { unsupported } from './unsupported.ts';

export interface ConverseConversation {
  readonly system: readonly ConverseText[];
  readonly messages: readonly ConverseMessage[];
}

/**
 * A conversation as Converse takes it. System and developer messages move to `system`, in order. Tool answers become
 * `toolResult` blocks of a user message, neighbours of one role one message. The name of a message is dropped.
 * @throws GatewayError `invalid_value` or `missing_field` naming the message or part at fault
 */
export function toConverseConversation(messages: readonly ChatMessage[]): ConverseConversation {
  const system: ConverseText[] = [];
  const turns: { role: 'user' | 'assistant'; content: ConverseBlock[] }[] = [];
  const names = new DocumentNames();
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    if (message.role === 'system' || message.role === 'developer') {
      system.push(...toConverseText(message.parts, `${param}.content`));
      continue;
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = toBlocks(message, param, names);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) turns.push({ role, content: [...blocks] });
  }
  if (turns.length === 0) {
    const message = 'The provider bedrock needs a user message that is not empty.';
    throw new GatewayError('invalid_value', message, { param: 'messages' });
  }
  return { system, messages: turns };
}

function toBlocks(message: ChatMessage, param: string, names: DocumentNames): readonly ConverseBlock[] {
  const { role, parts, toolCalls = [] } = message;
  if (role === 'tool') return [toResult(message, param, names)];
  if (role !== 'assistant') return toConverseContent(parts, `${param}.content`, names);
  const calls = toolCalls.map((call, index) => toToolUse(call, `${param}.tool_calls[${index}]`));
  return [...toConverseText(parts, `${param}.content`), ...calls];
}

function toResult({ parts, toolCallId }: ChatMessage, param: string, names: DocumentNames): ConverseBlock {
  if (toolCallId === undefined) {
    const message = 'A tool message must name the call that it answers.';
    throw new GatewayError('missing_field', message, { param: `${param}.tool_call_id` });
  }
  return { toolResult: { toolUseId: toolCallId, content: toConverseResult(parts, `${param}.content`, names) } };
}

function toToolUse({ id, name, arguments: text }: ToolCall, param: string): ConverseBlock {
  const input = readObject(text);
  if (input === undefined) throw unsupported(`${param}.function.arguments`, 'the arguments are a JSON object there');
  return { toolUse: { toolUseId: id, name, input } };
}
