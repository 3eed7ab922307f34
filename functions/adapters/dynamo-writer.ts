import type {
  AttributeValue,
  BatchWriteItemCommandInput,
  DynamoDBClient,
  PutItemCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../core/ports/clock.ts';
import { type HttpClient, HttpFailure } from '../core/ports/http-client.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';
import { readText } from './read-text.ts';
import { type AwsCredentials, signAwsRequest } from './sign-aws-request.ts';

const TIMEOUT_MS = 1_000;
const MAX_ATTEMPTS = 3;
/**
 * For writes that nobody waits for and whose loss stays: with their pauses they get through some two seconds, five at most, of a
 * store that refuses.
 */
export const ATTEMPTS_BEHIND = 9;
const BACKOFF_MS = 25;
const LONGEST_BACKOFF_MS = 1_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

const TARGETS = {
  UpdateItem: 'DynamoDB_20120810.UpdateItem',
  PutItem: 'DynamoDB_20120810.PutItem',
  BatchWriteItem: 'DynamoDB_20120810.BatchWriteItem',
} as const;

type Item = Record<string, AttributeValue>;

export interface UpdateOptions {
  /** Whether it may be done twice. If not, an attempt that may have been done after all is the last one. */
  readonly repeatable: boolean;
  /** How often it is tried; three times where absent. */
  readonly attempts?: number;
}

/** Answers that say that nothing was done. */
const REFUSED_WHOLE = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionConflictException',
]);

export type UpdateOutcome =
  | { readonly ok: true; readonly attributes: Item }
  /** The condition failed; `old` where the store tells it. */
  | { readonly ok: false; readonly old: Item | undefined };

type Operation = keyof typeof TARGETS;

interface Answer {
  readonly status: number;
  readonly body: {
    readonly Attributes?: Item;
    readonly Item?: Item;
    readonly UnprocessedItems?: Readonly<Record<string, readonly unknown[]>>;
    readonly __type?: string;
  };
}

/**
 * The writes that every request makes. The SDK's own way to them costs a millisecond of CPU each, more than everything else
 * together (docs/decisions/2026-11-21-hot-write.md); region, credentials and endpoint are still the SDK's.
 */
export class DynamoWriter {
  private readonly sdk: DynamoDBClient;
  private readonly http: HttpClient;
  private readonly clock: Clock;
  private target: { readonly url: string; readonly host: string; readonly region: string } | undefined;

  constructor(sdk: DynamoDBClient, http: HttpClient, clock: Clock) {
    this.sdk = sdk;
    this.http = http;
    this.clock = clock;
  }

  /** Attempts of at most a second; throws StoreUnavailable after them. */
  update(input: UpdateItemCommandInput, options: UpdateOptions = { repeatable: true }): Promise<UpdateOutcome> {
    return this.persist('UpdateItem', JSON.stringify(input), options);
  }

  /** The same for a whole item. @returns false where its condition failed */
  async put(input: PutItemCommandInput, options: UpdateOptions = { repeatable: true }): Promise<boolean> {
    return (await this.persist('PutItem', JSON.stringify(input), options)).ok;
  }

  /**
   * Up to 25 items in one attempt of at most a second.
   * @returns whether all are known to be stored; where not, any of them may be
   */
  async tryPutMany(tableName: string, items: readonly Item[]): Promise<boolean> {
    const input: BatchWriteItemCommandInput = {
      RequestItems: { [tableName]: items.map((item) => ({ PutRequest: { Item: item } })) },
    };
    // Without a condition: done again later, it would put back what was taken out of the items since.
    const answer = await this.attempt('BatchWriteItem', JSON.stringify(input), true);
    if ('failure' in answer || answer.status !== 200) return false;
    return Object.keys(answer.body.UnprocessedItems ?? {}).length === 0;
  }

  private async persist(
    operation: Operation,
    body: string,
    { repeatable, attempts = MAX_ATTEMPTS }: UpdateOptions,
  ): Promise<UpdateOutcome> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.attempt(operation, body, !repeatable);
      const outcome = 'failure' in answer ? answer : toOutcome(answer);
      if (!('failure' in outcome)) return outcome;
      const last = attempt === attempts || (!repeatable && outcome.mayBeDone);
      if (last) throw new StoreUnavailable(`dynamodb: ${outcome.failure}`);
      const longestMs = Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** attempt);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs));
    }
  }

  private async attempt(operation: Operation, body: string, once: boolean): Promise<Answer | Failure> {
    let sent = false;
    try {
      const { url, host, region } = await this.resolve();
      const credentials: AwsCredentials = await this.sdk.config.credentials();
      const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': TARGETS[operation] };
      const signed = signAwsRequest(
        { host, headers, body },
        credentials,
        { region, service: 'dynamodb' },
        this.clock.now(),
      );
      sent = true;
      const response = await this.http.send({
        method: 'POST',
        url,
        headers: signed,
        body,
        once,
        headTimeoutMs: TIMEOUT_MS,
        idleTimeoutMs: TIMEOUT_MS,
      });
      const text = await readText(response.body, MAX_ANSWER_BYTES);
      return { status: response.status, body: JSON.parse(text) as Answer['body'] };
    } catch (error) {
      if (error instanceof HttpFailure) return { failure: error.reason, mayBeDone: error.sent };
      return { failure: error instanceof Error ? error.name : 'unknown', mayBeDone: sent };
    }
  }

  private async resolve() {
    if (!this.target) {
      const region = await this.sdk.config.region();
      const set = process.env.AWS_ENDPOINT_URL_DYNAMODB;
      const url = set ? new URL(set) : this.sdk.config.endpointProvider({ Region: region }).url;
      this.target = { url: url.href, host: url.host, region };
    }
    return this.target;
  }
}

/** What went wrong, in a word. */
interface Failure {
  readonly failure: string;
  readonly mayBeDone: boolean;
}

function toOutcome({ status, body }: Answer): UpdateOutcome | Failure {
  if (status === 200) return { ok: true, attributes: body.Attributes ?? {} };
  const type = body.__type?.split('#').at(-1) ?? `status ${status}`;
  if (type === 'ConditionalCheckFailedException') return { ok: false, old: body.Item };
  return { failure: type, mayBeDone: status >= 500 && !REFUSED_WHOLE.has(type) };
}
