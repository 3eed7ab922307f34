import { GatewayError } from '../../../kernel/errors/index.ts';
import { type HttpClient, type HttpResponse, readServerSentEvents } from '../../../kernel/http/index.ts';
import { type JsonEdit, setNumber, spliceJson } from '../../../kernel/json/index.ts';
import { modelEdits } from '../../protocols/gemini/gemini-calls.ts';
import { CHAT_PROTOCOLS, type OperationName } from '../../protocols/protocol.ts';
import {
  type ChatCall,
  type ChatProvider,
  modelSegment,
  type ProviderResponse,
  type ReportedModel,
} from '../../routing/index.ts';
import { type ProviderErrorBody, readProviderError } from '../error-body.ts';
import { GEMINI_NAMES, withFittedNames } from '../fit-names.ts';
import {
  notConfigured,
  providerStatusError,
  readErrorBody,
  toProviderFailure,
  unreadableResponse,
} from '../provider-failures.ts';
import { readDeltas, readWhole, untilError } from '../provider-responses.ts';
import { readModels } from '../read-models.ts';
import { receiveResponse } from '../upstream-head.ts';
import { inOneBatch, isJsonInstead, toGeminiChunks } from '../whole-as-stream.ts';
import { fromGemini, GeminiChunkReader } from './from-gemini.ts';
import { toGeminiRequest } from './to-gemini-request.ts';

export interface GeminiProviderOptions {
  readonly name: string;
  readonly http: HttpClient;
  /** Read at every call, so that a rotated key takes effect immediately. */
  readonly apiKey: (call?: Pick<ChatCall, 'apiKey'>) => Promise<string | undefined>;
  /** Calls are made without a key too. */
  readonly keyless?: boolean;
  /** Where an operator sets the key, for errors. */
  readonly keyVariable: string;
  /** Without the path of the models. */
  readonly baseUrl: string;
  /** Where the models are below the base URL; `/v1beta/models` by default. */
  readonly modelsPath?: string;
  readonly headTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

const MODELS_PATH = '/v1beta/models';
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Methods of the API that the gateway serves. */
const SERVED_METHODS: ReadonlySet<string> = new Set([
  'generateContent',
  'countTokens',
  'embedContent',
  'batchEmbedContents',
]);
/** Methods whose bodies pass unchanged; other protocols are translated to generateContent. */
const METHODS: Readonly<Partial<Record<OperationName, string>>> = {
  gemini: 'generateContent',
  'gemini-count-tokens': 'countTokens',
  'gemini-embed-content': 'embedContent',
  'gemini-batch-embed-contents': 'batchEmbedContents',
};
const NATIVE: ReadonlySet<OperationName> = new Set(Object.keys(METHODS) as OperationName[]);
const SERVED: ReadonlySet<OperationName> = new Set([...CHAT_PROTOCOLS, ...NATIVE]);
/** The gateway's own fields, which no provider gets. */
const OWN_FIELDS = ['moderation', 'svc'];

/** Google's Gemini API. Bodies of this protocol pass unchanged, others are translated. */
export class GeminiProvider implements ChatProvider {
  readonly name: string;
  readonly protocol = 'gemini';
  readonly keyless: boolean;
  readonly serves = SERVED;
  private readonly options: GeminiProviderOptions;

  constructor(options: GeminiProviderOptions) {
    this.options = options;
    this.name = options.name;
    this.keyless = options.keyless ?? false;
  }

  isNative(operation: OperationName): boolean {
    return NATIVE.has(operation);
  }

  signs(): boolean {
    return true;
  }

  complete(call: ChatCall): Promise<ProviderResponse> {
    if (NATIVE.has(call.operation)) return this.ask(call);
    return withFittedNames(call, GEMINI_NAMES, (fitted) => this.ask(fitted));
  }

  private async ask(call: ChatCall): Promise<ProviderResponse> {
    const isNative = NATIVE.has(call.operation);
    const body = isNative
      ? nativeBody(call)
      : JSON.stringify(toGeminiRequest(call.request, call.model, call.translation));
    try {
      const response = await this.send(body, call);
      if (response.status < 200 || response.status > 299) {
        throw await toError(response, call.model, this.name);
      }
      if (call.request.stream) {
        const { isJson, response: body } = await isJsonInstead(this.name, response);
        const chunks = isJson ? inOneBatch(...(await this.readChunks(body))) : events(this.name, body.body);
        return isNative
          ? { kind: 'native-stream', chunks }
          : {
              kind: 'translated-stream',
              deltas: readDeltas(new GeminiChunkReader(call.model, call.translation), chunks),
            };
      }
      const answer = await this.read(response.body);
      return isNative
        ? { kind: 'native', body: answer }
        : { kind: 'translated', completion: fromGemini(answer, call.model, call.translation) };
    } catch (error) {
      throw toProviderFailure(this.name, error);
    }
  }

