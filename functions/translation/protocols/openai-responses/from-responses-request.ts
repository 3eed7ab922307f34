import { GatewayError } from '../../../kernel/errors/index.ts';
import { isObject, type JsonDocument } from '../../../kernel/json/index.ts';
import type {
  ChatMessage,
  ChatRequest,
  ChatRole,
  ContentPart,
  OtherField,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from '../../../kernel/model/index.ts';
import {
  type AllowedTools,
  allowedToolsOf,
  type Defaults,
  fieldTable,
  jsonFormatOf,
  noteOthers,
} from '../bodies/field-table.ts';
import { checkBody } from '../bodies/request-body.ts';
import { GRAMMAR_IN_DESCRIPTION, textArguments, toTextTool } from '../bodies/text-tools.ts';
import { typeOfItem } from './responses-names.ts';
import { RESPONSES_PLACES } from './responses-request-texts.ts';
import {
  type CallOutputItem,
  type CustomCallItem,
  type CustomTool,
  type FunctionCallItem,
  type FunctionTool,
  type MessageItem,
  modelOf,
  type ReasoningItem,
  type ResponsesItem,
  type ResponsesPart,
  type ResponsesRequest,
  type ResponsesTool,
  responsesRequestSchema,
} from './responses-schema.ts';
import { flatName, toolsByFlatName } from './responses-tools.ts';

/** The fields of a request, by kind of object. */
export const RESPONSES_FIELDS = fieldTable({
  request: {
    read: 'model input instructions stream max_output_tokens temperature top_p tools tool_choice parallel_tool_calls text reasoning',
    no_effect: 'stream_options moderation svc',
    end_user: 'user',
    service_tier: 'service_tier',
    hint: 'client_metadata context_management max_tool_calls metadata prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier store truncation',
    essential: 'background conversation include previous_response_id prompt top_logprobs',
  },
  text: { read: 'format', verbosity: 'verbosity' },
  format: { read: 'type name description schema strict' },
  reasoning: { reasoning_effort: 'effort', hint: 'context generate_summary mode summary' },
  // The text of other providers' models; OpenAI's own is encrypted or stored.
  reasoning_item: { read: 'type', reasoning: 'content summary', no_effect: 'id status encrypted_content' },
  reasoning_part: { read: 'type text' },
  message: { read: 'type role content', no_effect: 'id status phase' },
  function_call: { read: 'type call_id name arguments namespace', no_effect: 'id status', hint: 'caller' },
  function_call_output: { read: 'type call_id output', no_effect: 'id status', hint: 'caller' },
  input_text: { read: 'type text', cache_hint: 'prompt_cache_breakpoint' },
  // Token counts and citations of an earlier response: a second turn repeats them.
  output_text: { read: 'type text', no_effect: 'logprobs annotations' },
  refusal: { read: 'type refusal' },
  input_image: { read: 'type image_url', image_detail: 'detail', cache_hint: 'prompt_cache_breakpoint' },
  input_file: { read: 'type file_data filename', cache_hint: 'prompt_cache_breakpoint', hint: 'detail' },
  input_audio: { read: 'type input_audio' },
  function: { read: 'type name description parameters strict', hint: 'allowed_callers defer_loading output_schema' },
  custom: { read: 'type name description format', hint: 'allowed_callers defer_loading' },
  grammar: { read: 'type syntax definition' },
  custom_tool_call: { read: 'type call_id name input namespace', no_effect: 'id status', hint: 'caller' },
  custom_tool_call_output: { read: 'type call_id output', no_effect: 'id status', hint: 'caller' },
  namespace: { read: 'type name tools', hint: 'description' },
  tool_choice: { read: 'type name' },
});

/** Values that match the behavior of a response that is not stored and uses no OpenAI tool. */
const DEFAULTS: Defaults = {
  store: (value) => value === false,
  background: (value) => value === false,
  truncation: (value) => value === 'disabled',
  service_tier: (value) => value === 'auto' || value === 'default',
  top_logprobs: (value) => value === 0,
  verbosity: (value) => value === 'medium',
  detail: (value) => value === 'auto',
  // All others add to items that such a response does not have.
  include: (value) => Array.isArray(value) && !value.includes('message.output_text.logprobs'),
  caller: (value) => (value as { type?: unknown }).type === 'direct',
  defer_loading: (value) => value === false,
  allowed_callers: (value) => Array.isArray(value) && value.every((caller) => caller === 'direct'),
};

const FORMATS: ReadonlySet<string> = new Set(['text', 'json_object', 'json_schema']);

/** Tools that OpenAI runs. The model can work without them; all others are the caller's. */
const OPTIONAL_TOOLS = new Set(
  'code_interpreter file_search image_generation tool_search web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11'.split(
    ' ',
  ),
);

/** Checks a body of the Responses API. @throws GatewayError that names the field */
export function checkResponsesRequest(document: JsonDocument): ResponsesRequest {
  const body = checkBody(responsesRequestSchema, document, RESPONSES_PLACES);
  if (body.background === true && body.moderation != null) {
    const message = "'moderation' needs the whole response: it is not supported with 'background'.";
    throw new GatewayError('invalid_value', message, { param: 'moderation' });
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

/** Converts the request to `ChatRequest`. */
export function fromResponsesRequest(body: ResponsesRequest): ChatRequest {
  const reader = new ResponsesReader();
  reader.note(body, 'request', '');
  const { input, instructions, tools, stream } = body;
  if (typeof instructions === 'string' && instructions !== '') {
    reader.addText('system', instructions, 'instructions');
  }
  if (typeof input === 'string') reader.addText('user', input, 'input');
  else for (const [at, item] of (input ?? []).entries()) reader.readItem(item, `input[${at}]`);
  reader.dropThought();
  reader.readText(body.text);
  if (body.reasoning) reader.note(body.reasoning, 'reasoning', 'reasoning');
  const definitions = (tools ?? []).flatMap((tool, at) => reader.readTool(tool, `tools[${at}]`));
  const allowed = allowedIn(body.tool_choice, definitions);
  const toolChoice = allowed?.mode ?? reader.readToolChoice(body.tool_choice, tools ?? []);
  const callable = allowed === undefined ? definitions : definitions.filter(({ name }) => allowed.names.has(name));
  const { messages, others, callersNames } = reader;
  return {
    model: modelOf(body),
    messages,
    stream: stream ?? false,
    includeUsage: true,
    choiceCount: 1,
    others,
    callersNames,
    ...(callable.length > 0 && { tools: callable }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(typeof body.parallel_tool_calls === 'boolean' && { parallelToolCalls: body.parallel_tool_calls }),
    ...(typeof body.max_output_tokens === 'number' && { maxOutputTokens: body.max_output_tokens }),
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
    ...(body.background === true && { isInBackground: true }),
  };
}

function allowedIn(
  choice: ResponsesRequest['tool_choice'],
  tools: readonly ToolDefinition[],
): AllowedTools | undefined {
  return isObject(choice) && choice.type === 'allowed_tools' ? allowedToolsOf(choice, tools) : undefined;
}

/** For clients that refer to items of other providers. */
const SEND_ITEMS = 'it stores no items. Set `store: false`, so that your client sends items and not their ids';

/** Reads a request part by part. Text and calls of one model turn become one message, as in a chat. */
class ResponsesReader {
  readonly messages: ChatMessage[] = [];
  readonly others: OtherField[] = [];
  readonly callersNames: Record<string, string> = { messages: 'input' };
  /** Reasoning before the message or call that it led to. */
  private thought: { readonly text: string; readonly path: string } | undefined;

  note(object: object, kind: keyof typeof RESPONSES_FIELDS, path: string): void {
    noteOthers(object, RESPONSES_FIELDS[kind], path, this.others, DEFAULTS);
  }

  /** Adds a message with one text. @param path the path of the text */
  addText(role: ChatRole, text: string, path: string): void {
    this.callersNames[`messages[${this.messages.length}].content`] = path;
    this.add({ role, parts: [{ type: 'text', text }] }, path);
  }

  readText(text: ResponsesRequest['text']): void {
    if (!text) return;
    this.note(text, 'text', 'text');
    const { format } = text;
    if (!format) return;
    const path = 'text.format';
    const meaning = FORMATS.has(format.type) ? 'response_format' : 'essential';
    if (meaning === 'response_format') this.note(format, 'format', path);
    if (format.type !== 'text') this.others.push({ path, meaning, value: jsonFormatOf(format) });
  }

  readTool(tool: ResponsesTool, path: string, namespace?: string): ToolDefinition[] {
    if (tool.type === 'namespace' && Array.isArray(tool.tools) && typeof tool.name === 'string') {
      this.note(tool, 'namespace', path);
      return tool.tools.flatMap((one, at) => this.readTool(one, `${path}.tools[${at}]`, tool.name as string));
    }
    if (tool.type === 'custom') return [this.readTextTool(tool as unknown as CustomTool, path, namespace)];
    if (tool.type !== 'function') {
      this.others.push({ path, meaning: OPTIONAL_TOOLS.has(tool.type) ? 'hint' : 'essential', value: tool });
      return [];
    }
    const { name, description, parameters, strict } = tool as unknown as FunctionTool;
    this.note(tool, 'function', path);
    return [
      {
        name: flatName(name, namespace),
        ...(description && { description }),
        ...(parameters && { parameters }),
        ...(typeof strict === 'boolean' && { strict }),
      },
    ];
  }

  /** A function with one text replaces the tool, with the grammar of the text in its description. */
  private readTextTool(tool: CustomTool, path: string, namespace: string | undefined): ToolDefinition {
    const { name, description, format } = tool;
    this.note(tool, 'custom', path);
    if (isObject(format)) this.note(format, 'grammar', `${path}.format`);
    if (isObject(format) && typeof format.definition === 'string')
      this.others.push({ path: `${path}.format`, meaning: 'hint', value: format, instead: GRAMMAR_IN_DESCRIPTION });
    return toTextTool(flatName(name, namespace), description, format);
  }

  readToolChoice(choice: ResponsesRequest['tool_choice'], tools: readonly ResponsesTool[]): ToolChoice | undefined {
    if (choice == null) return undefined;
    if (typeof choice === 'string') return choice;
    const isOwn = choice.type === 'function' || choice.type === 'custom';
    if (isOwn && typeof choice.name === 'string') {
      this.note(choice, 'tool_choice', 'tool_choice');
      // The choice has no namespace.
      const flat = [...toolsByFlatName(tools)].find(([, { name }]) => name === choice.name)?.[0];
      return { name: flat ?? choice.name };
    }
    this.others.push({ path: 'tool_choice', meaning: 'essential', value: choice });
    return undefined;
  }

  readItem(item: ResponsesItem, path: string): void {
    const type = typeOfItem(item);
    if (type === 'message') this.readMessage(item as unknown as MessageItem, path);
    else if (type === 'function_call') this.readCall(item as unknown as FunctionCallItem, path);
    else if (type === 'custom_tool_call') this.readTextCall(item as unknown as CustomCallItem, path);
    else if (type === 'function_call_output' || type === 'custom_tool_call_output')
      this.readOutput(item as unknown as CallOutputItem, path, type);
    else if (type === 'reasoning') this.readReasoning(item as unknown as ReasoningItem, path);
    else {
      const isStored = type === 'item_reference';
      this.others.push({ path, meaning: 'essential', value: item, ...(isStored && { instead: SEND_ITEMS }) });
    }
  }

  private readMessage(item: MessageItem, path: string): void {
    this.note(item, 'message', path);
    const { content } = item;
    // Chat completion servers know the older name; OpenAI itself receives the body unchanged.
    const role = item.role === 'developer' ? 'system' : item.role;
    const parts = this.toParts(content, `${path}.content`);
    const last = this.messages.at(-1);
    // Tool results must follow the message with the calls.
    if (role === 'assistant' && last?.role === 'assistant' && last.toolCalls) {
      const message = `messages[${this.messages.length - 1}]`;
      for (const at of parts.keys()) {
        const place = typeof content === 'string' ? `${path}.content` : `${path}.content[${at}]`;
        this.callersNames[`${message}.content[${last.parts.length + at}]`] = place;
      }
      this.messages[this.messages.length - 1] = this.withThought({ ...last, parts: [...last.parts, ...parts] });
    } else this.add({ role, parts }, path);
  }

  private readCall(item: FunctionCallItem, path: string): void {
    this.note(item, 'function_call', path);
    const { call_id: id, name, arguments: text, namespace } = item;
    this.addCall({ id, name: flatName(name, namespaceOf(namespace)), arguments: text }, path);
  }

  private readTextCall(item: CustomCallItem, path: string): void {
    this.note(item, 'custom_tool_call', path);
    const { call_id: id, name, input, namespace } = item;
    this.addCall({ id, name: flatName(name, namespaceOf(namespace)), arguments: textArguments(input) }, path);
  }

  private addCall(call: ToolCall, path: string): void {
    const last = this.messages.at(-1);
    if (last?.role !== 'assistant') this.add({ role: 'assistant', parts: [], toolCalls: [call] }, path);
    else
      this.messages[this.messages.length - 1] = this.withThought({
        ...last,
        toolCalls: [...(last.toolCalls ?? []), call],
      });
    const at = this.messages.length - 1;
    const index = (this.messages[at]?.toolCalls?.length ?? 1) - 1;
    this.callersNames[`messages[${at}].tool_calls[${index}].function`] = path;
  }

  private readOutput(
    item: CallOutputItem,
    path: string,
    type: 'function_call_output' | 'custom_tool_call_output',
  ): void {
    this.note(item, type, path);
    const { call_id: toolCallId, output } = item;
    const parts = this.toParts(output, `${path}.output`);
    this.callersNames[`messages[${this.messages.length}].content`] = `${path}.output`;
    this.callersNames[`messages[${this.messages.length}].tool_call_id`] = `${path}.call_id`;
    this.add({ role: 'tool', parts, toolCallId }, path);
  }

  /** Encrypted reasoning is readable only by the model that wrote it. */
  private readReasoning(item: ReasoningItem, path: string): void {
    const { summary, content, encrypted_content: encrypted } = item;
    const parts = content?.length ? content : summary;
    const text = parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
    if (encrypted || text === '') {
      this.others.push({ path, meaning: 'hint', value: item });
      return;
    }
    this.note(item, 'reasoning_item', path);
    for (const [list, all] of Object.entries({ summary, content: content ?? [] })) {
      for (const [at, part] of all.entries()) this.note(part, 'reasoning_part', `${path}.${list}[${at}]`);
    }
    this.thought = { text: `${this.thought?.text ?? ''}${text}`, path: this.thought?.path ?? path };
  }

  /** Reports reasoning that no message of the model follows. */
  dropThought(): void {
    const { thought } = this;
    this.thought = undefined;
    if (thought !== undefined) this.others.push({ path: thought.path, meaning: 'hint', value: thought.text });
  }

  /** The last message of the model with the reasoning before its newest part. */
  private withThought(message: ChatMessage, at = this.messages.length - 1): ChatMessage {
    const { thought } = this;
    if (thought === undefined) return message;
    if (message.role !== 'assistant') {
      this.dropThought();
      return message;
    }
    this.thought = undefined;
    this.callersNames[`messages[${at}].reasoning`] = thought.path;
    return { ...message, reasoning: `${message.reasoning ?? ''}${thought.text}` };
  }

  private add(message: ChatMessage, path: string): void {
    const at = this.messages.length;
    this.callersNames[`messages[${at}]`] = path;
    this.messages.push(this.withThought(message, at));
  }

  private toParts(content: string | readonly ResponsesPart[], path: string): ContentPart[] {
    if (typeof content === 'string') return [{ type: 'text', text: content }];
    return content.flatMap((part, at) => this.toPart(part, `${path}[${at}]`));
  }

  private toPart(part: ResponsesPart, path: string): ContentPart[] {
    const read = partOf(part);
    if (read === undefined) {
      this.others.push({ path, meaning: 'essential', value: part });
      return [];
    }
    this.note(part, part.type as 'input_text', path);
    return [read];
  }
}

function namespaceOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
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
