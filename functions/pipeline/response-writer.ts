import type { CallInspector, OutputChecks } from '../inspection/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { withoutBulk } from '../kernel/json/index.ts';
import { type Piece, type ResponsePiece, type SecurityInfo, type Usage, withTexts } from '../kernel/model/index.ts';
import {
  type CpuBudget,
  finish,
  giveWayFor,
  LARGE_UNITS,
  runInSlices,
  type Scheduler,
  type Steps,
} from '../kernel/tasks/index.ts';
import type { ResponseFormat } from '../translation/index.ts';
import type { MediaResponse, TextResponse } from './call-provider.ts';
import type { Conversation } from './conversation.ts';
import type { Outcome } from './request-outcome.ts';
import type { Transcript } from './transcript.ts';

type WholeResponse = Extract<TextResponse, { kind: 'native' | 'translated' }>;
type StreamResponse = Extract<TextResponse, { kind: 'native-stream' | 'translated-stream' }>;

/** Bytes of a media response. */
export interface MediaPiece {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** How the inspection of a response shares the CPU. */
export interface InspectionPace {
  readonly scheduler: Scheduler;
  readonly budget: CpuBudget;
}

/** What a response is written with. */
export interface Writing {
  readonly format: ResponseFormat;
  /** The provider that responds, for errors. */
  readonly provider: string;
  /** The object `svc`, of what is known so far. */
  readonly svc: () => SecurityInfo;
  /** Takes the texts of the response, if its policy captures them. */
  readonly transcript: Transcript | undefined;
  /** Takes the ids of the response, if its API has any. */
  readonly conversation: Conversation | undefined;
  /** Removes tool calls that may not be sent; absent if the API has none. */
  readonly calls: ReturnType<CallInspector['gate']> | undefined;
}

/** What the writing of a response fills. */
export type WritingProgress = Pick<Outcome, 'inspection' | 'times' | 'usage'>;

/** Events that take some milliseconds. A fast provider sends them without a pause, in batches that are each short. */
const EVENTS_A_TURN = 256;

/** Writes a response in the caller's protocol: inspected, metered, and with `svc`. */
export class ResponseWriter {
  private readonly writing: Writing;
  private readonly format: ResponseFormat;
  private readonly progress: WritingProgress;
  private readonly pace: InspectionPace | undefined;
  /** Number of the guard's texts that are in `coverage`. */
  private noted = 0;
  private complete = false;
  /** Whether the provider has sent an end of the response. */
  private hasEnded = false;
  /** Whether the provider has another protocol. What the caller's says of the usage lacks some of it, and has 0 for what is unknown. */
  private isTranslated = false;

  constructor(writing: Writing, progress: WritingProgress, pace?: InspectionPace) {
    this.writing = writing;
    this.format = writing.format;
    this.progress = progress;
    this.pace = pace;
  }

  /** Whether all of the response was released, and no block cut it. */
  get isComplete(): boolean {
    return this.complete;
  }

  /** The JSON of a whole response, after all inspections. */
  async whole(response: WholeResponse, checks: OutputChecks): Promise<string> {
    const { keys, guard, outside, thirdParty } = checks;
    if (response.kind === 'translated') this.reportTranslated(response.completion.usage);
    const json = response.kind === 'native' ? response.body : this.format.encodeWhole(response.completion);
    await this.giveWay(json);
    if (this.writing.calls?.isReadyFor(json) === false) await this.prepareCalls();
    const read = await this.inspect(this.read(json, checks), guard);
    const [piece = read] =
      keys === undefined ? [] : [...(await this.inspect(keys.pushSteps(read), guard)), ...keys.end<ResponsePiece>()];
    this.take(piece, checks);
    if (thirdParty !== undefined) await this.inspect(thirdParty.inspectWhole(guard), guard);
    await outside?.inspectWhole(guard);
    const released = [...(await this.inspect(guard.pushSteps(piece), guard)), ...guard.end()];
    this.noteCoverage(guard);
    const sent = guard.isCut || outside?.withheld ? released : await this.wholeCalls(released, guard);
    const isCut = guard.isCut || outside?.withheld === true;
    this.complete = !isCut;
    this.progress.times.firstPieceSent();
    // A block before the first character leaves no text of the response.
    const isWithheld = outside?.withheld || (guard.isCut && !guard.blocked);
    if (response.kind === 'native') this.writing.conversation?.took((sent[0] ?? piece) as ResponsePiece, isCut);
    const kept = isWithheld ? undefined : sent[0]?.json;
    await this.giveWay(json);
    if (kept === undefined) return this.withSecurity(this.format.cutWhole(withoutText(piece), true));
    return this.withSecurity(guard.blocked ? this.format.cutWhole(kept, false) : kept);
  }

