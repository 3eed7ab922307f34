import path from 'node:path';
import { tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import type { AdminEnv } from '../../functions/admin-api/env.ts';
import type { GatewayEnv } from '../../functions/gateway/env.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { startFakeSecretsManager } from './fake-secrets-manager.ts';
import { type FunctionUrl, startFunctionUrl, type ToEvent } from './function-url.ts';
import { type Endpoints, startEndpoints } from './recorded-endpoints.ts';
import { startStreamFunction } from './stream-function.ts';
import { startStreamingTable } from './streaming-table.ts';
import { startWebEndpoint } from './web-endpoint.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');
/** What the secrets of the data stack are called here. */
export const SECRET_ARNS = {
  pepper: 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:pepper',
  sealingKey: 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:sealing-key',
  credentialsKey: 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:credentials-key',
  providers: 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:providers',
  origin: 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:origin-secret',
} as const;

export interface Deployment {
  /** As the stack's outputs: both end in `/v1`. */
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** What key hashes are made with, to put a first key into the table. */
  readonly pepper: string;
  readonly stores: EmbeddedStores;
  /** Where the functions find Secrets Manager. */
  readonly secretsUrl: string;
  /** Puts another text into the providers' secret. */
  rotateProviders(providers: Readonly<Record<string, string>> | string): void;
  /** Lets the records of requests wait before they are written, until what it gives is called. */
  holdRecords(): () => void;
  /** Lets every call of the tables fail, until what it gives is called. */
  loseTables(): () => void;
  /** What the functions printed so far. */
  logs(): string[];
  stop(): Promise<void>;
}

/** What runs the gateway: `SVC_TEST_HOME=web-function` runs all suites over the other one. */
export type Home = 'function-url' | 'web-function' | 'fargate';
/** The bundle of the gateway in each home. */
const BUNDLE_OF = { 'function-url': 'gateway', 'web-function': 'web-function', fargate: 'container-gateway' } as const;
export const HOME: Home = Object.keys(BUNDLE_OF).includes(process.env.SVC_TEST_HOME ?? '')
  ? (process.env.SVC_TEST_HOME as Home)
  : 'function-url';

export interface DeploymentOptions {
  /** What runs the gateway; HOME where absent. Events are always of a function. */
  readonly home?: Home;
  /** Of the gateway, at once. */
  readonly instances?: number;
  /** Requests that each of them serves at once; 1 where absent. */
  readonly concurrency?: number;
  /** The distribution before both functions: the text of its secret, and whether others are refused. */
  readonly distribution?: { readonly secret: string; readonly only: boolean };
  /** Of both functions' processes, besides their settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is made of requests; a function URL's events where absent. */
  readonly toEvent?: ToEvent;
}

/**
 * The deployed bundles behind function URLs, with embedded stores. `providers` is the providers' secret:
 * `{OPENAI_API_KEY, OPENAI_BASE_URL}` and the like.
 */
