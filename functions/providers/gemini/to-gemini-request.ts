import { GatewayError } from '../../core/base/errors.ts';
import { readObject } from '../../core/base/json.ts';
import type { ChatMessage, ChatRequest, ContentPart } from '../../core/model/chat.ts';

/** Bookkeeping at other providers, or read by the gateway: these do not change a response. */
const DROPPED = new Set([
  'store',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'safety_identifier',
  'stream_options',
  'moderation',
  'svc',
]);
/** https://ai.google.dev/gemini-api/docs/openai#thinking */
const BUDGETS: Readonly<Record<string, number>> = { none: 0, minimal: 1_024, low: 1_024, medium: 8_192, high: 24_576 };

/** Other APIs' fields as settings of generateContent; undefined for a value without an equivalent. */
const SETTINGS: Readonly<Record<string, (value: unknown) => object | undefined>> = {
  seed: (seed) => (Number.isSafeInteger(seed) ? { seed } : undefined),
  top_k: (topK) => (Number.isSafeInteger(topK) ? { topK } : undefined),
  presence_penalty: (presencePenalty) => (typeof presencePenalty === 'number' ? { presencePenalty } : undefined),
  frequency_penalty: (frequencyPenalty) => (typeof frequencyPenalty === 'number' ? { frequencyPenalty } : undefined),
  reasoning_effort: (effort) => {
    const thinkingBudget = BUDGETS[String(effort)];
    return thinkingBudget === undefined ? undefined : { thinkingConfig: { thinkingBudget } };
  },
  response_format: toResponseFormat,
  logprobs: (value) => (value === false ? {} : undefined),
  service_tier: (value) => (value === 'auto' || value === 'default' ? {} : undefined),
  modalities: (value) => (Array.isArray(value) && value.every((one) => one === 'text') ? {} : undefined),
};

/**
 * The body of generateContent for a request in another protocol.
 * @throws GatewayError `invalid_value` for what it does not support; `param` names the client's field
 */
export function toGeminiRequest(request: ChatRequest): object {
  const settings = {
    ...fromExtra(request.extra),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { topP: request.topP }),
    ...(request.stop && { stopSequences: request.stop }),
    ...(request.choiceCount > 1 && { candidateCount: request.choiceCount }),
  };
  const system = request.messages.flatMap(({ role, parts }, at) =>
    role === 'system' || role === 'developer'
      ? parts.map((part, index) => toPart(part, `messages[${at}].content[${index}]`))
      : [],
  );
  const { tools } = request;
  // `true` is the API's only behaviour.
  if (request.parallelToolCalls === false)
    throw unsupported('parallel_tool_calls', 'calls cannot be limited to one at a time');
  const mode = toMode(request);
  return {
    contents: toContents(request.messages),
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    ...(tools && tools.length > 0 && { tools: [{ functionDeclarations: tools.map(toDeclaration) }] }),
    ...(mode !== undefined && { toolConfig: { functionCallingConfig: mode } }),
    ...(Object.keys(settings).length > 0 && { generationConfig: settings }),
  };
}

function fromExtra(extra: ChatRequest['extra']): object {
  const settings: object[] = [];
  for (const [field, value] of Object.entries(extra)) {
    if (value == null || DROPPED.has(field)) continue;
    const setting = Object.hasOwn(SETTINGS, field) ? SETTINGS[field]?.(value) : undefined;
    if (setting === undefined) throw unsupported(field, 'generateContent has no equivalent');
    settings.push(setting);
  }
  return Object.assign({}, ...settings);
}

function toResponseFormat(value: unknown): object | undefined {
  const format = value as { type?: unknown; json_schema?: { schema?: object; description?: unknown } };
  if (format.type === 'text') return {};
  if (format.type === 'json_object') return { responseMimeType: 'application/json' };
  if (format.type !== 'json_schema') return undefined;
  const { schema, description } = format.json_schema ?? {};
  const responseJsonSchema = typeof description === 'string' ? { description, ...schema } : schema;
  return { responseMimeType: 'application/json', responseJsonSchema };
}

/** Consecutive messages of one role become one content: the API needs results of parallel calls together. */
function toContents(messages: readonly ChatMessage[]): object[] {
  const names = new Map(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name] as const)));
  const contents: { role: string; parts: object[] }[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'system' || message.role === 'developer') continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = message.role === 'tool' ? [toResult(message, names, at)] : toSaid(message, at);
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  return contents;
}

function toSaid({ parts, toolCalls = [] }: ChatMessage, at: number): object[] {
  const calls = toolCalls.map(({ id, name, arguments: text }, index) => ({
    functionCall: { id, name, args: toArgs(text, `messages[${at}].tool_calls[${index}].function.arguments`) },
  }));
  const said = parts.filter((part) => part.type !== 'text' || part.text !== '');
  return [...said.map((part, index) => toPart(part, `messages[${at}].content[${index}]`)), ...calls];
}

function toResult({ parts, toolCallId = '' }: ChatMessage, names: ReadonlyMap<string, string>, at: number): object {
  const name = names.get(toolCallId);
  if (name === undefined) throw unsupported(`messages[${at}].tool_call_id`, 'no earlier call has this id');
  const texts = parts.map((part) => {
    if (part.type !== 'text') throw unsupported(`messages[${at}].content`, 'tool results must be text');
    return part.text;
  });
  const text = texts.join('');
  // A result must be an object: other text is put under `result` unchanged.
  return { functionResponse: { id: toolCallId, name, response: readObject(text) ?? { result: text } } };
}

function toArgs(text: string, param: string): object {
  const value = readObject(text);
  if (value !== undefined) return value;
  throw unsupported(param, 'the arguments must be a JSON object');
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,;]*)*;base64,/;

function toPart(part: ContentPart, param: string): object {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { text: part.text };
    case 'image':
      return toInlineData(part.url, param);
    case 'audio':
      return { inlineData: { mimeType: `audio/${part.format}`, data: part.data } };
    case 'file':
      return toInlineData(part.data ?? '', param);
  }
}

function toInlineData(url: string, param: string): object {
  const mimeType = DATA_URL.exec(url)?.[1];
  if (mimeType === undefined) throw unsupported(param, 'send media as a base64 data URL');
  return { inlineData: { mimeType, data: url.slice(url.indexOf(',') + 1) } };
}

function toDeclaration({ name, description, parameters }: NonNullable<ChatRequest['tools']>[number]): object {
  return { name, ...(description && { description }), ...(parameters && { parametersJsonSchema: parameters }) };
}

/** A forced call always matches its schema. With `auto` it does if a tool is `strict`. */
function toMode({ toolChoice, tools = [] }: ChatRequest): object | undefined {
  if (typeof toolChoice === 'object') return { mode: 'ANY', allowedFunctionNames: [toolChoice.name] };
  if (toolChoice === 'required') return { mode: 'ANY' };
  if (toolChoice === 'none') return { mode: 'NONE' };
  if (tools.some(({ strict }) => strict)) return { mode: 'VALIDATED' };
  return toolChoice === undefined ? undefined : { mode: 'AUTO' };
}

/** `reason` is the gateway's text, never the client's. */
function unsupported(field: string, reason: string): GatewayError {
  const message = `The provider gemini does not support this value of \`${field}\`: ${reason}.`;
  return new GatewayError('invalid_value', message, { param: field });
}
