import { GatewayError } from '../base/errors.ts';
import { type CpuBudget, finish, runInSlices, type Scheduler, type Steps } from '../base/steps.ts';
import { withAnswerFiles } from '../files/answer-files.ts';
import type { OutputGuard } from '../inspect/output/output-guard.ts';
import type { Usage } from '../model/chat.ts';
import { type Piece, withTexts } from '../model/piece.ts';
import type { AnswerFormat, AnswerPiece } from '../protocols/answer-format.ts';
import type { ChatAnswer } from '../routing/provider.ts';
import type { Exchange } from './exchange.ts';
import type { OutsideOutput } from './outside-output.ts';
import type { UntrustedOutput } from './untrusted-output.ts';

type WholeAnswer = Extract<ChatAnswer, { kind: 'native' | 'translated' }>;
type StreamAnswer = Extract<ChatAnswer, { kind: 'native-stream' | 'translated-stream' }>;

/** How the inspection of an answer shares the process. */
export interface AnswerPace {
  readonly scheduler: Scheduler;
  readonly budget: CpuBudget;
}

/** So many events take some milliseconds. Of a fast provider they come without a pause, and each batch alone is short. */
const EVENTS_A_TURN = 256;

/** Writes an answer in the caller's protocol: guarded, counted, and with `svc` in it. */
export class AnswerWriter {
  private readonly exchange: Exchange;
  private readonly format: AnswerFormat;
  private readonly estimate: () => Usage;
  /** How many pieces had files. */
  private withFiles = 0;
  private readonly pace: AnswerPace | undefined;
  /** How many of the guard's texts are in `coverage`, and their parts. */
  private noted = 0;
  private readonly parts = new Set<string>();

  /** `estimate` says what was used where an answer ends before its provider has told. */
  constructor(exchange: Exchange, format: AnswerFormat, estimate: () => Usage, pace?: AnswerPace) {
    this.exchange = exchange;
    this.format = format;
    this.estimate = estimate;
    this.pace = pace;
  }

  /** The JSON of a whole answer, once everyone has judged it. */
  async whole(
    answer: WholeAnswer,
    guard: OutputGuard,
    outside?: OutsideOutput,
    untrusted?: UntrustedOutput,
  ): Promise<string> {
    const json = answer.kind === 'native' ? answer.body : this.format.encodeWhole(answer.completion);
    const piece = await this.inspect(this.read(json), guard);
    this.take(piece, outside, untrusted);
    if (untrusted !== undefined) await this.inspect(untrusted.judgeWhole(guard), guard);
    await outside?.judgeWhole(guard);
    const released = [...(await this.inspect(guard.pushSteps(piece), guard)), ...guard.end()];
    this.noteCoverage(guard);
    const isCut = guard.isCut || outside?.withheld === true;
    if (answer.kind === 'native') this.exchange.conversation?.took(piece, isCut);
    this.exchange.firstPieceLeft();
    // A block before the first character leaves nothing of the answer's text.
    const isWithheld = outside?.withheld || (guard.isCut && !guard.blocked);
    const kept = isWithheld ? undefined : released[0]?.json;
    if (kept === undefined) return this.withSecurity(this.format.cutWhole(withoutText(piece), true));
    return this.withSecurity(guard.blocked ? this.format.cutWhole(kept, false) : kept);
  }

  /**
   * The JSON of the events of a streamed answer, each as soon as it may leave; as many at a time as may leave at once.
   * Where outside detectors judge the answer, the events that end it wait for them.
   */
  async *stream(
    answer: StreamAnswer,
    guard: OutputGuard,
    outside?: OutsideOutput,
    untrusted?: UntrustedOutput,
  ): AsyncGenerator<string[]> {
    const chunks = answer.kind === 'native-stream' ? answer.chunks : this.encode(answer.deltas);
    const isNative = answer.kind === 'native-stream';
    const state: StreamState = { guard, outside, untrusted, isNative, held: outside && [] };
    let events = 0;
    for await (const batch of chunks) {
      events += batch.length;
      if (events >= EVENTS_A_TURN) {
        events = 0;
        await this.pace?.scheduler.nextTurn();
      }
      const { released, failure } = await this.inspect(this.passOn(batch, state), guard);
      if (released.length > 0) yield released;
      if (failure !== undefined) throw failure;
      if (guard.isCut) break;
    }
    const rest: string[] = [];
    if (!guard.isCut) {
      const remaining = this.exchange.timed('inspect', () => guard.end());
      this.emit(remaining, state, rest);
    }
    this.noteCoverage(guard);
    if (outside !== undefined && !guard.isCut) {
      if (rest.length > 0) yield rest.splice(0);
      await outside.judgeSent(guard);
    }
    if (untrusted !== undefined) await this.inspect(untrusted.judgeSent(), guard);
    const { held = [] } = state;
    state.held = undefined;
    this.emit(held, state, rest);
    if (guard.isCut) {
      // The provider's own count comes only at an end that this stream never reached; some tell that of the input before.
      this.exchange.usage = { ...this.estimate(), ...this.exchange.usage };
      rest.push(...this.format.blockedEnd(this.exchange.securityInfo(), this.exchange.usage));
    }
    const whole = guard.isCut || this.format.ended;
    if (whole) rest.push(...(this.format.lastEvents?.() ?? []));
    if (rest.length > 0) yield rest;
    if (!whole) throw new GatewayError('provider_error', 'The provider ended its answer without a finish reason.');
  }

