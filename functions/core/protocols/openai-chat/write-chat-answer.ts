import { GatewayError } from '../../errors.ts';
import type { OutputGuard } from '../../inspect/output-guard.ts';
import { spliceJson } from '../../json/json-splice.ts';
import type { ChatRequest } from '../../model/chat.ts';
import type { Exchange } from '../../pipeline/exchange.ts';
import type { OutsideOutput } from '../../pipeline/outside-output.ts';
import type { Piece } from '../../pipeline/piece.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ChatAnswer } from '../../ports/provider.ts';
import { type AnswerHead, ChunkEncoder, encodeChunk, encodeCompletion, usageField } from './chat-encoder.ts';
import { type ChatPiece, toChatPiece } from './chat-pieces.ts';
import { estimateUsage } from './estimate-usage.ts';

type WholeAnswer = Extract<ChatAnswer, { kind: 'native' | 'translated' }>;
type StreamAnswer = Extract<ChatAnswer, { kind: 'native-stream' | 'translated-stream' }>;

const REFUSAL = 'This request was declined by the security policy.';

/** Writes answers in OpenAI's chat protocol: guarded, and with `svc` where decisions, section 3, puts it. */
export class ChatAnswerWriter {
  private readonly exchange: Exchange;
  private readonly request: ChatRequest;
  private readonly created: number;

  constructor(exchange: Exchange, request: ChatRequest, clock: Clock) {
    this.exchange = exchange;
    this.request = request;
    this.created = Math.floor(clock.now() / 1000);
  }

  /** The JSON of a whole answer, once everyone has judged it. */
  async whole(answer: WholeAnswer, guard: OutputGuard, outside?: OutsideOutput): Promise<string> {
    const json = answer.kind === 'native' ? answer.body : encodeCompletion(answer.completion, this.created);
    const piece = readPiece(json, this.exchange);
    this.exchange.usage = piece.usage ?? null;
    for (const { text } of piece.slots) this.exchange.receivedChars += text.length;
    outside?.take(piece.slots);
    this.exchange.transcript?.takeAnswer(piece.slots);
    await outside?.judgeWhole(guard);
    const released = this.exchange.timed('inspect', () => [...guard.push(piece), ...guard.end()]);
    this.exchange.coverage.output.push(...choicesOf(guard));
    // A block before the first character leaves nothing of the answer's text.
    const kept = released[0]?.json ?? json;
    this.exchange.firstPieceLeft();
    if (outside?.withheld) return this.withSecurity(cutWhole(json, true));
    return this.withSecurity(guard.blocked ? cutWhole(kept, released.length === 0) : kept);
  }

  /**
   * The JSON of the chunks of a streamed answer, each as soon as it may leave; as many at a time as may leave at once.
   * Where outside detectors judge the answer, the chunks that end it wait for them.
   */
  async *stream(answer: StreamAnswer, guard: OutputGuard, outside?: OutsideOutput): AsyncGenerator<string[]> {
    const chunks = answer.kind === 'native-stream' ? answer.chunks : this.encode(answer.deltas);
    const state: StreamState = {
      head: this.head(),
      finished: new Set(),
      seen: new Set(),
      guard,
      outside,
      held: outside && [],
    };
    for await (const batch of chunks) {
      const { released, failure } = this.passOn(batch, state);
      if (released.length > 0) yield released;
      if (failure !== undefined) throw failure;
      if (guard.blocked) break;
    }
    const rest: string[] = [];
    if (!guard.blocked) {
      const remaining = this.exchange.timed('inspect', () => guard.end());
      this.emit(remaining, state, rest);
    }
    this.exchange.coverage.output.splice(0, Infinity, ...choicesOf(guard));
    if (outside !== undefined && !guard.blocked) {
      if (rest.length > 0) yield rest.splice(0);
      await outside.judgeSent();
    }
    this.emitHeld(state, rest);
    if (guard.blocked) rest.push(...this.blockedEnd(state));
    if (rest.length > 0) yield rest;
    if (!guard.blocked && state.finished.size === 0)
      throw new GatewayError('provider_error', 'The provider ended its answer without a finish reason.');
  }

  /** What may leave after these chunks, up to the first that cannot be read. */
  private passOn(batch: readonly string[], state: StreamState): { released: string[]; failure: unknown } {
    const { guard } = state;
    const released: string[] = [];
    try {
      for (const json of batch) {
        const piece = readPiece(json, this.exchange);
        this.note(piece, state);
        const start = this.exchange.monotonic();
        const pieces = guard.push(piece);
        this.exchange.spent('inspect', start);
        this.emit(pieces, state, released);
        if (guard.blocked) break;
      }
      return { released, failure: undefined };
    } catch (failure) {
      return { released, failure };
    }
  }

