import type { Clock } from '../core/ports/clock.ts';
import { type HttpClient, HttpFailure } from '../core/ports/http-client.ts';
import { type AddressedService, awsEndpoint } from './aws-endpoint.ts';
import { awsEnvironment } from './aws-environment.ts';
import { readText } from './read-text.ts';
import { type AwsIdentity, signAwsRequest } from './sign-aws-request.ts';
import { systemClock } from './system-clock.ts';
import { UndiciHttpClient } from './undici-http-client.ts';

/** A service that speaks one of AWS's JSON protocols (https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html). */
export interface AwsJsonService extends AddressedService {
  /** What `x-amz-target` begins with: `DynamoDB_20120810`. */
  readonly target: string;
  readonly version: '1.0' | '1.1';
  /** Longest wait for an attempt's answer. */
  readonly timeoutMs: number;
}

/** An input or output of the SDK's types as the protocol has it: bytes in base64, times in seconds since 1970. */
export type OnTheWire<T> = T extends Uint8Array
  ? string
  : T extends Date
    ? number
    : T extends object
      ? { [Name in keyof T]: OnTheWire<T[Name]> }
      : T;

/** What an operation takes and gives. */
export interface AwsOperation<Input, Output> {
  readonly input: OnTheWire<Input>;
  readonly output: OnTheWire<Output>;
}

export interface AwsCallOptions {
  /** Whether it may be done twice: where not, an attempt that may have been done after all is the last one. It may where absent. */
  readonly repeatable?: boolean;
  /** How often it is tried; three times where absent. */
  readonly attempts?: number;
  /** Ends the call from outside. */
  readonly signal?: AbortSignal;
}

/** What a client stands on, where it is not the environment. */
export interface AwsClientOptions {
  readonly endpoint?: string;
  readonly identity?: AwsIdentity;
  readonly http?: HttpClient;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
}

const MAX_ATTEMPTS = 3;
/**
 * For calls that nobody waits for and whose loss stays: with their pauses they get through some two seconds, five at most, of a
 * service that refuses.
 */
export const ATTEMPTS_BEHIND = 9;
const BACKOFF_MS = 25;
const LONGEST_BACKOFF_MS = 1_000;
/** Above the largest answer, of BatchGetItem: 16 MB as items are counted, and what JSON adds. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const TOO_MANY_REQUESTS = 429;
/** `namespace#Name:uri`, of which the name alone is always there. */
const SHAPE = /(?:^|#)(\w{1,64})(?::|$)/;

/** Refusals that pass, and say that nothing was done; as the SDK's clients have them, and a transaction that is in the way. */
const REFUSED_FOR_NOW = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'RequestTimeout',
  'RequestTimeoutException',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionConflictException',
]);

/** A refusal's body, as far as it is read. */
interface Refusal {
  readonly __type?: string;
  readonly Item?: object;
}

/**
 * Why a call was not done, in a word: AWS's own name for it (`ConditionalCheckFailedException`), or what happened to the
 * connection (`timeout`). Nothing of what was sent is in it, and of the answer the item alone that failed a condition.
 */
export class AwsCallFailure extends Error {
  /** Whether the same call may succeed in a moment. */
  readonly mayPass: boolean;
  /** Whether it may have been done after all. */
  readonly mayBeDone: boolean;
  /** What a failed condition was held against, where the call asked for it. */
  readonly item: object | undefined;

  constructor(name: string, { mayPass, mayBeDone, item }: Pick<AwsCallFailure, 'mayPass' | 'mayBeDone' | 'item'>) {
    super(name);
    this.name = name;
    this.mayPass = mayPass;
    this.mayBeDone = mayBeDone;
    this.item = item;
  }
}

/** Whether a call was refused by this name. */
export function isRefusal(error: unknown, name: string): error is AwsCallFailure {
  return error instanceof AwsCallFailure && error.name === name;
}

/**
 * A client for one of AWS's JSON services: what is asked and answered is the protocol's JSON as it is, so that there is nothing
 * to do for it but to sign, to send and to try again (docs/decisions/2026-11-22-aws-json.md). `Operations` by their names in the
 * service's reference, `dynamodb:PutItem`, which is also what rights are derived from.
 */
