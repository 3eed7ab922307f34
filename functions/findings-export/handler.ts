import { EventBridgeFindings, FirehoseFindings } from '../adapters/finding-targets.ts';
import { logFailedMessage } from '../adapters/json-log.ts';
import type { QueueAnswer, QueueEvent } from '../adapters/queue-event.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { exportFindings } from '../core/findings/export-findings.ts';
import { findingsExportEnvSchema } from './env.ts';

const { SVC_FINDINGS_BUS_ARN: busArn, SVC_FINDINGS_STREAM_ARN: streamArn } = findingsExportEnvSchema.parse(process.env);
const target = busArn === undefined ? new FirehoseFindings(streamArn) : new EventBridgeFindings(busArn);

/** Hands the findings of events to where a SIEM reads them. */
export async function handler({ Records }: QueueEvent): Promise<QueueAnswer> {
  const messages = Records.map(({ messageId: id, body }) => ({ id, body }));
  const failed = await exportFindings(messages, { target, clock: systemClock, onFailed: logFailedMessage });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
