import { EventBridgeFindings, FirehoseFindings } from '../adapters/aws/finding-targets.ts';
import type { QueueEvent } from '../adapters/aws/sqs-queues.ts';
import { createHandler, processQueue } from '../adapters/lambda/event-handler.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { exportFindings } from '../control/findings/index.ts';
import { findingsExportEnvSchema } from './env.ts';

const { SVC_FINDINGS_BUS_ARN: busArn, SVC_FINDINGS_STREAM_ARN: streamArn } = findingsExportEnvSchema.parse(process.env);
const target = busArn === undefined ? new FirehoseFindings(streamArn) : new EventBridgeFindings(busArn);

/** Sends the findings of events to a SIEM's bus or stream. Failed messages are redelivered. */
export const handler = createHandler((event: QueueEvent) =>
  processQueue(event, (messages) => exportFindings(messages, { target, clock: systemClock })),
);
