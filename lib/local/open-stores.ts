import path from 'node:path';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, ParameterNotFound } from '@aws-sdk/client-ssm';
import { createSecretsManagerClient, createSsmClient } from '../../functions/adapters/aws/clients.ts';
import { RenewableSecret, secretSource } from '../../functions/adapters/aws/secrets-manager.ts';
import { providerSettingsIn } from '../../functions/adapters/provider-settings.ts';
import { logUnreadableSettings } from '../../functions/adapters/telemetry/json-log.ts';
import { type StoresParameter, storesParameterSchema } from '../settings/stores-parameter.ts';
import { openKeys } from './admin-key.ts';
import { startStores } from './child-processes.ts';
import { createResources, LOCAL_TABLES, type StoreAddresses, useStores } from './create-resources.ts';
import { claimForDemo, createSecret, openDataFolder, readSecret } from './data-folder.ts';
import type { HelperProcesses } from './helper-processes.ts';
import { hasAwsIdentity, type LocalEnv } from './local-env.ts';
import type { Stores } from './stores.ts';

/** Opens the stores that the environment names. */
export function openStores(env: LocalEnv, helpers: HelperProcesses): Promise<Stores> {
  const isElsewhere = env.SVC_STORES === 'aws' || env.AWS_ENDPOINT_URL_DYNAMODB || env.AWS_ENDPOINT_URL_SQS;
  if (env.SVC_DEMO && isElsewhere)
    throw new Error(
      'a demo has its own tables and queues: unset SVC_STORES, AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_SQS',
    );
  return env.SVC_STORES === 'aws' ? awsStores(env) : localStores(env, helpers);
}

/** Those of a deployment or of `svc create-tables`, with the SDK's own credentials and region. */
async function awsStores({ SVC_STORES_PARAMETER: parameter, all }: LocalEnv): Promise<Stores> {
  if (parameter === undefined)
    throw new Error('SVC_STORES=aws needs SVC_STORES_PARAMETER, the name of an SSM parameter');
  const { tables, queues, secrets, background } = await readParameter(parameter);
  await checkSecrets(parameter, secrets);
  const providers = new RenewableSecret(secrets.providers);
  const stored = providerSettingsIn(() => providers.read(), logUnreadableSettings);
  return {
    tables,
    eventsQueueUrl: queues.events,
    deliveriesQueueUrl: queues.deliveries,
    pepper: secretSource(secrets.pepper),
    sealingKey: secretSource(secrets.sealingKey),
    sealing: { SVC_SEALING_SECRET_ARN: secrets.sealingKey },
    credentialsKey: secretSource(secrets.credentialsKey),
    // The container's own variables first.
    providerSettings: async () => ({ ...(await stored()), ...all }),
    credentials: providers,
    hasIdentity: true,
    alone: false,
    background,
    access: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => /^(?:AWS_.+|HOME)$/.test(entry[0])),
    ),
    shown: { database: 'dynamodb', queues: 'sqs', dataFolder: null },
    stop: async () => {},
  };
}

/** @throws Error with a sentence for the operator */
async function readParameter(Name: string): Promise<StoresParameter> {
  let text: string;
  try {
    const { Parameter } = await createSsmClient().send(new GetParameterCommand({ Name }));
    text = Parameter?.Value ?? '';
  } catch (error) {
    const reason = error instanceof ParameterNotFound ? 'does not exist in this region and account' : reasonOf(error);
    throw new Error(`the SSM parameter '${Name}' of SVC_STORES_PARAMETER cannot be read: ${reason}`);
  }
  const read = storesParameterSchema.safeParse(parsed(text));
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`);
  throw new Error(
    `the SSM parameter '${Name}' is not one of this version. ${faults.join('; ')}. Deploy the data stack of this version, or run \`svc create-tables\` again.`,
  );
}

/**
 * Reads each secret once, so that a container without one does not start and fail its first requests.
 * @throws Error with a sentence for the operator
 */
