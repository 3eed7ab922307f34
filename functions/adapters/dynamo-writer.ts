import type { AttributeValue, DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../core/ports/clock.ts';
import { type HttpClient, HttpFailure } from '../core/ports/http-client.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';
import { readText } from './read-text.ts';
import { type AwsCredentials, signAwsPost } from './sign-aws-request.ts';

const TIMEOUT_MS = 1_000;
const MAX_ATTEMPTS = 3;
const BACKOFF_MS = 25;
const MAX_ANSWER_BYTES = 1024 * 1024;

type Item = Record<string, AttributeValue>;

export interface UpdateOptions {
  /** Whether it may be done twice. If not, an attempt that may have been done after all is the last one. */
  readonly repeatable: boolean;
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

/**
 * UpdateItem for the one write that every request makes. The SDK's own way to it costs a millisecond of CPU, more than
 * everything else together (docs/decisions/2026-11-21-hot-write.md); region, credentials and endpoint are still the SDK's.
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

  /** Three attempts of at most a second; throws StoreUnavailable after them. */
  async update(
    input: UpdateItemCommandInput,
    { repeatable }: UpdateOptions = { repeatable: true },
  ): Promise<UpdateOutcome> {
    const body = JSON.stringify(input);
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.attempt(body);
      if (!('failure' in reply)) return reply;
      const last = attempt === MAX_ATTEMPTS || (!repeatable && reply.mayBeDone);
      if (last) throw new StoreUnavailable(`dynamodb: ${reply.failure}`);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * BACKOFF_MS * 2 ** attempt));
    }
  }

  private async attempt(body: string): Promise<UpdateOutcome | Failure> {
    let sent = false;
    try {
      const { url, host, region } = await this.resolve();
      const credentials: AwsCredentials = await this.sdk.config.credentials();
      const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.UpdateItem' };
      const signed = signAwsPost(
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
        headTimeoutMs: TIMEOUT_MS,
        idleTimeoutMs: TIMEOUT_MS,
      });
      return toOutcome(response.status, await readText(response.body, MAX_ANSWER_BYTES));
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

function toOutcome(status: number, text: string): UpdateOutcome | Failure {
  const body = JSON.parse(text) as { Attributes?: Item; Item?: Item; __type?: string };
  if (status === 200) return { ok: true, attributes: body.Attributes ?? {} };
  const type = body.__type?.split('#').at(-1) ?? `status ${status}`;
  if (type === 'ConditionalCheckFailedException') return { ok: false, old: body.Item };
  return { failure: type, mayBeDone: status >= 500 && !REFUSED_WHOLE.has(type) };
}
