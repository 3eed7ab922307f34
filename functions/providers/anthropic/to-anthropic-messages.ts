import { GatewayError } from '../../core/base/errors.ts';
import { readObject } from '../../core/base/json.ts';
import type { ChatMessage, ToolCall } from '../../core/model/chat.ts';
import type {
  AnthropicBlock,
  AnthropicMessage,
  AnthropicTextBlock,
  AnthropicToolResultBlock,
  AnthropicToolUseBlock,
} from './anthropic-request.ts';
import { toAnthropicContent, toAnthropicText } from './to-anthropic-content.ts';

export interface AnthropicConversation {
  readonly system: readonly AnthropicTextBlock[];
  readonly messages: readonly AnthropicMessage[];
}

/**
 * A conversation as the Messages API takes it. System and developer messages move to `system`, in order, those from
 * the middle of the conversation too: only its newest models take a system message between turns. Tool answers become
 * `tool_result` blocks of a user message, neighbours of one role one message. The name of a message is dropped.
 * @throws GatewayError `invalid_value` naming the message or part at fault
 */
export function toAnthropicConversation(messages: readonly ChatMessage[]): AnthropicConversation {
  const system: AnthropicTextBlock[] = [];
  const turns: { role: 'user' | 'assistant'; content: AnthropicBlock[] }[] = [];
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    if (message.role === 'system' || message.role === 'developer') {
      system.push(...toAnthropicText(message.parts, `${param}.content`));
      continue;
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = toBlocks(message, param);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) turns.push({ role, content: blocks });
  }
  if (turns.length === 0) {
    throw new GatewayError('invalid_value', 'The provider anthropic needs a user message that is not empty.', {
      param: 'messages',
    });
  }
  return { system, messages: turns };
}

function toBlocks(message: ChatMessage, param: string): AnthropicBlock[] {
  if (message.role === 'tool') return [toToolResult(message, param)];
  if (message.role !== 'assistant') return toAnthropicContent(message.parts, `${param}.content`);
  const calls = message.toolCalls ?? [];
  return [
    ...toAnthropicText(message.parts, `${param}.content`),
    ...calls.map((call, index) => toToolUse(call, `${param}.tool_calls[${index}]`)),
  ];
}

function toToolResult(message: ChatMessage, param: string): AnthropicToolResultBlock {
  if (message.toolCallId === undefined) {
    throw new GatewayError('missing_field', 'A tool message must name the call that it answers.', {
      param: `${param}.tool_call_id`,
    });
  }
  const content = toAnthropicContent(message.parts, `${param}.content`);
  return { type: 'tool_result', tool_use_id: message.toolCallId, ...(content.length > 0 && { content }) };
}

function toToolUse(call: ToolCall, param: string): AnthropicToolUseBlock {
  return {
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: toInput(call.arguments, `${param}.function.arguments`),
  };
}

/** An empty text is what several OpenAI-compatible servers give for a call without arguments. */
function toInput(text: string, param: string): Readonly<Record<string, unknown>> {
  const value = readObject(text);
  if (value !== undefined) return value;
  const message = 'The provider anthropic takes only a JSON object as tool arguments.';
  throw new GatewayError('invalid_value', message, { param });
}
