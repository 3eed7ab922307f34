import type { CaptureStore, RequestRecords } from '../analytics/request-records.ts';
import type { BackgroundTasks } from '../base/background-tasks.ts';
import type { Clock } from '../base/clock.ts';
import { newTrace, type RequestTrace } from '../base/request-trace.ts';
import type { Scheduler } from '../base/steps.ts';
import type { DocumentReader } from '../files/read-files.ts';
import { type ErrorShape, openAiError } from '../http/responses.ts';
import { type ShadowRecord, ShadowTally, underPolicy } from '../inspect/custom-rules/policy-inspector.ts';
import type { KnownTexts } from '../inspect/known-texts.ts';
import type { OutsideJudges } from '../inspect/outside/outside-judges.ts';
import type { Policy } from '../inspect/policy.ts';
import { SecurityReport } from '../inspect/security-report.ts';
import type { TextInspector } from '../inspect/text-inspector.ts';
import type { Refusal } from '../limits/ledger.ts';
import type { LimitAlarm, Limiter, Reservation } from '../limits/limiter.ts';
import type { TagLimit } from '../limits/tag-budgets.ts';
import type { ApiKey } from '../model/api-key.ts';
import type { Usage } from '../model/chat.ts';
import type { SecurityInfo } from '../model/security-info.ts';
import type { CircuitBreaker } from '../routing/circuit-breaker.ts';
import type { ModelCatalog } from '../routing/model-catalog.ts';
import type { ChatProvider, CredentialSource } from '../routing/provider.ts';
import type { RouteEntry } from '../routing/route-model.ts';
import type { GivenIdStore, SessionRef, SessionStore } from '../sessions/session-store.ts';
import type { Conversation } from './conversation.ts';
import type { ExchangeLog, Outcome } from './exchange-log.ts';
import { ExchangeTimes, type Phase, type Timeline } from './exchange-times.ts';
import { ProviderCalls } from './provider-calls.ts';
import type { RefusalNotices } from './refusal-notices.ts';
import { Transcript } from './transcript.ts';

/** What every exchange works with. */
export interface PipelineDeps {
  readonly limiter: Limiter;
  /** Prices and limits of the providers' models. */
  readonly models: ModelCatalog;
  readonly alarm: LimitAlarm;
  /** Which refusals are published. */
  readonly refusals: RefusalNotices;
  readonly backgroundTasks: BackgroundTasks;
  readonly inspector: TextInspector;
  /** The same, with what it found before; under a policy it takes the place of `inspector`. */
  readonly knownTexts: KnownTexts;
  /** Reads PDFs; absent where they are not read. */
  readonly documents?: DocumentReader | undefined;
  /** Absent where no outside detector is configured: nothing is asked and nothing waits. */
  readonly outside?: OutsideJudges | undefined;
  readonly providers: ReadonlyMap<string, ChatProvider>;
  readonly routes: readonly RouteEntry[];
  readonly breaker: CircuitBreaker;
  /** Where providers' credentials stand; absent where they never change. */
  readonly credentials?: CredentialSource;
  /** Whether providers are told the trace that a call belongs to. */
  readonly tellsTraces?: boolean;
  /** 0 to below 1. */
  readonly random: () => number;
  /** Resolves after the time, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: ExchangeLog;
  readonly records: RequestRecords;
  readonly captures: Pick<CaptureStore, 'write'>;
  readonly sessions: SessionStore;
  readonly givenIds: GivenIdStore;
  /** What ids begin with that may be named though the gateway has not given them: of what was made outside. */
  readonly foreignIds: readonly string[];
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** CPU that the inspection of one request may use, and that of one answer. */
  readonly inspectionCpuMs: number;
}

/** Headers by which a caller tags a request (specification, part 4.2). */
export interface Tracking {
  readonly sessionId: string | null;
  readonly endUserId: string | null;
  readonly environment: string | null;
  readonly appVersion: string | null;
}