async function checkSecrets(parameter: string, secrets: StoresParameter['secrets']): Promise<void> {
  const client = createSecretsManagerClient();
  const check = async ([name, SecretId]: [string, string]) => {
    try {
      await client.send(new GetSecretValueCommand({ SecretId }));
    } catch (error) {
      throw new Error(`the secret '${SecretId}' (${name} in '${parameter}') cannot be read: ${reasonOf(error)}`);
    }
  };
  await Promise.all(Object.entries(secrets).map(check));
}

function reasonOf(error: unknown): string {
  const { name, message } = error as Error;
  return `${name}: ${message}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Embedded ones, or those at the addresses that the environment names; secrets are files of the data folder. */
async function localStores(env: LocalEnv, helpers: HelperProcesses): Promise<Stores> {
  const { AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl, AWS_ENDPOINT_URL_SQS: sqsUrl, SVC_DATA_DIR: folder } = env;
  await openDataFolder(folder);
  if (env.SVC_DEMO) await claimForDemo(folder);
  // Before useStores, which sets credentials for the stores.
  const hasIdentity = hasAwsIdentity(env.all);
  const stores = await openAddresses(env, helpers);
  useStores(stores.dynamodbUrl, stores.sqsUrl);
  const pepper = await pepperOf(env);
  const sealingKey = env.SVC_SEALING_KEY ?? (await secretIn(folder, 'sealing-key'));
  const credentialsKey = env.SVC_CREDENTIALS_KEY ?? (await secretIn(folder, 'credentials-key'));
  return {
    tables: LOCAL_TABLES,
    eventsQueueUrl: stores.eventsQueueUrl,
    deliveriesQueueUrl: stores.deliveriesQueueUrl,
    pepper: async () => pepper,
    sealingKey: async () => sealingKey,
    sealing: { SVC_SEALING_KEY: sealingKey },
    credentialsKey: async () => credentialsKey,
    providerSettings: async () => env.all,
    hasIdentity,
    alone: dynamodbUrl === undefined,
    background: 'containers',
    // With placeholders for credentials, as when the stores were created.
    access: {
      AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodbUrl,
      AWS_ENDPOINT_URL_SQS: stores.sqsUrl,
      AWS_REGION: process.env.AWS_REGION ?? '',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    shown: {
      database: dynamodbUrl === undefined ? 'embedded' : 'custom',
      queues: sqsUrl === undefined ? 'embedded' : 'custom',
      dataFolder: folder,
    },
    stop: () => stores.stop(),
  };
}

async function openAddresses(
  { AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl, AWS_ENDPOINT_URL_SQS: sqsUrl, SVC_DATA_DIR: folder }: LocalEnv,
  helpers: HelperProcesses,
): Promise<StoreAddresses & { stop(): Promise<void> }> {
  if (dynamodbUrl !== undefined && sqsUrl !== undefined) {
    return { ...(await createResources(dynamodbUrl, sqsUrl)), stop: async () => {} };
  }
  const embedded = await startStores(helpers, folder);
  if (dynamodbUrl === undefined && sqsUrl === undefined) return embedded;
  const chosen = await createResources(dynamodbUrl ?? embedded.dynamodbUrl, sqsUrl ?? embedded.sqsUrl);
  return { ...embedded, ...chosen };
}

async function secretIn(folder: string, name: string): Promise<string> {
  return (await readSecret(folder, name)) ?? (await createSecret(folder, name));
}

/** The pepper of key hashes. Throws an error if existing keys need one that is missing. */
async function pepperOf(env: LocalEnv): Promise<string> {
  const { SVC_PEPPER: given, SVC_DATA_DIR: folder, AWS_ENDPOINT_URL_DYNAMODB: elsewhere } = env;
  const known = given ?? (await readSecret(folder, 'pepper'));
  if (known !== undefined) return known;
  if (elsewhere === undefined && (await openKeys(LOCAL_TABLES).any())) {
    throw new Error(
      `the file '${path.join(folder, 'pepper')}' is missing, without which no existing key is valid. ` +
        'Restore it from a copy, set SVC_PEPPER to its value, or move the data folder away to start with an empty one.',
    );
  }
  return createSecret(folder, 'pepper');
}
