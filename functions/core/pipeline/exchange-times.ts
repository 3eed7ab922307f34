import type { Clock } from '../base/clock.ts';

/**
 * `admit` is the wait for admission that inspection, done meanwhile, did not cover; `outside` the wait for outside
 * detectors that admission did not cover, told only where they were asked.
 */
export type Phase = 'auth' | 'admit' | 'inspect' | 'outside';

/** Milliseconds after the request came in. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What of a request was when, and how long it took; milliseconds. */
export interface Timeline {
  /** From the first to the last moment of each, also where something else was done between; inspection of the input alone. */
  readonly spans: Readonly<Partial<Record<Phase, Span>>>;
  readonly authMs: number;
  readonly admitMs: number;
  readonly inputMs: number;
  /** Our inspection of the answer. */
  readonly outputMs: number;
  /** null where no outside detector was asked. */
  readonly outsideMs: number | null;
  /** From the first call of a provider to the end, without our inspection of the answer; null where none was called. */
  readonly providerMs: number | null;
}

/** Measures one exchange by a monotonic clock. */
export class ExchangeTimes {
  private readonly clock: Clock;
  private readonly startedAt: number;
  private readonly phases: Record<Exclude<Phase, 'outside'>, number> & { outside?: number } = {
    auth: 0,
    admit: 0,
    inspect: 0,
  };
  private readonly spans: Partial<Record<Phase, { from: number; to: number }>> = {};
  /** When a provider was first called, and the inspection until then. */
  private called: { readonly at: number; readonly inputMs: number } | undefined;
  private firstPieceAt: number | undefined;
  private endedAt: number | undefined;

  /** `startedAt`: monotonic; what was before now was authentication. */
  constructor(clock: Clock, startedAt: number) {
    this.clock = clock;
    this.startedAt = startedAt;
    this.spent('auth', startedAt);
  }

  /** Milliseconds since `start` (monotonic). */
  since(start: number): number {
    return this.clock.monotonic() - start;
  }

  /** Milliseconds from the request's coming in to now. */
  get nowMs(): number {
    return round(this.since(this.startedAt));
  }

  spent(phase: Phase, start: number): void {
    const now = this.clock.monotonic();
    this.phases[phase] = (this.phases[phase] ?? 0) + now - start;
    const span = this.spans[phase];
    if (span === undefined) this.spans[phase] = { from: start, to: now };
    // What is inspected later is the answer.
    else if (phase !== 'inspect' || this.called === undefined) span.to = now;
  }

  /** What is inspected from here on is the answer; only the first call counts. */
  providerCalled(): void {
    this.called ??= { at: this.clock.monotonic(), inputMs: this.phases.inspect };
  }

  firstPieceLeft(): void {
    this.firstPieceAt ??= this.clock.monotonic();
  }

  end(): void {
    this.endedAt ??= this.clock.monotonic();
  }

  get ended(): boolean {
    return this.endedAt !== undefined;
  }

  get durationMs(): number {
    return round(this.lastMoment - this.startedAt);
  }

  get firstPieceMs(): number | null {
    return this.firstPieceAt === undefined ? null : round(this.firstPieceAt - this.startedAt);
  }

  /** Our own work so far. */
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

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
