import type { StoredProvider } from '../../kernel/configuration/index.ts';
import type { GatewayError } from '../../kernel/errors/index.ts';
import type { HttpClient, HttpFailure } from '../../kernel/http/index.ts';
import type { RequestDocument } from '../../kernel/json/index.ts';
import type { ChatCompletion, ChatDelta, ChatRequest } from '../../kernel/model/index.ts';
import type { OperationName } from '../protocols/protocol.ts';
import type { Translation } from './translation.ts';

/** One call to a provider, already admitted and inspected. */
export interface ChatCall {
  readonly request: ChatRequest;
  /** What the caller asks for. */
  readonly operation: OperationName;
  /** The caller's body; a provider of the same protocol forwards it with the documented edits only. */
  readonly source: RequestDocument;
  /** The model's name at the provider, without the `provider/` prefix. */
  readonly model: string;
  /** The response limit that the key's limits or policy require: the only one that is sent. Also in `request`. */
  readonly imposedMaxTokens?: number | undefined;
  /** The caller's protocol headers, for a provider of the same protocol. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller's query that its protocol defines, such as `beta=true`, for a provider of the same protocol. */
  readonly query?: string | undefined;
  /** Trace headers, if the deployment forwards them to providers. */
  readonly trace?: Readonly<Record<string, string>>;
  /** The provider's key for this call; absent: that of the settings. */
  readonly apiKey?: string | undefined;
  /** Collects what a translation drops. */
  readonly translation: Translation;
  /** Aborts the upstream call: the caller left, a block, or the deadline passed. */
  readonly signal: AbortSignal;
  /** Called once the head of the provider's response arrives, whatever its status. */
  readonly onHead?: (head: UpstreamHead) => void;
  /** Called if the provider's own key was removed from its response. */
  readonly onKey?: () => void;
}

/** What the head of a provider's response reports, in strict formats that leave no room for text. */
export interface UpstreamHead {
  /** The provider's id of the call; null if it sent none. */
  readonly requestId: string | null;
  /** Its rate limits as response headers: `x-upstream-ratelimit-remaining-tokens`. */
  readonly rateLimits: Readonly<Record<string, string>>;
}

/**
 * A provider's response. `native` ones are JSON texts in the caller's protocol, forwarded unchanged; `translated` ones are in the
 * gateway's model. A stream yields all steps that have arrived. It ends normally or throws a GatewayError, and is never truncated silently.
 * `media` are bytes of a checked type, exactly for requests whose `responseKind` is `bytes`.
 */
export type ProviderResponse = TextResponse | MediaResponse;

/** A response whose text is inspected. */
export type TextResponse =
  | { readonly kind: 'native'; readonly body: string }
  | { readonly kind: 'translated'; readonly completion: ChatCompletion }
  | { readonly kind: 'native-stream'; readonly chunks: AsyncIterable<readonly string[]> }
  | { readonly kind: 'translated-stream'; readonly deltas: AsyncIterable<readonly ChatDelta[]> };

