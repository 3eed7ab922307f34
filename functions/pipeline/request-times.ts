import { type GatewayError, isProviderFailure } from '../kernel/errors/index.ts';
import { newSpanId } from '../kernel/http/index.ts';
import type { Stage } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import type { ChatProvider, Target } from '../translation/index.ts';

/** What the head of a provider's response reports. */
export type UpstreamHead = Parameters<NonNullable<Parameters<ChatProvider['complete']>[0]['onHead']>>[0];

/**
 * `admit` is the wait for admission beyond the concurrent inspection; `outside` the wait for outside detectors beyond admission, reported only if
 * they were called.
 */
export type Phase = 'auth' | 'admit' | 'inspect' | 'outside';

/** Milliseconds after the arrival of the request. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Start and duration of the phases of a request; milliseconds. */
export interface Timeline {
  /** From the first to the last moment of each phase, including interruptions; inspection of the input only. */
  readonly spans: Readonly<Partial<Record<Phase, Span>>>;
  readonly authMs: number;
  readonly admitMs: number;
  readonly inputMs: number;
  /** Our inspection of the response. */
  readonly outputMs: number;
  /** null if no outside detector was called. */
  readonly outsideMs: number | null;
  /** From the first provider call to the end, without our inspection of the response; null if no provider was called. */
  readonly providerMs: number | null;
}

/** Measures one request with a monotonic clock. */
export class RequestTimes {
  private readonly clock: Clock;
  private readonly startedAt: number;
  private readonly phases: Record<Exclude<Phase, 'outside'>, number> & { outside?: number } = {
    auth: 0,
    admit: 0,
    inspect: 0,
  };
  private readonly spans: Partial<Record<Phase, { from: number; to: number }>> = {};
  /** When a provider was first called, and the inspection time until then. */
  private called: { readonly at: number; readonly inputMs: number } | undefined;
  private firstPieceAt: number | undefined;
  private endedAt: number | undefined;

  /** `startedAt`: monotonic; the time until now was authentication. */
  constructor(clock: Clock, startedAt: number) {
    this.clock = clock;
    this.startedAt = startedAt;
    this.spent('auth', startedAt);
  }

  /** Monotonic milliseconds. */
  get now(): number {
    return this.clock.monotonic();
  }

  /** Milliseconds since `start` (monotonic). */
  since(start: number): number {
    return this.now - start;
  }

  /** Milliseconds since the arrival of the request. */
  get nowMs(): number {
    return round(this.since(this.startedAt));
  }

  /** Adds the time since `start` (monotonic) to a phase. */
  spent(phase: Phase, start: number): void {
    const now = this.clock.monotonic();
    this.phases[phase] = (this.phases[phase] ?? 0) + now - start;
    const span = this.spans[phase];
    if (span === undefined) this.spans[phase] = { from: start, to: now };
    // Later inspection is that of the response.
    else if (phase !== 'inspect' || this.called === undefined) span.to = now;
  }

  /** Later inspection is that of the response; only the first call counts. */
  providerCalled(): void {
    this.called ??= { at: this.clock.monotonic(), inputMs: this.phases.inspect };
  }

  /** The first piece of the response was sent. */
  firstPieceSent(): void {
    this.firstPieceAt ??= this.clock.monotonic();
  }

  /** Stops the clock: later work happens after the response. */
  end(): void {
    this.endedAt ??= this.clock.monotonic();
  }

  /** From the request's arrival to its end, or to now. */
  get durationMs(): number {
    return round(this.lastMoment - this.startedAt);
  }

  /** From the request's arrival to the first piece of the response; null if none was sent. */
  get firstPieceMs(): number | null {
    return this.firstPieceAt === undefined ? null : round(this.firstPieceAt - this.startedAt);
  }

  /** Our own processing time so far. */
  get ownMs(): number {
    const { auth, admit, inspect, outside = 0 } = this.phases;
    return round(auth + admit + inspect + outside);
  }

  /** `Server-Timing` (W3C). */
  get serverTiming(): string {
    const { auth, admit, inspect, outside } = this.phases;
    const always = `auth;dur=${round(auth)}, admit;dur=${round(admit)}, inspect;dur=${round(inspect)}`;
    return outside === undefined ? always : `${always}, outside;dur=${round(outside)}`;
  }

  /** When each stage began and ended, in milliseconds after the arrival; stages that did not happen are absent. */
  get stages(): Partial<Record<Stage, [number, number]>> {
    const after = (from: number, to: number): [number, number] => [
      round(from - this.startedAt),
      round(to - this.startedAt),
    ];
    const firstPieceAt = this.firstPieceAt ?? this.lastMoment;
    return {
      ...Object.fromEntries(Object.entries(this.spans).map(([phase, { from, to }]) => [phase, after(from, to)])),
      ...(this.called !== undefined && { provider: after(this.called.at, firstPieceAt) }),
      ...(this.firstPieceAt !== undefined && { stream: after(this.firstPieceAt, this.lastMoment) }),
    };
  }

  get timeline(): Timeline {
    const { auth, admit, inspect, outside } = this.phases;
    const inputMs = this.called?.inputMs ?? inspect;
    return {
      spans: Object.fromEntries(
        Object.entries(this.spans).map(([phase, { from, to }]) => [
          phase,
          { fromMs: round(from - this.startedAt), toMs: round(to - this.startedAt) },
        ]),
      ),
      authMs: round(auth),
      admitMs: round(admit),
      inputMs: round(inputMs),
      outputMs: round(inspect - inputMs),
      outsideMs: outside === undefined ? null : round(outside),
      providerMs:
        this.called === undefined ? null : round(Math.max(0, this.lastMoment - this.called.at - (inspect - inputMs))),
    };
  }

