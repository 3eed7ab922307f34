import type { IncomingRequest, RoutedRequest } from '../../kernel/http/index.ts';
import type { BulkyPlaces, JsonDocument, JsonEdit, JsonPath, RequestDocument } from '../../kernel/json/index.ts';
import type {
  ChatCompletion,
  ChatDelta,
  ChatRequest,
  ModerationField,
  ModerationReport,
  OutputItem,
  RequestText,
  RequestTexts,
  ResponseCalls,
  ResponsePiece,
  SecurityInfo,
  Usage,
} from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';

/** The formats of requests and responses that the gateway offers. A provider with the caller's format gets and returns bodies unchanged. */
export type ProtocolName =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-completions'
  | 'openai-embeddings'
  | 'openai-images'
  | 'openai-image-edits'
  | 'openai-transcriptions'
  | 'openai-speech'
  | 'rerank'
  | 'anthropic-messages'
  | 'gemini'
  | 'gemini-embed-content'
  | 'gemini-batch-embed-contents';

/** Calls about a response that its provider stores. */
export type StoredCallName =
  | 'openai-response'
  | 'openai-response-deletion'
  | 'openai-response-cancellation'
  | 'openai-response-input';

/** Calls beside those of a protocol: their response is no text of a model for a caller. */
export type SideCallName =
  | StoredCallName
  | 'openai-compaction'
  | 'openai-input-tokens'
  | 'anthropic-count-tokens'
  | 'gemini-count-tokens';

/** What a route offers and a provider may serve: the call of a protocol, another with the same format, or a side call. */
export type OperationName = ProtocolName | 'openai-translations' | SideCallName;

/** Protocols with chat responses: each can be translated into each. */
export const CHAT_PROTOCOLS: ReadonlySet<ProtocolName> = new Set<ProtocolName>([
  'openai-chat',
  'openai-responses',
  'openai-completions',
  'anthropic-messages',
  'gemini',
]);

/** Amazon Bedrock's operations, whose requests and responses are those of `anthropic-messages` in other names. */
export type BedrockOperationName =
  | 'bedrock-invoke'
  | 'bedrock-invoke-stream'
  | 'bedrock-converse'
  | 'bedrock-converse-stream';

/** What an API reads of a request besides its body. */
export interface ApiRequest extends Pick<RoutedRequest, 'params'> {
  readonly request: Pick<IncomingRequest, 'url' | 'headers'>;
}