/** One request on its way: what is known of it, and what its one record will say. */
export class Exchange {
  readonly requestId: string;
  readonly route: string;
  readonly key: ApiKey;
  readonly trace: RequestTrace;
  /** How its caller is told of errors. */
  readonly errorShape: ErrorShape;
  tracking: Tracking = { sessionId: null, endUserId: null, environment: null, appVersion: null };
  readonly report = new SecurityReport();
  /** Aborted to end the upstream call early: the caller left, a block, a failure. */
  readonly abort = new AbortController();
  /** When the request came in, milliseconds since 1970. */
  readonly receivedAt: number;
  /** Response headers that admission and routing add. */
  readonly headers: Record<string, string> = {};
  /** Ended from outside: its caller hung up or cancelled it, or the longest time was over. */
  stopped: 'cancelled' | 'expired' | undefined;
  outcome: Outcome = 'failed';
  errorCode: string | null = null;
  internal: string | null = null;
  /** The status that was sent; null while none was. */
  status: number | null = null;
  /** As the caller named it. */
  model = '';
  provider: string | null = null;
  stream = false;
  usage: Usage | null = null;
  /** The model as its provider names it. */
  modelAtProvider = '';
  /** Models that its provider may have called in place of that one. */
  inItsPlace: readonly string[] = [];
  readonly calls: ProviderCalls;
  /** What the exchange holds of its key's limits; undefined before it is admitted and once it is settled. */
  reservation: Reservation | undefined;
  /** What that is in tokens; undefined where neither tokens nor money are limited. */
  reserved: Reserved | undefined;
  /** Why the key's limits did not admit it; undefined where they did, or were not asked. */
  refusal: Refusal | undefined;
  /** The budgets that the key shares with others. */
  tagLimits: readonly TagLimit[] = [];
  /** No longer anybody's: what is still to be admitted is settled at once. */
  over = false;
  /** UTF-16 code units of the answer's text so far. */
  receivedChars = 0;
  /** What a provider may have counted without telling; undefined where none was asked, or it refused. */
  unreported: (() => Usage) | undefined;
  /** The texts, where the policy asks to keep them. */
  transcript: Transcript | undefined;
  /** Undefined for a request of no session, and until it has joined one. */
  session: SessionRef | undefined;
  /** From which sum its session is flagged, by the policy; above all where none is. */
  flagsSessionFrom = Number.POSITIVE_INFINITY;
  /** What the request goes on from, and the ids of its answer; undefined for an API without such ids. */
  conversation: Conversation | undefined;
  /** What the input's last turn scored by itself, without the session's past. */
  lastTurnScore = 0;
  /** `bedrock_guardrails: refused (status 403)`: outside judgements that are missing. */
  readonly detectorFailures: string[] = [];
  coverage = { input: [] as string[], output: [] as string[], skipped: [] as string[] };
  private readonly known = new Set<string>();
  private shadow: ShadowTally | undefined;
  private readonly clock: Clock;
  private readonly times: ExchangeTimes;
  private whenOver: (() => void)[] = [];

  constructor(fields: {
    requestId: string;
    route: string;
    key: ApiKey;
    clock: Clock;
    startedAt: number;
    errorShape?: ErrorShape | undefined;
    /** A new one where absent. */
    trace?: RequestTrace;
  }) {
    this.requestId = fields.requestId;
    this.route = fields.route;
    this.key = fields.key;
    this.clock = fields.clock;
    this.trace = fields.trace ?? newTrace();
    this.errorShape = fields.errorShape ?? openAiError;
    this.times = new ExchangeTimes(fields.clock, fields.startedAt);
    this.calls = new ProviderCalls(this.times);
    this.receivedAt = Math.round(this.clock.now() - this.times.since(fields.startedAt));
  }

