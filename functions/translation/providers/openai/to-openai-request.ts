import { type Form, isObject, type JsonEdit, setNumber, spliceJson, writeForm } from '../../../kernel/json/index.ts';
import type {
  ChatMessage,
  ChatRequest,
  ContentPart,
  JsonFormat,
  Thinking,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from '../../../kernel/model/index.ts';
import { isPlainReasoning } from '../../protocols/openai-responses/responses-ids.ts';
import { PROMPT_MODEL } from '../../protocols/openai-responses/responses-names.ts';
import type { OperationName } from '../../protocols/protocol.ts';
import { type ChatCall, fieldsFor, refuseEssential, type TargetFields, type Translation } from '../../routing/index.ts';
import { effortOf } from '../efforts.ts';
import { CHAT_NAMES, type NameGrammar } from '../fit-names.ts';
import {
  isThinkingOff,
  type ReasoningPlace,
  ReasoningWriter,
  reasoningEdits,
  type SentReasoning,
} from './reasoning.ts';
import { toStrictTools } from './strict-schema.ts';

/** Differences of a server of OpenAI's protocol. */
export interface Dialect {
  /** The field that limits the output. */
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens';
  /** Whether `stream_options` is supported; a server without it always reports a stream's usage. */
  readonly streamOptions: boolean;
  /** Whether the Responses API is supported; otherwise it is translated to chat completions. */
  readonly responses: boolean;
  /** Whether strict schemas of tools follow OpenAI's rules. Default: as the Responses API is supported. */
  readonly strictTools?: boolean;
  /** Where the server takes the reasoning of a model's earlier messages; undefined or absent if it is not known to take any. */
  readonly reasoningOf?: (model: string) => ReasoningPlace | undefined;
  /** The member that turns off the thinking of a model that thinks by default. */
  readonly thinkingOff?: (model: string) => object | undefined;
  /** Whether there may be a rerank API in Cohere's and Jina's form. */
  readonly rerank: boolean;
  /** Members that look like references and only group requests in the provider's logs. */
  readonly labels?: readonly string[];
  /** Which names of tools and ids of their calls are taken. */
  readonly names: NameGrammar;
}

export const OPENAI_DIALECT: Dialect = {
  maxTokensField: 'max_completion_tokens',
  streamOptions: true,
  responses: true,
  rerank: false,
  names: CHAT_NAMES,
};
/** `max_tokens` is deprecated only at OpenAI; all other servers support it. */
export const COMMON_DIALECT: Dialect = {
  maxTokensField: 'max_tokens',
  streamOptions: true,
  responses: false,
  rerank: true,
  names: CHAT_NAMES,
};

/** The gateway's own fields, which no provider gets. For images and transcripts, `moderation` is the provider's field. */
const OWN_FIELDS = ['moderation', 'svc'];
const OWN_FIELDS_OF_MEDIA = ['svc'];

/** The field that limits the output, for protocols where it is not the dialect's chat field. */
const MAX_TOKENS_FIELD: Readonly<Partial<Record<OperationName, MaxTokensField>>> = {
  'openai-completions': 'max_tokens',
  'openai-embeddings': 'max_tokens',
  'openai-responses': 'max_output_tokens',
};
const CHAT_FIELDS = ['max_tokens', 'max_completion_tokens'];
type MaxTokensField = Dialect['maxTokensField'] | 'max_output_tokens';

/**
 * The client's body with these edits and every other byte unchanged: the provider's model name, the gateway's fields
 * removed, usage requested on streams, and one output limit if the key's limits or policy need one.
 */
export function toOpenAiBody(call: ChatCall, dialect: Dialect): string {
  const { operation, source, request, model, translation } = call;
  const body = source.value as Record<string, unknown>;
  const edits: JsonEdit[] = [];
  // `model` is optional for images: the model that was admitted must be the one that is called. A stored prompt has its own.
  const isOfPrompt = body.model == null && model.startsWith(PROMPT_MODEL);
  if (!Object.hasOwn(body, 'model') && !isOfPrompt)
    edits.push({ kind: 'insert', path: [], key: 'model', json: JSON.stringify(model) });
  else if (!isOfPrompt && model !== body.model)
    edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) });
  const own = operation.startsWith('openai-image') ? OWN_FIELDS_OF_MEDIA : OWN_FIELDS;
  for (const field of own) if (Object.hasOwn(body, field)) edits.push({ kind: 'remove', path: [field] });
  const maxTokensField = MAX_TOKENS_FIELD[operation] ?? dialect.maxTokensField;
  edits.push(...longestOutput(body, call.imposedMaxTokens, maxTokensField));
  if (request.stream && !request.includeUsage && dialect.streamOptions) edits.push(includeUsage(body.stream_options));
  if (WITH_ITEMS.has(operation)) edits.push(...plainReasoningEdits(body.input, translation));
  if (operation === 'openai-chat')
    edits.push(...reasoningEdits(body, dialect.reasoningOf?.(model), model, translation));
  return edits.length === 0 ? source.text : spliceJson(source.text, edits);
}

