import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import { stackNamesOf } from '../../lib/settings/stack-names.ts';
import { FULL, PLAIN, STATEFUL, synthesize } from './synthesize.ts';

const plain = synthesize(PLAIN);
const full = synthesize(FULL);
const data = Template.fromJSON(plain.data);

test('the stacks have the names that the deploy command checks, and its account and region where they are set', () => {
  const places: Record<string, string> = {};
  synthesize({ ...FULL, account: '123456789012', waf: true }, ({ data, gateway, operations, edge }) => {
    for (const stack of [data, gateway, operations, edge])
      if (stack !== undefined) places[stack.stackName] = stack.environment;
  });
  const names = stackNamesOf({ stage: 'Production' }, 'eu-central-1');
  const here = 'aws://123456789012/eu-central-1';
  expect(places).toEqual({
    [names.data]: here,
    [names.gateway]: here,
    [names.operations]: here,
    [names.edge]: 'aws://123456789012/us-east-1',
  });
});

describe('the data stack', () => {
  test('is protected, and its tables, queues and secrets are retained on deletion', () => {
    expect(plain.termination.data).toBe(true);
    for (const [type, DeletionPolicy] of Object.entries(STATEFUL)) {
      data.allResources(type, { DeletionPolicy, UpdateReplacePolicy: 'Retain' });
    }
  });

  test('has tables with point-in-time recovery, deletion protection, encryption and on-demand billing', () => {
    data.resourceCountIs('AWS::DynamoDB::GlobalTable', Object.keys(TABLES).length);
    data.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true },
      Replicas: [
        {
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        },
      ],
    });
  });

  test.each(Object.entries<TableDefinition>(TABLES))('has the table %s as its definition says', (_name, table) => {
    data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      KeySchema: keySchema(table.partitionKey, table.sortKey),
      GlobalSecondaryIndexes:
        table.indexes.length === 0
          ? Match.absent()
          : table.indexes.map((index) => ({
              IndexName: index.name,
              KeySchema: keySchema(index.partitionKey, index.sortKey),
              Projection: { ProjectionType: index.keysOnly ? 'KEYS_ONLY' : 'ALL' },
            })),
      TimeToLiveSpecification:
        table.timeToLive === undefined ? Match.absent() : { AttributeName: table.timeToLive, Enabled: true },
      StreamSpecification: table.stream !== undefined ? { StreamViewType: 'NEW_IMAGE' } : Match.absent(),
    });
  });

  test('has queues of events, findings and deliveries whose failures end in dead-letter queues, and one each for records that could not be counted and events that could not be relayed, all kept for 14 days and encrypted', () => {
    data.resourceCountIs('AWS::SQS::Queue', 8);
    data.allResourcesProperties('AWS::SQS::Queue', { MessageRetentionPeriod: 1_209_600, SqsManagedSseEnabled: true });
    data.resourcePropertiesCountIs('AWS::SQS::Queue', { RedrivePolicy: Match.anyValue() }, 3);
  });

  test("is encrypted with the customer's own key where one is set: tables, queues and secrets", () => {
    const encrypted = Template.fromJSON(full.data);
    encrypted.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [{ SSESpecification: { KMSMasterKeyId: FULL.encryptionKeyArn } }],
    });
    encrypted.allResourcesProperties('AWS::SQS::Queue', { KmsMasterKeyId: FULL.encryptionKeyArn });
    encrypted.allResourcesProperties('AWS::SecretsManager::Secret', { KmsKeyId: FULL.encryptionKeyArn });
  });

  test('refuses messages without TLS', () => {
    data.resourceCountIs('AWS::SQS::QueuePolicy', 8);
    data.allResourcesProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: [{ Action: 'sqs:*', Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
      },
    });
  });

  test('generates the pepper, the sealing key, the key of credentials and the origin secret, and leaves the provider keys to the operator', () => {
    const generated = { GenerateSecretString: { PasswordLength: 64 } };
    data.resourcePropertiesCountIs('AWS::SecretsManager::Secret', generated, 4);
    data.hasResourceProperties('AWS::SecretsManager::Secret', { SecretString: '{}' });
    data.hasResourceProperties('AWS::SecretsManager::Secret', { SecretString: 'not created yet' });
    data.resourceCountIs('AWS::SecretsManager::Secret', 7);
  });
});

