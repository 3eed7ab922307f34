import { CfnOutput, Duration, RemovalPolicy, SecretValue, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { TABLES, type TableDefinition, type TableName } from '../../functions/adapters/dynamo/tables.ts';
import { RecordExport } from '../constructs/record-export.ts';
import type { Settings } from '../settings/settings.ts';

export interface DataStackProps extends StackProps {
  /** A customer's own key for all of it; AWS's keys where absent. */
  readonly encryptionKeyArn?: string | undefined;
  /** Whether records go to a bucket as well; not where absent. */
  readonly recordExport?: Settings['recordExport'];
  /** Whether a distribution is to show the functions a secret. */
  readonly hasDistribution?: boolean;
  /** Whether findings go to a SIEM; not where absent. */
  readonly withFindings?: boolean;
}

const EXPORT_KEPT_DAYS = 30;
const FINDINGS_ATTEMPTS = 200;

/** What a customer could not make again: keys, limits, undelivered events, secrets. All of it outlives the stack. */
export class DataStack extends Stack {
  readonly tables: Readonly<Record<TableName, dynamodb.TableV2>>;
  readonly eventsQueue: sqs.Queue;
  /** Events with findings, for a SIEM; undefined where none is set. */
  readonly findingsQueue: sqs.Queue | undefined;
  /** Names endpoints for which something is due. */
  readonly deliveriesQueue: sqs.Queue;
  /** Where batches of records are named that could not be counted for a day. */
  readonly uncounted: sqs.Queue;
  /** Where batches of changes are named whose events could not be relayed for a day. */
  readonly unrelayed: sqs.Queue;
  readonly pepper: secretsmanager.Secret;
  /** What endpoints' signing secrets are sealed with. */
  readonly sealingKey: secretsmanager.Secret;
  readonly providers: secretsmanager.Secret;
  /** undefined where records are not exported. */
  readonly recordExport: RecordExport | undefined;
  /** What the distribution shows to the functions, where there is one. */
  readonly originSecret: secretsmanager.Secret | undefined;
  /** Where the first admin key is put when the gateway stack is deployed first. */
  readonly firstAdminKey: secretsmanager.Secret;
  /** Who reads or writes any of it needs this key too. */
  readonly encryptionKey: kms.IKey | undefined;

  constructor(
    scope: Construct,
    id: string,
    { encryptionKeyArn, recordExport, hasDistribution = false, withFindings = false, ...props }: DataStackProps = {},
  ) {
    super(scope, id, { ...props, terminationProtection: true });

    const key = encryptionKeyArn === undefined ? undefined : kms.Key.fromKeyArn(this, 'Key', encryptionKeyArn);
    this.encryptionKey = key;

    this.tables = Object.fromEntries(
      Object.entries(TABLES).map(([name, definition]) => [
        name,
        retainedTable(this, constructId(name), definition, key),
      ]),
    ) as Record<TableName, dynamodb.TableV2>;

    this.eventsQueue = queueWithDeadLetters(this, 'Events', key);
    this.deliveriesQueue = queueWithDeadLetters(this, 'DeliveriesQueue', key);
    // A SIEM may be away for hours: each attempt is 90 seconds after the one before.
    this.findingsQueue = withFindings ? queueWithDeadLetters(this, 'Findings', key, FINDINGS_ATTEMPTS) : undefined;
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
      description: 'Keys are stored as their HMAC with this. README.md says how it is changed without losing them.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      ...(key !== undefined && { encryptionKey: key }),
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.pepper).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Only hashes made with the pepper are stored: an operator changes it in steps, while keys move to the new one.',
    });

    this.sealingKey = new secretsmanager.Secret(this, 'SealingKey', {
      description: "Webhooks' signing secrets are sealed with this. docs/security.md says how it is changed.",
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      ...(key !== undefined && { encryptionKey: key }),
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.sealingKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'What was sealed under it is sealed again at a change: an operator changes it in steps.',
    });

    this.providers = new secretsmanager.Secret(this, 'Providers', {
      description: 'A JSON object: OPENAI_API_KEY, OPENAI_BASE_URL and the like for each provider in use.',
      // Operators fill it in afterwards. A change of this text in the template would overwrite what they put there.
      secretObjectValue: {},
      ...(key !== undefined && { encryptionKey: key }),
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.providers).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The keys in it are issued by the model providers, which offer Secrets Manager no way to rotate them.',
    });
    this.originSecret = hasDistribution ? originSecret(this, key) : undefined;
    this.firstAdminKey = new secretsmanager.Secret(this, 'FirstAdminKey', {
      description: 'The first admin key, once it was made. README.md says how it is rotated.',
      // A change of this text in the template would overwrite the key.
      secretStringValue: SecretValue.unsafePlainText('none was made: the deployment had keys'),
      ...(key !== undefined && { encryptionKey: key }),
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.firstAdminKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It is for reading once: the key is rotated through the admin API, which gives the new one to who asks.',
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
      ...(this.findingsQueue !== undefined && { Findings: this.findingsQueue }),
    })) {
      new CfnOutput(this, `${name}DeadLetterArn`, {
        description: '--source-arn of aws sqs start-message-move-task: docs/operations.md#messages-given-up',
        value: queue.deadLetterQueue?.queue.queueArn as string,
      });
    }
    new CfnOutput(this, 'PepperSecret', {
      description: '--pepper-secret of npm run admin -- keys create-admin',
      value: this.pepper.secretArn,
    });
    new CfnOutput(this, 'ProvidersSecret', {
      description: 'Put the provider keys here: aws secretsmanager put-secret-value --secret-id ...',
      value: this.providers.secretArn,
    });
  }
}

