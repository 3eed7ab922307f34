import { isObject, type JsonDocument } from '../../../kernel/json/index.ts';
import type {
  ChatMessage,
  ChatRequest,
  ContentPart,
  JsonFormat,
  OtherField,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from '../../../kernel/model/index.ts';
import { cacheOf, type Defaults, fieldTable, noteOthers, toThinking } from '../bodies/field-table.ts';
import { checkBody } from '../bodies/request-body.ts';
import { THREAD_UNSUPPORTED } from './messages-ids.ts';
import { MESSAGES_PLACES } from './messages-request-texts.ts';
import {
  type CountTokensRequest,
  type CustomTool,
  countTokensRequestSchema,
  type MessagesBlock,
  type MessagesMessage,
  type MessagesRequest,
  messagesRequestSchema,
  type SourceBlock,
  type TextBlock,
  type ToolResultBlock,
  type ToolUseBlock,
} from './messages-schema.ts';
import { isUnsigned } from './unsigned-thinking.ts';

/** The fields of a request, by kind of object. */
export const MESSAGES_FIELDS = fieldTable({
  request: {
    read: 'model messages system max_tokens stream temperature top_p stop_sequences tools tool_choice metadata output_config output_format thinking',
    no_effect: 'moderation svc',
    top_k: 'top_k',
    service_tier: 'service_tier',
    hint: 'cache_control context_management diagnostics inference_geo speed',
    essential: 'container mcp_servers thread',
  },
  thinking: { read: 'type budget_tokens', hint: 'display' },
  output_config: { read: 'format', reasoning_effort: 'effort', hint: 'task_budget' },
  format: { read: 'type schema' },
  metadata: { end_user: 'user_id' },
  message: { read: 'role content' },
  reasoning_block: { read: 'type thinking', no_effect: 'signature' },
  text: { read: 'type text', cache_hint: 'cache_control', hint: 'citations' },
  image: { read: 'type source', cache_hint: 'cache_control' },
  document: { read: 'type source title', cache_hint: 'cache_control', hint: 'citations', essential: 'context' },
  source: { read: 'type media_type data url' },
  tool_use: { read: 'type id name input', cache_hint: 'cache_control', hint: 'caller' },
  tool_result: { read: 'type tool_use_id content is_error', cache_hint: 'cache_control' },
  tool: {
    read: 'type name description input_schema strict',
    cache_hint: 'cache_control',
    hint: 'allowed_callers defer_loading eager_input_streaming input_examples',
  },
  tool_choice: { read: 'type name disable_parallel_tool_use' },
});

/** Blocks of earlier responses without text of the conversation: signed reasoning, which only its model can read. */
const REASONING_BLOCKS = new Set(['thinking', 'redacted_thinking']);
/** Tools that Anthropic runs, without the trailing date of their version. The model can work without them. */
const OPTIONAL_TOOLS = /^(?:web_search|web_fetch|code_execution|advisor|tool_search_tool_\w+?)_\d{8}$/;

/** Values that match the API's default. Anthropic's responses contain some, and clients send them back in the next turn. */
const DEFAULTS: Defaults = {
  caller: (value) => isObject(value) && value.type === 'direct',
  allowed_callers: (value) => Array.isArray(value) && value.every((caller) => caller === 'direct'),
  citations: (value) => (Array.isArray(value) ? value.length === 0 : isObject(value) && value.enabled !== true),
  defer_loading: (value) => value === false,
  eager_input_streaming: (value) => value === false,
  service_tier: (value) => value === 'auto' || value === 'standard_only',
  speed: (value) => value === 'standard',
};

/** Checks a body of the Messages API. @throws GatewayError that names the field */
export function checkMessagesRequest(document: JsonDocument): MessagesRequest {
  return checkBody(messagesRequestSchema, document, MESSAGES_PLACES);
}

/** Checks a body of the token counting API. @throws GatewayError that names the field */
export function checkCountTokensRequest(document: JsonDocument): CountTokensRequest {
  return checkBody(countTokensRequestSchema, document, MESSAGES_PLACES);
}

/** Members that message and token counting requests share. */
type Request = Pick<MessagesRequest, 'model' | 'messages' | 'system' | 'tools' | 'tool_choice'> &
  Partial<Pick<MessagesRequest, 'max_tokens' | 'stream' | 'temperature' | 'top_p' | 'stop_sequences' | 'metadata'>>;

/** Converts the request to `ChatRequest`. */
export function fromMessagesRequest(body: Request): ChatRequest {
  const reader = new MessagesReader();
  reader.note(body, 'request', '');
  if (body.metadata) reader.note(body.metadata, 'metadata', 'metadata');
  reader.readSettings(body as Settings);
  reader.explainThread();
  const tools = reader.readTools(body.tools ?? []);
  reader.readSystem(body.system);
  for (const [at, message] of body.messages.entries()) reader.readMessage(message, `messages[${at}]`);
  const toolChoice = reader.readToolChoice(body.tool_choice);
  const { messages, others, callersNames } = reader;
  return {
    model: body.model,
    messages,
    stream: body.stream ?? false,
    includeUsage: true,
    choiceCount: 1,
    others,
    callersNames,
    ...(body.max_tokens !== undefined && { maxOutputTokens: body.max_tokens }),
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(body.tool_choice?.disable_parallel_tool_use === true && { parallelToolCalls: false }),
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
    ...(body.stop_sequences && body.stop_sequences.length > 0 && { stop: body.stop_sequences }),
  };
}

/** Members that the provider validates: the gateway reads what it knows. */
interface Settings {
  readonly thinking?: { readonly type?: unknown; readonly budget_tokens?: unknown } | null;
  readonly output_config?: { readonly effort?: unknown; readonly format?: unknown } | null;
  /** The earlier place of `output_config.format`. */
  readonly output_format?: unknown;
}

/** Reads a request part by part. */
class MessagesReader {
  readonly messages: ChatMessage[] = [];
  readonly others: OtherField[] = [];
  readonly callersNames: Record<string, string> = { parallel_tool_calls: 'tool_choice.disable_parallel_tool_use' };

  note(object: object, kind: keyof typeof MESSAGES_FIELDS, path: string): void {
    noteOthers(object, MESSAGES_FIELDS[kind], path, this.others, DEFAULTS);
  }

  readSettings({ thinking, output_config: config, output_format: format }: Settings): void {
    if (isObject(thinking)) {
      this.note(thinking, 'thinking', 'thinking');
      this.others.push({ path: 'thinking', meaning: 'thinking', value: toThinking(thinking) });
    }
    if (isObject(config)) {
      this.note(config, 'output_config', 'output_config');
      this.readFormat(config.format, 'output_config.format');
    }
    const isTwice = isObject(config) && config.format != null && format != null;
    if (isTwice) this.others.push({ path: 'output_format', meaning: 'essential', value: format });
    else this.readFormat(format, 'output_format');
  }

  /** A provider without threads would see only the new messages. */
  explainThread(): void {
    const at = this.others.findIndex(({ path }) => path === 'thread');
    const instead = 'it keeps no threads, so each request needs the whole conversation';
    if (at >= 0) this.others[at] = { ...(this.others[at] as OtherField), instead, details: THREAD_UNSUPPORTED };
  }

  readTools(tools: NonNullable<MessagesRequest['tools']>): ToolDefinition[] {
    return tools.flatMap((tool, at): ToolDefinition[] => {
      const path = `tools[${at}]`;
      if (tool.type == null || tool.type === 'custom') return [this.readTool(tool as CustomTool, path)];
      this.others.push({ path, meaning: OPTIONAL_TOOLS.test(tool.type) ? 'hint' : 'essential', value: tool });
      return [];
    });
  }

  readSystem(system: MessagesRequest['system']): void {
    if (system === undefined || system === '') return;
    this.add('system', 'system', typeof system === 'string' ? toText(system) : this.readParts(system, 'system'));
  }

  /** One message may become several: tool results become separate messages before the user's text. */
  readMessage(message: MessagesMessage, path: string): void {
    const { role, content } = message;
    this.note(message, 'message', path);
    if (typeof content === 'string') {
      this.add(role, path, toText(content));
      return;
    }
    const parts: ReadPart[] = [];
    const toolCalls: ToolCall[] = [];
    const callPaths: string[] = [];
    let reasoning = '';
    let thought: string | undefined;
    for (const [at, block] of content.entries()) {
      const place = `${path}.content[${at}]`;
      if (block.type === 'tool_use' && role === 'assistant') {
        toolCalls.push(this.readToolCall(block as ToolUseBlock, place));
        callPaths.push(`${place}.input`);
      } else if (block.type === 'tool_result') this.readResult(block as ToolResultBlock, place);
      else if (role === 'assistant' && isUnsigned(block)) {
        this.note(block, 'reasoning_block', place);
        thought ??= place;
        reasoning += block.thinking;
      } else parts.push(...this.readPart(block, place));
    }
    if (parts.length > 0 || toolCalls.length > 0) {
      if (thought !== undefined) this.callersNames[`messages[${this.messages.length}].reasoning`] = thought;
      for (const [index, callPath] of callPaths.entries())
        this.callersNames[`messages[${this.messages.length}].tool_calls[${index}].function.arguments`] = callPath;
      this.add(role, path, parts, toolCalls, reasoning);
    } else if (thought !== undefined) this.others.push({ path: thought, meaning: 'hint', value: reasoning });
  }

  /** The provider validates an unknown choice. */
  readToolChoice(choice: MessagesRequest['tool_choice']): ToolChoice | undefined {
    if (choice === undefined) return undefined;
    this.note(choice, 'tool_choice', 'tool_choice');
    switch (choice.type) {
      case 'auto':
      case 'none':
        return choice.type;
      case 'any':
        return 'required';
      case 'tool':
        return { name: choice.name ?? '' };
      default:
        this.others.push({ path: 'tool_choice', meaning: 'essential', value: choice });
        return undefined;
    }
  }

  private readFormat(format: unknown, path: string): void {
    if (format == null) return;
    const isSchema = isObject(format) && format.type === 'json_schema' && isObject(format.schema);
    if (isSchema) this.note(format, 'format', path);
    const value: JsonFormat | unknown = isSchema ? { schema: format.schema } : format;
    this.others.push({ path, meaning: isSchema ? 'response_format' : 'essential', value });
  }

  private add(
    role: ChatMessage['role'],
    path: string,
    read: readonly ReadPart[],
    toolCalls: ToolCall[] = [],
    reasoning = '',
  ): void {
    const place = `messages[${this.messages.length}]`;
    this.callersNames[place] = path;
    const content = path === 'system' ? path : `${path}.content`;
    this.callersNames[`${place}.content`] = content;
    for (const [at, { path: from }] of read.entries()) {
      // Most parts have the same index in both, and a body may have 100,000.
      if (from !== undefined && from !== `${content}[${at}]`) this.callersNames[`${place}.content[${at}]`] = from;
    }
    const parts = read.map(({ part }) => part);
    this.messages.push({
      role,
      parts,
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(reasoning !== '' && { reasoning }),
    });
  }

  private readToolCall(block: ToolUseBlock, path: string): ToolCall {
    const { id, name, input } = block;
    this.note(block, 'tool_use', path);
    return { id, name, arguments: JSON.stringify(input), ...cacheOf(block) };
  }

  private readResult(block: ToolResultBlock, path: string): void {
    const { tool_use_id: toolCallId, content, is_error: isError } = block;
    this.note(block, 'tool_result', path);
    const read = typeof content === 'string' ? toText(content) : this.readParts(content ?? [], `${path}.content`);
    // Other APIs cannot mark a failed tool call, so text says it.
    this.add('tool', path, isError ? [...toText('The tool failed:'), ...read] : read);
    const at = this.messages.length - 1;
    this.callersNames[`messages[${at}].tool_call_id`] = `${path}.tool_use_id`;
    this.messages[at] = { ...(this.messages[at] as ChatMessage), toolCallId, ...cacheOf(block) };
  }

  private readParts(blocks: readonly MessagesBlock[], path: string): ReadPart[] {
    return blocks.flatMap((block, at) => this.readPart(block, `${path}[${at}]`));
  }

  private readPart(block: MessagesBlock, path: string): ReadPart[] {
    const part = partOf(block);
    if (part !== undefined) {
      this.note(block, block.type as 'text' | 'image' | 'document', path);
      if (block.type !== 'text') this.note((block as SourceBlock).source, 'source', `${path}.source`);
      return [{ part: { ...part, ...cacheOf(block) }, path }];
    }
    this.others.push({ path, meaning: REASONING_BLOCKS.has(block.type) ? 'hint' : 'essential', value: block });
    return [];
  }

  private readTool(tool: CustomTool, path: string): ToolDefinition {
    const { name, description, input_schema: parameters, strict } = tool;
    this.note(tool, 'tool', path);
    return {
      name,
      ...(description && { description }),
      parameters,
      ...(typeof strict === 'boolean' && { strict }),
      ...cacheOf(tool),
    };
  }
}

/** A part, and where the caller wrote it. */
interface ReadPart {
  readonly part: ContentPart;
  readonly path?: string;
}

function toText(text: string): ReadPart[] {
  return [{ part: { type: 'text', text } }];
}

/** The part, or undefined if `ChatRequest` cannot represent the block. */
function partOf(block: MessagesBlock): ContentPart | undefined {
  if (block.type === 'text') return { type: 'text', text: (block as TextBlock).text };
  const { source, title } = block as SourceBlock;
  if (block.type === 'image') {
    const url = urlOf(source);
    return url === undefined ? undefined : { type: 'image', url };
  }
  if (block.type !== 'document') return undefined;
  if (source.type === 'text' && typeof source.data === 'string') {
    return { type: 'text', text: typeof title === 'string' ? `${title}\n\n${source.data}` : source.data };
  }
  const data = source.type === 'base64' ? urlOf(source) : undefined;
  if (data === undefined) return undefined;
  return { type: 'file', filename: typeof title === 'string' ? title : 'document.pdf', data };
}

/** The URL, or the data as a data URL; undefined for any other source. */
function urlOf({ type, url, media_type, data }: SourceBlock['source']): string | undefined {
  if (type === 'url' && typeof url === 'string') return url;
  if (type !== 'base64' || typeof data !== 'string' || typeof media_type !== 'string') return undefined;
  return `data:${media_type};base64,${data}`;
}
