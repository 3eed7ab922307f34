import type { OperationName } from '../../protocols/protocol.ts';
import type { ChatCall } from '../../routing/index.ts';

/** Below the endpoint of InvokeModel: https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html */
export const OPENAI_PATH = '/openai/v1';

/**
 * Models that have OpenAI's chat completions and Responses there, by their ids and those of their inference profiles. Application inference
 * profiles are refused there. The open models (gpt-oss, Qwen, DeepSeek and others) have chat completions alone, where gpt-oss writes its reasoning into
 * `content`, and Converse keeps the two apart: https://github.com/aws-samples/sample-per-model-bedrock
 */
const WITH_OPENAI_APIS = /^(?:[a-z-]{2,8}\.)?(?:openai\.gpt-\d|xai\.grok-)/;
const NATIVE: ReadonlySet<OperationName> = new Set<OperationName>(['openai-chat', 'openai-responses']);
/** Calls about a response that Bedrock has stored. */
export const STORED: ReadonlySet<OperationName> = new Set<OperationName>([
  'openai-response',
  'openai-response-deletion',
  'openai-response-cancellation',
]);

/** Whether the model takes this operation of OpenAI's APIs unchanged. */
export function hasOpenAiApi(operation: OperationName, model: string): boolean {
  return STORED.has(operation) || (NATIVE.has(operation) && WITH_OPENAI_APIS.test(model));
}

/** GPT refuses tools and reasoning together in chat completions, and reasons by default; Converse takes both. */
export function hasRefusedTools({ operation, request, model, source }: ChatCall): boolean {
  if (operation !== 'openai-chat' || !request.tools?.length || !model.includes('openai.gpt-')) return false;
  return (source.value as { reasoning_effort?: unknown }).reasoning_effort !== 'none';
}
