import { isMediaPath } from './openai-media-answer.ts';
import { isBesideResponses } from './stored-responses.ts';

/** The API in use; `responses` is OpenAI's Responses API. */
export type Provider = 'openai' | 'anthropic' | 'responses';

/** Anthropic's endpoint that only counts the tokens of a request. */
const COUNT_PATH = '/messages/count_tokens';

/** What the mock reads of a request, the same for both providers. */
export interface ProviderRequest {
  model: string;
  stream: boolean;
  /** OpenAI's `stream_options.include_usage`. */
  includeUsage: boolean;
  /** OpenAI's `stream_options.include_obfuscation`, on unless refused. */
  includeObfuscation: boolean;
  /** OpenAI's `n`, 1 to 128. */
  choices: number;
  lastUserText: string;
  /** The system prompt, from wherever the provider has it. */
  systemText: string;
  /** A rough count: a quarter of the body's length. */
  promptTokens: number;
  /** Request fields that OpenAI's Responses API returns in its response. */
  told: Readonly<Record<string, unknown>>;
}

/** The provider whose path this is, whatever comes before it (`/v1`, a deployment's path). */
export function providerOfPath(path: string): Provider | undefined {
  if (path.endsWith('/chat/completions') || isMediaPath(path)) return 'openai';
  if (path.endsWith('/responses') || isBesideResponses(path)) return 'responses';
  if (path.endsWith('/messages') || isCountPath(path)) return 'anthropic';
  return undefined;
}

export function isCountPath(path: string): boolean {
  return path.endsWith(COUNT_PATH);
}

/** Reads tolerantly: a field that is missing or of another type counts as not given. */
export function readProviderRequest(json: unknown, bodyLength: number): ProviderRequest {
  const body = asObject(json);
  const streamOptions = asObject(body.stream_options);
  return {
    model: typeof body.model === 'string' ? body.model : 'mock-echo',
    stream: body.stream === true,
    includeUsage: streamOptions.include_usage === true,
    includeObfuscation: streamOptions.include_obfuscation !== false,
    choices: typeof body.n === 'number' ? Math.min(Math.max(1, Math.floor(body.n)), 128) : 1,
    lastUserText: lastUserText(body.messages ?? itemsOf(body.input)),
    systemText: systemText(body),
    promptTokens: Math.ceil(bodyLength / 4),
    told: body,
  };
}

function itemsOf(input: unknown): unknown {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

function lastUserText(messages: unknown): string {
  const users = Array.isArray(messages) ? messages.map(asObject).filter((message) => message.role === 'user') : [];
  for (const { content } of users.reverse()) {
    const text = typeof content === 'string' ? content : Array.isArray(content) ? textOfParts(content) : '';
    if (text !== '') return text;
  }
  return 'Hello from the mock upstream.';
}

function systemText({ system, instructions, messages }: Record<string, unknown>): string {
  const said = (Array.isArray(messages) ? messages.map(asObject) : []).filter(({ role }) => role === 'system');
  return [system, instructions, ...said.map(({ content }) => content)]
    .map((text) => (Array.isArray(text) ? textOfParts(text) : typeof text === 'string' ? text : ''))
    .join('');
}

function textOfParts(parts: unknown[]): string {
  return parts
    .map((part) => asObject(part).text)
    .filter((text) => typeof text === 'string')
    .join('');
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