/** OpenAI's protocols whose `input` is a list of items. */
const WITH_ITEMS: ReadonlySet<OperationName> = new Set<OperationName>([
  'openai-responses',
  'openai-compaction',
  'openai-input-tokens',
]);

/** Removes reasoning of another provider's model, which OpenAI refuses: `input[1].content` must be empty, and the id is unknown. */
function plainReasoningEdits(input: unknown, translation: Translation): JsonEdit[] {
  if (!Array.isArray(input)) return [];
  return input.flatMap((item, at): JsonEdit[] => {
    if (!isObject(item) || !isPlainReasoning(item)) return [];
    translation.dropped(`input[${at}]`, 'it takes only reasoning that its models wrote');
    return [{ kind: 'remove', path: ['input', at] }];
  });
}

/** Sets one limit under one name. With two names, servers differ in which one wins. */
function longestOutput(
  body: Record<string, unknown>,
  maxOutputTokens: number | undefined,
  field: MaxTokensField,
): JsonEdit[] {
  if (maxOutputTokens === undefined) return [];
  // Servers that support the newer name support the older one too; some models support only the older one.
  const isOlder = field === 'max_completion_tokens' && body[field] == null && body.max_tokens != null;
  const sent = isOlder ? 'max_tokens' : field;
  const others = CHAT_FIELDS.filter((name) => name !== sent && Object.hasOwn(body, name));
  return [
    ...others.map((name): JsonEdit => ({ kind: 'remove', path: [name] })),
    ...setNumber(body, [], sent, maxOutputTokens),
  ];
}

function includeUsage(options: unknown): JsonEdit {
  if (options === undefined) return { kind: 'insert', path: [], key: 'stream_options', json: '{"include_usage":true}' };
  if (options === null) return { kind: 'replace', path: ['stream_options'], json: '{"include_usage":true}' };
  if (Object.hasOwn(options as object, 'include_usage')) {
    return { kind: 'replace', path: ['stream_options', 'include_usage'], json: 'true' };
  }
  return { kind: 'insert', path: ['stream_options'], key: 'include_usage', json: 'true' };
}

