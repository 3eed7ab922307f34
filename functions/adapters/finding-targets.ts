import type { PutEventsRequest, PutEventsResponse } from '@aws-sdk/client-eventbridge';
import type { PutRecordBatchInput, PutRecordBatchOutput } from '@aws-sdk/client-firehose';
import type { OcsfFinding } from '../core/findings/to-ocsf.ts';
import type { FindingTarget } from '../core/ports/finding-target.ts';
import { AwsJsonClient, type AwsOperation } from './aws-json-client.ts';
import { reachStore } from './reach-store.ts';

interface EventBridgeOperations {
  'events:PutEvents': AwsOperation<PutEventsRequest, PutEventsResponse>;
}

interface FirehoseOperations {
  'firehose:PutRecordBatch': AwsOperation<PutRecordBatchInput, PutRecordBatchOutput>;
}

/** Three attempts of five seconds. */
const TIMEOUT_MS = 5_000;
const EVENT_BRIDGE = {
  name: 'events',
  variable: 'EVENTBRIDGE',
  target: 'AWSEvents',
  version: '1.1',
  timeoutMs: TIMEOUT_MS,
} as const;
const FIREHOSE = {
  name: 'firehose',
  variable: 'FIREHOSE',
  target: 'Firehose_20150804',
  version: '1.1',
  timeoutMs: TIMEOUT_MS,
} as const;

/**
 * Events of a bus, `svc` their source and `OCSF Detection Finding` their detail type:
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export class EventBridgeFindings implements FindingTarget {
  readonly maxFindings = 10;
  /** Of 256 KiB: source, type and time count as well. */
  readonly maxBytes = 240 * 1024;
  private readonly client = new AwsJsonClient<EventBridgeOperations>(EVENT_BRIDGE);
  private readonly busArn: string;

  constructor(busArn: string) {
    this.busArn = busArn;
  }

  async send(findings: readonly OcsfFinding[]): Promise<readonly number[]> {
    const Entries = findings.map((finding) => ({
      EventBusName: this.busArn,
      Source: 'svc',
      DetailType: 'OCSF Detection Finding',
      Time: finding.time / 1000,
      Detail: JSON.stringify(finding),
    }));
    const put = () => this.client.call('events:PutEvents', { Entries });
    const { FailedEntryCount = 0, Entries: told = [] } = await reachStore('findings', put);
    return placesOf(FailedEntryCount, findings, told);
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
  private readonly client = new AwsJsonClient<FirehoseOperations>(FIREHOSE);
  private readonly streamName: string;

  /** `arn:aws:firehose:REGION:ACCOUNT:deliverystream/NAME` */
  constructor(streamArn: string) {
    this.streamName = streamArn.slice(streamArn.indexOf('/') + 1);
  }

  async send(findings: readonly OcsfFinding[]): Promise<readonly number[]> {
    const Records = findings.map((finding) => ({
      Data: Buffer.from(`${JSON.stringify(finding)}\n`).toString('base64'),
    }));
    const put = () => this.client.call('firehose:PutRecordBatch', { DeliveryStreamName: this.streamName, Records });
    const { FailedPutCount = 0, RequestResponses = [] } = await reachStore('findings', put);
    return placesOf(FailedPutCount, findings, RequestResponses);
  }
}

/** Which were not taken; all where it is not said which. */
function placesOf(
  failed: number,
  sent: readonly unknown[],
  told: readonly { readonly ErrorCode?: string | undefined }[],
): number[] {
  if (failed === 0) return [];
  return [...sent.keys()].filter((at) => told.length !== sent.length || told[at]?.ErrorCode !== undefined);
}
