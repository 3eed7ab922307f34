import type { ProviderCapabilities } from '../../../kernel/configuration/index.ts';
import { GatewayError } from '../../../kernel/errors/index.ts';
import type { HttpClient, HttpResponse } from '../../../kernel/http/index.ts';
import { CHAT_PROTOCOLS, type OperationName } from '../../protocols/protocol.ts';
import {
  type ChatCall,
  type ChatProvider,
  modelSegment,
  type ProviderResponse,
  type ReportedModel,
} from '../../routing/index.ts';
import { readProviderError } from '../error-body.ts';
import { withFittedNames } from '../fit-names.ts';
import { notConfigured, providerStatusError, readErrorBody, toProviderFailure } from '../provider-failures.ts';
import { readDeltas, readWhole } from '../provider-responses.ts';
import { readModels } from '../read-models.ts';
import { receiveResponse } from '../upstream-head.ts';
import { inOneBatch, isJsonInstead, toChatChunks, toResponseEvents } from '../whole-as-stream.ts';
import { isServed, withCapabilities } from './capabilities.ts';
import { fromOpenAiCompletion, OpenAiChunkReader } from './from-openai-chat.ts';
import { fromOpenAiResponse, OpenAiResponseReader } from './from-openai-responses.ts';
import { readMedia, wantsMedia } from './openai-media.ts';
import { readOpenAiEvents, readOpenAiStream, readResponsesStream, toLastEvent } from './openai-streams.ts';
import { type Dialect, toOpenAiBody, toOpenAiChat, toOpenAiForm } from './to-openai-request.ts';
import { encryptsReasoning, needsResponses, toOpenAiResponses } from './to-openai-responses.ts';

export interface OpenAiProviderOptions {
  readonly name: string;
  readonly http: HttpClient;
  readonly dialect: Dialect;
  /** Calls are made without a key too. */
  readonly keyless?: boolean;
  /** undefined if no key is configured. Read at every call, so that a rotated key takes effect immediately. */
  readonly apiKey: (call?: Pick<ChatCall, 'apiKey'>) => Promise<string | undefined>;
  /** Where an operator sets the key, for errors. */
  readonly keyVariable: string;
  /** The address before paths such as `/chat/completions`; for Azure, the resource's address. */
  readonly baseUrl: string;
  /** What an administrator has set about the server. */
  readonly capabilities?: ProviderCapabilities | undefined;
  /** Set for Azure, which has other addresses and another key header. */
  readonly azure?: AzureApi;
  /** The paths of a provider's API outside that of OpenAI's protocol, below its address without `/compatibility/v1`. */
  readonly ownApi?: OwnApi | undefined;
  /** The organizations and projects that callers may choose; absent for servers without them. */
  readonly allowsAccount?: (id: string) => boolean;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** Paths of an API that replace those of OpenAI's protocol. */
export interface OwnApi {
  readonly models: string;
  readonly rerank: string;
}

/** The end of a base URL that only serves OpenAI's protocol. */
const COMPATIBILITY = /\/compatibility\/v1$/;
const CHAT_PATH = '/chat/completions';
type Paths = Readonly<Partial<Record<OperationName, string>>>;
/** Protocols whose bodies pass unchanged; others are translated to chat completions, or to the Responses API for tools that they refuse. */
const PATHS: Paths = {
  'openai-chat': CHAT_PATH,
  'openai-completions': '/completions',
  'openai-embeddings': '/embeddings',
  'openai-images': '/images/generations',
  'openai-image-edits': '/images/edits',
  'openai-transcriptions': '/audio/transcriptions',
  'openai-translations': '/audio/translations',
  'openai-speech': '/audio/speech',
};
const PATHS_WITH_RESPONSES: Paths = {
  ...PATHS,
  'openai-responses': '/responses',
  'openai-compaction': '/responses/compact',
  'openai-input-tokens': '/responses/input_tokens',
};
/** Calls about a stored response, below its path. */
const STORED: Readonly<
  Partial<Record<OperationName, { readonly method: 'GET' | 'POST' | 'DELETE'; readonly under: string }>>
> = {
  'openai-response': { method: 'GET', under: '' },
  'openai-response-deletion': { method: 'DELETE', under: '' },
  'openai-response-cancellation': { method: 'POST', under: '/cancel' },
  'openai-response-input': { method: 'GET', under: '/input_items' },
};
/** Parsers of streams that end with a final event instead of `[DONE]`. */
const STREAMS: Readonly<Partial<Record<OperationName, typeof readOpenAiStream>>> = {
  'openai-images': readOpenAiEvents,
  'openai-image-edits': readOpenAiEvents,
  'openai-speech': readOpenAiEvents,
  'openai-transcriptions': readOpenAiEvents,
  'openai-responses': readResponsesStream,
  'openai-response': readResponsesStream,
};
/** The events for a whole response to a request for a stream: most Whisper servers, and some others, ignore `stream`. */
const WHOLE_AS_EVENTS: Readonly<Partial<Record<OperationName, (json: string, provider: string) => string[]>>> = {
  'openai-chat': toChatChunks,
  'openai-completions': (json) => [json],
  'openai-responses': toResponseEvents,
  'openai-transcriptions': (json, provider) => [toLastEvent(json, provider)],
};
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** OpenAI and servers of its protocol. Bodies of this protocol pass unchanged, others are translated. */
export class OpenAiProvider implements ChatProvider {
  readonly name: string;
  readonly protocol: 'openai' | 'azure';
  readonly keyless: boolean;
  readonly serves: ReadonlySet<OperationName>;
  readonly labels: readonly string[];
  readonly listModels?: () => Promise<readonly ReportedModel[]>;
  private readonly native: ReadonlySet<OperationName>;
  private readonly paths: Paths;
  private readonly options: OpenAiProviderOptions;
  /** Models that have refused tools in chat completions; Azure's deployments have any names. */
  private readonly withoutChatTools = new Set<string>();

