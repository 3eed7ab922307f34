import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { FirehoseClient } from '@aws-sdk/client-firehose';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AwsCredentialIdentity, AwsCredentialIdentityProvider } from '@smithy/types';
import type { HttpClient } from '../../kernel/http/index.ts';
import { UndiciHttpClient } from '../http/undici-http-client.ts';
import { RequestSigner, type SignerConfig } from './request-signer.ts';
import { CallRetries, collectBody, type RetryRule, SdkHttpHandler } from './sdk-transport.ts';

/** Overrides of the environment's region, credentials and endpoints (`AWS_ENDPOINT_URL_<SERVICE>`), and of the defaults below. */
export interface AwsClientOptions {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: AwsCredentialIdentity | AwsCredentialIdentityProvider;
  readonly http?: HttpClient;
  /** Maximum duration of an attempt. */
  readonly timeoutMs?: number;
  readonly retries?: RetryRule;
}

export type DynamoClient = DynamoDBDocumentClient;
export type SqsClient = SQSClient;

/** For calls while a client waits. */
export const WHILE_WAITING: RetryRule = { attempts: 3, repeatable: true };
/** For background tasks whose data would be lost: nine attempts take about two seconds with their pauses, five at most. */
export const BACKGROUND_RETRIES: RetryRule = { attempts: 9, repeatable: true };
/** Like `BACKGROUND_RETRIES`, for a write that must not be made twice. */
export const BACKGROUND_ONCE: RetryRule = { attempts: 9, repeatable: false };

/** For callers that handle a failure themselves. */
export const TRY_ONCE: RetryRule = { attempts: 1, repeatable: false };

/** A healthy table responds within milliseconds. */
const TABLE_MS = 1_000;
const QUEUE_MS = 1_000;
const SECRETS_MS = 2_000;
const FINDINGS_MS = 5_000;
const FILES_MS = 10_000;

/** Middleware without use here: the `User-Agent` header and debug logs. */
const NEEDLESS = ['getUserAgentMiddleware', 'loggerMiddleware'];

/** How items are unmarshalled. */
export const UNMARSHALL_OPTIONS = { wrapNumbers: toNumber };

/** A document client: items are plain values, undefined members are dropped, bytes are a Uint8Array, and integers beyond 2^53 a bigint. */
export function createDynamoClient(options: AwsClientOptions = {}): DynamoClient {
  return DynamoDBDocumentClient.from(jsonClient(DynamoDBClient, 'dynamodb', options, TABLE_MS), {
    marshallOptions: { removeUndefinedValues: true },
    // A copy, since the document client modifies it.
    unmarshallOptions: { ...UNMARSHALL_OPTIONS },
  });
}

export function createSqsClient(options: AwsClientOptions = {}): SqsClient {
  // Requests go to the service's endpoint, not to the host in the queue's URL.
  return jsonClient(SQSClient, 'sqs', options, QUEUE_MS, { useQueueUrlAsEndpoint: false });
}

export function createSecretsManagerClient(options: AwsClientOptions = {}): SecretsManagerClient {
  return jsonClient(SecretsManagerClient, 'secretsmanager', options, SECRETS_MS);
}

export function createSsmClient(options: AwsClientOptions = {}): SSMClient {
  return jsonClient(SSMClient, 'ssm', options, SECRETS_MS);
}

export function createEventBridgeClient(options: AwsClientOptions = {}): EventBridgeClient {
  return jsonClient(EventBridgeClient, 'events', options, FINDINGS_MS);
}

export function createFirehoseClient(options: AwsClientOptions = {}): FirehoseClient {
  return jsonClient(FirehoseClient, 'firehose', options, FINDINGS_MS);
}

export function createSnsClient(options: AwsClientOptions = {}): SNSClient {
  return lean(new SNSClient(restConfigOf(options, FINDINGS_MS)));
}

export function createS3Client(options: AwsClientOptions = {}): S3Client {
  // undici does not send `Expect`.
  return lean(new S3Client({ ...restConfigOf(options, FILES_MS), expectContinueHeader: false }));
}

export function createCloudFrontClient(options: AwsClientOptions = {}): CloudFrontClient {
  return lean(new CloudFrontClient(restConfigOf(options, FILES_MS)));
}

/** One connection pool per process. */
let shared: HttpClient | undefined;

/** Common members of clients of JSON protocols. */
interface JsonClient extends LeanClient {
  readonly config: Pick<SignerConfig, 'credentials' | 'region'>;
}

/** A client of a JSON protocol, with one signer for all its calls. */
function jsonClient<Client extends JsonClient, More extends object>(
  Constructor: new (config: ReturnType<typeof restConfigOf> & { signer: RequestSigner } & More) => Client,
  service: string,
  options: AwsClientOptions,
  timeoutMs: number,
  more = {} as More,
): Client {
  const signer: RequestSigner = new RequestSigner({
    credentials: () => client.config.credentials(),
    region: () => client.config.region(),
    service,
  });
  const client: Client = new Constructor({ ...restConfigOf(options, timeoutMs), signer, ...more });
  // The SDK copies the configuration three times per call. V8 copies the properties of a prototype faster: saves 22 of 253 us per call.
  Object.create(client.config);
  return lean(client);
}

/**
 * Settings of all clients. Clients of REST protocols keep the SDK's signer, since each service signs paths and queries by its own rules.
 */
export function restConfigOf(
  { endpoint, region, credentials, http, timeoutMs, retries = WHILE_WAITING }: AwsClientOptions,
  defaultMs: number,
) {
  shared ??= new UndiciHttpClient();
  const { repeatable } = retries;
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    credentials: providerOf(credentials),
    requestHandler: new SdkHttpHandler({ http: http ?? shared, timeoutMs: timeoutMs ?? defaultMs, repeatable }),
    retryStrategy: new CallRetries(retries),
    streamCollector: collectBody,
  };
}

function providerOf(credentials: AwsClientOptions['credentials']): AwsCredentialIdentityProvider {
  if (typeof credentials === 'object') return async () => credentials;
  return credentials ?? defaultProvider();
}

interface LeanClient {
  readonly middlewareStack: { remove(name: string): boolean };
}

export function lean<Client extends LeanClient>(client: Client): Client {
  for (const name of NEEDLESS) client.middlewareStack.remove(name);
  return client;
}

function toNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
