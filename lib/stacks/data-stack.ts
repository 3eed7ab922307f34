import { CfnOutput, Duration, RemovalPolicy, SecretValue, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { TABLES, type TableDefinition, type TableName } from '../../functions/adapters/dynamo/tables.ts';
import { RecordExport } from '../constructs/record-export.ts';
import type { Settings } from '../settings/settings.ts';
import { type StoresParameter, storesParameterName } from '../settings/stores-parameter.ts';

export interface DataStackProps extends StackProps {
  /** A customer's KMS key for all resources; undefined for AWS's keys. */
  readonly encryptionKeyArn: string | undefined;
  /** Exports records to a bucket; undefined for no export. */
  readonly recordExport: Settings['recordExport'];
}

/**
 * Retained, but removed if the stack's creation is rolled back, when they are empty. Tables stay even then, since their protection
 * against deletion would make the rollback fail.
 */
const KEPT = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
const EXPORT_KEPT_DAYS = 30;
const FINDINGS_ATTEMPTS = 50;
/** Six times the timeout of the functions that read the queues, as AWS advises. */
const VISIBILITY_TIMEOUT = Duration.minutes(6);

/**
 * Data that cannot be recreated: keys, limits, undelivered events, secrets. All resources are retained. Almost all exist with every
 * setting, so that a setting that is switched off and on again finds its data.
 */
export class DataStack extends Stack {
  readonly tables: Readonly<Record<TableName, dynamodb.TableV2>>;
  readonly eventsQueue: sqs.Queue;
  /** Events with findings, for a SIEM; empty without one. */
  readonly findingsQueue: sqs.Queue;
  /** Messages with endpoints that have due deliveries. */
  readonly deliveriesQueue: sqs.Queue;
  /** References to batches of records that could not be counted for 12 hours. */
  readonly uncounted: sqs.Queue;
  /** References to batches of changes whose events could not be relayed for six hours. */
  readonly unrelayed: sqs.Queue;
  readonly pepper: secretsmanager.Secret;
  /** Seals webhook signing secrets and dashboard sessions. */
  readonly sealingKey: secretsmanager.Secret;
  /** Seals stored credentials. */
  readonly credentialsKey: secretsmanager.Secret;
  readonly providers: secretsmanager.Secret;
  /** undefined without an export. */
  readonly recordExport: RecordExport | undefined;
  /** The secret that a distribution sends to the functions. */
  readonly originSecret: secretsmanager.Secret;
  /** Gets the first admin key at the first deployment of the gateway stack. */
  readonly firstAdminKey: secretsmanager.Secret;
  /** Gets the synthetic check's API key. It stays while the check is off, since the key stays too. */
  readonly syntheticCheckKey: secretsmanager.Secret;
  /** Readers and writers need this key too. */
  readonly encryptionKey: kms.IKey | undefined;

  constructor(scope: Construct, id: string, { encryptionKeyArn, recordExport, ...props }: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: true });

    const key = encryptionKeyArn === undefined ? undefined : kms.Key.fromKeyArn(this, 'Key', encryptionKeyArn);
    this.encryptionKey = key;

    this.tables = mapValues(TABLES as Record<TableName, TableDefinition>, (definition, name) =>
      retainedTable(this, constructId(name), definition, key),
    );

    this.eventsQueue = queueWithDeadLetters(this, 'Events', key);
    this.deliveriesQueue = queueWithDeadLetters(this, 'DeliveriesQueue', key);
    // A SIEM may be unavailable for hours; attempts are six minutes apart.
    this.findingsQueue = queueWithDeadLetters(this, 'Findings', key, FINDINGS_ATTEMPTS);
    this.uncounted = lastQueue(this, 'Uncounted', key, 'records that could not be counted');
    this.unrelayed = lastQueue(this, 'Unrelayed', key, 'events that could not be relayed');

    if (recordExport !== undefined) {
      this.recordExport = new RecordExport(this, 'RecordExport', {
        table: this.tables.records,
        every: recordExport.every,
        keptDays: recordExport.keptDays ?? EXPORT_KEPT_DAYS,
        encryptionKey: key,
      });
      new CfnOutput(this, 'RecordExportBucket', {
        description: 'Records of requests for warehouses: docs/operations.md',
        value: this.recordExport.bucket.bucketName,
      });
    }

    this.pepper = new secretsmanager.Secret(this, 'Pepper', {
      description: 'Keys are stored as their HMAC with this. How to change it: docs/security.md.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      ...(key !== undefined && { encryptionKey: key }),
      removalPolicy: KEPT,
    });
    Validations.of(this.pepper).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Only hashes with the pepper are stored: an operator changes it in steps, while keys move to the new one.',
    });

    this.sealingKey = new secretsmanager.Secret(this, 'SealingKey', {
      description: 'Seals webhook signing secrets and dashboard sessions. How to change it: docs/security.md.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      ...(key !== undefined && { encryptionKey: key }),
      removalPolicy: KEPT,
    });
    Validations.of(this.sealingKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A change re-seals the data: an operator changes it in steps.',
    });

    this.credentialsKey = new secretsmanager.Secret(this, 'CredentialsKey', {
      description: 'Seals the credentials that the gateway keeps for providers. How to change it: docs/security.md.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      ...(key !== undefined && { encryptionKey: key }),
      removalPolicy: KEPT,
    });
    Validations.of(this.credentialsKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A change re-seals the data: an operator changes it in steps.',
    });

    this.providers = new secretsmanager.Secret(this, 'Providers', {
      description: 'A JSON object: OPENAI_API_KEY, OPENAI_BASE_URL and the like for each provider in use.',
      // Operators fill it in later. A change of this value in the template would overwrite theirs.
      secretObjectValue: {},
      ...(key !== undefined && { encryptionKey: key }),
      removalPolicy: KEPT,
    });
    Validations.of(this.providers).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Model providers issue the keys; Secrets Manager cannot rotate them.',
    });
    this.originSecret = originSecret(this, key);
    this.firstAdminKey = keySecret(this, 'FirstAdminKey', key, {
      description: 'The first admin key, once created. How to rotate it: docs/security.md.',
      initial: 'none was made: the deployment had keys',
      reason: 'To be read once: the admin API rotates the key and returns the new one.',
    });
    this.syntheticCheckKey = keySecret(this, 'SyntheticCheckKey', key, {
      description: "The synthetic check's API key. How to rotate it: docs/operations.md.",
      initial: 'not created yet',
      reason: 'The admin API rotates the key and returns the new one, which an operator puts here.',
    });
    const stores: StoresParameter = {
      tables: mapValues(this.tables, ({ tableName }) => tableName),
      queues: { events: this.eventsQueue.queueUrl, deliveries: this.deliveriesQueue.queueUrl },
      secrets: {
        pepper: this.pepper.secretArn,
        sealingKey: this.sealingKey.secretArn,
        credentialsKey: this.credentialsKey.secretArn,
        providers: this.providers.secretArn,
      },
      background: 'functions',
    };
    const parameter = new ssm.StringParameter(this, 'Stores', {
      description: 'What containers need to use these tables: docs/container.md',
      parameterName: storesParameterName(this.stackName),
      stringValue: this.toJsonString(stores),
    });
    new CfnOutput(this, 'StoresParameter', {
      description: 'SVC_STORES_PARAMETER of containers: docs/container.md',
      value: parameter.parameterName,
    });
    new CfnOutput(this, 'KeysTable', {
      description: '--table of npm run admin -- keys create-admin',
      value: this.tables.keys.tableName,
    });
    new CfnOutput(this, 'AuditTable', {
      description: '--audit-table of npm run admin -- keys create-admin, --table of npm run admin -- audit verify',
      value: this.tables.audit.tableName,
    });
    for (const [name, queue] of Object.entries({
      Events: this.eventsQueue,
      Deliveries: this.deliveriesQueue,
      Findings: this.findingsQueue,
    })) {
      new CfnOutput(this, `${name}DeadLetterArn`, {
        description: '--source-arn of aws sqs start-message-move-task: docs/reference/runbooks.md#messages-given-up',
        value: queue.deadLetterQueue?.queue.queueArn as string,
      });
    }
    new CfnOutput(this, 'PepperSecret', {
      description: '--pepper-secret of npm run admin -- keys create-admin',
      value: this.pepper.secretArn,
    });
    new CfnOutput(this, 'SealingKeySecret', {
      description: 'The secret of the sealing key. How to change it: docs/security.md#webhooks-secrets-at-rest',
      value: this.sealingKey.secretArn,
    });
    new CfnOutput(this, 'CredentialsKeySecret', {
      description: 'The secret of the key of credentials. How to change it: docs/security.md#credentials-at-rest',
      value: this.credentialsKey.secretArn,
    });
    new CfnOutput(this, 'SyntheticCheckKeySecret', {
      description: "The secret of the synthetic check's API key: docs/reference/runbooks.md#synthetic-check-fails",
      value: this.syntheticCheckKey.secretArn,
    });
    new CfnOutput(this, 'ProvidersSecret', {
      description: 'Put the provider keys here: aws secretsmanager put-secret-value --secret-id ...',
      value: this.providers.secretArn,
    });
  }
}

