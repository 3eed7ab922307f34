import type { Clock } from '../base/clock.ts';
import { type ShadowRecord, ShadowTally } from '../inspect/custom-rules/policy-inspector.ts';
import type { Policy } from '../inspect/policy.ts';
import { SecurityReport } from '../inspect/security-report.ts';
import type { Refusal } from '../limits/ledger.ts';
import type { LimitStates } from '../limits/limiter.ts';
import type { Target } from '../routing/route-model.ts';
import type { SessionRef } from '../sessions/session-store.ts';
import type { Conversation } from './conversation.ts';
import { ProviderCalls, RequestTimes } from './request-times.ts';
import { Transcript } from './transcript.ts';
import { UsageMeter } from './usage-meter.ts';

/** How a request ended (decisions, section 2). */
export type Outcome = 'completed' | 'blocked' | 'refused' | 'failed';

/** What of a request was inspected, and what was not or not in time. */
export interface Coverage {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * Collects what the stages of one request report, for its record, its log line, its event and the headers of its response.
 * Stages write to it by its methods; what a stage needs from another is that one's result.
 */
export class RecordBuilder {
  readonly report = new SecurityReport();
  readonly times: RequestTimes;
  readonly calls: ProviderCalls;
  readonly usage = new UsageMeter();
  private readonly covered = { input: new Set<string>(), output: new Set<string>(), skipped: new Set<string>() };
  private readonly missing: string[] = [];
  private readonly notes: string[] = [];
  private shadow: ShadowTally | undefined;
  private readonly values: RecordValues = {
    model: '',
    stream: false,
    target: undefined,
    alternativeModels: [],
    outcome: 'failed',
    errorCode: null,
    status: null,
    limitStates: undefined,
    refusal: undefined,
    triedRoute: undefined,
    session: undefined,
    conversation: undefined,
    lastTurnScore: 0,
    flagsSessionFrom: Number.POSITIVE_INFINITY,
    transcript: undefined,
  };

  /** `startedAt`: when the request arrived, monotonic. */
  constructor(clock: Clock, startedAt: number) {
    this.times = new RequestTimes(clock, startedAt);
    this.calls = new ProviderCalls(this.times);
  }

  /** What is known so far; a live view. */
  get known(): RecordValues {
    return this.values;
  }

  get session(): SessionRef | undefined {
    return this.values.session;
  }

  get coverage(): Coverage {
    const { input, output, skipped } = this.covered;
    return { input: [...input], output: [...output], skipped: [...skipped] };
  }

  /** Outside judgements that are missing, and why: `bedrock_guardrails: refused (status 403)`. */
  get detectorFailures(): readonly string[] {
    return this.missing;
  }

  /** What happened inside, for an operator; null where there is nothing to say. */
  get internal(): string | null {
    return this.notes.length === 0 ? null : this.notes.join('; ');
  }

  /** What the policy's shadow would have done so far; null where it has none. */
  get shadowRecord(): ShadowRecord | null {
    return this.shadow?.toRecord() ?? null;
  }

  /** Begins what the policy asks to be recorded. @returns where its shadow counts; undefined where it has none */
  applies({ capture, flagsAttacksFrom, shadow }: Policy): ShadowTally | undefined {
    if (capture !== 'none') this.set({ transcript: new Transcript(capture) });
    this.set({ flagsSessionFrom: flagsAttacksFrom });
    this.shadow = shadow && new ShadowTally((finding, surface) => shadow.decide(finding, surface));
    return this.shadow;
  }

  /** The model as the caller named it. */
  requested(model: string, stream = false): void {
    this.set({ model, stream });
  }

  /** The target that is called now. `alternativeModels`: what its provider may call in the place of its model. */
  targeted(target: Target, alternativeModels = this.values.alternativeModels): void {
    this.set({ target, alternativeModels });
  }

  /** The targets that were tried, each with how it failed, for the header `X-Svc-Route`. */
  tried(steps: readonly string[]): void {
    this.set({ triedRoute: steps });
  }

  admitted(limitStates: LimitStates): void {
    this.set({ limitStates });
  }

  refusedBy(refusal: Refusal): void {
    this.set({ refusal });
  }

  joined(session: SessionRef): void {
    this.set({ session });
  }

  /** The conversation that the request continues, for an API whose responses have ids. */
  continues(conversation: Conversation): void {
    this.set({ conversation });
  }

  /** What the input's last turn scored, without the session's past. */
  scored(lastTurnScore: number): void {
    this.set({ lastTurnScore });
  }

  inspectedInput(parts: readonly string[]): void {
    for (const part of parts) this.covered.input.add(part);
  }

  inspectedOutput(part: string): void {
    this.covered.output.add(part);
  }

  /** What was not inspected, or not in time. */
  skipped(what: string): void {
    this.covered.skipped.add(what);
  }

  /** A judgement is missing, for `coverage` and the record. `detail` is for the record alone. */
  detectorFailed(what: string, detail: string | null = null): void {
    this.missing.push(detail === null ? what : `${what} (${detail})`);
  }

  /** Adds to what an operator reads of the inside. */
  note(note: string): void {
    this.notes.push(note);
  }

  ended(outcome: Outcome): void {
    this.set({ outcome });
  }

  failed(outcome: Outcome, errorCode: string): void {
    this.set({ outcome, errorCode });
  }

  /** The status that was sent; only the first counts. */
  sentStatus(status: number): void {
    if (this.values.status === null) this.set({ status });
  }

  private set(values: Partial<RecordValues>): void {
    Object.assign(this.values, values);
  }
}

/** What the stages reported so far. */
export interface RecordValues {
  /** As the caller named it. */
  readonly model: string;
  readonly stream: boolean;
  /** Undefined until one is chosen. */
  readonly target: Target | undefined;
  /** Models that the provider may have called in the place of the target's. */
  readonly alternativeModels: readonly string[];
  readonly outcome: Outcome;
  readonly errorCode: string | null;
  /** null while none was sent. */
  readonly status: number | null;
  readonly limitStates: LimitStates | undefined;
  /** Why the key's limits did not admit it. */
  readonly refusal: Refusal | undefined;
  readonly triedRoute: readonly string[] | undefined;
  /** Undefined for a request of no session, and until it has joined one. */
  readonly session: SessionRef | undefined;
  readonly conversation: Conversation | undefined;
  readonly lastTurnScore: number;
  /** From which score its session is flagged, by the policy; infinite where none is. */
  readonly flagsSessionFrom: number;
  /** The texts, where the policy asks to keep them. */
  readonly transcript: Transcript | undefined;
}