  /** The session that the caller names, or the one that was joined for his end user; null without one. */
  get sessionId(): string | null {
    const { session } = this;
    return session !== undefined && 'sessionId' in session ? session.sessionId : this.tracking.sessionId;
  }

  /** Ends the exchange from outside; the upstream call is aborted at once. */
  stop(reason: 'cancelled' | 'expired'): void {
    this.stopped ??= reason;
    this.abort.abort();
  }

  /** Notes the status that is sent; only the first is. */
  answered(status: number): void {
    this.status ??= status;
  }

  /** Stops its clock: what comes now happens after the answer. */
  end(): void {
    this.times.end();
    for (const run of this.whenOver.splice(0)) run();
  }

  /** Calls `run` once when the exchange is over, however it ended; at once where it is. */
  onOver(run: () => void): void {
    if (!this.times.ended) this.whenOver.push(run);
    else run();
  }

  /**
   * What the exchange works with under a policy: the inspector knows the key's texts and the policy's rules, and a shadow
   * policy is told of findings.
   */
  under(policy: Policy, deps: PipelineDeps): PipelineDeps {
    const { shadow } = policy;
    if (policy.capture !== 'none') this.transcript = new Transcript(policy.capture);
    this.flagsSessionFrom = policy.flagsAttacksFrom;
    this.shadow = shadow && new ShadowTally((finding, surface) => shadow.decide(finding, surface));
    return { ...deps, inspector: underPolicy(deps.knownTexts.of(this.key.id), policy, this.shadow) };
  }

  /** What the policy's shadow would have done so far; null where it has none. */
  get shadowRecord(): ShadowRecord | null {
    return this.shadow?.toRecord() ?? null;
  }

  /** Runs our own work and counts its time. */
  timed<T>(phase: Phase, work: () => T): T {
    const start = this.clock.monotonic();
    try {
      return work();
    } finally {
      this.spent(phase, start);
    }
  }

  /** Counts the time since `start` (monotonic) to a phase. */
  spent(phase: Phase, start: number): void {
    this.times.spent(phase, start);
  }

  /** Adds to what was not inspected, or not in time; each once. */
  skipped(what: string): void {
    if (this.known.has(what)) return;
    this.known.add(what);
    this.coverage.skipped.push(what);
  }

  /** Adds to what an operator is told of the inside. */
  noteInside(note: string): void {
    this.internal = this.internal === null ? note : `${this.internal}; ${note}`;
  }

  /**
   * Where a value has one placeholder: the session, or what of one user goes by this key. Secret as the key's hash is, which
   * leaves with nothing.
   */
  get placeholderScope(): string {
    const { sessionId, endUserId } = this.tracking;
    return JSON.stringify([this.key.secretHash, sessionId, sessionId === null ? endUserId : null]);
  }

  monotonic(): number {
    return this.clock.monotonic();
  }

  firstPieceLeft(): void {
    this.times.firstPieceLeft();
  }

  /** From the request's coming in to its end, or to now, milliseconds. */
  get durationMs(): number {
    return this.times.durationMs;
  }

  /** From the request's coming in to the first piece; null where none left. */
  get firstPieceMs(): number | null {
    return this.times.firstPieceMs;
  }

  /** Time of our own work so far, milliseconds. */
  get processingMs(): number {
    return this.times.ownMs;
  }

  /** `Server-Timing` (W3C): our own work by phase. */
  get serverTiming(): string {
    return this.times.serverTiming;
  }

  securityInfo(): SecurityInfo {
    return {
      threat_score: this.report.threatScore,
      detected_threats: this.report.shownThreats,
      processing_time_ms: this.processingMs,
      action: this.report.action,
      request_id: this.requestId,
      session_id: this.sessionId,
      coverage: this.coverage,
    };
  }

  /** When what was, for the record. */
  get timeline(): Timeline {
    return this.times.timeline;
  }
}

/** The most tokens that an exchange may have. */
export interface Reserved {
  readonly input: number;
  readonly output: number;
}
