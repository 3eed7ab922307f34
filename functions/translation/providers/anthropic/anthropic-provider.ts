import { GatewayError } from '../../../kernel/errors/index.ts';
import {
  type HttpClient,
  type HttpResponse,
  readServerSentEvents,
  type ServerSentEvent,
} from '../../../kernel/http/index.ts';
import { type JsonEdit, readObject, spliceJson } from '../../../kernel/json/index.ts';
import type { MessagesRequest } from '../../protocols/anthropic-messages/messages-schema.ts';
import { isUnsigned } from '../../protocols/anthropic-messages/unsigned-thinking.ts';
import { CHAT_PROTOCOLS, type OperationName } from '../../protocols/protocol.ts';
import type {
  ChatCall,
  ChatProvider,
  ProviderBatches,
  ProviderResponse,
  ReportedModel,
  Translation,
} from '../../routing/index.ts';
import { ANTHROPIC_NAMES, withFittedNames } from '../fit-names.ts';
import { notConfigured, toProviderFailure, wronglyConfigured } from '../provider-failures.ts';
import { readWhole, untilError } from '../provider-responses.ts';
import { readModels } from '../read-models.ts';
import { receiveResponse } from '../upstream-head.ts';
import { inOneBatch, isJsonInstead, toDeltas, toMessageEvents } from '../whole-as-stream.ts';
import { AnthropicBatches, type SendToBatches } from './anthropic-batches.ts';
import { fromAnthropicMessage, readAnthropicStream, toAnthropicError } from './from-anthropic.ts';
import { DEFAULT_MAX_TOKENS, toAnthropicRequest } from './to-anthropic-request.ts';

/** The version of the request and response types here; the API requires the header. */
const ANTHROPIC_VERSION = '2023-06-01';
/** https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai */
const VERTEX_VERSION = 'vertex-2023-10-16';
/** Such as `wrkspc_01AbCdEf23GhIj`. */
const WORKSPACE = /^[\w-]{1,128}$/;
const BETAS = 'anthropic-beta';
const MESSAGES_PATH = '/v1/messages';
/** Protocols whose bodies pass unchanged; others are translated to messages. */
const PATHS: Readonly<Partial<Record<OperationName, string>>> = {
  'anthropic-messages': MESSAGES_PATH,
  'anthropic-count-tokens': '/v1/messages/count_tokens',
};
const NATIVE: ReadonlySet<OperationName> = new Set(Object.keys(PATHS) as OperationName[]);
const SERVED: ReadonlySet<OperationName> = new Set([...CHAT_PROTOCOLS, ...NATIVE]);
/** Far above any model's longest output; a body cut here is reported as unreadable. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface AnthropicProviderOptions {
  readonly name: string;
  readonly http: HttpClient;
  /** Read at every call, so that a rotated key takes effect immediately. */
  readonly apiKey: (call?: Pick<ChatCall, 'apiKey'>) => Promise<string | undefined>;
  /** Calls are made without a key too. */
  readonly keyless?: boolean;
  /** Where an operator sets the key, for errors. */
  readonly keyVariable: string;
  /** Without `/v1`. */
  readonly baseUrl: string;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Of Claude Platform on AWS, which takes its key as a bearer token. */
  readonly workspaceId?: string | undefined;
  /** Of Vertex AI: the address of a call. The body names the version of the API there, and the address the model. */
  readonly vertexUrl?: (call: ChatCall) => string;
  /** `max_tokens` if the client sets none; 4,096 by default. */
  readonly defaultMaxTokens?: number;
}

/** Anthropic's Messages API. Bodies of this protocol pass unchanged, others are translated. */
export class AnthropicProvider implements ChatProvider {
  readonly name: string;
  readonly protocol = 'anthropic';
  readonly keyless: boolean;
  readonly serves = SERVED;
  readonly longestOutput: number;
  /** None at Vertex AI, which has another API for batches. */
  readonly batches?: ProviderBatches;
  private readonly options: AnthropicProviderOptions;

  constructor(options: AnthropicProviderOptions) {
    this.options = options;
    this.name = options.name;
    this.keyless = options.keyless ?? false;
    this.longestOutput = options.defaultMaxTokens ?? DEFAULT_MAX_TOKENS;
    if (options.vertexUrl === undefined) {
      this.batches = new AnthropicBatches(this.name, (request, call) => this.sendToBatches(request, call));
    }
  }

  isNative(operation: OperationName): boolean {
    return NATIVE.has(operation);
  }

  signs(): boolean {
    return true;
  }

  complete(call: ChatCall): Promise<ProviderResponse> {
    if (this.isNative(call.operation)) return this.ask(call);
    return withFittedNames(call, ANTHROPIC_NAMES, (fitted) => this.ask(fitted));
  }

