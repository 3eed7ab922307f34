import packageJson from '../../package.json' with { type: 'json' };
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { jsonRequestLog, logLostSpans } from '../adapters/telemetry/json-log.ts';
import { OtlpExporter } from '../adapters/telemetry/otlp-exporter.ts';
import { readOtlpHeaders } from '../adapters/telemetry/otlp-headers.ts';
import type { BackgroundTasks } from '../kernel/tasks/index.ts';
import type { RequestLog } from '../pipeline/index.ts';
import type { GatewaySettings } from './env.ts';

export interface TelemetryConfig {
  /** The receiver's headers as JSON: `{"authorization": "..."}`; read for each batch. */
  readonly otlpHeaders: () => Promise<string>;
  readonly lingerMs: number;
  /** `deployment.environment.name` of the spans. */
  readonly stage: string;
}

/** Whether a trace that starts here is sampled. For a caller's trace its own flag decides. */
export function sampler({ otlpEndpoint, otlpSampleRatio }: GatewaySettings, random: () => number): () => boolean {
  return () => otlpEndpoint !== undefined && random() < otlpSampleRatio;
}

/** Logs requests with their metrics, and sends spans if a receiver is configured. */
export function requestLog(
  { otlpEndpoint }: GatewaySettings,
  { otlpHeaders, lingerMs, stage }: TelemetryConfig,
  backgroundTasks: BackgroundTasks,
): RequestLog {
  if (otlpEndpoint === undefined) return jsonRequestLog;
  const exporter = new OtlpExporter({
    endpoint: otlpEndpoint,
    headers: async () => readOtlpHeaders(await otlpHeaders()),
    lingerMs,
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