export class AwsJsonClient<Operations extends { [Name in keyof Operations]: AwsOperation<unknown, unknown> }> {
  private readonly service: AwsJsonService;
  private readonly identity: AwsIdentity;
  private readonly http: HttpClient;
  private readonly clock: Clock;
  private readonly timeoutMs: number;
  private readonly endpointIn: (region: string) => string;
  private target: { readonly url: string; readonly host: string; readonly region: string } | undefined;

  /** Region, credentials and endpoint come from the environment, as everywhere in AWS, where nothing else is said. */
  constructor(service: AwsJsonService, options: AwsClientOptions = {}) {
    this.service = service;
    this.identity = options.identity ?? awsEnvironment();
    this.http = options.http ?? new UndiciHttpClient();
    this.clock = options.clock ?? systemClock;
    this.timeoutMs = options.timeoutMs ?? service.timeoutMs;
    const { endpoint } = options;
    this.endpointIn = endpoint === undefined ? awsEndpoint(service) : () => endpoint;
  }

  /** @throws AwsCallFailure, and what region or credentials cannot be found with */
  async call<Name extends keyof Operations & string>(
    operation: Name,
    input: Operations[Name]['input'],
    { repeatable = true, attempts = MAX_ATTEMPTS, signal }: AwsCallOptions = {},
  ): Promise<Operations[Name]['output']> {
    const body = JSON.stringify(input);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await this.attempt(operation, body, !repeatable, signal)) as Operations[Name]['output'];
      } catch (error) {
        const failure = error instanceof HttpFailure ? lostCall(error) : error;
        if (!(failure instanceof AwsCallFailure)) throw failure;
        const mayRepeat = failure.mayPass && (repeatable || !failure.mayBeDone);
        if (!mayRepeat || attempt >= attempts) throw failure;
      }
      const longestMs = Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** attempt);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs));
    }
  }

  private async attempt(operation: string, body: string, once: boolean, signal?: AbortSignal): Promise<unknown> {
    const { name: service, target, version } = this.service;
    const { url, host, region } = await this.resolve();
    const headers = {
      'content-type': `application/x-amz-json-${version}`,
      'x-amz-target': target + operation.slice(service.length).replace(':', '.'),
    };
    const credentials = await this.identity.credentials();
    const response = await this.http.send({
      method: 'POST',
      url,
      headers: signAwsRequest({ host, headers, body }, credentials, { region, service }, this.clock.now()),
      body,
      once,
      headTimeoutMs: this.timeoutMs,
      idleTimeoutMs: this.timeoutMs,
      ...(signal && { signal }),
    });
    const answer = toJson(await readText(response.body, MAX_ANSWER_BYTES));
    if (response.status === 200 && answer !== undefined) return answer;
    throw refused(response.status, answer as Refusal | undefined);
  }

  private async resolve() {
    if (this.target === undefined) {
      const region = await this.identity.region();
      const { href, host } = new URL(this.endpointIn(region));
      this.target = { url: href, host, region };
    }
    return this.target;
  }
}

/** Some services answer with nothing where there is nothing to say; what stands between may answer with a page. */
function toJson(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lostCall({ reason, sent }: HttpFailure): AwsCallFailure {
  return new AwsCallFailure(reason, { mayPass: reason !== 'aborted', mayBeDone: sent, item: undefined });
}

/** What an answer means that is none; `refusal` undefined where it is no JSON. */
function refused(status: number, refusal: Refusal | undefined): AwsCallFailure {
  const name = SHAPE.exec(`${refusal?.__type ?? ''}`)?.[1] ?? `status ${status}`;
  const nothingDone = REFUSED_FOR_NOW.has(name) || status === TOO_MANY_REQUESTS;
  // A 200 that cannot be read is as good as none.
  const failing = status >= 500 || status === 200;
  return new AwsCallFailure(name, {
    mayPass: nothingDone || failing,
    mayBeDone: failing && !nothingDone,
    item: refusal?.Item,
  });
}
