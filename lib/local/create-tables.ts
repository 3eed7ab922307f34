import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ResourceInUseException,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateSecretCommand, DescribeSecretCommand, ResourceExistsException } from '@aws-sdk/client-secrets-manager';
import { CreateQueueCommand, GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { GetParameterCommand, ParameterNotFound, PutParameterCommand } from '@aws-sdk/client-ssm';
import {
  createDynamoClient,
  createSecretsManagerClient,
  createSqsClient,
  createSsmClient,
  type DynamoClient,
} from '../../functions/adapters/aws/clients.ts';
import { secretSource } from '../../functions/adapters/aws/secrets-manager.ts';
import { TABLES, type TableDefinition, type TableName } from '../../functions/adapters/dynamo/tables.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import { type StoresParameter, storesParameterName, storesParameterSchema } from '../settings/stores-parameter.ts';
import { createAdminKey, openKeys } from './admin-key.ts';
import { tableInput } from './create-resources.ts';

/** AWS's control plane takes seconds; adding an index to a large table takes longer than this, and a second run waits again. */
const ACTIVE_MS = 30 * 60_000;
const POLL_MS = 1_000;
const CALL_MS = 30_000;
/** Six times the longest delivery of a batch, as AWS advises for functions. */
const VISIBILITY_SECONDS = '360';
const RETENTION_SECONDS = String(14 * 86_400);
const ATTEMPTS = 5;

export interface CreatedStores {
  /** The value of `SVC_STORES_PARAMETER`. */
  readonly parameter: string;
  /** The first admin key; undefined if there were keys. */
  readonly adminKey: string | undefined;
}

/**
 * Creates the tables, queues and secrets of containers without a deployment, and the SSM parameter that names them. What exists stays and
 * gets what this version adds, so that a second run upgrades or completes a first. `report` gets a line for each step.
 *
 * @throws Error with a sentence for the operator
 */
export async function createTables(name: string, report: (line: string) => void): Promise<CreatedStores> {
  const parameter = storesParameterName(name);
  const ssm = createSsmClient({ timeoutMs: CALL_MS });
  if ((await knownStores(ssm, parameter))?.background === 'functions')
    throw new Error(`'${parameter}' belongs to a deployment, whose data stack has the tables: choose another name`);
  const dynamo = createDynamoClient({ timeoutMs: CALL_MS });
  const tables = {} as Record<TableName, string>;
  const definitions = Object.entries<TableDefinition>(TABLES) as [TableName, TableDefinition][];
  await Promise.all(
    definitions.map(async ([table, definition]) => {
      tables[table] = `${name}-${table}`;
      await createTable(dynamo, tables[table], definition);
      report(`table ${tables[table]}`);
    }),
  );
  const queues = { events: await createQueue(`${name}-events`), deliveries: await createQueue(`${name}-deliveries`) };
  report(`queues ${name}-events, ${name}-deliveries`);
  const random = () => randomBytes(48).toString('base64url');
  const secrets = {
    pepper: await createSecret(`svc/${name}/pepper`, random()),
    sealingKey: await createSecret(`svc/${name}/sealing-key`, random()),
    credentialsKey: await createSecret(`svc/${name}/credentials-key`, random()),
    providers: await createSecret(`svc/${name}/providers`, '{}'),
  };
  report(`secrets svc/${name}/pepper, sealing-key, credentials-key, providers`);
  const stores: StoresParameter = { tables, queues, secrets, background: 'containers' };
  const adminKey = await firstAdminKey(stores);
  // Last: containers start when everything exists.
  await ssm.send(
    new PutParameterCommand({ Name: parameter, Type: 'String', Value: JSON.stringify(stores), Overwrite: true }),
  );
  report(`parameter ${parameter}`);
  return { parameter, adminKey };
}

async function knownStores(ssm: ReturnType<typeof createSsmClient>, Name: string) {
  try {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
    return storesParameterSchema.partial().safeParse(JSON.parse(Parameter?.Value ?? '{}')).data;
  } catch (error) {
    if (error instanceof ParameterNotFound) return undefined;
    throw error;
  }
}

async function createTable(dynamo: DynamoClient, TableName: string, definition: TableDefinition): Promise<void> {
  const { timeToLive } = definition;
  try {
    await dynamo.send(
      new CreateTableCommand({
        ...tableInput(TableName, definition),
        DeletionProtectionEnabled: true,
        SSESpecification: { Enabled: true },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await addIndexes(dynamo, TableName, definition, await untilActive(dynamo, TableName));
  if (timeToLive !== undefined) await expire(dynamo, TableName, timeToLive);
  await dynamo.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
}

/** Adds what a table of an earlier version lacks. DynamoDB adds one index at a time. */
async function addIndexes(
  dynamo: DynamoClient,
  TableName: string,
  definition: TableDefinition,
  { GlobalSecondaryIndexes: existing = [] }: TableDescription,
): Promise<void> {
  const { AttributeDefinitions, GlobalSecondaryIndexes: wanted = [] } = tableInput(TableName, definition);
  for (const index of wanted) {
    if (existing.some(({ IndexName }) => IndexName === index.IndexName)) continue;
    const GlobalSecondaryIndexUpdates = [{ Create: index }];
    await dynamo.send(new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }));
    await untilActive(dynamo, TableName);
  }
}

async function untilActive(dynamo: DynamoClient, TableName: string): Promise<TableDescription> {
  const deadline = performance.now() + ACTIVE_MS;
  for (;;) {
    const { Table = {} } = await dynamo.send(new DescribeTableCommand({ TableName }));
    const indexes = Table.GlobalSecondaryIndexes ?? [];
    if (Table.TableStatus === 'ACTIVE' && indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')) return Table;
    if (performance.now() > deadline) throw new Error(`the table '${TableName}' did not become active: run it again`);
    await pause(POLL_MS);
  }
}

/** A second request for what is on is an error of DynamoDB. */
async function expire(dynamo: DynamoClient, TableName: string, AttributeName: string): Promise<void> {
  const { TimeToLiveDescription: now } = await dynamo.send(new DescribeTimeToLiveCommand({ TableName }));
  if (now?.TimeToLiveStatus === 'ENABLED' || now?.TimeToLiveStatus === 'ENABLING') return;
  const TimeToLiveSpecification = { AttributeName, Enabled: true };
  await dynamo.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

/** A queue whose messages go to `<name>-dead-letters` after five attempts. @returns its URL */
async function createQueue(QueueName: string): Promise<string> {
  const sqs = createSqsClient({ timeoutMs: CALL_MS });
  const attributes = { MessageRetentionPeriod: RETENTION_SECONDS, SqsManagedSseEnabled: 'true' };
  const { QueueUrl: deadUrl } = await sqs.send(
    new CreateQueueCommand({ QueueName: `${QueueName}-dead-letters`, Attributes: attributes }),
  );
  const { Attributes: { QueueArn: deadLetterTargetArn } = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadUrl, AttributeNames: ['QueueArn'] }),
  );
  const Attributes = {
    ...attributes,
    VisibilityTimeout: VISIBILITY_SECONDS,
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: ATTEMPTS }),
  };
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  return QueueUrl;
}

/** The first admin key's secret if it was created now; undefined if there are keys. */
async function firstAdminKey({ tables, secrets }: StoresParameter): Promise<string | undefined> {
  const dynamo = createDynamoClient({ timeoutMs: CALL_MS });
  if (await openKeys(tables, dynamo).any()) return undefined;
  const hasher = createKeyHasher(secretSource(secrets.pepper));
  const made = await createAdminKey({
    tables,
    name: 'First admin key',
    secret: undefined,
    hasher,
    onAudited: () => {},
    dynamo,
  });
  return made.secret;
}

/** @returns the secret's ARN; one that exists keeps its text */
async function createSecret(Name: string, SecretString: string): Promise<string> {
  const secrets = createSecretsManagerClient({ timeoutMs: CALL_MS });
  try {
    const { ARN = '' } = await secrets.send(new CreateSecretCommand({ Name, SecretString }));
    return ARN;
  } catch (error) {
    if (!(error instanceof ResourceExistsException)) throw error;
    const { ARN = '' } = await secrets.send(new DescribeSecretCommand({ SecretId: Name }));
    return ARN;
  }
}
