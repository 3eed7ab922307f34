import { Duration, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { FindingsExportEnv } from '../../functions/findings-export/env.ts';
import { QueueConsumer } from '../constructs/event-functions.ts';
import type { Settings } from '../settings/settings.ts';

export interface FindingsExportContext {
  readonly settings: Settings;
  readonly findings: NonNullable<Settings['findings']>;
  readonly queue: sqs.Queue;
  readonly code: lambda.Code;
}

/** The function that hands findings to where a SIEM reads them, what it is told and what its role may do. */
export function addFindingsExport(
  stack: Stack,
  { settings, findings, queue, code }: FindingsExportContext,
): QueueConsumer<FindingsExportEnv> {
  const { environment, action, arn } = targetOf(stack, findings);
  const findingsExport = new QueueConsumer<FindingsExportEnv>(stack, 'FindingsExport', {
    description: 'Hands findings, in the shape of OCSF, to where a SIEM reads them.',
    code,
    environment,
    sources: { Findings: { queue, batchesAtOnce: 5 } },
    memoryMb: 256,
    timeout: Duration.seconds(60),
    logRetentionDays: settings.logRetentionDays,
    tracing: settings.tracing,
  });
  iam.Grant.addToPrincipal({ grantee: findingsExport, actions: [action], resourceArns: [arn] });
  return findingsExport;
}

function targetOf(stack: Stack, findings: NonNullable<Settings['findings']>) {
  if ('firehose' in findings) {
    const { streamArn: arn } = findings.firehose;
    return { environment: { SVC_FINDINGS_STREAM_ARN: arn }, action: 'firehose:PutRecordBatch', arn };
  }
  const ownBus = stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: 'default' });
  const arn = findings.eventBridge.busArn ?? ownBus;
  return { environment: { SVC_FINDINGS_BUS_ARN: arn }, action: 'events:PutEvents', arn };
}