  /** The models with a method that the gateway serves: https://ai.google.dev/api/models#method:-models.list */
  async listModels(): Promise<readonly ReportedModel[]> {
    const { http, baseUrl } = this.options;
    const key = await this.key();
    const url = `${baseUrl}${MODELS_PATH}?pageSize=1000`;
    const models = await readModels(this.name, { http, url, key, headers: keyHeader(key) });
    return models
      .map(({ name, methods = [] }) => ({
        name: name.replace(/^models\//, ''),
        methods: methods.filter((method) => SERVED_METHODS.has(method)),
      }))
      .filter(({ methods }) => methods.length > 0);
  }

  private async key(call?: ChatCall): Promise<string | undefined> {
    const key = await this.options.apiKey(call);
    if (!key && !this.keyless) throw notConfigured(this.name, this.options.keyVariable);
    return key;
  }

  /** The chunks of a body that is JSON instead of a stream. */
  private async readChunks({ body }: HttpResponse): Promise<string[]> {
    const { before, failure } = untilError(this.name, toGeminiChunks(await this.read(body)));
    if (failure !== undefined) throw failure;
    return before;
  }

  private read(body: AsyncIterable<Uint8Array>): Promise<string> {
    return readWhole(this.name, body, MAX_ANSWER_BYTES);
  }

  private async send(body: string, call: ChatCall): Promise<HttpResponse> {
    const { request, operation, model, signal, trace } = call;
    const { http, baseUrl, modelsPath = MODELS_PATH, headTimeoutMs, idleTimeoutMs } = this.options;
    const key = await this.key(call);
    const method = request.stream ? 'streamGenerateContent?alt=sse' : (METHODS[operation] ?? 'generateContent');
    const response = await http.send({
      method: 'POST',
      url: `${baseUrl}${modelsPath}/${modelSegment(model)}:${method}`,
      headers: {
        ...trace,
        ...keyHeader(key),
        'content-type': 'application/json',
        accept: request.stream ? 'text/event-stream' : 'application/json',
      },
      body,
      headTimeoutMs,
      idleTimeoutMs,
      signal,
    });
    return receiveResponse(response, call, key);
  }
}

function keyHeader(key: string | undefined): Readonly<Record<string, string>> {
  return key ? { 'x-goog-api-key': key } : {};
}

/** The body of a request in Google's protocol: unchanged except for the gateway's fields, the model's name and an output limit that the key needs. */
function nativeBody({ source, operation, model, imposedMaxTokens }: ChatCall): string {
  const body = source.value as Readonly<Record<string, unknown>>;
  const edits: JsonEdit[] = OWN_FIELDS.filter((field) => Object.hasOwn(body, field)).map((field) => ({
    kind: 'remove',
    path: [field],
  }));
  // A model in a body of generateContent is not the path's: the key needs the right to it.
  if (operation !== 'gemini') edits.push(...modelEdits(body, model));
  if (imposedMaxTokens !== undefined) {
    const settings = ['generationConfig', 'generation_config'].find((name) => Object.hasOwn(body, name));
    if (settings === undefined) {
      const json = JSON.stringify({ maxOutputTokens: imposedMaxTokens });
      edits.push({ kind: 'insert', path: [], key: 'generationConfig', json });
    } else {
      const inside = body[settings] as Readonly<Record<string, unknown>>;
      const name = Object.hasOwn(inside, 'max_output_tokens') ? 'max_output_tokens' : 'maxOutputTokens';
      edits.push(...setNumber(inside, [settings], name, imposedMaxTokens));
    }
  }
  return edits.length === 0 ? source.text : spliceJson(source.text, edits);
}

/** The unchanged JSON of each chunk. @throws GatewayError for a stream without a finish reason, since it was cut */
async function* events(provider: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  let ended = false;
  try {
    for await (const batch of readServerSentEvents(body)) {
      const chunks = batch.map(({ data }) => data);
      const { before, failure } = untilError(provider, chunks);
      ended ||= before.some((json) => json.includes('"finishReason"') || json.includes('"blockReason"'));
      if (before.length > 0) yield before;
      if (failure !== undefined) throw failure;
    }
  } catch (error) {
    throw toProviderFailure(provider, error);
  }
  if (!ended) throw unreadableResponse(provider, 'stream ended without a finish reason');
}

async function toError(response: HttpResponse, model: string, provider: string): Promise<GatewayError> {
  const error = await readError(response);
  if (response.status === 404) return noSuchModel(model, provider);
  // Google returns 400 for a wrong key.
  const status = response.status === 400 && error?.message.includes('API key') ? 401 : response.status;
  return providerStatusError(provider, status, response.headers, error);
}

async function readError({ body, status }: HttpResponse): Promise<ProviderErrorBody | undefined> {
  try {
    return readProviderError(await readErrorBody(body), status);
  } catch {
    return undefined;
  }
}

function noSuchModel(model: string, provider: string): GatewayError {
  return new GatewayError('model_not_found', `The provider ${provider} has no model \`${model}\`.`, { param: 'model' });
}