function mapValues<Name extends string, From, To>(
  values: Readonly<Record<Name, From>>,
  map: (value: From, name: Name) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(values) as [Name, From][];
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value, name)])) as Record<Name, To>;
}

/** A table's construct id. A change would create a new, empty table. */
export function constructId(table: string): string {
  return `${table.charAt(0).toUpperCase()}${table.slice(1)}`;
}

function retainedTable(
  scope: Construct,
  id: string,
  definition: TableDefinition,
  encryptionKey: kms.IKey | undefined,
): dynamodb.TableV2 {
  const key = (name: string) => ({ name, type: dynamodb.AttributeType.STRING });
  const table = new dynamodb.TableV2(scope, id, {
    partitionKey: key(definition.partitionKey),
    ...(definition.sortKey !== undefined && { sortKey: key(definition.sortKey) }),
    ...(definition.stream !== undefined && { dynamoStream: dynamodb.StreamViewType.NEW_IMAGE }),
    globalSecondaryIndexes: definition.indexes.map((index) => ({
      indexName: index.name,
      partitionKey: key(index.partitionKey),
      sortKey: key(index.sortKey),
      ...(index.keysOnly && { projectionType: dynamodb.ProjectionType.KEYS_ONLY }),
    })),
    ...(definition.timeToLive !== undefined && { timeToLiveAttribute: definition.timeToLive }),
    billing: dynamodb.Billing.onDemand(),
    encryption:
      encryptionKey === undefined
        ? dynamodb.TableEncryptionV2.awsManagedKey()
        : dynamodb.TableEncryptionV2.customerManagedKey(encryptionKey),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  // CloudWatch does not encrypt the keys with a customer's KMS key.
  if (definition.showsThrottledKeys === true && encryptionKey === undefined) showThrottledKeys(table);
  return table;
}

/** Lets CloudWatch rank the table's throttled keys. TableV2 would do so for its indexes too, whose keys may name end users. */
function showThrottledKeys(table: dynamodb.TableV2): void {
  const { defaultChild } = table.node;
  (defaultChild as dynamodb.CfnGlobalTable).addPropertyOverride('Replicas.0.ContributorInsightsSpecification', {
    Enabled: true,
    Mode: dynamodb.ContributorInsightsMode.THROTTLED_KEYS,
  });
}

/** A secret that receives the text of an API key. A change of `initial` in the template would overwrite the key. */
function keySecret(
  scope: Construct,
  id: string,
  encryptionKey: kms.IKey | undefined,
  { description, initial, reason }: Readonly<Record<'description' | 'initial' | 'reason', string>>,
): secretsmanager.Secret {
  const secret = new secretsmanager.Secret(scope, id, {
    description,
    secretStringValue: SecretValue.unsafePlainText(initial),
    ...(encryptionKey !== undefined && { encryptionKey }),
    removalPolicy: KEPT,
  });
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
  return secret;
}

/** The gateway stack, which has the distribution, rotates it. */
function originSecret(scope: Construct, encryptionKey: kms.IKey | undefined): secretsmanager.Secret {
  const secret = new secretsmanager.Secret(scope, 'OriginSecret', {
    description: 'The distribution sends it to the functions. How it is rotated: docs/security.md.',
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'sent',
      passwordLength: 64,
      excludePunctuation: true,
    },
    ...(encryptionKey !== undefined && { encryptionKey }),
    removalPolicy: KEPT,
  });
  new CfnOutput(scope, 'OriginSecretArn', {
    description:
      '--secret-id of aws secretsmanager rotate-secret: docs/reference/runbooks.md#origin-secret-not-rotated',
    value: secret.secretArn,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'The gateway stack, which has the distribution, sets its rotation.',
  });
  return secret;
}

/** A queue whose messages go to a dead-letter queue after `maxReceiveCount` attempts. */
function queueWithDeadLetters(
  scope: Construct,
  id: string,
  encryptionKey: kms.IKey | undefined,
  maxReceiveCount = 5,
): sqs.Queue {
  const queue = retainedQueue(scope, `${id}DeadLetters`, encryptionKey);
  Validations.of(queue).acknowledge({
    id: 'Serverless-SQSRedrivePolicy',
    reason: 'It is itself a dead-letter queue, which an operator reads.',
  });
  return retainedQueue(scope, id, encryptionKey, { queue, maxReceiveCount });
}

/** A queue that an operator reads. */
function lastQueue(scope: Construct, id: string, encryptionKey: kms.IKey | undefined, of: string): sqs.Queue {
  const queue = retainedQueue(scope, id, encryptionKey);
  for (const rule of ['Serverless-SQSRedrivePolicy', 'AwsSolutions-SQS3']) {
    const reason = `It is itself the last queue for ${of}: an operator reads it.`;
    Validations.of(queue).acknowledge({ id: rule, reason });
  }
  return queue;
}

function retainedQueue(
  scope: Construct,
  id: string,
  encryptionKey: kms.IKey | undefined,
  deadLetterQueue?: sqs.DeadLetterQueue,
): sqs.Queue {
  return new sqs.Queue(scope, id, {
    ...(deadLetterQueue !== undefined && { deadLetterQueue, visibilityTimeout: VISIBILITY_TIMEOUT }),
    ...(encryptionKey === undefined
      ? { encryption: sqs.QueueEncryption.SQS_MANAGED }
      : { encryption: sqs.QueueEncryption.KMS, encryptionMasterKey: encryptionKey }),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    removalPolicy: KEPT,
  });
}
