import type { JsonEdit } from '../base/edits.ts';
import type { JsonDocument } from '../base/json-document.ts';
import type { RoutedRequest } from '../http/router.ts';
import type { RequestText, RequestTexts } from '../inspect/requests/request-text.ts';
import type { ChatCompletion, ChatDelta, ChatRequest, Usage } from '../model/chat.ts';
import type { Piece } from '../model/piece.ts';
import type { SecurityInfo } from '../model/threat.ts';
import type { ModerationField } from '../moderation/moderation-result.ts';
import type { ModerationReport } from '../moderation/requested-moderation.ts';

/** The APIs that callers speak. A provider that speaks the caller's own gets and gives its bodies as they are. */
export type ProtocolName =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-completions'
  | 'openai-embeddings'
  | 'openai-images'
  | 'openai-transcriptions'
  | 'anthropic-messages'
  | 'anthropic-count-tokens'
  | 'gemini';

/** Those whose answers are a chat's: each can be translated into each. */
export const CHAT_PROTOCOLS: ReadonlySet<ProtocolName> = new Set<ProtocolName>([
  'openai-chat',
  'openai-responses',
  'openai-completions',
  'anthropic-messages',
  'gemini',
]);

/** An id by which a request names what its provider keeps; a provider of another protocol has none of it. */
export interface NamedId {
  readonly id: string;
  /** In an error: `Previous response`. */
  readonly what: string;
  readonly param: string;
  /** The request goes on where the answer of this id ended. */
  readonly continues?: true;
}

/** A model that a request names besides its own: one that its provider goes on to, or that a tool of the provider's asks. */
export interface FurtherModel {
  readonly name: string;
  readonly param: string;
  /** Whether it is called besides the request's own model, and not in its place. */
  readonly adds: boolean;
}

/** A request's body as the caller wrote it, and as it goes on: with redactions and a canary. */
export interface Bodies<Body> {
  readonly asked: Body;
  readonly sent: Body;
}

/** One API: what the pipeline has to know of its requests, and how its responses are written. */
export interface Protocol<Body> {
  readonly name: ProtocolName;
  /** How events of a streamed response are framed. */
  readonly framing: StreamFraming;
  /**
   * The protocol as a request's headers and path choose it; absent where they choose nothing.
   * @throws GatewayError for a path that the API does not have
   */
  forRequest?(routed: RoutedRequest): Protocol<Body>;
  /** Whether the parsed body asks for an event stream. */
  wantsStream(body: unknown): boolean;
  /** Whether the whole response is text, where the API has such responses: `svc` is then in headers. */
  isPlain?(body: unknown): boolean;
  /** Nothing that it asks for is billed by the token: of the key's limits only requests count. */
  readonly unbilled?: true;
  /** Headers of the caller's that a provider of the same protocol gets, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @throws GatewayError that names the field at fault */
  check(document: JsonDocument): Body;
  /** The request in the gateway's own model. */
  read(body: Body): ChatRequest;
  /** Every string of the request that could carry an instruction, in order. */
  texts(body: Body): RequestTexts;
  /** Where those texts stand: `messages[0..3]`, `tools`. */
  covered(body: Body, texts: readonly RequestText[]): readonly string[];
  /** The field `moderation`, where the API has it. */
  moderation?(body: Body): ModerationField | undefined;
  /** The change to the body that adds a text at the end of the operator's own; undefined where there can be none. */
  addToPrompt(body: Body, text: string): JsonEdit | undefined;
  /**
   * An upper bound on the tokens of the input. `contextTokens`: what the model takes at most, where it is known. `model`: as its provider
   * names it.
   */
  boundInputTokens(body: Body, contextTokens: number | undefined, model: string): number;
  /**
   * An upper bound on the tokens of the answer, of the model as its provider names it, where the request says it all: nothing is sent
   * to bound it. Absent where the answer's length is asked for.
   */
  boundOutputTokens?(body: Body, model: string): number;
  /** What of its usage texts do not tell, where the answer is cut off before its provider does: pictures, audio. */
  cutOffUsage?(body: Body, model: string): Usage;
  /** Members that `read` counts, of those that say how long an answer may be and how many there are; absent where no model writes one. */
  readonly outputFields?: readonly string[];
  /** How errors name what bounds the answer, and what is sent to the model. */
  fieldNames(body: Body): { readonly maxOutputTokens: string; readonly input: string };
  /** The models that the parsed body names besides `model`; the key must be allowed to use them too. */
  furtherModels(value: unknown): readonly FurtherModel[];
  /** The ids in the parsed body that only the key may name that got them; absent where the API has none. */
  namedIds?(value: unknown): readonly NamedId[];
  /** How its answer is written. */
  format(request: ChatRequest, head: ResponseIdentity, bodies: Bodies<Body>): ResponseFormat;
}

