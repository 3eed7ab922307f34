import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../core/base/clock.ts';
import { type HttpClient, HttpFailure } from '../../core/base/http-client.ts';
import type { RequestSummary } from '../../core/pipeline/request-log.ts';
import { readText } from '../http/read-text.ts';
import { type OtlpSpan, toSpans } from './otlp-spans.ts';

/** A request's whole time at the receiver; in a function its invocation lasts so much longer at the most. */
const DEADLINE_MS = 2_000;
const MAX_BATCH = 512;
/** What may wait while the receiver is away; what comes then is lost. */
export const MAX_WAITING = 2_048;
/** A batch that the receiver may take later is offered so often. */
const ATTEMPTS = 3;
const FIRST_QUIET_MS = 1_000;
const LONGEST_QUIET_MS = 60_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** https://opentelemetry.io/docs/specs/otlp/#failures-1 */
const PASSING: readonly number[] = [429, 502, 503, 504];

export interface OtlpExporterOptions {
  /** A receiver's base address, or that of its traces. */
  readonly endpoint: string;
  /** By which the receiver knows us; asked for with each batch. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** How long spans wait for others to go with them, milliseconds. */
  readonly lingerMs: number;
  /** Who sends them: `service.name` and the like. */
  readonly resource: Readonly<Record<string, string>>;
  /** Told of spans that no receiver got. */
  readonly onLost: (spans: number, reason: string) => void;
}

/**
 * Sends the spans of exchanges to a receiver of OpenTelemetry's protocol, as JSON over HTTP, in batches and one at a time. Nothing that
 * goes wrong there comes back: spans wait in a bounded queue, and what is lost is counted. A receiver that fails is left alone
 * for longer and longer, up to a minute, so that functions do not wait for it with every request.
 */
export class OtlpExporter {
  private readonly options: OtlpExporterOptions;
  private readonly url: string;
  private waiting: OtlpSpan[] = [];
  private sending: Promise<void> | undefined;
  private failures = 0;
  private quietUntil = 0;

  constructor(options: OtlpExporterOptions) {
    this.options = options;
    this.url = tracesUrl(options.endpoint);
  }

  /** Resolves once the spans are sent, lost, or wait for a later batch; never rejects. Those of a trace that is not kept are none. */
  add(record: RequestSummary): Promise<void> {
    if (!record.trace.sampled) return Promise.resolve();
    const spans = toSpans(record);
    if (this.waiting.length + spans.length > MAX_WAITING) {
      this.options.onLost(spans.length, 'too many wait');
      return Promise.resolve();
    }
    this.waiting.push(...spans);
    this.sending ??= this.send();
    return this.sending;
  }

  private async send(): Promise<void> {
    const { lingerMs, clock, onLost } = this.options;
    await setTimeout(lingerMs);
    while (this.waiting.length > 0 && clock.monotonic() >= this.quietUntil) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      const failure = await this.post(batch);
      if (failure === undefined) {
        this.failures = 0;
        continue;
      }
      this.failures += 1;
      this.quietUntil = clock.monotonic() + Math.min(LONGEST_QUIET_MS, FIRST_QUIET_MS * 2 ** (this.failures - 1));
      if (failure.passes && this.failures < ATTEMPTS) this.waiting.unshift(...batch);
      else onLost(batch.length, failure.reason);
    }
    this.sending = undefined;
  }

  /** How it failed, and whether the same may be taken later; undefined where it was taken. */
  private async post(spans: readonly OtlpSpan[]): Promise<{ reason: string; passes: boolean } | undefined> {
    const { headers, http } = this.options;
    try {
      const { status, body } = await http.send({
        method: 'POST',
        url: this.url,
        headers: { ...(await headers()), 'content-type': 'application/json' },
        body: JSON.stringify(toExport(spans, this.options.resource)),
        headTimeoutMs: DEADLINE_MS,
        idleTimeoutMs: DEADLINE_MS,
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const answer = await readText(body, MAX_ANSWER_BYTES);
      if (status < 200 || status > 299) return { reason: `status ${status}`, passes: PASSING.includes(status) };
      this.countRejected(answer);
      return undefined;
    } catch (error) {
      // Whether it is taken a second time then is the receiver's affair: spans have ids.
      const reason = error instanceof HttpFailure ? error.message : error instanceof Error ? error.name : typeof error;
      return { reason, passes: true };
    }
  }

  /** A receiver may take a batch but for some. */
  private countRejected(answer: string): void {
    const rejected = rejectedIn(answer);
    if (rejected > 0) this.options.onLost(rejected, 'rejected by the receiver');
  }
}

/** The body of an export: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export function toExport(spans: readonly OtlpSpan[], resource: Readonly<Record<string, string>>): object {
  const attributes = Object.entries(resource).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'svc' }, spans }] }] };
}

function rejectedIn(answer: string): number {
  try {
    return Number(JSON.parse(answer).partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}

/** As OpenTelemetry's own exporters read a base address. */
function tracesUrl(endpoint: string): string {
  const base = endpoint.replace(/\/$/, '');
  return base.endsWith('/v1/traces') ? base : `${base}/v1/traces`;
}