  private get lastMoment(): number {
    return this.endedAt ?? this.clock.monotonic();
  }
}

/** One provider call. */
export interface ProviderCall {
  readonly provider: string;
  /** As the provider names it. */
  readonly model: string;
  /** Its span in the request's trace: 16 hexadecimal digits. */
  readonly spanId: string;
  /** Milliseconds after the arrival of the request. */
  readonly fromMs: number;
  /** null for the successful call, which ends with the request. */
  readonly toMs: number | null;
  /** null for a successful call. */
  readonly failure: CallFailure | null;
  /** The head of the provider's response; null until it arrives. */
  readonly head: UpstreamHead | null;
  /** The stored credential that it used; absent for the key of the settings. */
  readonly credentialId?: string;
  /** The target was not called; `failure` says why. */
  readonly isPassedBy?: true;
}

export interface CallFailure {
  /** The provider's status if it is passed on, else our code; `circuit_open` or `busy` if it was not called. */
  readonly type: string;
  /** Whether the request was at fault, such as a field that the provider does not support. */
  readonly byCaller: boolean;
  /** For an operator; contains no text of a request or a response. */
  readonly internal: string | null;
}

interface StartedCall {
  readonly spanId: string;
  answered(head: UpstreamHead): void;
  uses(credentialId: string): void;
  failed(error: GatewayError): void;
}

/** The provider calls of one request, in order. */
export class ProviderCalls {
  private readonly calls: ProviderCall[] = [];
  private readonly times: RequestTimes;
  private made = 0;
  private route: readonly string[] | undefined;

  constructor(times: RequestTimes) {
    this.times = times;
  }

  /** Number of calls. */
  get count(): number {
    return this.made;
  }

  get list(): readonly ProviderCall[] {
    return this.calls;
  }

  /** The response head of the last call that was made; null without one. */
  get lastHead(): UpstreamHead | null {
    return this.lastMade?.head ?? null;
  }

  /** The stored credential of the last call that was made; undefined if it used none. */
  get lastCredentialId(): string | undefined {
    return this.lastMade?.credentialId;
  }

  /** The target of the last call that was made; undefined without one. */
  get lastTarget(): Target | undefined {
    const { lastMade } = this;
    return lastMade && { provider: lastMade.provider, model: lastMade.model };
  }

  /** The attempted targets, each with its failure; undefined until the last attempt has ended. */
  get triedRoute(): readonly string[] | undefined {
    return this.route;
  }

  /** Ends the attempts: the attempted targets, each with its failure. */
  tried(route: readonly string[]): void {
    this.route = route;
  }

  /** Starts a call; `answered` records the head of its response, `failed` its failure. */
  begin(provider: string, model: string): StartedCall {
    this.made += 1;
    this.times.providerCalled();
    const spanId = newSpanId();
    const call = { provider, model, spanId, fromMs: this.times.nowMs, toMs: null, failure: null, head: null };
    const at = this.calls.push(call) - 1;
    const change = (known: Partial<ProviderCall>) => {
      this.calls[at] = { ...(this.calls[at] as ProviderCall), ...known };
    };
    return {
      spanId,
      answered: (head) => change({ head }),
      uses: (credentialId) => change({ credentialId }),
      failed: (error) => change({ toMs: this.times.nowMs, failure: failureOf(error) }),
    };
  }

  /** Marks the successful call as failed during its response; no effect without one. */
  brokenOff(error: GatewayError): void {
    const last = this.calls.at(-1);
    if (last?.toMs !== null) return;
    this.calls[this.calls.length - 1] = { ...last, toMs: this.times.nowMs, failure: failureOf(error) };
  }

  /** A target that was not called: its circuit is open, or half open without a trial, or it serves as many requests as it may. */
  passedBy(provider: string, model: string, type: 'circuit_open' | 'busy'): void {
    const nowMs = this.times.nowMs;
    const failure = { type, byCaller: false, internal: null };
    const call = { provider, model, spanId: newSpanId(), fromMs: nowMs, toMs: nowMs, failure, head: null };
    this.calls.push({ ...call, isPassedBy: true });
  }

  /** Whether an earlier call than the last got no response in time: its provider may have served and billed it. */
  get hasTimedOutBefore(): boolean {
    return this.calls.slice(0, -1).some(({ failure }) => failure?.type === 'provider_timeout');
  }

  private get lastMade(): ProviderCall | undefined {
    return this.calls.findLast(({ isPassedBy }) => !isPassedBy);
  }

  /** Number of calls whose target differs from the previous one. */
  get fallbacks(): number {
    return this.calls.filter((call, at) => {
      const before = this.calls[at - 1];
      return before !== undefined && (before.provider !== call.provider || before.model !== call.model);
    }).length;
  }
}

/** Statuses that are passed on and describe the gateway's account: payment required, too many requests. */
const OF_THE_ACCOUNT: ReadonlySet<number> = new Set([402, 429]);

function failureOf({ code, passedOn, internal, fallback }: GatewayError): CallFailure {
  const type = passedOn === undefined ? code : String(passedOn.status);
  // A rate limit or an unpaid account is not the request's fault. Other refusals that are passed on, or that no other target may retry, are the request's.
  const failed = isProviderFailure(code) || fallback !== undefined;
  const byCaller = internal === 'aborted' || !(passedOn === undefined ? failed : OF_THE_ACCOUNT.has(passedOn.status));
  return { type, byCaller, internal: internal ?? null };
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