export async function startDeployment(
  providers: Readonly<Record<string, string>> = {},
  settings: Partial<GatewayEnv> = {},
  options: DeploymentOptions = {},
): Promise<Deployment> {
  const { instances = 2, concurrency = 1, distribution, toEvent } = options;
  const { home = toEvent === undefined ? HOME : 'function-url' } = options;
  const pepper = 'p'.repeat(64);
  const stores = await startEmbeddedStores();
  const secrets = await startFakeSecretsManager({
    [SECRET_ARNS.pepper]: pepper,
    [SECRET_ARNS.sealingKey]: 's'.repeat(64),
    [SECRET_ARNS.credentialsKey]: 'c'.repeat(64),
    [SECRET_ARNS.providers]: JSON.stringify(providers),
    [SECRET_ARNS.origin]: distribution?.secret,
  });
  const counterEndpoints = await startEndpoints('UsageCounterRole', { dynamodb: stores.dynamodbUrl });
  const counterEnv = { ...counterEndpoints.env, ...tableVariables('usage-counter', (table) => table) };
  const counter = await startStreamFunction({ bundleDir: path.join(DIST, 'usage-counter'), env: counterEnv });
  const records = await startStreamingTable(stores.dynamodbUrl, 'records', (item) => counter.deliver(item));
  const { BEDROCK_BASE_URL: bedrock } = providers;
  const addresses = { dynamodb: records.url, sqs: stores.sqsUrl, secrets: secrets.url };
  const [gatewayEndpoints, adminEndpoints] = await Promise.all([
    startEndpoints('GatewayRole', { ...addresses, ...(bedrock !== undefined && { bedrock }) }),
    startEndpoints('AdminApiRole', addresses),
  ]);
  if (bedrock !== undefined) {
    const recorded = { ...providers, BEDROCK_BASE_URL: gatewayEndpoints.bedrockUrl };
    secrets.put(SECRET_ARNS.providers, JSON.stringify(recorded));
  }
  const admin: AdminEnv = {
    ...tableVariables('admin-api', (table) => table),
    SVC_DELIVERIES_QUEUE_URL: adminEndpoints.queueUrl(stores.deliveriesQueueUrl),
    SVC_PEPPER_SECRET_ARN: SECRET_ARNS.pepper,
    SVC_SEALING_SECRET_ARN: SECRET_ARNS.sealingKey,
    SVC_PROVIDERS_SECRET_ARN: SECRET_ARNS.providers,
    SVC_CREDENTIALS_SECRET_ARN: SECRET_ARNS.credentialsKey,
    SVC_STAGE: 'Development',
    SVC_IDENTITY: settings.SVC_IDENTITY,
    ...(distribution && {
      SVC_ORIGIN_SECRET_ARN: SECRET_ARNS.origin,
      SVC_ONLY_THROUGH_DISTRIBUTION: distribution.only ? 'true' : 'false',
    }),
  };
  const gateway: GatewayEnv = {
    ...admin,
    SVC_EVENTS_QUEUE_URL: gatewayEndpoints.queueUrl(stores.eventsQueueUrl),
    SVC_PROVIDERS_SECRET_ARN: SECRET_ARNS.providers,
    SVC_STAGE: 'Development',
    ...settings,
  };

  const functions: FunctionUrl[] = [];
  const stop = async () => {
    await Promise.all([...functions, counter].map((one) => one.stop()));
    for (const endpoints of [counterEndpoints, gatewayEndpoints, adminEndpoints]) endpoints.stop();
    records.stop();
    await stores.stop();
    secrets.stop();
  };
  const start = async (
    name: string,
    { env: addresses }: Endpoints,
    env: Readonly<Record<string, string | undefined>>,
    sizes: { readonly size: number; readonly concurrency?: number },
  ) => {
    const defined = Object.entries({ ...addresses, ...options.env, ...env }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const served = { bundleDir: path.join(DIST, name), env: Object.fromEntries(defined) };
    const one =
      name === BUNDLE_OF['web-function'] || name === BUNDLE_OF.fargate
        ? await startWebEndpoint(served)
        : await startFunctionUrl({ ...served, ...sizes, ...(toEvent && { toEvent }) });
    functions.push(one);
    return `${one.url}/v1`;
  };

  try {
    const starting = [
      start(BUNDLE_OF[home], gatewayEndpoints, gateway, { size: instances, concurrency }),
      start('admin-api', adminEndpoints, admin, { size: 1 }),
    ] as const;
    // If one fails, the other must have started before it can be stopped.
    await Promise.allSettled(starting);
    const [baseUrl, adminUrl] = await Promise.all(starting);
    return {
      baseUrl,
      adminUrl,
      pepper,
      stores,
      secretsUrl: secrets.url,
      rotateProviders: (next) =>
        secrets.put(SECRET_ARNS.providers, typeof next === 'string' ? next : JSON.stringify(next)),
      holdRecords: () => records.hold(),
      loseTables: () => records.lose(),
      logs: () => [...functions, counter].flatMap((one) => one.logs()),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