  batchBody(call: ChatCall): string | undefined {
    const isLine = call.operation === 'anthropic-messages' && this.batches !== undefined;
    return isLine ? this.nativeBodyOf(call) : undefined;
  }

  private async ask(call: ChatCall): Promise<ProviderResponse> {
    const isNative = this.isNative(call.operation);
    const body = isNative ? this.nativeBodyOf(call) : JSON.stringify(this.translatedBodyOf(call));
    try {
      const response = await this.send(body, call);
      if (response.status < 200 || response.status > 299) {
        const error = await toAnthropicError(response, call.model, this.name, this.options.vertexUrl !== undefined);
        if (this.needsNoBetas(call, error)) return await this.ask(withoutBetas(call));
        throw error;
      }
      if (call.request.stream) return await this.streamOf(response, isNative, call);
      const answer = await this.read(response.body);
      if (isNative) return { kind: 'native', body: answer };
      return { kind: 'translated', completion: fromAnthropicMessage(answer, this.name, call.translation) };
    } catch (error) {
      throw toProviderFailure(this.name, error);
    }
  }

  /** Whether Vertex AI refuses a beta version that the client names: it knows fewer, and the request is repeated without them. */
  private needsNoBetas({ headers }: ChatCall, { passedOn, message }: GatewayError): boolean {
    const isNamed = this.options.vertexUrl !== undefined && headers?.[BETAS] !== undefined;
    return isNamed && passedOn?.status === 400 && message.includes(BETAS);
  }

  private nativeBodyOf(call: ChatCall): string {
    return nativeBody(call, this.options.vertexUrl && vertexEdits(call));
  }

  private translatedBodyOf({ request, model, translation }: ChatCall): object {
    const { defaultMaxTokens, vertexUrl } = this.options;
    const body = toAnthropicRequest(request, model, translation, defaultMaxTokens);
    if (vertexUrl === undefined) return body;
    const { model: _, ...others } = body;
    return { anthropic_version: VERTEX_VERSION, ...others };
  }

  /** https://platform.claude.com/docs/en/api/models/list */
  async listModels(): Promise<readonly ReportedModel[]> {
    const { http, baseUrl } = this.options;
    const key = await this.apiKey();
    const headers = { ...this.headersFor(key), 'anthropic-version': ANTHROPIC_VERSION };
    return readModels(this.name, { http, url: `${baseUrl}/v1/models?limit=1000`, key, headers });
  }

  private async streamOf(
    received: HttpResponse,
    isNative: boolean,
    { translation }: ChatCall,
  ): Promise<ProviderResponse> {
    const { isJson, response } = await isJsonInstead(this.name, received);
    const whole = isJson ? await this.read(response.body) : undefined;
    if (isNative) {
      const chunks =
        whole === undefined ? nativeEvents(this.name, response.body) : inOneBatch(...toMessageEvents(whole, this.name));
      return { kind: 'native-stream', chunks };
    }
    const deltas =
      whole === undefined
        ? readAnthropicStream(this.name, response.body, translation)
        : inOneBatch(...toDeltas(fromAnthropicMessage(whole, this.name, translation)));
    return { kind: 'translated-stream', deltas };
  }

  private read(body: AsyncIterable<Uint8Array>): Promise<string> {
    return readWhole(this.name, body, MAX_ANSWER_BYTES);
  }

  private async send(body: string, call: ChatCall): Promise<HttpResponse> {
    const { http, baseUrl, headTimeoutMs, idleTimeoutMs } = this.options;
    const key = await this.apiKey(call);
    const path = PATHS[call.operation];
    const query = path === undefined || call.query === undefined ? '' : `?${call.query}`;
    const response = await http.send({
      method: 'POST',
      url: this.options.vertexUrl?.(call) ?? `${baseUrl}${path ?? MESSAGES_PATH}${query}`,
      headers: {
        ...call.trace,
        ...this.headersFor(key),
        'anthropic-version': ANTHROPIC_VERSION,
        ...(path !== undefined && call.headers),
        'content-type': 'application/json',
        accept: call.request.stream ? 'text/event-stream' : 'application/json',
      },
      body,
      headTimeoutMs,
      idleTimeoutMs,
      signal: call.signal,
    });
    return receiveResponse(response, call, key);
  }