describe('the export of records', () => {
  const exporting = Template.fromJSON(full.data);
  const plainExport = Template.fromJSON(synthesize({ ...PLAIN, recordExport: { every: 'hour' } }).data);
  const definitionOf = (template: Template): string => {
    const [machine] = Object.values(template.findResources('AWS::StepFunctions::StateMachine'));
    const pieces = machine?.Properties.DefinitionString['Fn::Join'][1] as unknown[];
    return pieces.map((piece) => (typeof piece === 'string' ? piece : 'REFERENCE')).join('');
  };

  test('exists only if it is set', () => {
    for (const type of ['AWS::S3::Bucket', 'AWS::StepFunctions::StateMachine', 'AWS::Scheduler::Schedule']) {
      data.resourceCountIs(type, 0);
      exporting.resourceCountIs(type, 1);
    }
  });

  test('goes to a bucket that is private, needs TLS and stays, and whose files expire', () => {
    for (const [template, days] of [
      [exporting, 90],
      [plainExport, 30],
    ] as const) {
      template.allResources('AWS::S3::Bucket', {
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
      template.hasResourceProperties('AWS::S3::Bucket', {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ExpirationInDays: days }] },
      });
      template.hasResourceProperties('AWS::S3::BucketPolicy', {
        PolicyDocument: {
          Statement: [{ Action: 's3:*', Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
        },
      });
    }
  });

  test("is encrypted with the customer's own key where one is set, bucket and files", () => {
    const encryptionWith = (rule: object) => ({
      BucketEncryption: { ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: rule }] },
    });
    exporting.hasResourceProperties(
      'AWS::S3::Bucket',
      encryptionWith({ SSEAlgorithm: 'aws:kms', KMSMasterKeyID: FULL.encryptionKeyArn }),
    );
    plainExport.hasResourceProperties('AWS::S3::Bucket', encryptionWith({ SSEAlgorithm: 'AES256' }));
    expect(JSON.parse(definitionOf(exporting)).States.Export.Arguments).toMatchObject({
      S3SseAlgorithm: 'KMS',
      S3SseKmsKeyId: FULL.encryptionKeyArn,
    });
    expect(JSON.parse(definitionOf(plainExport)).States.Export.Arguments.S3SseAlgorithm).toBe('AES256');
  });

  test.each([
    ['day', exporting, 86_400_000, 'cron(30 0 * * ? *)', '[Y0001]-[M01]-[D01]'],
    ['hour', plainExport, 3_600_000, 'cron(30 * * * ? *)', '[Y0001]-[M01]-[D01]T[H01]'],
  ])('is of the last whole %s before the time that it was scheduled for', (_every, template, ms, cron, picture) => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: cron,
      ScheduleExpressionTimezone: 'Etc/UTC',
      State: 'ENABLED',
      Target: { Input: '{"scheduledAt":"<aws.scheduler.scheduled-time>"}' },
    });
    const { QueryLanguage, States, TimeoutSeconds } = JSON.parse(definitionOf(template));
    expect([QueryLanguage, TimeoutSeconds]).toEqual(['JSONata', 21_600]);
    expect(States.Window.Assign).toEqual({
      until: `{% $floor($toMillis($states.input.scheduledAt) / ${ms}) * ${ms} %}`,
    });
    expect(States.Export.Arguments).toMatchObject({
      ExportType: 'INCREMENTAL_EXPORT',
      IncrementalExportSpecification: {
        ExportFromTime: `{% $fromMillis($until - ${ms}) %}`,
        ExportToTime: '{% $fromMillis($until) %}',
        ExportViewType: 'NEW_IMAGE',
      },
      S3Prefix: `{% 'records/' & $fromMillis($until - ${ms}, '${picture}') %}`,
    });
  });

  test("ends with DynamoDB's result, success or failure", () => {
    const { States } = JSON.parse(definitionOf(exporting));
    expect([States.Window.Next, States.Export.Next, States.Wait.Next, States.Look.Next]).toEqual([
      'Export',
      'Wait',
      'Look',
      'Ended',
    ]);
    const is = (status: string) => `{% $states.input.ExportDescription.ExportStatus = '${status}' %}`;
    expect(States.Ended).toMatchObject({
      Choices: [
        { Condition: is('COMPLETED'), Next: 'Exported' },
        { Condition: is('FAILED'), Next: 'NotExported' },
      ],
      Default: 'Wait',
    });
    expect([States.Exported.Type, States.NotExported.Type]).toEqual(['Succeed', 'Fail']);
  });
});

function keySchema(partitionKey: string, sortKey: string | undefined): object[] {
  const range = sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' }];
  return [{ AttributeName: partitionKey, KeyType: 'HASH' }, ...range];
}
