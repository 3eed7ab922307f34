import type { ChatRequest } from '../../core/model/chat.ts';
import type { ConverseRequest } from './converse-request.ts';
import { toConverseConversation } from './to-converse-messages.ts';
import { toConverseSettings } from './to-converse-settings.ts';
import { toConverseTools } from './to-converse-tools.ts';
import { unsupported } from './unsupported.ts';

/**
 * The request to Converse, and to ConverseStream, which takes the same. Without a bound of the caller's the model's own holds.
 * @param model its id at Bedrock
 * @throws GatewayError `invalid_value` or `missing_field` for what Converse cannot do; `param` names the caller's field
 */
export function toConverseRequest(request: ChatRequest, model: string): ConverseRequest {
  const { choiceCount, maxOutputTokens, temperature, topP, stop } = request;
  if (choiceCount > 1) throw unsupported('n', 'it gives one choice');
  if (temperature !== undefined && temperature > 1) throw unsupported('temperature', 'its range is 0 to 1');
  const { system, messages } = toConverseConversation(request.messages);
  const inferenceConfig = {
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop?.length && { stopSequences: stop }),
  };
  return {
    messages,
    ...(system.length > 0 && { system }),
    ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
    ...toConverseTools(request),
    ...toConverseSettings(request, model),
  };
}