/** A response that is bytes, such as audio. */
export interface MediaResponse {
  readonly kind: 'media';
  readonly mediaType: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A model in a provider's list. */
export interface ReportedModel {
  /** Without the `provider/` prefix. */
  readonly name: string;
  /** The methods of Google's API that it has, if it is Google's. */
  readonly methods?: readonly string[];
}

/** A provider of models. Throws GatewayError for every failure. */
export interface ChatProvider {
  readonly name: string;
  /** The API that it has; absent for `echo`. */
  readonly protocol?: StoredProvider['protocol'];
  /** Whether it can be called without an API key. */
  readonly keyless?: boolean;
  /** The operations it serves, directly or by translation. */
  readonly serves: ReadonlySet<OperationName>;
  /** Whether it serves the operation directly with this model, so that bodies pass unchanged; never if absent. */
  isNative?(operation: OperationName, model: string): boolean;
  /** Whether the model signs its reasoning and needs it back in the next turn, in this request, which is translated for it; never if absent. */
  signs?(model: string, call: Pick<ChatCall, 'operation' | 'source'>): boolean;
  /** The default limit of a response: tokens, or `input` for the length of the input. The model's limit if absent. */
  readonly longestOutput?: number | 'input';
  /** Members of a request that look like references and only group requests in its logs. */
  readonly labels?: readonly string[];
  complete(call: ChatCall): Promise<ProviderResponse>;
  /** The body of the call as a line of a batch; absent, or undefined for the call, if its batches have no such lines. */
  batchBody?(call: ChatCall): string | undefined;
  /** Its batches; absent without `batchBody`. */
  readonly batches?: ProviderBatches;
  /** One call for the models that the provider's account may use; absent if it has no such list. Throws any error. */
  listModels?(): Promise<readonly ReportedModel[]>;
}

/** A call about a batch. */
export type BatchCall = Pick<ChatCall, 'apiKey' | 'headers' | 'signal' | 'onKey'>;

/** How far a provider is with a batch, and its lines by what came of them. */
export interface ProviderBatch {
  readonly id: string;
  readonly status: 'in_progress' | 'canceling' | 'ended';
  readonly counts: Readonly<Record<'processing' | 'succeeded' | 'errored' | 'canceled' | 'expired', number>>;
  /** Times as in RFC 3339; null before. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly endedAt: string | null;
  readonly cancelledAt: string | null;
}

/** The result of a line: the provider's JSON of a response, or why there is none. */
export interface ProviderResult {
  readonly customId: string;
  readonly result:
    | { readonly type: 'succeeded'; readonly body: string }
    | { readonly type: 'errored'; readonly error: GatewayError }
    | { readonly type: 'canceled' | 'expired' };
}

/** A provider's batches. Each is one call; all throw GatewayError. */
export interface ProviderBatches {
  /** @param lines bodies of `batchBody`, by their ids in the batch */
  create(
    lines: readonly { readonly customId: string; readonly body: string }[],
    call: BatchCall,
  ): Promise<ProviderBatch>;
  get(id: string, call: BatchCall): Promise<ProviderBatch>;
  cancel(id: string, call: BatchCall): Promise<ProviderBatch>;
  /** One that the provider does not know counts as deleted. */
  delete(id: string, call: BatchCall): Promise<void>;
  /** In any order. */
  results(id: string, call: BatchCall): AsyncIterable<ProviderResult>;
}

/** The providers that can be called, by name. */
export interface Providers {
  get(name: string): ChatProvider | undefined;
  has(name: string): boolean;
  values(): Iterable<ChatProvider>;
  /** Whether an administrator has stopped it; it is not among the others then. */
  isDisabled?(name: string): boolean;
}

/** A call of Amazon Bedrock's Converse. */
export interface BedrockCall {
  /** A model's id, an inference profile's, or an ARN. */
  readonly modelId: string;
  /** As in https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html, without the model; bytes are a Uint8Array. */
  readonly request: object;
  /** A Bedrock API key; if undefined, the call is signed with AWS credentials. */
  readonly apiKey: string | undefined;
  readonly signal: AbortSignal;
}

export interface BedrockResponse {
  /** AWS's request id; empty if absent. */
  readonly requestId: string;
  readonly answer: unknown;
}

/** A call of InvokeModel. */
export interface BedrockInvokeCall extends Omit<BedrockCall, 'request'> {
  /** The model's own JSON. */
  readonly body: string;
}

/** A response of InvokeModel. */
export interface BedrockInvocation {
  /** AWS's request id; empty if absent. */
  readonly requestId: string;
  /** The model's own JSON, or whatever it sent. */
  readonly text: string;
  /** The input tokens that AWS counted; undefined if it does not report them. */
  readonly inputTokens: number | undefined;
}

export interface BedrockStream {
  readonly requestId: string;
  /** The events in order, each an object with one member that names it. Throws BedrockFailure. */
  readonly events: AsyncIterable<unknown>;
}

/** A streamed response of InvokeModel. */
export interface BedrockInvokeStream {
  readonly requestId: string;
  /** The JSON of each event, in order. Throws BedrockFailure. */
  readonly events: AsyncIterable<string>;
}

/** An exception of Bedrock, or why the call or its response failed. */
export class BedrockFailure extends Error {
  /** The exception's name, such as `ThrottlingException`. */
  readonly exception: string;
  /** undefined for an exception within a stream, and without a response. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  /** AWS's request id; undefined if there was no response. */
  readonly requestId: string | undefined;

  /** @param more `cause`: an HttpFailure if the response broke off */
  constructor(
    exception: string,
    message: string,
    status?: number,
    more: { retryAfter?: string | undefined; requestId?: string | undefined; cause?: HttpFailure } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'BedrockFailure';
    this.exception = exception;
    this.status = status;
    this.retryAfter = more.retryAfter;
    this.requestId = more.requestId;
  }
}

/** Amazon Bedrock's runtime API; a call is made once. Throws BedrockFailure and HttpFailure. */
export interface BedrockRuntime {
  /** For paths that are no operations of the API: a URL is a path, such as `/openai/v1/responses`. Signs calls without `authorization`. */
  readonly http: HttpClient;
  converse(call: BedrockCall): Promise<BedrockResponse>;
  converseStream(call: BedrockCall): Promise<BedrockStream>;
  invoke(call: BedrockInvokeCall): Promise<BedrockInvocation>;
  invokeStream(call: BedrockInvokeCall): Promise<BedrockInvokeStream>;
}
