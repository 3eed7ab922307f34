import type { GatewayError } from '../base/errors.ts';
import { newSpanId } from '../base/request-trace.ts';
import type { ExchangeTimes } from './exchange-times.ts';

/** One call of a provider. */
export interface ProviderCall {
  readonly provider: string;
  /** As the provider names it. */
  readonly model: string;
  /** What it is in the request's trace: 16 hexadecimal digits. */
  readonly spanId: string;
  /** Milliseconds after the request came in. */
  readonly fromMs: number;
  /** null for the one that answered: it ends with the exchange. */
  readonly toMs: number | null;
  /** How it failed; null for one that answered. */
  readonly failure: CallFailure | null;
}

export interface CallFailure {
  /** The status that the provider answered with, where it is passed on, else our code; `circuit_open` where it was not asked. */
  readonly type: string;
  /** Whether the request was at fault, such as by a field that the provider does not take. */
  readonly byCaller: boolean;
  /** For an operator; no text of anybody's. */
  readonly internal: string | null;
}

/** The calls of providers that one exchange made, in turn. */
export class ProviderCalls {
  private readonly calls: ProviderCall[] = [];
  private readonly times: ExchangeTimes;
  private made = 0;

  constructor(times: ExchangeTimes) {
    this.times = times;
  }

  /** How many were made. */
  get count(): number {
    return this.made;
  }

  get list(): readonly ProviderCall[] {
    return this.calls;
  }

  /** A call begins; `failed` is told how it failed, if it does. */
  begin(provider: string, model: string): { readonly spanId: string; failed(error: GatewayError): void } {
    this.made += 1;
    this.times.providerCalled();
    const spanId = newSpanId();
    const at = this.calls.push({ provider, model, spanId, fromMs: this.times.nowMs, toMs: null, failure: null }) - 1;
    return {
      spanId,
      failed: (error) => {
        this.calls[at] = { ...(this.calls[at] as ProviderCall), toMs: this.times.nowMs, failure: failureOf(error) };
      },
    };
  }

  /** The call that answered broke its answer off; nothing where none had. */
  brokenOff(error: GatewayError): void {
    const last = this.calls.at(-1);
    if (last?.toMs !== null) return;
    this.calls[this.calls.length - 1] = { ...last, toMs: this.times.nowMs, failure: failureOf(error) };
  }

  /** A target that was passed by, since it has failed too often. */
  passedBy(provider: string, model: string): void {
    const nowMs = this.times.nowMs;
    const failure = { type: 'circuit_open', byCaller: false, internal: null };
    this.calls.push({ provider, model, spanId: newSpanId(), fromMs: nowMs, toMs: nowMs, failure });
  }

  /** How often another target was asked than the one before. */
  get fallbacks(): number {
    return this.calls.filter((call, at) => {
      const before = this.calls[at - 1];
      return before !== undefined && (before.provider !== call.provider || before.model !== call.model);
    }).length;
  }
}

function failureOf({ code, passedOn, internal, fallback }: GatewayError): CallFailure {
  const type = passedOn === undefined ? code : String(passedOn.status);
  // A limit is the provider's; what else it refuses and we pass on, and what nobody else may be asked, the request brought about.
  const failed = code === 'provider_error' || code === 'provider_timeout' || fallback !== undefined;
  const byCaller = internal === 'aborted' || !(passedOn === undefined ? failed : passedOn.status === 429);
  return { type, byCaller, internal: internal ?? null };
}