  constructor(options: OpenAiProviderOptions) {
    this.name = options.name;
    this.keyless = options.keyless ?? false;
    const { azure, capabilities } = options;
    this.protocol = azure === undefined ? 'openai' : 'azure';
    const dialect = withCapabilities(options.dialect, capabilities);
    this.options = { ...options, dialect };
    this.labels = dialect.labels ?? [];
    const speaksResponses = dialect.responses && (azure === undefined || hasResponses(azure));
    const paths = {
      ...(speaksResponses ? PATHS_WITH_RESPONSES : PATHS),
      ...(dialect.rerank && { rerank: '/rerank' }),
    };
    const isHere = ([operation]: [string, string]) => isServed(operation as OperationName, capabilities);
    this.paths = Object.fromEntries(Object.entries(paths).filter(isHere));
    const native = [...Object.keys(this.paths), ...(speaksResponses ? Object.keys(STORED) : [])];
    this.native = new Set(native as OperationName[]);
    this.serves = new Set([...(isServed('openai-chat', capabilities) ? CHAT_PROTOCOLS : []), ...this.native]);
    // Azure's key cannot list deployments, only the models that a deployment could have.
    if (azure === undefined) this.listModels = () => this.readModels();
  }

  isNative(operation: OperationName): boolean {
    return this.native.has(operation);
  }

  complete(call: ChatCall): Promise<ProviderResponse> {
    if (this.isNative(call.operation)) return this.ask(call);
    return withFittedNames(call, this.options.dialect.names, (fitted) => this.ask(fitted));
  }

  private async ask(call: ChatCall): Promise<ProviderResponse> {
    try {
      const response = await this.send(call);
      if (response.status < 200 || response.status > 299) {
        const error = await this.toError(response, call);
        if (this.needsOtherApi(call, error)) return await this.ask(call);
        throw error;
      }
      if (wantsMedia(call)) return await readMedia(this.name, response, MAX_ANSWER_BYTES);
      const isNative = this.isNative(call.operation);
      if (call.request.stream) return await this.streamOf(call, response, isNative);
      const body = await this.read(response.body);
      if (isNative) return { kind: 'native', body };
      const read = this.upstreamOf(call) === 'openai-responses' ? fromOpenAiResponse : fromOpenAiCompletion;
      return { kind: 'translated', completion: read(body, this.name, call.translation) };
    } catch (error) {
      throw toProviderFailure(this.name, error);
    }
  }

  /** Whether a translated request is refused in chat completions alone, so that the call is repeated in the Responses API. */
  private needsOtherApi(call: ChatCall, { passedOn, message }: GatewayError): boolean {
    const isOther = this.upstreamOf(call) !== 'openai-responses' && this.paths['openai-responses'] !== undefined;
    const isRefused = passedOn?.status === 400 && message.includes('/v1/responses');
    if (!isOther || !isRefused || this.isNative(call.operation) || !call.request.tools?.length) return false;
    this.withoutChatTools.add(call.model);
    return true;
  }

  /** https://platform.openai.com/docs/api-reference/models/list */
  private async readModels(): Promise<readonly ReportedModel[]> {
    const { http, baseUrl, ownApi } = this.options;
    const key = await this.key();
    const headers = key ? this.authorization(key) : {};
    const url = ownApi === undefined ? `${baseUrl}/models` : ownUrl(ownApi.models, baseUrl);
    return readModels(this.name, { http, url, key, headers });
  }

