import { FIXED_PIECES } from './fixed-text.ts';

export type Failure =
  /** The connection is reset before any byte of a response. */
  | 'reset-before-head'
  /** The connection is reset after `afterChunks` chunks. */
  | 'reset-mid-stream'
  /** The body ends, properly framed, without `[DONE]` or `message_stop`. */
  | 'end-mid-stream'
  /** The connection is closed with FIN in the middle of the body, whose HTTP framing stays unfinished. */
  | 'fin-mid-stream'
  /** No response is ever sent. */
  | 'stall-before-head'
  /** Nothing follows the first `afterChunks` chunks; the connection stays open. */
  | 'stall-mid-stream'
  /** An event that is neither JSON nor UTF-8 comes after `afterChunks` chunks, then the rest of the stream. */
  | 'garbage'
  /** The body ends, properly framed, in the middle of an event. */
  | 'half-event'
  /** The provider's own error event comes after `afterChunks` chunks and ends the stream. */
  | 'error-event';

export interface MockToolCall {
  id: string;
  name: string;
  /** JSON text, or any other text: models do not always write JSON. */
  arguments: string;
}

/** The response to one request. All fields are optional and can be combined. */
export interface Behaviour {
  /** The reply's text; without it the last user text comes back. */
  text?: string;
  /** The reply is the system prompt that came with the request, as of a model that was talked into it. */
  leaksSystem?: boolean;
  /** Several OpenAI choices, several Anthropic text blocks, or several parts of a response's message. */
  texts?: string[];
  /** The exact content deltas of the first choice; without it a text is split by words. */
  pieces?: string[];
  toolCalls?: MockToolCall[];
  /** Responses: the summary of a reasoning item before all else. Chat completions: DeepSeek's `reasoning_content`. */
  reasoning?: string;
  /** Responses only: whole items behind all else. */
  items?: Record<string, unknown>[];
  /** Responses only: the text is a refusal. */
  refuses?: boolean;
  /** Responses only: how many calls still see a background response in progress. */
  pendingPolls?: number;
  /** OpenAI's value (`length`) for both providers; any other value is sent unchanged. */
  finishReason?: string;
  /** Overrides usage fields; null for a response without usage. */
  usage?: Record<string, unknown> | null;
  /** Unknown top-level fields of the reply and of every chunk. */
  extra?: Record<string, unknown>;
  /** The exact body, or the exact SSE text. Bytes only in process. */
  raw?: string | Uint8Array;
  status?: number;
  /** Overrides response headers, names in lower case; null removes one. */
  headers?: Record<string, string | null>;
  /** Writes of this many bytes, each a separate HTTP chunk, at any position. */
  bytesPerWrite?: number;
  /** The wait before the head. */
  headDelayMs?: number;
  /** The wait between the head and the first chunk. */
  firstChunkDelayMs?: number;
  /** Nothing but comments until this resolves, so that the connection is never silent for long. In process only. */
  commentsUntil?: Promise<void>;
  /** The wait between two writes. */
  delayMs?: number;
  failure?: Failure;
  /**
   * Whole SSE events sent before a mid-stream failure: 2 for OpenAI, 4 for Anthropic and 5 for responses by default, which is
   * up to the first content delta. A response that is not streamed fails in the middle of its body.
   */
  afterChunks?: number;
}

export const MOCK_HEADER = 'x-mock';

/** The request header that asks for a behaviour, in ASCII whatever its texts are. */
export function mockHeader(behaviour: Behaviour): { [MOCK_HEADER]: string } {
  const json = JSON.stringify(behaviour);
  return { [MOCK_HEADER]: json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) };
}

/** The behaviour in an `x-mock` header; throws where it is not a JSON object. */
export function behaviourFromHeader(value: string): Behaviour {
  const behaviour: unknown = JSON.parse(value);
  if (typeof behaviour !== 'object' || behaviour === null || Array.isArray(behaviour)) {
    throw new SyntaxError('not an object');
  }
  return behaviour;
}

/**
 * What a model's name alone asks for: `mock-fixed`, `mock-paced` (5 ms between chunks), `mock-status-429`,
 * `mock-failure-reset-mid-stream`; any other name is an echo.
 */
export function behaviourFromModel(model: string): Behaviour {
  if (model === 'mock-fixed') return { pieces: FIXED_PIECES };
  if (model === 'mock-paced') return { pieces: FIXED_PIECES, delayMs: 5 };
  const [, kind, value] = /^mock-(status|failure)-(.+)$/.exec(model) ?? [];
  if (kind === 'status') return { status: Number(value) };
  if (kind === 'failure') return { failure: value as Failure };
  return {};
}

/** Lays what was asked for over what the model's name gives, whose content yields to any content asked for. */
export function combineBehaviour(fromModel: Behaviour, asked: Behaviour): Behaviour {
  const asksForContent = asked.text !== undefined || asked.texts !== undefined || asked.toolCalls !== undefined;
  const { pieces, ...rest } = fromModel;
  return pieces === undefined || asksForContent ? { ...rest, ...asked } : { ...fromModel, ...asked };
}
