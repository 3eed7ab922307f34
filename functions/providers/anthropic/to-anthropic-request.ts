import { GatewayError } from '../../core/base/errors.ts';
import type { ChatRequest } from '../../core/model/chat.ts';
import type { AnthropicRequest } from './anthropic-request.ts';
import { unsupportedField, withoutOpenAiFields } from './openai-only-fields.ts';
import { toAnthropicConversation } from './to-anthropic-messages.ts';
import { toAnthropicThinking } from './to-anthropic-thinking.ts';
import { toAnthropicTool, toAnthropicToolChoice } from './to-anthropic-tools.ts';

/** Sent where the caller sets no limit: the API demands one, and every model still served can give this many. */
export const DEFAULT_MAX_TOKENS = 4096;

/**
 * The body of a call to the Messages API. Fields that are not OpenAI's (`top_k`, `thinking`, `cache_control`) go along
 * untouched, and their `thinking` and `output_config` win over what `reasoning_effort` would give.
 * @param model the model's name at the provider
 * @throws GatewayError `invalid_value` or `missing_field` for what the API cannot do; `param` names the caller's field
 */
export function toAnthropicRequest(
  request: ChatRequest,
  model: string,
  defaultMaxTokens: number = DEFAULT_MAX_TOKENS,
): AnthropicRequest {
  const passedOn = withoutOpenAiFields(request.extra);
  if (request.choiceCount > 1) throw unsupportedField('n', 'it gives one choice');
  if (request.temperature !== undefined && request.temperature > 1) {
    throw unsupportedField('temperature', 'its range is 0 to 1');
  }
  const { system, messages } = toAnthropicConversation(request.messages);
  const toolChoice = toAnthropicToolChoice(request);
  const maxTokens = request.maxOutputTokens ?? defaultMaxTokens;
  const thinking = toAnthropicThinking(request.extra.reasoning_effort, { model, maxTokens, messages, toolChoice });
  const translated: AnthropicRequest = {
    model,
    max_tokens: maxTokens,
    messages,
    stream: request.stream,
    ...(system.length > 0 && { system }),
    ...(request.tools?.length && { tools: request.tools.map(toAnthropicTool) }),
    ...(toolChoice && { tool_choice: toolChoice }),
    ...(request.stop?.length && { stop_sequences: request.stop }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { top_p: request.topP }),
    ...(request.endUser !== undefined && { metadata: { user_id: request.endUser } }),
  };
  for (const name of Object.keys(passedOn)) {
    if (Object.hasOwn(translated, name)) {
      throw new GatewayError('invalid_value', `\`${name}\` is set twice: it is also made from the OpenAI fields.`, {
        param: name,
      });
    }
  }
  return { ...thinking, ...passedOn, ...translated };
}