  /**
   * Yields the JSON of a stream's events as soon as they may be sent, in batches. If outside detectors inspect the response, its final events
   * wait for them.
   */
  async *stream(response: StreamResponse, checks: OutputChecks): AsyncGenerator<string[]> {
    const { keys, guard, outside, thirdParty } = checks;
    this.isTranslated = response.kind !== 'native-stream';
    const chunks = response.kind === 'native-stream' ? response.chunks : this.encode(response.deltas);
    const isNative = response.kind === 'native-stream';
    const state: StreamState = { checks, isNative, held: outside && [] };
    let events = 0;
    for await (const batch of chunks) {
      events += batch.length;
      // A large event may take some milliseconds before it can pause.
      if (events >= EVENTS_A_TURN || batch.some((json) => json.length >= LARGE_UNITS)) {
        events = 0;
        await this.pace?.scheduler.nextTurn();
      }
      if (batch.some((json) => this.writing.calls?.isReadyFor(json) === false)) await this.prepareCalls();
      const { released, failure } = await this.inspect(this.passOn(batch, state), guard);
      if (released.length > 0) yield released;
      const asked = this.writing.calls?.isAsking ? await this.askAboutCalls(state) : [];
      if (asked.length > 0) yield asked;
      if (failure !== undefined) throw failure;
      if (guard.isCut) break;
    }
    const rest: string[] = [];
    if (!guard.isCut) {
      for (const piece of keys?.end<ResponsePiece>() ?? [])
        await this.inspect(this.passPiece(piece, state, rest), guard);
    }
    if (!guard.isCut) this.emit(await this.inspect(this.withCalls(this.endOf(guard)), guard), state, rest);
    this.emit(this.writing.calls?.end(guard.isCut || !this.hasEnded) ?? [], state, rest);
    if (this.writing.calls?.isAsking) rest.push(...(await this.askAboutCalls(state)));
    this.noteCoverage(guard);
    if (outside !== undefined && !guard.isCut) {
      if (rest.length > 0) yield rest.splice(0);
      await outside.inspectSent(guard);
    }
    if (thirdParty !== undefined) await this.inspect(thirdParty.inspectSent(), guard);
    const { held = [] } = state;
    state.held = undefined;
    this.emit(held, state, rest);
    if (guard.isCut) {
      // The provider reports usage at the end, which this stream never reached; some report input usage earlier.
      rest.push(...this.format.blockedEnd(this.writing.svc(), this.progress.usage.fillWithEstimate()));
    }
    const whole = guard.isCut || this.format.ended;
    if (whole) rest.push(...(this.format.lastEvents?.() ?? []));
    if (rest.length > 0) yield rest;
    if (!whole) {
      throw new GatewayError('provider_error', 'The provider ended its response without a finish reason.', {
        internal: `${this.writing.provider}: stream ended without a finish reason`,
      });
    }
  }

  /** The events that may be sent after this batch, up to the first that cannot be read. */
  private *passOn(batch: readonly string[], state: StreamState): Steps<{ released: string[]; failure: unknown }> {
    const { keys, guard } = state.checks;
    const released: string[] = [];
    try {
      for (const json of batch) {
        const read = yield* this.read(json, state.checks);
        for (const piece of keys === undefined ? [read] : yield* keys.pushSteps(read)) {
          yield* this.passPiece(piece, state, released);
          if (guard.isCut) return { released, failure: undefined };
        }
      }
      return { released, failure: undefined };
    } catch (failure) {
      return { released, failure };
    }
  }