/** The client's form with the model replaced and the gateway's fields removed; every other byte and the boundary are unchanged. */
export function toOpenAiForm({ boundary }: Form, { source, model, request }: ChatCall) {
  const isNamed = Object.hasOwn(source.value as object, 'model');
  // `model` is optional for edits of images: the model that was admitted must be the one that is called.
  const fields = isNamed && model === request.model ? {} : { model };
  const body = writeForm(source, { fields, without: OWN_FIELDS_OF_MEDIA });
  const named = /^[\w'+.-]+$/.test(boundary) ? boundary : `"${boundary}"`;
  return { body, type: `multipart/form-data; boundary=${named}` };
}

/** Models of OpenAI that reason, which take an effort and refuse sampling fields. */
const REASONING_MODELS = /^(?:.*\/)?(?:o[1-9]|gpt-5|gpt-oss)/;

/** What the fields of a chat completion depend on. */
export interface ChatContext {
  readonly model: string;
  readonly dialect: Dialect;
}

const asIs =
  (name: string) =>
  (value: unknown): object => ({ [name]: value });

/** What chat completions have for fields of other APIs. */
export const CHAT_TARGET: TargetFields<ChatContext> = {
  reasoning_effort: {
    as: '`reasoning_effort`; at OpenAI only for models that reason',
    set: (effort, { model, dialect }) => {
      const off = effort === 'none' ? dialect.thinkingOff?.(model) : undefined;
      if (off !== undefined) return off;
      return dialect.responses && !REASONING_MODELS.test(model)
        ? undefined
        : { reasoning_effort: toEffort(effort, model) };
    },
    otherwise: 'dropped',
    reason: 'this model does not reason',
  },
  thinking: {
    as: "`reasoning_effort`, for OpenAI's models that reason; `thinking` where it is off, for models that think by default",
    set: (value, { model, dialect }) => {
      const { effort, budget, off } = value as Thinking;
      const isOff = off === true || budget === 0 || effort === 'none';
      const member = isOff ? dialect.thinkingOff?.(model) : undefined;
      if (member !== undefined || off) return member ?? {};
      if (!REASONING_MODELS.test(model)) return undefined;
      const level = effort ?? (budget === undefined ? undefined : budget === 0 ? 'low' : effortOf(budget));
      return level === undefined ? {} : { reasoning_effort: toEffort(level, model) };
    },
    otherwise: 'dropped',
    reason: 'this model is not known to reason',
  },
  response_format: {
    as: '`response_format`',
    set: (value) => {
      const { schema, name = 'response', ...rest } = value as JsonFormat;
      if (schema === undefined) return { response_format: { type: 'json_object' } };
      return { response_format: { type: 'json_schema', json_schema: { name, ...rest, schema } } };
    },
    otherwise: 'refused',
  },
  seed: { as: '`seed`', set: asIs('seed'), otherwise: 'dropped' },
  top_k: { otherwise: 'dropped' },
  presence_penalty: { as: '`presence_penalty`', set: asIs('presence_penalty'), otherwise: 'dropped' },
  frequency_penalty: { as: '`frequency_penalty`', set: asIs('frequency_penalty'), otherwise: 'dropped' },
  logit_bias: { as: '`logit_bias`', set: asIs('logit_bias'), otherwise: 'dropped' },
  verbosity: {
    as: '`verbosity`, for OpenAI models that reason',
    set: (verbosity, { model }) => (REASONING_MODELS.test(model) ? { verbosity } : undefined),
    otherwise: 'dropped',
    reason: 'this model has no such control',
  },
  service_tier: {
    as: '`service_tier` of the Responses API',
    set: (tier, _, { path }) =>
      path === 'service_tier' && OPENAI_TIERS.has(tier) ? { service_tier: tier } : undefined,
    otherwise: 'dropped',
    reason: 'its tiers have other terms',
  },
  end_user: { as: '`user`', set: asIs('user'), otherwise: 'dropped' },
  cache_hint: { otherwise: 'dropped', reason: 'it caches by itself' },
  image_detail: { as: '`detail`', set: () => ({}), otherwise: 'dropped' },
};
const OPENAI_TIERS: ReadonlySet<unknown> = new Set(['flex', 'priority', 'scale']);

/** From gpt-5.1 on there is no `minimal`: https://developers.openai.com/api/docs/guides/reasoning */
const WITHOUT_MINIMAL = /^(?:.*\/)?gpt-(?:5\.[1-9]|[6-9]|\d\d)/;

/** OpenAI's levels end at `xhigh`, which only some models have. */
function toEffort(effort: unknown, model: string): unknown {
  if (effort === 'minimal' && WITHOUT_MINIMAL.test(model)) return 'low';
  return effort === 'max' ? 'high' : effort;
}

/**
 * The body of a chat completion for a request in another protocol. Usage is always requested.
 * @throws GatewayError `invalid_value` for what changes the result and has no equivalent in chat completions; `param` names it
 */
export function toOpenAiChat(request: ChatRequest, model: string, dialect: Dialect, translation: Translation): object {
  refuseEssential(request.others, translation);
  const { toolChoice, stop, choiceCount } = request;
  const isStrict = dialect.strictTools ?? dialect.responses;
  const tools = isStrict ? toStrictTools(request.tools ?? [], translation) : (request.tools ?? []);
  const fields = fieldsFor(request.others, CHAT_TARGET, { model, dialect }, translation);
  const place = dialect.reasoningOf?.(model);
  return {
    ...fields,
    model,
    messages: toMessages(
      request.messages,
      new ReasoningWriter(request.messages, { place, model, isOff: isThinkingOff(fields) }, translation),
      translation,
    ),
    ...(request.stream && { stream: true, ...(dialect.streamOptions && { stream_options: { include_usage: true } }) }),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...(tools.length > 0 && toolChoice !== undefined && { tool_choice: toToolChoice(toolChoice) }),
    ...(tools.length > 0 &&
      request.parallelToolCalls !== undefined && { parallel_tool_calls: request.parallelToolCalls }),
    ...(request.maxOutputTokens !== undefined && { [dialect.maxTokensField]: request.maxOutputTokens }),
    ...toSampling(request, model, dialect, translation),
    ...(stop && { stop }),
    ...(choiceCount > 1 && { n: choiceCount }),
  };
}

/** OpenAI's models that reason take only the default of both, 1. */
function toSampling(
  { temperature, topP }: ChatRequest,
  model: string,
  { responses }: Dialect,
  translation: Translation,
) {
  const isTaken = !(responses && REASONING_MODELS.test(model));
  const reason = 'this model takes only its default';
  if (!isTaken && temperature !== undefined && temperature !== 1) translation.dropped('temperature', reason);
  if (!isTaken && topP !== undefined && topP !== 1) translation.dropped('top_p', reason);
  return {
    ...(isTaken && temperature !== undefined && { temperature }),
    ...(isTaken && topP !== undefined && { top_p: topP }),
  };
}

function toTool({ cache: _, ...tool }: ToolDefinition): object {
  return { type: 'function', function: tool };
}

/** Tool messages hold only text: other parts follow them in a message of the user. */
function toMessages(messages: readonly ChatMessage[], reasoning: ReasoningWriter, translation: Translation): object[] {
  const sent: object[] = [];
  let attached: ContentPart[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool' && attached.length > 0) {
      sent.push(toMessage({ role: 'user', parts: attached }));
      attached = [];
    }
    if (message.role === 'tool') {
      const texts = message.parts.filter(({ type }) => type === 'text');
      const others = message.parts.filter(({ type }) => type !== 'text');
      attached.push(...others);
      for (const [index, { type }] of message.parts.entries())
        if (type !== 'text') translation.follows(`messages[${at}].content[${index}]`);
      const parts = texts.length === 0 && others.length > 0 ? [ATTACHED] : texts;
      sent.push(toMessage({ ...message, parts }));
    } else sent.push(toMessage(message, reasoning.write(message, at)));
  }
  if (attached.length > 0) sent.push(toMessage({ role: 'user', parts: attached }));
  return sent;
}