  /** The answer to a blocked request whose policy asks for a refusal in the place of an error. */
  refusal(): string[] {
    this.exchange.firstPieceLeft();
    const svc = this.exchange.securityInfo();
    const usage = { inputTokens: 0, outputTokens: 0 };
    this.exchange.usage = usage;
    const head = this.head();
    if (!this.request.stream) {
      const choices = [{ index: 0, text: null, refusal: REFUSAL, finishReason: 'content_filter' as const }];
      return [this.withSecurity(encodeCompletion({ id: head.id, model: head.model, choices, usage }, this.created))];
    }
    const choice = (delta: object, finish_reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] });
    const chunks = [
      choice({ role: 'assistant', content: '' }, null),
      choice({ refusal: REFUSAL }, null),
      { ...choice({}, 'content_filter'), svc },
      ...(this.request.includeUsage ? [{ choices: [], ...usageField(usage) }] : []),
    ];
    return chunks.map((chunk) => encodeChunk(head, chunk));
  }

  private head(): AnswerHead {
    return {
      id: `chatcmpl-${this.exchange.requestId.slice('req_'.length)}`,
      created: this.created,
      model: this.request.model,
    };
  }

  private async *encode(
    deltas: Extract<StreamAnswer, { kind: 'translated-stream' }>['deltas'],
  ): AsyncGenerator<string[]> {
    const encoder = new ChunkEncoder(this.head());
    for await (const batch of deltas) yield batch.flatMap((delta) => [...encoder.encode(delta)]);
  }

  private note(piece: ChatPiece, state: StreamState): void {
    if (piece.usage) this.exchange.usage = piece.usage;
    for (const { text } of piece.slots) this.exchange.receivedChars += text.length;
    state.outside?.take(piece.slots);
    this.exchange.transcript?.takeAnswer(piece.slots);
    const { id, model, created } = piece;
    state.head = { id: id ?? state.head.id, model: model ?? state.head.model, created: created ?? state.head.created };
  }

  /** Adds the JSON of released pieces to what leaves now. */
  private emit(pieces: readonly Piece[], state: StreamState, out: string[]): void {
    for (const piece of pieces) {
      const chat = piece as ChatPiece;
      if (chat.usageOnly && !this.request.includeUsage) continue;
      if (state.held !== undefined && (chat.finished.length > 0 || chat.usageOnly)) {
        state.held.push(chat);
        continue;
      }
      this.exchange.firstPieceLeft();
      for (const choice of chat.choiceIndexes) state.seen.add(choice);
      if (!state.guard.blocked) for (const { choice } of chat.finished) state.finished.add(choice);
      // A piece that was cut by a block says no other finish than the block's own.
      if (state.guard.blocked) out.push(withoutFinish(chat));
      else if (chat.finished.length === 0) out.push(chat.json);
      else {
        this.exchange.coverage.output.splice(0, Infinity, ...choicesOf(state.guard));
        out.push(this.withSecurity(chat.json));
      }
    }
  }

  private emitHeld(state: StreamState, out: string[]): void {
    const { held = [] } = state;
    state.held = undefined;
    this.emit(held, state, out);
  }

  /** The chunks that end an answer that was cut: a finish for every open choice, and the usage where it was asked for. */
  private blockedEnd(state: StreamState): string[] {
    const open = [...(state.seen.size > 0 ? state.seen : new Set([0]))].filter((choice) => !state.finished.has(choice));
    const svc = this.exchange.securityInfo();
    const ends = open.map((index) =>
      encodeChunk(state.head, { choices: [{ index, delta: {}, finish_reason: 'content_filter' }], svc }),
    );
    // The provider's own count comes only at an end that this stream never reached.
    const usage = this.exchange.usage ?? estimateUsage(this.request, this.exchange.receivedChars);
    this.exchange.usage = usage;
    if (this.request.includeUsage) ends.push(encodeChunk(state.head, { choices: [], ...usageField(usage) }));
    return ends;
  }

  private withSecurity(json: string): string {
    return spliceJson(json, [
      // A provider that is a gateway like this one has put its own there.
      { kind: 'remove', path: ['svc'] },
      { kind: 'insert', path: [], key: 'svc', json: JSON.stringify(this.exchange.securityInfo()) },
    ]);
  }
}

interface StreamState {
  head: AnswerHead;
  readonly finished: Set<number>;
  readonly seen: Set<number>;
  readonly guard: OutputGuard;
  readonly outside: OutsideOutput | undefined;
  /** Chunks that end the answer, kept until outside detectors have judged it; undefined where they need not wait. */
  held: ChatPiece[] | undefined;
}

function readPiece(json: string, exchange: Exchange): ChatPiece {
  let piece: ChatPiece;
  try {
    piece = toChatPiece(json);
  } catch (error) {
    throw new GatewayError(
      'provider_error',
      `The provider ${exchange.provider} gave an answer that could not be read.`,
      {
        internal: `${exchange.provider}: not JSON`,
        cause: error,
      },
    );
  }
  if (piece.error || !piece.recognised) {
    throw new GatewayError('provider_error', `The provider ${exchange.provider} failed.`, {
      internal: `${exchange.provider}: ${piece.error ? 'error in the place of an answer' : 'no chat completion'}`,
    });
  }
  return piece;
}

/** Text left in a whole answer stands before the block; nothing of a tool call may, since half a call is none. */
function cutWhole(json: string, empty: boolean): string {
  const body = JSON.parse(json) as { choices?: { message?: Record<string, unknown>; finish_reason?: string }[] };
  for (const choice of body.choices ?? []) {
    choice.finish_reason = 'content_filter';
    if (!choice.message) continue;
    delete choice.message.tool_calls;
    delete choice.message.function_call;
    if (empty) choice.message = { role: 'assistant', content: '', refusal: null };
  }
  return JSON.stringify(body);
}

function withoutFinish(piece: ChatPiece): string {
  return spliceJson(
    piece.json,
    piece.finishPaths.map((path) => ({ kind: 'replace', path, json: 'null' })),
  );
}

/** `choices[0]` for every choice of which a text was inspected. */
function choicesOf(guard: OutputGuard): string[] {
  return [...new Set(guard.inspected.map((channel) => channel.slice(0, channel.indexOf(']') + 1)))];
}