  /** Inspects a piece, and adds what may be sent after it to `out`. */
  private *passPiece(piece: ResponsePiece, state: StreamState, out: string[]): Steps<void> {
    const { guard, thirdParty } = state.checks;
    const { times } = this.progress;
    this.take(piece, state.checks);
    if (piece.ends && thirdParty !== undefined) yield* thirdParty.inspectSent();
    this.format.received(piece);
    const start = times.now;
    const pieces = yield* guard.pushSteps(piece);
    times.spent('inspect', start);
    if (yield) this.overspend(guard);
    if (guard.isCut && !guard.blocked) return;
    this.emit(yield* this.withCalls(pieces), state, out);
  }

  private async *encode(
    deltas: Extract<StreamResponse, { kind: 'translated-stream' }>['deltas'],
  ): AsyncGenerator<string[]> {
    for await (const batch of deltas) {
      for (const delta of batch) if ('usage' in delta && delta.usage !== undefined) this.reportTranslated(delta.usage);
      yield batch.flatMap((delta) => this.format.encode(delta));
    }
    yield this.format.encodeEnd();
  }

  private reportTranslated(usage: Usage): void {
    this.isTranslated = true;
    if (Object.keys(usage).length > 0) this.progress.usage.report(usage);
  }

  private take(piece: ResponsePiece, { outside, thirdParty }: OutputChecks): void {
    const { usage, inspection } = this.progress;
    this.hasEnded ||= piece.ends;
    usage.received(piece.slots);
    if (piece.usage && !this.isTranslated) usage.report(piece.usage);
    if (piece.unreadId !== undefined) usage.continuesAtProvider();
    for (const what of piece.skipped ?? []) inspection.skipped(what);
    thirdParty?.take(piece.slots);
    outside?.take(piece.slots);
    this.writing.transcript?.takeResponse(piece.slots);
  }

  private async prepareCalls(): Promise<void> {
    const { times } = this.progress;
    const start = times.now;
    await this.writing.calls?.prepare();
    times.spent('inspect', start);
  }

  /** A whole response with a text for each call that was removed. */
  private async wholeCalls(released: readonly Piece[], guard: OutputChecks['guard']): Promise<ResponsePiece[]> {
    const sent = await this.inspect(this.withCalls(released), guard);
    sent.push(...(this.writing.calls?.end(false) ?? []));
    if (this.writing.calls?.isAsking) sent.push(...(await this.writing.calls.ask()));
    return sent;
  }

  /** Asks about calls that need an approval. @returns the events that may be sent after that */
  private async askAboutCalls(state: StreamState): Promise<string[]> {
    const out: string[] = [];
    this.emit((await this.writing.calls?.ask()) ?? [], state, out);
    return out;
  }

  /** The pieces that may be sent now, with a text for each call that was removed. */
  private *withCalls(pieces: readonly Piece[]): Steps<ResponsePiece[]> {
    const { calls } = this.writing;
    const { times } = this.progress;
    if (calls === undefined) return [...(pieces as readonly ResponsePiece[])];
    const start = times.now;
    const sent: ResponsePiece[] = [];
    for (const piece of pieces as readonly ResponsePiece[]) sent.push(...(yield* calls.pushSteps(piece)));
    times.spent('inspect', start);
    return sent;
  }

  /** The pieces that the guard still holds. */
  private endOf(guard: OutputChecks['guard']): readonly Piece[] {
    const { times } = this.progress;
    const start = times.now;
    try {
      return guard.end();
    } finally {
      times.spent('inspect', start);
    }
  }

  /** Adds the JSON of released pieces to `out`. */
  private emit(pieces: readonly Piece[], state: StreamState, out: string[]): void {
    const { guard } = state.checks;
    for (const released of pieces) {
      const piece = released as ResponsePiece;
      if (state.held !== undefined && piece.ends) {
        state.held.push(piece);
        continue;
      }
      const json = this.format.release(piece, guard.isCut, () => {
        this.noteCoverage(guard);
        return this.writing.svc();
      });
      if (json === undefined) continue;
      if (state.isNative) this.writing.conversation?.took(piece, false);
      if (piece.ends) this.complete = true;
      this.progress.times.firstPieceSent();
      out.push(json);
    }
  }