const NO_REASONING: SentReasoning = { members: {}, parts: [] };
const ATTACHED: ContentPart = { type: 'text', text: 'The result is attached.' };

function toMessage(
  { role, parts, name, toolCalls, toolCallId }: ChatMessage,
  { members, parts: thoughts }: SentReasoning = NO_REASONING,
): object {
  return {
    role,
    content: thoughts.length > 0 ? [...thoughts, ...parts.map(toPart)] : toContent(parts, role),
    ...members,
    ...(name !== undefined && { name }),
    ...(toolCalls && toolCalls.length > 0 && { tool_calls: toolCalls.map(toToolCall) }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  };
}

/** A single text is a string, which every server accepts; null for tool calls without text. */
function toContent(parts: readonly ContentPart[], role: string): unknown {
  if (parts.length === 0) return role === 'assistant' ? null : '';
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map(toPart);
}

function toPart(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'image':
      return { type: 'image_url', image_url: { url: part.url, ...(part.detail && { detail: part.detail }) } };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'file':
      return {
        type: 'file',
        file: {
          ...(part.fileId && { file_id: part.fileId }),
          ...(part.filename && { filename: part.filename }),
          ...(part.data && { file_data: part.data }),
        },
      };
  }
}

function toToolCall({ id, name, arguments: text }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: text } };
}

function toToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
