import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import type { FindingTarget } from '../../core/findings/export-findings.ts';
import type { OcsfFinding } from '../../core/findings/to-ocsf.ts';
import { createEventBridgeClient, createFirehoseClient } from './clients.ts';
import { reachStore } from './reach-store.ts';

/**
 * Events of a bus, `svc` their source and `OCSF Detection Finding` their detail type:
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export class EventBridgeFindings implements FindingTarget {
  readonly maxFindings = 10;
  /** Of 256 KiB: source, type and time count as well. */
  readonly maxBytes = 240 * 1024;
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

/**
 * JSON lines in a delivery stream:
 * https://docs.aws.amazon.com/firehose/latest/APIReference/API_PutRecordBatch.html
 */
export class FirehoseFindings implements FindingTarget {
  readonly maxFindings = 500;
  /** Of 4 MiB. */
  readonly maxBytes = 3_900 * 1024;
  private readonly client = createFirehoseClient();
  private readonly streamName: string;

  /** `arn:aws:firehose:REGION:ACCOUNT:deliverystream/NAME` */
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

/** Which were not taken; all where it is not said which. */
function placesOf(
  failed: number,
  sent: readonly unknown[],
  results: readonly { readonly ErrorCode?: string | undefined }[],
): number[] {
  if (failed === 0) return [];
  return [...sent.keys()].filter((at) => results.length !== sent.length || results[at]?.ErrorCode !== undefined);
}
