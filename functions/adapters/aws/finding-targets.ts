import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import type { FindingTarget, OcsfFinding } from '../../control/findings/index.ts';
import { createEventBridgeClient, createFirehoseClient } from './clients.ts';
import { reachStore } from './reach-store.ts';

/**
 * Sends findings to an event bus with source `svc` and detail type `OCSF Detection Finding`:
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export class EventBridgeFindings implements FindingTarget {
  readonly maxFindings = 10;
  /** Below the limit of 256 KiB, which includes source, type and time. */
  readonly maxBytes = 240 * 1024;
  readonly maxFindingBytes = 240 * 1024;
  private readonly client = createEventBridgeClient();
  private readonly busArn: string;

  constructor(busArn: string) {
    this.busArn = busArn;
  }

  async send(findings: readonly OcsfFinding[]): Promise<readonly number[]> {
    const Entries = findings.map((finding) => ({
      EventBusName: this.busArn,
      Source: 'svc',
      DetailType: 'OCSF Detection Finding',
      Time: new Date(finding.time),
      Detail: JSON.stringify(finding),
    }));
    const command = new PutEventsCommand({ Entries });
    const { FailedEntryCount = 0, Entries: results = [] } = await reachStore('findings', () =>
      this.client.send(command),
    );
    return placesOf(FailedEntryCount, findings, results);
  }
}

/** Sends findings as JSON lines to a delivery stream: https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html */
export class FirehoseFindings implements FindingTarget {
  readonly maxFindings = 500;
  /** Below the limit of 4 MiB. */
  readonly maxBytes = 3_900 * 1024;
  /** Below the limit of 1,000 KiB. */
  readonly maxFindingBytes = 990 * 1024;
  private readonly client = createFirehoseClient();
  private readonly streamName: string;

  /** @param streamArn `arn:aws:firehose:REGION:ACCOUNT:deliverystream/NAME` */
  constructor(streamArn: string) {
    this.streamName = streamArn.slice(streamArn.indexOf('/') + 1);
  }

  async send(findings: readonly OcsfFinding[]): Promise<readonly number[]> {
    const Records = findings.map((finding) => ({ Data: Buffer.from(`${JSON.stringify(finding)}\n`) }));
    const command = new PutRecordBatchCommand({ DeliveryStreamName: this.streamName, Records });
    const { FailedPutCount = 0, RequestResponses = [] } = await reachStore('findings', () => this.client.send(command));
    return placesOf(FailedPutCount, findings, RequestResponses);
  }
}

/** Indexes of the findings that failed; all of them if the response does not say which. */
function placesOf(
  failed: number,
  sent: readonly unknown[],
  results: readonly { readonly ErrorCode?: string | undefined }[],
): number[] {
  if (failed === 0) return [];
  return [...sent.keys()].filter((at) => results.length !== sent.length || results[at]?.ErrorCode !== undefined);
}