/** A table's name in the stack: a change of it makes a new table, and leaves what the old one holds behind. */
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
  return new dynamodb.TableV2(scope, id, {
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
}

/** Rotated by the gateway stack, which has the distribution that sends it. */
function originSecret(scope: Construct, encryptionKey: kms.IKey | undefined): secretsmanager.Secret {
  const secret = new secretsmanager.Secret(scope, 'OriginSecret', {
    description: 'The distribution shows it to the functions; docs/security.md says how it is rotated.',
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'sent',
      passwordLength: 64,
      excludePunctuation: true,
    },
    ...(encryptionKey !== undefined && { encryptionKey }),
    removalPolicy: RemovalPolicy.RETAIN,
  });
  new CfnOutput(scope, 'OriginSecretArn', {
    description: '--secret-id of aws secretsmanager rotate-secret: docs/operations.md#origin-secret-not-rotated',
    value: secret.secretArn,
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'Its rotation is set in the gateway stack, which has the distribution that sends it.',
  });
  return secret;
}

/** A queue whose messages are tried so many times, then wait for an operator in a queue of their own. */
function queueWithDeadLetters(
  scope: Construct,
  id: string,
  encryptionKey: kms.IKey | undefined,
  maxReceiveCount = 5,
): sqs.Queue {
  const queue = retainedQueue(scope, `${id}DeadLetters`, encryptionKey);
  Validations.of(queue).acknowledge({
    id: 'Serverless-SQSRedrivePolicy',
    reason: 'It is itself the dead-letter queue: what lies here waits for an operator.',
  });
  return retainedQueue(scope, id, encryptionKey, { queue, maxReceiveCount });
}

/** A queue that an operator reads. */
function lastQueue(scope: Construct, id: string, encryptionKey: kms.IKey | undefined, of: string): sqs.Queue {
  const queue = retainedQueue(scope, id, encryptionKey);
  for (const rule of ['Serverless-SQSRedrivePolicy', 'AwsSolutions-SQS3']) {
    const reason = `It is itself the end of the line for ${of}: an operator reads it.`;
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
    // Longer than the function that takes its messages may run.
    ...(deadLetterQueue !== undefined && { deadLetterQueue, visibilityTimeout: Duration.seconds(90) }),
    ...(encryptionKey === undefined
      ? { encryption: sqs.QueueEncryption.SQS_MANAGED }
      : { encryption: sqs.QueueEncryption.KMS, encryptionMasterKey: encryptionKey }),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    removalPolicy: RemovalPolicy.RETAIN,
  });
}
