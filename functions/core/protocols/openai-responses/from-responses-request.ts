import { GatewayError } from '../../base/errors.ts';
import type { JsonDocument } from '../../base/json-document.ts';
import type {
  ChatMessage,
  ChatRequest,
  ChatRole,
  ContentPart,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from '../../model/chat.ts';
import { checkBody } from '../bodies/request-body.ts';
import { RESPONSES_PLACES } from './responses-request-texts.ts';
import {
  type CallOutputItem,
  type FunctionCallItem,
  type FunctionTool,
  type MessageItem,
  modelOf,
  type ResponsesItem,
  type ResponsesPart,
  type ResponsesRequest,
  type ResponsesTool,
  responsesRequestSchema,
  typeOfItem,
} from './responses-schema.ts';

/** Fields that are read below, and fields without effect on the response: bookkeeping, caches, stream padding, gateway fields. */
const READ =
  'model input instructions stream max_output_tokens temperature top_p tools tool_choice parallel_tool_calls text reasoning user';
const WITHOUT_EFFECT =
  'metadata prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier stream_options moderation svc';
const KNOWN = new Set(`${READ} ${WITHOUT_EFFECT}`.split(' '));

/** Values that match the behavior of a response that is not stored and uses no OpenAI tool. */
const DEFAULTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  store: (value) => value === false,
  background: (value) => value === false,
  truncation: (value) => value === 'disabled',
  service_tier: (value) => value === 'auto' || value === 'default',
  top_logprobs: (value) => value === 0,
  // All others add to items that such a response does not have.
  include: (value) => Array.isArray(value) && !value.includes('message.output_text.logprobs'),
};
/** Tool members whose defaults match the behavior of every other API. */
const TOOL_DEFAULTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  defer_loading: (value) => value === false,
  allowed_callers: (value) => Array.isArray(value) && value.every((caller) => caller === 'direct'),
};
const TOOL_MEMBERS = new Set(['type', 'name', 'description', 'parameters', 'strict']);

/** Checks a body of the Responses API. @throws GatewayError that names the field */
export function checkResponsesRequest(document: JsonDocument): ResponsesRequest {
  const body = checkBody(responsesRequestSchema, document, RESPONSES_PLACES);
  if (body.background === true) {
    const message = 'Background responses are not supported: their text would bypass inspection.';
    throw new GatewayError('invalid_value', message, { param: 'background' });
  }
  const { model, input, prompt, previous_response_id: previous, conversation } = body;
  if (model == null && !prompt?.id) {
    throw new GatewayError('missing_field', "Missing required field 'model'.", { param: 'model' });
  }
  if (input == null && prompt == null && previous == null && conversation == null) {
    throw new GatewayError('missing_field', "Missing required field 'input'.", { param: 'input' });
  }
  return body;
}

/**
 * Converts the request to `ChatRequest`. What other APIs cannot represent is listed in `untranslatable` (`tools[0]`,
 * `previous_response_id`), so that a translating provider refuses it.
 */
export function fromResponsesRequest(body: ResponsesRequest): ChatRequest {
  const notes: Notes = { untranslatable: [], callersNames: {} };
  noteRest(body, '', { known: KNOWN, defaults: DEFAULTS }, notes);
  const { input, instructions, tools, user, stream, text, reasoning } = body;
  const reader = new InputReader(notes);
  if (typeof instructions === 'string' && instructions !== '') {
    reader.addText('system', instructions, 'instructions');
  }
  if (typeof input === 'string') reader.addText('user', input, 'input');
  else for (const [at, item] of (input ?? []).entries()) reader.read(item, `input[${at}]`);
  const toolChoice = toToolChoice(body.tool_choice, notes);
  return {
    model: modelOf(body),
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

/** The format under its name in chat completions. */
function toResponseFormat(text: ResponsesRequest['text'], notes: Notes): object {
  if (!text) return {};
  noteRest(text, 'text', { known: new Set(['format', 'verbosity']) }, notes);
  const { format, verbosity } = text;
  const { type, ...schema } = format ?? { type: 'text' };
  const asked = {
    ...(type === 'json_schema' && { response_format: { type, json_schema: schema } }),
    ...(type === 'json_object' && { response_format: { type } }),
    // The default has no effect.
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

/** Members that are read, and members that do not change the response: ids, states and cache hints. */
const ITEM_MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    message: 'type role content id status phase',
    function_call: 'type call_id name arguments id status',
    function_call_output: 'type call_id output id status',
    input_text: 'type text prompt_cache_breakpoint',
    // Token counts and citations of an earlier response: a second turn that repeats them must not be refused.
    output_text: 'type text logprobs annotations',
    refusal: 'type refusal',
    input_image: 'type image_url detail prompt_cache_breakpoint',
    input_file: 'type file_data filename prompt_cache_breakpoint',
    input_audio: 'type input_audio',
  }).map(([type, names]) => [type, new Set(names.split(' '))]),
);
const ITEM_DEFAULTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  caller: (value) => (value as { type?: unknown }).type === 'direct',
};

/** Reads input items into messages. Text and calls of one model turn become one message, as in a chat. */
class InputReader {
  readonly messages: ChatMessage[] = [];
  private readonly notes: Notes;