/** `wantsStream` of APIs whose body asks by its field `stream`. */
export function streamsByField(body: unknown): boolean {
  return (body as { stream?: unknown } | null)?.stream === true;
}

/** What an answer of our own begins with. */
export interface ResponseIdentity {
  readonly requestId: string;
  /** Unix seconds. */
  readonly created: number;
  /** As the caller named it. */
  readonly model: string;
  /** What the field `moderation` asked for, complete once the answer is; undefined where nobody did. */
  readonly moderation?: (() => ModerationReport) | undefined;
}

/** What the gateway reads of an answer's JSON, whole or one event of a stream. */
export interface ResponsePiece extends Piece {
  /** Counts as this piece tells them. */
  readonly usage: Usage | undefined;
  /** Whether it says how the answer ended: it waits for whoever judges the answer as a whole. */
  readonly ends: boolean;
  /** Why it is no part of an answer, for the log: `error in the place of an answer`. */
  readonly fault: string | undefined;
  /** Ids of what the provider keeps: later requests of the key may name them once this piece has left. */
  readonly gives?: readonly string[] | undefined;
  /** Ids that it shows of what may still be blocked: nobody may name them unless a piece that leaves gives them. */
  readonly shows?: readonly string[] | undefined;
  /** What in it holds no text that is read: `data[0].b64_json: image`. */
  readonly skipped?: readonly string[];
}

/** How answers are written in one protocol, `svc` where decisions, section 3, puts it. Holds the state of one answer. */
export interface ResponseFormat {
  /** @throws SyntaxError where the text is not JSON, and should be */
  readPiece(json: string): ResponsePiece;
  encodeWhole(completion: ChatCompletion): string;
  /** A translated stream's step, as the JSON of the events that tell it. */
  encode(delta: ChatDelta): string[];
  /** What a translated stream that has ended still has to say. */
  encodeEnd(): string[];
  /** The whole answer, which a block has cut: `empty` where nothing of its text may be shown. */
  cutWhole(json: string, empty: boolean): string;
  withSecurity(json: string, svc: SecurityInfo): string;
  /**
   * The answer to a blocked request whose policy asks for a refusal in the place of an error: one JSON, or the events of a
   * stream; undefined where the protocol has no words for one.
   */
  refusal(svc: SecurityInfo): string[] | undefined;
  /** Takes note of a piece of the stream as it came. */
  came(piece: ResponsePiece): void;
  /**
   * The JSON of a piece that leaves; undefined where the caller did not ask for it. `cut`: the answer was blocked, and says no
   * other end than the block's own.
   */
  leaving(piece: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined;
  /** Whether what left says how the answer ended. */
  readonly ended: boolean;
  /** The events that follow the last of a stream, however it ended; absent where there are none. */
  lastEvents?(): string[];
  /** The events that end a stream that was blocked. */
  blockedEnd(svc: SecurityInfo, usage: Usage): string[];
}

/** How the texts of an event stream are framed in one protocol. */
export interface StreamFraming {
  /** An event, whole. */
  event(json: string): string;
  /** How an error's body stands in a stream, behind so many events; as in an answer where this is absent. */
  error?(body: object, sent: number): object;
  /** What follows the last event; may be empty. */
  readonly end: string;
}
