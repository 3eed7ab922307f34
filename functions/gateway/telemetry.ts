import packageJson from '../../package.json' with { type: 'json' };
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { jsonRequestLog, logLostSpans } from '../adapters/telemetry/json-log.ts';
import { OtlpExporter } from '../adapters/telemetry/otlp-exporter.ts';
import type { BackgroundTasks } from '../core/base/background-tasks.ts';
import type { RequestLog } from '../core/pipeline/request-log.ts';

/** Where spans go, and what of traces others are told. */
export interface TelemetryConfig {
  /** Absent where spans go nowhere. */
  readonly otlp?: {
    readonly endpoint: string;
    /** By which the receiver knows us, as JSON: `{"authorization": "..."}`; asked for with each batch. */
    readonly headers: () => Promise<string>;
    /** Of the traces that begin here, the share that is kept: 0 to 1. A caller's own are kept where he says so. */
    readonly sampleRatio: number;
    readonly lingerMs: number;
  };
  /** Whether providers are told the trace that a call belongs to. */
  readonly tellsProviders: boolean;
  /** `deployment.environment.name` of the spans. */
  readonly stage: string;
}

/** Which traces that begin here are kept. */
export function sampler({ otlp }: TelemetryConfig, random: () => number): () => boolean {
  return () => otlp !== undefined && random() < otlp.sampleRatio;
}

/** Tells of exchanges in the log, with their metrics, and as spans where a receiver is configured. */
export function requestLog({ otlp, stage }: TelemetryConfig, backgroundTasks: BackgroundTasks): RequestLog {
  if (otlp === undefined) return jsonRequestLog;
  const exporter = new OtlpExporter({
    endpoint: otlp.endpoint,
    headers: async () => readHeaders(await otlp.headers()),
    lingerMs: otlp.lingerMs,
    http: new UndiciHttpClient(),
    clock: systemClock,
    resource: {
      'service.name': process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'svc-gateway',
      'service.namespace': 'svc',
      'service.version': packageJson.version,
      'deployment.environment.name': stage,
    },
    onLost: logLostSpans,
  });
  return {
    ...jsonRequestLog,
    record: (record) => {
      jsonRequestLog.record(record);
      backgroundTasks.add(exporter.add(record));
    },
  };
}

/** @throws Error that holds nothing of them, where they are no texts by name */
function readHeaders(text: string): Record<string, string> {
  const headers: unknown = text.trim() === '' ? {} : JSON.parse(text);
  const isRecord = typeof headers === 'object' && headers !== null && !Array.isArray(headers);
  if (!isRecord || Object.values(headers).some((value) => typeof value !== 'string')) {
    throw new Error('the headers of the OTLP receiver are no JSON object of texts');
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value as string]));
}