  private async key(call?: ChatCall): Promise<string | undefined> {
    const { apiKey, keyless, keyVariable } = this.options;
    const key = await apiKey(call);
    if (!key && !keyless) throw notConfigured(this.name, keyVariable);
    return key;
  }

  private async streamOf(call: ChatCall, received: HttpResponse, isNative: boolean): Promise<ProviderResponse> {
    const { isJson, response } = await isJsonInstead(this.name, received);
    const upstream = this.upstreamOf(call);
    const toEvents = WHOLE_AS_EVENTS[upstream];
    const read = STREAMS[upstream] ?? readOpenAiStream;
    const chunks =
      isJson && toEvents !== undefined
        ? inOneBatch(...toEvents(await this.read(response.body), this.name))
        : read(this.name, response.body);
    if (isNative) return { kind: 'native-stream', chunks };
    const Reader = upstream === 'openai-responses' ? OpenAiResponseReader : OpenAiChunkReader;
    return { kind: 'translated-stream', deltas: readDeltas(new Reader(this.name, call.translation), chunks) };
  }

  signs(model: string): boolean {
    return this.paths['openai-responses'] !== undefined && encryptsReasoning(model, this.withoutChatTools.has(model));
  }

  /** The protocol of the call to the provider: the caller's if it has that, or the one that the request is translated to. */
  private upstreamOf({ operation, request, model }: ChatCall): OperationName {
    if (this.isNative(operation)) return operation;
    const isKnown = this.withoutChatTools.has(model);
    const isWithoutChat = this.paths['openai-responses'] !== undefined && needsResponses(request, model, isKnown);
    return isWithoutChat ? 'openai-responses' : 'openai-chat';
  }

  private read(body: AsyncIterable<Uint8Array>): Promise<string> {
    return readWhole(this.name, body, MAX_ANSWER_BYTES);
  }

  private bodyOf(call: ChatCall): { readonly body: string | Uint8Array; readonly type: string } {
    const { dialect } = this.options;
    const type = 'application/json';
    if (call.source.form !== undefined) return toOpenAiForm(call.source.form, call);
    if (this.isNative(call.operation)) return { body: toOpenAiBody(call, dialect), type };
    const { request, model, translation } = call;
    const isResponse = this.upstreamOf(call) === 'openai-responses';
    const body = isResponse
      ? toOpenAiResponses(request, { model, dialect }, translation)
      : toOpenAiChat(request, model, dialect, translation);
    return { body: JSON.stringify(body), type };
  }

  private async send(call: ChatCall) {
    const stored = STORED[call.operation];
    const { body, type } = stored === undefined ? this.bodyOf(call) : {};
    const { http, headTimeoutMs, idleTimeoutMs } = this.options;
    const key = await this.key(call);
    const response = await http.send({
      method: stored?.method ?? 'POST',
      url: this.urlOf(call),
      headers: {
        ...call.trace,
        ...this.headersOf(call),
        ...(key && this.authorization(key)),
        ...(type !== undefined && { 'content-type': type }),
        accept: acceptOf(call),
      },
      ...(body !== undefined && { body }),
      headTimeoutMs,
      idleTimeoutMs,
      signal: call.signal,
    });
    return receiveResponse(response, call, key);
  }

  /** The caller's headers of OpenAI's API. Only OpenAI itself has organizations and projects. */
  private headersOf({ operation, headers = {} }: ChatCall): Readonly<Record<string, string>> {
    if (!this.isNative(operation)) return {};
    const { allowsAccount } = this.options;
    const { [ORGANIZATION]: organization, [PROJECT]: project, ...others } = headers;
    if (allowsAccount === undefined) return others;
    for (const [name, id] of [
      [ORGANIZATION, organization],
      [PROJECT, project],
    ] as const) {
      if (id !== undefined && !allowsAccount(id)) throw accountNotAllowed(name);
    }
    return headers;
  }

  private urlOf(call: ChatCall): string {
    const { operation, model } = call;
    const { baseUrl, azure, ownApi } = this.options;
    if (operation === 'rerank' && ownApi !== undefined) return ownUrl(ownApi.rerank, baseUrl);
    const stored = STORED[operation];
    const path =
      stored === undefined ? (this.paths[this.upstreamOf(call)] ?? CHAT_PATH) : storedPath(call, stored.under);
    return azure === undefined ? `${baseUrl}${path}` : azureUrl(azure, baseUrl, path, model);
  }

  private authorization(key: string): Readonly<Record<string, string>> {
    return this.options.azure === undefined ? { authorization: `Bearer ${key}` } : { 'api-key': key };
  }

