import type { Clock } from '../base/clock.ts';
import { type ShadowRecord, ShadowTally } from '../inspect/custom-rules/policy-inspector.ts';
import type { Policy } from '../inspect/policy.ts';
import { SecurityReport } from '../inspect/security-report.ts';
import type { Refusal } from '../limits/ledger.ts';
import type { LimitStates } from '../limits/limiter.ts';
import type { Warning } from '../model/threat.ts';
import type { Target } from '../routing/route-model.ts';
import type { SessionRef } from '../sessions/session-store.ts';
import type { Conversation } from './conversation.ts';
import { ProviderCalls, RequestTimes } from './request-times.ts';
import { Transcript } from './transcript.ts';
import { UsageMeter } from './usage-meter.ts';

/** How a request ended. */
export type Outcome = 'completed' | 'blocked' | 'refused' | 'failed';

/** The inspected parts of a request, and those that were not inspected or not in time. */
export interface Coverage {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * Collects what the stages of one request report, for its record, log line, event and response headers. Stages write to it with its methods,
 * and pass data to each other as results.
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
    warnings: [],
    session: undefined,
    conversation: undefined,
    lastTurnScore: 0,
    flagsSessionFrom: Number.POSITIVE_INFINITY,
    transcript: undefined,
    judgeNanoUsd: undefined,
  };

  /** `startedAt`: when the request arrived, monotonic. */
  constructor(clock: Clock, startedAt: number) {
    this.times = new RequestTimes(clock, startedAt);
    this.calls = new ProviderCalls(this.times);
  }

  /** The current values; a live view. */
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

  /** Missing verdicts of outside detectors, with the reason: `bedrock_guardrails: refused (status 403)`. */
  get detectorFailures(): readonly string[] {
    return this.missing;
  }

  /** Internal details for an operator; null if there are none. */
  get internal(): string | null {
    return this.notes.length === 0 ? null : this.notes.join('; ');
  }

  /** What the policy's shadow would have done so far; null if it has none. */
  get shadowRecord(): ShadowRecord | null {
    return this.shadow?.toRecord() ?? null;
  }

  /** Starts the recording that the policy asks for. @returns the tally of its shadow; undefined if it has none */
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

  /** The target of the current call. `alternativeModels`: models that its provider may call instead. */
  targeted(target: Target, alternativeModels = this.values.alternativeModels): void {
    this.set({ target, alternativeModels });
  }

  /** The attempted targets, each with its failure, for the header `X-Svc-Route`. */
  tried(steps: readonly string[]): void {
    this.set({ triedRoute: steps });
  }

  /** What the translation for the current target dropped or adjusted. */
  translated(warnings: readonly Warning[]): void {
    this.set({ warnings });
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

  /** The score of the input's last turn, without the session. */
  scored(lastTurnScore: number): void {
    this.set({ lastTurnScore });
  }

  inspectedInput(parts: readonly string[]): void {
    for (const part of parts) this.covered.input.add(part);
  }

  inspectedOutput(part: string): void {
    this.covered.output.add(part);
  }

  /** A part that was not inspected, or not in time. */
  skipped(what: string): void {
    this.covered.skipped.add(what);
  }

  /** A verdict is missing, for `coverage` and the record. `detail` is for the record only. */
  detectorFailed(what: string, detail: string | null = null): void {
    this.missing.push(detail === null ? what : `${what} (${detail})`);
  }

  /** Adds to the cost of the detector model, in nano-dollars. */
  judged(nanoUsd: number): void {
    this.set({ judgeNanoUsd: (this.values.judgeNanoUsd ?? 0) + nanoUsd });
  }

  /** Adds an internal detail for an operator. */
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

export interface RecordValues {
  /** As the caller named it. */
  readonly model: string;
  readonly stream: boolean;
  /** Undefined until one is chosen. */
  readonly target: Target | undefined;
  /** Models that the provider may have called instead of the target's. */
  readonly alternativeModels: readonly string[];
  readonly outcome: Outcome;
  readonly errorCode: string | null;
  /** null until it is sent. */
  readonly status: number | null;
  readonly limitStates: LimitStates | undefined;
  /** Why the key's limits refused it. */
  readonly refusal: Refusal | undefined;
  readonly triedRoute: readonly string[] | undefined;
  readonly warnings: readonly Warning[];
  /** Undefined for a request without a session, and until it has joined one. */
  readonly session: SessionRef | undefined;
  readonly conversation: Conversation | undefined;
  readonly lastTurnScore: number;
  /** The score from which its policy flags its session; infinite if there is none. */
  readonly flagsSessionFrom: number;
  /** The captured texts, if the policy asks for them. */
  readonly transcript: Transcript | undefined;
  /** Cost of the detector model; undefined if it was not called. */
  readonly judgeNanoUsd: number | undefined;
}
