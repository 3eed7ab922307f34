import { GatewayError } from '../../base/errors.ts';
import type { JsonDocument } from '../../base/json-document.ts';
import type { ChatRequest, ToolChoice, ToolDefinition } from '../../model/chat.ts';
import { checkBody } from '../check-body.ts';
import { type Notes, noteRest } from './notes.ts';
import { InputReader } from './read-input.ts';
import { RESPONSES_PLACES } from './responses-places.ts';
import {
  type FunctionTool,
  type ResponsesRequest,
  type ResponsesTool,
  responsesRequestSchema,
} from './responses-request-schema.ts';

/** Fields that are read below, and those that say nothing of the answer: bookkeeping, caches, padding of streams, our own. */
const READ =
  'model input instructions stream max_output_tokens temperature top_p tools tool_choice parallel_tool_calls text reasoning user';
const WITHOUT_EFFECT =
  'metadata prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier stream_options moderation svc';
const KNOWN = new Set(`${READ} ${WITHOUT_EFFECT}`.split(' '));

/** Values that say what holds for an answer that nobody keeps and in which no tool of OpenAI's has a part. */
const DEFAULTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  store: (value) => value === false,
  background: (value) => value === false,
  truncation: (value) => value === 'disabled',
  service_tier: (value) => value === 'auto' || value === 'default',
  top_logprobs: (value) => value === 0,
  // All others add to items that such an answer does not have.
  include: (value) => Array.isArray(value) && !value.includes('message.output_text.logprobs'),
};
/** Members of a tool whose defaults are what every other API does. */
const TOOL_DEFAULTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  defer_loading: (value) => value === false,
  allowed_callers: (value) => Array.isArray(value) && value.every((caller) => caller === 'direct'),
};
const TOOL_MEMBERS = new Set(['type', 'name', 'description', 'parameters', 'strict']);

/** Checks a body of the Responses API. @throws GatewayError that names the field */
export function checkResponsesRequest(document: JsonDocument): ResponsesRequest {
  const body = checkBody(responsesRequestSchema, document, RESPONSES_PLACES);
  if (body.background === true) {
    const message = 'A response in the background is not served here: its text would be fetched past inspection.';
    throw new GatewayError('invalid_value', message, { param: 'background' });
  }
  const { input, prompt, previous_response_id: previous, conversation } = body;
  if (input == null && prompt == null && previous == null && conversation == null) {
    throw new GatewayError('missing_field', "Missing required field 'input'.", { param: 'input' });
  }
  return body;
}

/**
 * The request in the gateway's own model. What other APIs have no place for is named in `untranslatable` (`tools[0]`,
 * `previous_response_id`), so that a translating provider refuses it instead of losing it.
 */
export function toChatRequest(body: ResponsesRequest): ChatRequest {
  const notes: Notes = { untranslatable: [], callersNames: {} };
  noteRest(body, '', { known: KNOWN, defaults: DEFAULTS }, notes);
  const { input, instructions, tools, user, stream, text, reasoning } = body;
  const reader = new InputReader(notes);
  if (typeof instructions === 'string' && instructions !== '') {
    reader.say('system', instructions, 'instructions');
  }
  if (typeof input === 'string') reader.say('user', input, 'input');
  else for (const [at, item] of (input ?? []).entries()) reader.read(item, `input[${at}]`);
  const toolChoice = toToolChoice(body.tool_choice, notes);
  return {
    model: body.model,
    messages: reader.messages,
    stream: stream ?? false,
    includeUsage: true,
    choiceCount: 1,
    extra: { ...toResponseFormat(text, notes), ...toEffort(reasoning, notes) },
    ...(tools && tools.length > 0 && { tools: tools.flatMap((tool, at) => toTool(tool, `tools[${at}]`, notes)) }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(typeof body.parallel_tool_calls === 'boolean' && { parallelToolCalls: body.parallel_tool_calls }),
    ...(typeof body.max_output_tokens === 'number' && { maxOutputTokens: body.max_output_tokens }),
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
    ...(typeof user === 'string' && { endUser: user }),
    ...notes,
  };
}

function toTool(tool: ResponsesTool, path: string, notes: Notes): ToolDefinition[] {
  if (tool.type !== 'function') {
    notes.untranslatable.push(path);
    return [];
  }
  const { name, description, parameters, strict } = tool as unknown as FunctionTool;
  noteRest(tool, path, { known: TOOL_MEMBERS, defaults: TOOL_DEFAULTS }, notes);
  return [
    {
      name,
      ...(description && { description }),
      ...(parameters && { parameters }),
      ...(typeof strict === 'boolean' && { strict }),
    },
  ];
}

function toToolChoice(choice: ResponsesRequest['tool_choice'], notes: Notes): ToolChoice | undefined {
  if (choice == null) return undefined;
  if (typeof choice === 'string') return choice;
  if (choice.type === 'function' && typeof choice.name === 'string') return { name: choice.name };
  notes.untranslatable.push('tool_choice');
  return undefined;
}

/** Under its name in chat completions. */
function toResponseFormat(text: ResponsesRequest['text'], notes: Notes): object {
  if (!text) return {};
  noteRest(text, 'text', { known: new Set(['format', 'verbosity']) }, notes);
  const { format, verbosity } = text;
  const { type, ...schema } = format ?? { type: 'text' };
  const asked = {
    ...(type === 'json_schema' && { response_format: { type, json_schema: schema } }),
    ...(type === 'json_object' && { response_format: { type } }),
    // What holds for who says nothing.
    ...(verbosity != null && verbosity !== 'medium' && { verbosity }),
  };
  if (type !== 'text' && !('response_format' in asked)) notes.untranslatable.push('text.format');
  if ('response_format' in asked) notes.callersNames.response_format = 'text.format';
  if ('verbosity' in asked) notes.callersNames.verbosity = 'text.verbosity';
  return asked;
}

function toEffort(reasoning: ResponsesRequest['reasoning'], notes: Notes): object {
  if (!reasoning) return {};
  noteRest(reasoning, 'reasoning', { known: new Set(['effort']) }, notes);
  if (reasoning.effort == null) return {};
  notes.callersNames.reasoning_effort = 'reasoning.effort';
  return { reasoning_effort: reasoning.effort };
}