  private async toError(response: HttpResponse, call: ChatCall): Promise<GatewayError> {
    const error = readProviderError(await readErrorBody(response.body), response.status);
    const isRefused = response.status === 401 || response.status === 403;
    const [account] = [ORGANIZATION, PROJECT].filter((name) => this.headersOf(call)[name] !== undefined);
    if (isRefused && account !== undefined) return accountRefused(this.name, response.status, account);
    if (error?.code === UNKNOWN_DEPLOYMENT) {
      return new GatewayError('model_not_found', `The provider ${this.name} has no deployment \`${call.model}\`.`, {
        param: 'model',
        internal: `${this.name} returned status ${response.status}, ${UNKNOWN_DEPLOYMENT}`,
      });
    }
    return providerStatusError(this.name, response.status, response.headers, error);
  }
}

/** The path and query of a call about a stored response. */
function storedPath({ source }: ChatCall, under: string): string {
  const { id, query } = source.value as { id: string; query: [string, string][] };
  const search = new URLSearchParams(query).toString();
  return `/responses/${modelSegment(id)}${under}${search === '' ? '' : `?${search}`}`;
}

function ownUrl(path: string, baseUrl: string): string {
  return `${baseUrl.replace(COMPATIBILITY, '')}${path}`;
}

function acceptOf({ request, operation }: ChatCall): string {
  if (request.stream) return 'text/event-stream';
  // A transcript may be text, and speech is audio.
  return operation.startsWith('openai-trans') || operation === 'openai-speech' ? '*/*' : 'application/json';
}

const ORGANIZATION = 'openai-organization';
const PROJECT = 'openai-project';

/**
 * @param listed ids separated by commas; undefined: all organizations and projects that the gateway's key can use
 * @throws Error for anything else, naming the variable `name`
 */
export function readAccounts(listed: string | undefined, name: string): (id: string) => boolean {
  if (!listed) return () => true;
  const ids = listed.split(',').map((id) => id.trim());
  if (!ids.every((id) => /^[\w-]{1,64}$/.test(id))) throw new Error(`${name}: ids such as org-a, separated by commas`);
  return (id) => ids.includes(id);
}

function accountNotAllowed(header: string): GatewayError {
  const message = `The gateway does not allow the value of the header ${header}.`;
  return new GatewayError('insufficient_permissions', message, { param: header });
}

/** The caller's choice is at fault, or the gateway's key has changed: the status is the same. */
function accountRefused(provider: string, status: number, header: string): GatewayError {
  const message = `The provider ${provider} refused the organization or project in the header ${header}.`;
  return new GatewayError('insufficient_permissions', message, {
    param: header,
    internal: `${provider} refused our credentials with the caller's ${header}: status ${status}`,
    fallback: 'after_new_credentials',
  });
}

/** Azure OpenAI: a resource has deployments instead of models. */
export interface AzureApi {
  /** undefined: the v1 API. `preview`, `latest` and `v1` are versions of it; dates select the older API. */
  readonly version: string | undefined;
}

const DATED = /^\d{4}-\d{2}-\d{2}(?:-preview)?$/;
const OF_V1 = /^(?:v1|latest|preview)$/;

/** @throws Error for any other version, naming the variable `name` */
export function readAzureApi(version: string | undefined, name: string): AzureApi {
  if (version && !DATED.test(version) && !OF_V1.test(version)) {
    throw new Error(`${name}: a version is a date such as 2024-10-21, with -preview or without, or preview`);
  }
  return { version: version || undefined };
}

/**
 * The URL of a deployment's path, such as `/chat/completions`.
 * Sources: https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle and, for dated versions,
 * https://learn.microsoft.com/azure/ai-foundry/openai/reference
 * @param resource its address, with or without `/openai/v1` at its end
 * @throws GatewayError `invalid_value` for a deployment whose name could lead to another path
 */
export function azureUrl({ version }: AzureApi, resource: string, path: string, deployment: string): string {
  const origin = resource.replace(/\/openai(?:\/v1)?$/, '');
  const query = version === undefined ? '' : `${path.includes('?') ? '&' : '?'}api-version=${version}`;
  const isDated = version !== undefined && DATED.test(version);
  const name = modelSegment(deployment);
  return `${origin}/openai/${isDated ? `deployments/${name}` : 'v1'}${path}${query}`;
}

/** Whether the Responses API is available: a dated version has none. */
export function hasResponses({ version }: AzureApi): boolean {
  return version === undefined || !DATED.test(version);
}

/** Azure's code for an unknown deployment. */
export const UNKNOWN_DEPLOYMENT = 'DeploymentNotFound';