  constructor(notes: Notes) {
    this.notes = notes;
  }

  /** Adds a message with one text. @param path the path of the text */
  addText(role: ChatRole, text: string, path: string): void {
    this.notes.callersNames[`messages[${this.messages.length}].content`] = path;
    this.add({ role, parts: [{ type: 'text', text }] }, path);
  }

  read(item: ResponsesItem, path: string): void {
    const type = typeOfItem(item);
    if (type === 'message') this.readMessage(item as unknown as MessageItem, path);
    else if (type === 'function_call') this.readCall(item as unknown as FunctionCallItem, path);
    else if (type === 'function_call_output') this.readOutput(item as unknown as CallOutputItem, path);
    else this.notes.untranslatable.push(path);
  }

  private readMessage(item: MessageItem, path: string): void {
    this.noteRest(item, 'message', path);
    const { content } = item;
    // Chat completion servers know the older name; OpenAI itself receives the body unchanged.
    const role = item.role === 'developer' ? 'system' : item.role;
    const parts = this.toParts(content, `${path}.content`);
    const last = this.messages.at(-1);
    // Tool results must follow the message with the calls.
    if (role === 'assistant' && last?.role === 'assistant' && last.toolCalls) {
      this.messages[this.messages.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    } else this.add({ role, parts }, path);
  }

  private readCall(item: FunctionCallItem, path: string): void {
    this.noteRest(item, 'function_call', path);
    const call: ToolCall = { id: item.call_id, name: item.name, arguments: item.arguments };
    const last = this.messages.at(-1);
    if (last?.role !== 'assistant') this.add({ role: 'assistant', parts: [], toolCalls: [call] }, path);
    else this.messages[this.messages.length - 1] = { ...last, toolCalls: [...(last.toolCalls ?? []), call] };
    const at = this.messages.length - 1;
    const index = (this.messages[at]?.toolCalls?.length ?? 1) - 1;
    this.notes.callersNames[`messages[${at}].tool_calls[${index}].function`] = path;
  }

  private readOutput(item: CallOutputItem, path: string): void {
    this.noteRest(item, 'function_call_output', path);
    const { call_id: toolCallId, output } = item;
    const parts = this.toParts(output, `${path}.output`);
    this.notes.callersNames[`messages[${this.messages.length}].content`] = `${path}.output`;
    this.notes.callersNames[`messages[${this.messages.length}].tool_call_id`] = `${path}.call_id`;
    this.add({ role: 'tool', parts, toolCallId }, path);
  }

  private add(message: ChatMessage, path: string): void {
    this.notes.callersNames[`messages[${this.messages.length}]`] = path;
    this.messages.push(message);
  }

  private toParts(content: string | readonly ResponsesPart[], path: string): ContentPart[] {
    if (typeof content === 'string') return [{ type: 'text', text: content }];
    return content.flatMap((part, at) => this.toPart(part, `${path}[${at}]`));
  }

  private toPart(part: ResponsesPart, path: string): ContentPart[] {
    const read = partOf(part);
    if (read === undefined) {
      this.notes.untranslatable.push(path);
      return [];
    }
    this.noteRest(part, part.type, path);
    return [read];
  }

  private noteRest(object: object, type: string, path: string): void {
    noteRest(object, path, { known: ITEM_MEMBERS[type] ?? new Set(), defaults: ITEM_DEFAULTS }, this.notes);
  }
}

/** The part, or undefined if `ChatRequest` cannot represent it: files stored at the provider, and files by URL. */
function partOf(part: ResponsesPart): ContentPart | undefined {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text as string };
    case 'refusal':
      return { type: 'refusal', text: part.refusal as string };
    case 'input_image': {
      const { image_url: url, detail } = part;
      if (typeof url !== 'string') return undefined;
      return { type: 'image', url, ...(typeof detail === 'string' && { detail }) };
    }
    case 'input_audio':
      return { type: 'audio', ...(part.input_audio as { data: string; format: string }) };
    case 'input_file': {
      const { file_data: data, filename } = part;
      if (typeof data !== 'string') return undefined;
      return { type: 'file', data, ...(typeof filename === 'string' && { filename }) };
    }
    default:
      return undefined;
  }
}

/** Collected while a request is converted to `ChatRequest`. */
interface Notes {
  /** What other APIs cannot represent, by the caller's field names. */
  readonly untranslatable: string[];
  /** The caller's field name for fields that `ChatRequest` has under a chat completion's name. */
  readonly callersNames: Record<string, string>;
}

interface Known {
  readonly known: ReadonlySet<string>;
  /** Values that match the default and can be omitted. */
  readonly defaults?: Readonly<Record<string, (value: unknown) => boolean>>;
}

/** Lists the members of the object at `path` that are unknown and have an effect. */
function noteRest(object: object, path: string, { known, defaults = {} }: Known, notes: Notes): void {
  for (const [name, value] of Object.entries(object)) {
    if (known.has(name) || value == null) continue;
    if (Object.hasOwn(defaults, name) && defaults[name]?.(value)) continue;
    notes.untranslatable.push(path === '' ? name : `${path}.${name}`);
  }
}