/** An id in a request that names a resource stored at its provider; no other provider has the resource. */
export interface NamedId {
  readonly id: string;
  /** As errors show it: `Previous response`. */
  readonly what: string;
  readonly param: string;
  /** The request continues the response of this id. */
  readonly continues?: true;
  /** The response of this id is only compared with: nothing of it reaches the model. */
  readonly isCompared?: true;
  /** The path of a member that no list names: what the provider reads there is not known. */
  readonly unknownAt?: JsonPath;
  /** The API's own details of the error for an id that is not found. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A reference in a request to an item of an earlier response that the gateway translated. */
export interface ItemReference extends NamedId {
  /** The response of the item: its request id without `req_`. */
  readonly responseId: string;
  readonly path: JsonPath;
}

/** How an API refers to items of earlier responses by id. */
export interface ItemRules<Body> {
  /** Whether the items of the response to this request may be referred to. */
  isKept(body: Body): boolean;
  /** The items that the gateway made, in a whole response, or in the event that ends its stream. */
  outputOf(json: string): readonly OutputItem[];
  /** The references in the parsed body, which is not checked yet. */
  references(value: unknown): readonly ItemReference[];
  /** The item as a request has it, for any provider. */
  toInput(item: OutputItem): object;
}

/** A model that a request names besides its own: a fallback, or a model that a provider's tool calls. */
export interface FurtherModel {
  readonly name: string;
  readonly param: string;
  /** Whether it is called in addition to the request's model, and not as its fallback. */
  readonly adds: boolean;
}

/** A request's body as the caller wrote it, and in the forwarded form: with redactions and a canary. */
export interface Bodies<Body> {
  readonly asked: Body;
  readonly sent: Body;
}

/** What reads the requests of an API. */
export interface RequestReader<Body> {
  /** @throws GatewayError that names the invalid field */
  check(document: JsonDocument): Body;
  /** Converts the request to `ChatRequest`. */
  read(body: Body): ChatRequest;
  /** Every string of the request that could carry an instruction, in order. */
  texts(body: Body): Steps<RequestTexts>;
  /** The places of those texts: `messages[0..3]`, `tools`. */
  covered(body: Body, texts: readonly RequestText[]): readonly string[];
  /** The field `moderation`, if the API has it. */
  moderation?(body: Body): ModerationField | undefined;
  /** The edit that adds a text at the end of the system prompt; undefined if that is impossible. */
  addToPrompt(body: Body, text: string): JsonEdit | undefined;
  /** The edit that adds outputs of calls before the input; absent if requests cannot continue from a stored response. */
  answerCalls?(body: Body, calls: NonNullable<ResponsePiece['unanswered']>['calls'], text: string): JsonEdit;
  /** The models that the parsed body names besides `model`; the key must be allowed to use them too. */
  furtherModels(value: unknown): readonly FurtherModel[];
  /** The ids in the parsed body that only the key that received them may use. */
  namedIds(value: unknown): Steps<readonly NamedId[]>;
  /** Absent if requests cannot refer to items of responses. */
  readonly items?: ItemRules<Body>;
}

/** What bounds the usage of a request. */
export interface UsageBounds<Body> {
  /** Nothing is billed by the token: only requests count toward the key's limits. */
  readonly unbilled?: true;
  /** An upper bound on the input tokens. `contextTokens`: the context size of the model, if known. `model`: the provider's model name. */
  boundInputTokens(body: Body, contextTokens: number | undefined, model: string): number;
  /**
   * An upper bound on the output tokens of the provider's model, derived from the request. Absent if requests have an output limit
   * parameter. `longestOutput`: the model's own limit, if known.
   */
  boundOutputTokens?(body: Body, model: string, longestOutput: number | undefined): number;
  /** Usage that texts do not show, if the provider reports none: images, audio, tokens as input. */
  unseenUsage?(body: Body, model: string): Usage;
  /**
   * A member of the parsed body that may raise the output beyond the members that `read` counts, since some server reads it; absent if no
   * model writes text.
   */
  uncountedOutput?(value: unknown): string | undefined;
  /** How errors name the output limit and the model input. */
  fieldNames(body: Body): { readonly maxOutputTokens: string; readonly input: string };
}

/** How a response is sent: as JSON, as plain text, as a stream of events, or as bytes such as audio. Text and bytes have no place for `svc`. */
export type ResponseKind = 'json' | 'text' | 'events' | 'bytes';

/** What writes the responses of an API. */
export interface ResponseWriting<Body> {
  /** How events of a streamed response are framed. */
  readonly framing: StreamFraming;
  /** What the parsed body, which is not checked yet, asks for. */
  responseKind(value: unknown): ResponseKind;
  format(request: ChatRequest, head: ResponseIdentity, bodies: Bodies<Body>): ResponseFormat;
}

/** The operation that a provider is called for, and what it gets besides the body if it has the caller's protocol. */
export interface UpstreamOperation {
  readonly operation: OperationName;
  /** The caller's headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller's query, such as `beta=true`. */
  readonly query?: string | undefined;
}

/** A field without an effect here, and why. */
export interface DroppedField {
  /** As the caller wrote it. */
  readonly field: string;
  readonly reason: string;
}

/** A request in the form of a protocol. */
export interface OpenedRequest {
  readonly document: RequestDocument;
  /** Headers of the protocol that the body held. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly dropped: readonly DroppedField[];
}

/** Another API whose requests and responses are those of a protocol in other names. */
export interface Envelope {
  /** The request in the form of the protocol. @throws GatewayError that names the invalid field */
  open(document: RequestDocument): Steps<OpenedRequest>;
  /** A whole response of the protocol in the form of the API. */
  whole(json: string, latencyMs: number): string;
  /** The framing of one stream of the protocol's events. */
  framing(latencyMs: () => number): StreamFraming;
}

/** One API. */
export interface Protocol<Body>
  extends RequestReader<Body>,
    UsageBounds<Body>,
    ResponseWriting<Body>,
    UpstreamOperation {
  /** Absent if callers write the protocol itself. */
  readonly envelope?: Envelope;
}

/** A call about a stored response: its path and query, in the form of a body. */
export interface StoredRequest {
  readonly id: string;
  readonly stream: boolean;
  /** Of a stream: the number of the last event that the caller has. */
  readonly startingAfter: number | undefined;
  /** What the provider gets. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** A call about a stored response. It has no text for a model, and goes to the provider that returned the id. */
export interface StoredCall extends ResponseWriting<StoredRequest>, UpstreamOperation {
  readonly operation: StoredCallName;
  readonly unbilled: true;
  /** @throws GatewayError that names the invalid parameter */
  check(document: JsonDocument): StoredRequest;
  /** The system prompt of the request that created the response, in its first JSON. */
  promptIn(json: string): { readonly prompts: readonly string[]; readonly marker?: string };
}

/** `responseKind` of APIs whose body has the field `stream`. */
export function kindByStreamField(body: unknown): ResponseKind {
  return (body as { stream?: unknown } | null)?.stream === true ? 'events' : 'json';
}

/** The start of a response that the gateway writes. */
export interface ResponseIdentity {
  readonly requestId: string;
  /** Unix seconds. */
  readonly created: number;
  /** As the caller named it. */
  readonly model: string;
  /** The result for the field `moderation`, complete when the response is; undefined if the request did not ask. */
  readonly moderation?: (() => ModerationReport) | undefined;
}

/** How responses are encoded in one protocol, with `svc` in its documented place. Holds the state of one response. */
export interface ResponseFormat {
  /** The responses are plain text. */
  readonly isPlain?: true;
  /** Values of a whole response that are not parsed; absent if there are none. */
  readonly bulky?: BulkyPlaces | undefined;
  /**
   * @param inspected the JSON without bulky values; `json` if absent
   * @throws SyntaxError if the text should be a JSON object and is not, RangeError if it is over a bound
   */
  readPiece(json: string, inspected?: string): ResponsePiece;
  encodeWhole(completion: ChatCompletion): string;
  /** The reader of the tool calls of the response; absent if it has none that a client executes. */
  readonly calls?: ResponseCalls;
  /** A step of a translated stream, as the JSON of its events. */
  encode(delta: ChatDelta): string[];
  /** The remaining events of a translated stream that has ended. */
  encodeEnd(): string[];
  /** The whole response after a block: `empty` if none of its text may be shown. */
  cutWhole(json: string, empty: boolean): string;
  withSecurity(json: string, svc: SecurityInfo): string;
  /**
   * The response to a blocked request whose policy selects a refusal instead of an error: one JSON text, or the events of a stream;
   * undefined if the protocol cannot express one.
   */
  refusal(svc: SecurityInfo): string[] | undefined;
  /** Takes a piece of the stream as its provider sent it. */
  received(piece: ResponsePiece): void;
  /**
   * The JSON of a piece that is sent; undefined if the caller did not ask for it. `cut`: the response was blocked, and only the block's own
   * end is sent.
   */
  release(piece: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined;
  /** Whether the end of the response was sent. */
  readonly ended: boolean;
  /** The events after the last event of a stream, however it ended; absent if there are none. */
  lastEvents?(): string[];
  /** The events that end a blocked stream. */
  blockedEnd(svc: SecurityInfo, usage: Usage): string[];
}

/** How the texts of an event stream are framed in one protocol. */
export interface StreamFraming {
  /** Those of the response; server-sent events if absent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An event, whole. All events of a stream are texts, or all are bytes. */
  event(json: string): string | Uint8Array;
  /** An error's body in a stream, after `sent` events; if absent, the same body as in a response. */
  error?(body: object, sent: number): object;
  /** The event of an error's body; `event` if absent. */
  exception?(json: string): Uint8Array;
  /** What is sent while nothing else is; a comment if absent. */
  readonly keepalive?: Uint8Array;
  /** What follows the last event; may be empty. */
  readonly end: string;
}