  private noteCoverage({ inspected }: OutputChecks['guard']): void {
    for (; this.noted < inspected.length; this.noted += 1) {
      this.progress.inspection.inspectedOutput(partOf(inspected[this.noted] as string));
    }
  }

  /** Inspects in slices; if that uses up the response's CPU budget, the response may end here. */
  private async inspect<T>(steps: Steps<T>, guard: OutputChecks['guard']): Promise<T> {
    const { pace } = this;
    if (pace === undefined) return finish(steps);
    const done = await runInSlices(steps, pace.scheduler, pace.budget);
    if (pace.budget.isSpent) this.overspend(guard);
    return done;
  }

  /** A response whose end was released cannot end a second time. */
  private overspend(guard: OutputChecks['guard']): void {
    if (!this.complete) guard.overspend();
  }

  /** Lets other work run before what cannot pause. */
  private async giveWay(text: string): Promise<void> {
    if (this.pace !== undefined) await giveWayFor({ text }, this.pace.scheduler);
  }

  private withSecurity(json: string): string {
    return this.format.withSecurity(json, this.writing.svc());
  }

  private *read(received: string, { keys, guard }: OutputChecks): Steps<ResponsePiece> {
    const { provider } = this.writing;
    const json = keys === undefined ? received : yield* keys.inJson(received);
    let piece: ResponsePiece;
    let inspected = json;
    try {
      if (this.format.isPlain !== true) inspected = yield* withoutBulk(json, this.format.bulky);
      yield;
      piece = this.format.readPiece(json, inspected);
    } catch (error) {
      throw new GatewayError('provider_error', `The provider ${provider} returned a response that could not be read.`, {
        internal: `${provider}: ${error instanceof RangeError ? error.message : 'not JSON'}`,
        cause: error,
      });
    }
    if (piece.fault !== undefined) {
      throw new GatewayError('provider_error', `The provider ${provider} failed.`, {
        internal: `${provider}: ${piece.fault}`,
      });
    }
    yield;
    // A piece may have a rewritten JSON, unless it has bulky values.
    const read = inspected === json ? piece.json : inspected;
    return yield* guard.withFiles(piece, read);
  }
}

/** Yields the bytes of a media response, which are not inspected. Providers do not report its usage. */
export async function* writeMedia(
  { mediaType, bytes: pieces }: MediaResponse,
  { inspection, times, usage }: WritingProgress,
): AsyncGenerator<MediaPiece> {
  inspection.skipped('output: audio');
  for await (const bytes of pieces) {
    times.firstPieceSent();
    yield { mediaType, bytes };
  }
  usage.fillWithEstimate();
}

/** The response to a blocked request whose policy asks for a refusal instead of an error; undefined if the protocol has none. */
export function writeRefusal(
  { format, svc }: Pick<Writing, 'format' | 'svc'>,
  { times, usage }: Pick<WritingProgress, 'times' | 'usage'>,
): string[] | undefined {
  const refusal = format.refusal(svc());
  if (refusal === undefined) return undefined;
  times.firstPieceSent();
  usage.report({ inputTokens: 0, outputTokens: 0 });
  return refusal;
}

interface StreamState {
  readonly checks: OutputChecks;
  /** Whether its ids are the provider's. */
  readonly isNative: boolean;
  /** Events that end the response, held until outside detectors have inspected it; undefined if they need not wait. */
  held: ResponsePiece[] | undefined;
}

function withoutText(piece: Piece): string {
  return withTexts(
    piece,
    piece.slots.map(() => ''),
  ).json;
}

/** The part of a response that a channel belongs to: `choices[0]` for `choices[0].content`. */
function partOf(channel: string): string {
  return /^\w+(?:\[\d+\])?/.exec(channel)?.[0] ?? channel;
}