  /** The answer to a blocked request whose policy asks for a refusal in the place of an error; undefined where there is none. */
  refusal(): string[] | undefined {
    const refusal = this.format.refusal(this.exchange.securityInfo());
    if (refusal === undefined) return undefined;
    this.exchange.firstPieceLeft();
    this.exchange.usage = { inputTokens: 0, outputTokens: 0 };
    return refusal;
  }

  /** What may leave after these events, up to the first that cannot be read. */
  private *passOn(batch: readonly string[], state: StreamState): Steps<{ released: string[]; failure: unknown }> {
    const { guard } = state;
    const released: string[] = [];
    try {
      for (const json of batch) {
        const piece = yield* this.read(json);
        this.take(piece, state.outside, state.untrusted);
        if (piece.ends && state.untrusted !== undefined) yield* state.untrusted.judgeSent();
        this.format.came(piece);
        const start = this.exchange.monotonic();
        const pieces = yield* guard.pushSteps(piece);
        this.exchange.spent('inspect', start);
        if (yield) guard.overspend();
        if (guard.isCut && !guard.blocked) break;
        this.emit(pieces, state, released);
        if (guard.isCut) break;
      }
      return { released, failure: undefined };
    } catch (failure) {
      return { released, failure };
    }
  }

  private async *encode(
    deltas: Extract<StreamAnswer, { kind: 'translated-stream' }>['deltas'],
  ): AsyncGenerator<string[]> {
    for await (const batch of deltas) yield batch.flatMap((delta) => this.format.encode(delta));
    yield this.format.encodeEnd();
  }

  private take(piece: AnswerPiece, outside: OutsideOutput | undefined, untrusted: UntrustedOutput | undefined): void {
    if (piece.usage) this.exchange.usage = { ...this.exchange.usage, ...piece.usage };
    for (const what of piece.skipped ?? []) this.exchange.skipped(what);
    for (const { text, repeats } of piece.slots) if (!repeats) this.exchange.receivedChars += text.length;
    untrusted?.take(piece.slots);
    outside?.take(piece.slots);
    this.exchange.transcript?.takeAnswer(piece.slots);
  }

  /** Adds the JSON of released pieces to what leaves now. */
  private emit(pieces: readonly Piece[], state: StreamState, out: string[]): void {
    for (const released of pieces) {
      const piece = released as AnswerPiece;
      if (state.held !== undefined && piece.ends) {
        state.held.push(piece);
        continue;
      }
      const json = this.format.leaving(piece, state.guard.isCut, () => {
        this.noteCoverage(state.guard);
        return this.exchange.securityInfo();
      });
      if (json === undefined) continue;
      if (state.isNative) this.exchange.conversation?.took(piece, false);
      this.exchange.firstPieceLeft();
      out.push(json);
    }
  }

  private noteCoverage(guard: OutputGuard): void {
    const { output } = this.exchange.coverage;
    for (; this.noted < guard.inspected.length; this.noted += 1) {
      const part = partOf(guard.inspected[this.noted] as string);
      if (this.parts.has(part)) continue;
      this.parts.add(part);
      output.push(part);
    }
  }

  /** Inspects in slices; where that uses up the answer's CPU budget, the answer may end here. */
  private async inspect<T>(steps: Steps<T>, guard: OutputGuard): Promise<T> {
    const { pace } = this;
    if (pace === undefined) return finish(steps);
    const done = await runInSlices(steps, pace.scheduler, pace.budget);
    if (pace.budget.isSpent) guard.overspend();
    return done;
  }

  private withSecurity(json: string): string {
    return this.format.withSecurity(json, this.exchange.securityInfo());
  }

  private *read(json: string): Steps<AnswerPiece> {
    const { provider } = this.exchange;
    let piece: AnswerPiece;
    try {
      piece = this.format.readPiece(json);
    } catch (error) {
      throw new GatewayError('provider_error', `The provider ${provider} gave an answer that could not be read.`, {
        internal: `${provider}: not JSON`,
        cause: error,
      });
    }
    if (piece.fault !== undefined) {
      throw new GatewayError('provider_error', `The provider ${provider} failed.`, {
        internal: `${provider}: ${piece.fault}`,
      });
    }
    const whole = yield* withAnswerFiles(piece, this.withFiles);
    if (whole.slots.length > piece.slots.length) this.withFiles += 1;
    return whole;
  }
}

interface StreamState {
  readonly guard: OutputGuard;
  readonly outside: OutsideOutput | undefined;
  readonly untrusted: UntrustedOutput | undefined;
  /** Whether its ids are the provider's, and not our own. */
  readonly isNative: boolean;
  /** Events that end the answer, kept until outside detectors have judged it; undefined where they need not wait. */
  held: AnswerPiece[] | undefined;
}

function withoutText(piece: Piece): string {
  return withTexts(
    piece,
    piece.slots.map(() => ''),
  ).json;
}

/** The part of an answer to which a channel's text belongs: `choices[0]` of `choices[0].content`. */
function partOf(channel: string): string {
  return /^\w+(?:\[\d+\])?/.exec(channel)?.[0] ?? channel;
}