  private async sendToBatches(...[request, call]: Parameters<SendToBatches>): Promise<HttpResponse> {
    const { http, baseUrl, headTimeoutMs, idleTimeoutMs } = this.options;
    const { path, ...others } = request;
    const key = await this.apiKey(call);
    const response = await http.send({
      ...others,
      url: `${baseUrl}${path}`,
      headers: {
        ...this.headersFor(key),
        'anthropic-version': ANTHROPIC_VERSION,
        ...call.headers,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      headTimeoutMs,
      idleTimeoutMs,
      signal: call.signal,
    });
    return receiveResponse(response, call, key);
  }

  private async apiKey(call?: Pick<ChatCall, 'apiKey'>): Promise<string | undefined> {
    const key = await this.options.apiKey(call);
    if (!key && !this.keyless) throw notConfigured(this.name, this.options.keyVariable);
    return key;
  }

  /** https://docs.aws.amazon.com/claude-platform/latest/userguide/authentication.html */
  private headersFor(key: string | undefined): Readonly<Record<string, string>> {
    const { workspaceId, vertexUrl } = this.options;
    if (workspaceId === undefined) return key ? { [vertexUrl ? 'x-goog-api-key' : 'x-api-key']: key } : {};
    if (!WORKSPACE.test(workspaceId)) throw wronglyConfigured(this.name, 'it needs the id of a workspace');
    return { 'anthropic-workspace-id': workspaceId, ...(key && { authorization: `Bearer ${key}` }) };
  }
}

function withoutBetas(call: ChatCall): ChatCall {
  call.translation.dropped(BETAS, 'it refuses unknown versions');
  const { [BETAS]: _, ...headers } = call.headers ?? {};
  return { ...call, headers };
}

/** The gateway's own fields, which no provider gets. */
const OWN_FIELDS = ['moderation', 'svc'];

/**
 * The body of a request in Anthropic's protocol: unchanged except for the model's name, the gateway's fields and, for Claude, reasoning
 * that the gateway returned of another provider's model.
 */
export function nativeBody(call: ChatCall, ofModel = modelEdits(call)): string {
  const { source, model, translation } = call;
  const body = source.value as MessagesRequest;
  const edits = [...ofModel];
  for (const field of OWN_FIELDS) if (Object.hasOwn(body, field)) edits.push({ kind: 'remove', path: [field] });
  if (/claude/i.test(model)) edits.push(...unsignedEdits(body, translation));
  return edits.length === 0 ? source.text : spliceJson(source.text, edits);
}

function modelEdits({ request, model }: ChatCall): JsonEdit[] {
  return model === request.model ? [] : [{ kind: 'replace', path: ['model'], json: JSON.stringify(model) }];
}

/** What Vertex AI takes otherwise: the version is in the body, and the model only where tokens are counted. */
function vertexEdits(call: ChatCall): JsonEdit[] {
  const isCount = call.operation === 'anthropic-count-tokens';
  const edits: JsonEdit[] = isCount ? modelEdits(call) : [{ kind: 'remove', path: ['model'] }];
  if (Object.hasOwn(call.source.value as object, 'anthropic_version')) return edits;
  return [...edits, { kind: 'insert', path: [], key: 'anthropic_version', json: JSON.stringify(VERTEX_VERSION) }];
}

/** Removes unsigned thinking blocks, which Claude refuses, and messages that have nothing else. */
function unsignedEdits({ messages }: MessagesRequest, translation: Translation): JsonEdit[] {
  return messages.flatMap(({ role, content }, at): JsonEdit[] => {
    if (role !== 'assistant' || typeof content === 'string') return [];
    const unsigned = content.flatMap((block, index) => (isUnsigned(block) ? [index] : []));
    if (unsigned.length === 0) return [];
    translation.dropped(`messages[${at}].content[${unsigned[0]}]`, 'it takes no unsigned reasoning');
    if (unsigned.length === content.length) return [{ kind: 'remove', path: ['messages', at] }];
    return unsigned.map((index) => ({ kind: 'remove', path: ['messages', at, 'content', index] }));
  });
}

/**
 * The unchanged JSON of each event of a streamed message.
 * @throws GatewayError for a stream that ends without `message_stop`, since it was cut
 */
export async function* nativeEvents(provider: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  try {
    for await (const events of readServerSentEvents(body)) {
      const end = events.findIndex(isEnd);
      const texts = (end < 0 ? events : events.slice(0, end + 1)).map(({ data }) => data);
      const { before, failure } = untilError(provider, texts);
      if (before.length > 0) yield before;
      if (failure !== undefined) throw failure;
      if (end >= 0) return;
    }
  } catch (error) {
    throw toProviderFailure(provider, error);
  }
  throw new GatewayError('provider_error', `The provider ${provider} ended its response early.`, {
    internal: `${provider}: stream ended without message_stop`,
  });
}

/** The text `message_stop` may also occur inside an event: only the event's own name or type counts. */
function isEnd({ event, data }: ServerSentEvent): boolean {
  if (event !== 'message') return event === 'message_stop';
  return data.includes('message_stop') && readObject(data)?.type === 'message_stop';
}
