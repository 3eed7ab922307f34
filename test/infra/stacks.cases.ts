import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import type * as z from 'zod';
import { stackNamesOf } from '../../bin/preflight/account-checks.ts';
import { TABLE_NAMES, TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import { adminEnvSchema } from '../../functions/admin-api/env.ts';
import { eventRelayEnvSchema } from '../../functions/event-relay/env.ts';
import { firstAdminKeyEnvSchema } from '../../functions/first-admin-key/env.ts';
import { type GatewayEnv, gatewayEnvSchema } from '../../functions/gateway/env.ts';
import { keyWatchEnvSchema } from '../../functions/key-watch/env.ts';
import { syntheticCheckEnvSchema } from '../../functions/synthetic-check/env.ts';
import { usageCounterEnvSchema } from '../../functions/usage-counter/env.ts';
import type { StreamingFunctionProps } from '../../lib/constructs/streaming-function.ts';
import { constructId } from '../../lib/stacks/data-stack.ts';
import { permissionsByRole } from './permissions.ts';
import { aliasOf, outputOf } from './references.ts';
import { FULL, FULL_MODELS, PLAIN, synthesize } from './synthesize.ts';

const plain = synthesize(PLAIN);
const full = synthesize(FULL);
const data = Template.fromJSON(plain.data);
const gateway = Template.fromJSON(plain.gateway);

/** What a deletion of the stack leaves. Tables stay even if the creation is rolled back: their protection would make that fail. */
const STATEFUL = {
  'AWS::DynamoDB::GlobalTable': 'Retain',
  'AWS::SQS::Queue': 'RetainExceptOnCreate',
  'AWS::SecretsManager::Secret': 'RetainExceptOnCreate',
};

test('the stacks have the names that the deploy command checks, and its account and region where they are set', () => {
  const places: Record<string, string> = {};
  synthesize({ ...FULL, account: '123456789012', waf: true }, ({ data, gateway, operations, edge }) => {
    for (const stack of [data, gateway, operations, edge])
      if (stack !== undefined) places[stack.stackName] = stack.environment;
  });
  const names = stackNamesOf('Production', 'eu-central-1');
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

  test('generates the pepper, the sealing key and the origin secret, and leaves the provider keys to the operator', () => {
    const generated = { GenerateSecretString: { PasswordLength: 64 } };
    data.resourcePropertiesCountIs('AWS::SecretsManager::Secret', generated, 3);
    data.hasResourceProperties('AWS::SecretsManager::Secret', { SecretString: '{}' });
    data.hasResourceProperties('AWS::SecretsManager::Secret', { SecretString: 'not created yet' });
    data.resourceCountIs('AWS::SecretsManager::Secret', 6);
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

  test('goes to a bucket that nobody else may read or reach without TLS, that stays, and whose files expire', () => {
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

describe('the gateway stack', () => {
  test('has no state, so it may be deleted', () => {
    for (const type of Object.keys(STATEFUL)) gateway.resourceCountIs(type, 0);
    expect(plain.termination.gateway).toBe(false);
  });

  test('streams through the URL of the alias live', () => {
    gateway.resourceCountIs('AWS::Lambda::Url', 2);
    gateway.allResourcesProperties('AWS::Lambda::Url', {
      AuthType: 'NONE',
      InvokeMode: 'RESPONSE_STREAM',
      Qualifier: 'live',
    });
  });

  test('lets everyone call the URLs, and no one invoke the functions directly', () => {
    const permission = { Principal: '*', FunctionName: { Ref: Match.stringLikeRegexp('Aliaslive') } };
    // And one more for each schedule.
    gateway.resourceCountIs('AWS::Lambda::Permission', 7);
    gateway.resourcePropertiesCountIs(
      'AWS::Lambda::Permission',
      { ...permission, Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' },
      2,
    );
    gateway.resourcePropertiesCountIs(
      'AWS::Lambda::Permission',
      { ...permission, Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true },
      2,
    );
  });

  test("runs Node 24 on ARM, with Lambda's maximum time for the gateway", () => {
    gateway.resourceCountIs('AWS::Lambda::Function', 8);
    gateway.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
    expect(functionOf(plain.gateway, 'Gateway')).toMatchObject({ Timeout: 900 });
    expect(functionOf(plain.gateway, 'AdminApi')).toMatchObject({ Timeout: 30 });
    expect(functionOf(plain.gateway, 'UsageCounter')).toMatchObject({ Timeout: 60 });
  });

  test('has new records counted in the order of their stream, each shard told, and tells of those that cannot be', () => {
    gateway.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: aliasOf('UsageCounter'),
      EventSourceArn: outputOf('Records.*StreamArn'),
      StartingPosition: 'TRIM_HORIZON',
      ParallelizationFactor: Match.absent(),
      TumblingWindowInSeconds: 900,
      BisectBatchOnFunctionError: true,
      FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
      DestinationConfig: { OnFailure: { Destination: outputOf('Uncounted') } },
      FunctionResponseTypes: Match.absent(),
      MaximumRetryAttempts: Match.absent(),
      MaximumRecordAgeInSeconds: 43_200,
    });
  });

  test.each([
    ['Records', ['INSERT']],
    ['Keys', ['INSERT', 'MODIFY']],
    ['Sessions', ['INSERT', 'MODIFY']],
    ['Webhooks', ['INSERT', 'MODIFY']],
  ])('has events relayed out of %s, where there are any, and tells of those that cannot be', (table, eventName) => {
    const tells = { dynamodb: { NewImage: { outboxPk: { S: [{ exists: true }] } } } };
    gateway.resourceCountIs('AWS::Lambda::EventSourceMapping', 7);
    gateway.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: aliasOf('EventRelay'),
      EventSourceArn: outputOf(`${table}.*StreamArn`),
      StartingPosition: 'TRIM_HORIZON',
      TumblingWindowInSeconds: Match.absent(),
      BisectBatchOnFunctionError: true,
      FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ eventName, ...tells }) }] },
      DestinationConfig: { OnFailure: { Destination: outputOf('Unrelayed') } },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: Match.absent(),
      MaximumRecordAgeInSeconds: 21_600,
    });
  });

  test('has the first admin key made when it is deployed first, and prints how it is read, not what it is', () => {
    gateway.resourceCountIs('AWS::CloudFormation::CustomResource', 1);
    gateway.hasResource('AWS::CloudFormation::CustomResource', {
      // Nothing of the key; and nothing that changes from one deployment to the next.
      Properties: {
        ServiceToken: { 'Fn::GetAtt': [Match.stringLikeRegexp('FirstAdminKeyFunction'), 'Arn'] },
        ServiceTimeout: 900,
      },
    });
    const [[, fn] = []] = Object.entries(gateway.findResources('AWS::Lambda::Function')).filter(([id]) =>
      id.startsWith('FirstAdminKey'),
    );
    // What it may do is there before it is asked.
    expect(fn?.DependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/^FirstAdminKeyRoleDefaultPolicy/)]));
    const { Value } = gateway.toJSON().Outputs.FirstAdminKeyCommand;
    expect(Value['Fn::Join'][1]).toEqual([
      'aws secretsmanager get-secret-value --region ',
      { Ref: 'AWS::Region' },
      ' --secret-id ',
      { 'Fn::GetStackOutput': expect.objectContaining({ OutputName: expect.stringContaining('FirstAdminKey') }) },
      ' --query SecretString --output text',
    ]);
    data.hasResource('AWS::SecretsManager::Secret', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { SecretString: 'none was made: the deployment had keys', GenerateSecretString: Match.absent() },
    });
  });

  test("has the synthetic check's key created after the first admin key, and nothing of it without a check", () => {
    const [key] = Object.values(gateway.findResources('Custom::SyntheticCheckKey'));
    expect(key).toMatchObject({
      Properties: { Key: 'synthetic-check-key' },
      DependsOn: Object.keys(gateway.findResources('AWS::CloudFormation::CustomResource')),
    });
    const without = synthesize({ ...PLAIN, syntheticCheck: false });
    expect(without.findings).toEqual([]);
    expect(Object.keys(without.gateway.Resources).filter((id) => id.includes('Synthetic'))).toEqual([]);
    expect(Object.keys(without.data.Resources)).toEqual(Object.keys(plain.data.Resources));
  });

  test('runs the synthetic check every minute, at the address that clients use', () => {
    gateway.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [{ Arn: { Ref: Match.stringLikeRegexp('SyntheticCheckFunctionAliaslive') }, Id: Match.anyValue() }],
    });
    for (const { gateway } of [plain, full, synthesize({ ...PLAIN, restApi: true })]) {
      const { SVC_BASE_URL: url } = environmentOf(gateway, 'SyntheticCheck');
      expect(url).toEqual(gateway.Outputs?.BaseUrl?.Value);
    }
  });

  test('hands findings to the SIEM that is set from a queue of their own, and has neither where none is', () => {
    const ownBus = synthesize({ ...PLAIN, findings: { eventBridge: {} } });
    const bus = 'arn:AWS::Partition:events:AWS::Region:AWS::AccountId:event-bus/default';
    expect(permissionsByRole(ownBus).FindingsExportRole).toContain(`events:PutEvents on ${bus}`);
    expect(Object.keys(environmentOf(ownBus.gateway, 'FindingsExport'))).toEqual(['SVC_FINDINGS_BUS_ARN']);
    expect(environmentOf(full.gateway, 'FindingsExport')).toEqual({
      SVC_FINDINGS_STREAM_ARN: 'arn:aws:firehose:eu-central-1:123456789012:deliverystream/to-siem',
    });
    for (const exporting of [ownBus, full]) {
      expect(exporting.findings).toEqual([]);
      Template.fromJSON(exporting.gateway).hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        FunctionName: aliasOf('FindingsExport'),
        EventSourceArn: outputOf('Findings.*Arn'),
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 5 },
      });
      Template.fromJSON(exporting.data).hasResource('AWS::SQS::Queue', {
        DeletionPolicy: 'RetainExceptOnCreate',
        Properties: { VisibilityTimeout: 360, RedrivePolicy: { maxReceiveCount: 50 } },
      });
    }
    expect(permissionsByRole(plain)).not.toHaveProperty('FindingsExportRole');
  });

  test("lets debug lines through Lambda's filter where the stage asks for them", () => {
    const levelsOf = (logLevel: (typeof PLAIN)['logLevel']) => {
      const functions = Template.fromJSON(synthesize({ ...PLAIN, logLevel }).gateway).findResources(
        'AWS::Lambda::Function',
      );
      const named = Object.entries(functions).map(([id, { Properties }]) => [
        id.replace(/Function.*$/, ''),
        Properties.LoggingConfig,
      ]);
      return Object.fromEntries(named.map(([name, { ApplicationLogLevel }]) => [name, ApplicationLogLevel]));
    };
    expect(levelsOf('debug')).toMatchObject({
      Gateway: 'DEBUG',
      AdminApi: 'DEBUG',
      WebhookDelivery: 'DEBUG',
      EventRelay: undefined,
    });
    // Audit lines and metrics are written at INFO, also under `error`.
    for (const level of [undefined, 'error'] as const) {
      expect(Object.values(levelsOf(level)).filter((one) => one !== undefined)).toEqual([]);
    }
  });

  test('checks every hour for keys that expire soon', () => {
    gateway.resourceCountIs('AWS::Events::Rule', 3);
    gateway.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 hour)',
      State: 'ENABLED',
      Targets: [{ Arn: { Ref: Match.stringLikeRegexp('KeyWatchFunctionAliaslive') }, Id: Match.anyValue() }],
    });
    gateway.hasResourceProperties('AWS::Lambda::Permission', {
      Principal: 'events.amazonaws.com',
      FunctionName: { Ref: Match.stringLikeRegexp('KeyWatchFunctionAliaslive') },
    });
  });

  test.each([
    ['Gateway', gatewayEnvSchema],
    ['AdminApi', adminEnvSchema],
    ['UsageCounter', usageCounterEnvSchema],
    ['EventRelay', eventRelayEnvSchema],
    ['KeyWatch', keyWatchEnvSchema],
    ['SyntheticCheck', syntheticCheckEnvSchema],
  ])('gives %s exactly the variables that its schema names', (name, schema) => {
    const fields = Object.entries<z.ZodType>(schema.shape);
    const required = fields.filter(([, field]) => !field.safeParse(undefined).success);
    const names = (template: typeof plain.gateway) => Object.keys(environmentOf(template, name)).sort();
    expect(names(full.gateway)).toEqual(fields.map(([key]) => key).sort());
    expect(names(plain.gateway)).toEqual(required.map(([key]) => key).sort());
  });

  test('gives FirstAdminKey the variables of its schema, without a synthetic check those that it requires', () => {
    const without = synthesize({ ...PLAIN, syntheticCheck: false }).gateway;
    const fields = Object.entries<z.ZodType>(firstAdminKeyEnvSchema.shape);
    const required = fields.filter(([, field]) => !field.safeParse(undefined).success);
    expect(Object.keys(environmentOf(full.gateway, 'FirstAdminKey')).sort()).toEqual(fields.map(([key]) => key).sort());
    expect(Object.keys(environmentOf(without, 'FirstAdminKey')).sort()).toEqual(required.map(([key]) => key).sort());
  });

  test('applies its settings', () => {
    expect(functionOf(full.gateway, 'Gateway')).toMatchObject({
      MemorySize: FULL.memoryMb,
      ReservedConcurrentExecutions: FULL.reservedConcurrency,
      TracingConfig: { Mode: 'Active' },
    });
    expect(functionOf(plain.gateway, 'Gateway')).not.toHaveProperty('ReservedConcurrentExecutions');
    expect(environmentOf(full.gateway, 'Gateway')).toMatchObject({
      SVC_STAGE: 'Production',
      SVC_ECHO: 'true',
      SVC_SESSION_IDLE_MINUTES: '15',
      SVC_INSPECTION_CPU_MS: '1500',
      SVC_RECORD_DAYS: '14',
      SVC_CAPTURE_DAYS: '2',
      SVC_CORS_ORIGINS: 'https://app.example.com,http://localhost:5173',
    });
    expect(environmentOf(full.gateway, 'AdminApi')).toMatchObject({
      SVC_CORS_ORIGINS: 'https://app.example.com,http://localhost:5173',
    });
    const counter = { SVC_RECORD_DAYS: '14', SVC_AGGREGATE_DAYS: '90' };
    expect(environmentOf(full.gateway, 'UsageCounter')).toMatchObject(counter);
    Template.fromJSON(full.gateway).allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 400 });
  });

  test('outputs the base URL for an OpenAI client', () => {
    for (const name of ['BaseUrl', 'AdminUrl']) {
      const url = { 'Fn::GetAtt': [Match.anyValue(), 'FunctionUrl'] };
      gateway.hasOutput(name, { Value: { 'Fn::Join': ['', [url, 'v1']] } });
    }
  });

  test('does not compile without one of the variables', () => {
    // @ts-expect-error SVC_STAGE is missing
    const forgotten: StreamingFunctionProps<GatewayEnv>['environment'] = {
      SVC_KEYS_TABLE: 'keys',
      SVC_LIMITS_TABLE: 'limits',
      SVC_SESSIONS_TABLE: 'sessions',
      SVC_POLICIES_TABLE: 'policies',
      SVC_IDEMPOTENCY_TABLE: 'idempotency',
      SVC_RECORDS_TABLE: 'records',
      SVC_CAPTURES_TABLE: 'captures',
      SVC_EVENTS_QUEUE_URL: 'https://queue',
      SVC_PEPPER_SECRET_ARN: 'pepper',
      SVC_PROVIDERS_SECRET_ARN: 'providers',
    };
    expect(gatewayEnvSchema.safeParse(forgotten).success).toBe(false);
  });
});

describe('the roles', () => {
  const only = (...attributes: string[]) =>
    JSON.stringify({
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', ...attributes] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
    });
  const forgottenOnly = JSON.stringify({
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['forgotten#*', 'given#*'] },
  });
  const headOnly = JSON.stringify({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['head'] } });
  const signInsOnly = JSON.stringify({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['sign-in#*'] } });
  /** Models of the region and inference profiles of the account, and models elsewhere through those profiles alone. */
  const callingModels = (arn: string, region: string, ids: readonly string[], through: readonly unknown[]) =>
    ['InvokeModel', 'InvokeModelWithResponseStream'].flatMap((action) => [
      ...ids.map((id) => `bedrock:${action} on ${arn}:bedrock:${region}::foundation-model/${id}`),
      ...ids.map((id) => `bedrock:${action} on ${arn}:bedrock:${region}:AWS::AccountId:inference-profile/${id}`),
      `bedrock:${action} on ${arn}:bedrock:*::foundation-model/* where ${JSON.stringify({ StringLike: { 'bedrock:InferenceProfileArn': through } })}`,
    ]);
  const account = { Ref: 'AWS::AccountId' };
  const [partition, region] = [{ Ref: 'AWS::Partition' }, { Ref: 'AWS::Region' }];
  const anyModel = callingModels(
    'arn:AWS::Partition',
    'AWS::Region',
    ['*'],
    [{ 'Fn::Join': ['', ['arn:', partition, ':bedrock:', region, ':', account, ':inference-profile/*']] }],
  );
  const theseModels = callingModels(
    'arn:aws',
    'eu-central-1',
    FULL_MODELS,
    FULL_MODELS.map((id) => ({
      'Fn::Join': ['', ['arn:aws:bedrock:eu-central-1:', account, `:inference-profile/${id}`]],
    })),
  );
  const permissions = {
    GatewayRole: [
      ...anyModel,
      'dynamodb:BatchGetItem on Idempotency',
      'dynamodb:BatchGetItem on Sessions',
      'dynamodb:BatchWriteItem on Records',
      'dynamodb:DeleteItem on Idempotency',
      'dynamodb:GetItem on Idempotency',
      'dynamodb:GetItem on Keys',
      'dynamodb:GetItem on Limits',
      'dynamodb:GetItem on Policies',
      'dynamodb:GetItem on Sessions',
      'dynamodb:PutItem on Captures',
      'dynamodb:PutItem on Idempotency',
      'dynamodb:PutItem on Records',
      'dynamodb:PutItem on Sessions',
      'dynamodb:UpdateItem on Idempotency',
      `dynamodb:UpdateItem on Keys where ${only('lastUsedAt', 'seenHash')}`,
      'dynamodb:UpdateItem on Limits',
      'dynamodb:UpdateItem on Sessions',
      'logs:CreateLogStream on GatewayLogs',
      'logs:PutLogEvents on GatewayLogs',
      'secretsmanager:GetSecretValue on Pepper',
      'secretsmanager:GetSecretValue on Providers',
      'sqs:GetQueueAttributes on Events',
    ].sort(),
    AdminApiRole: [
      'dynamodb:BatchGetItem on Aggregates',
      'dynamodb:BatchGetItem on Audit',
      'dynamodb:BatchGetItem on Deliveries',
      'dynamodb:BatchGetItem on Keys',
      'dynamodb:BatchGetItem on Policies',
      'dynamodb:DeleteItem on Aggregates',
      'dynamodb:DeleteItem on Captures',
      'dynamodb:DeleteItem on Deliveries',
      'dynamodb:DeleteItem on Idempotency',
      'dynamodb:DeleteItem on Keys',
      'dynamodb:DeleteItem on Records',
      'dynamodb:DeleteItem on Sessions',
      'dynamodb:DeleteItem on Webhooks',
      'dynamodb:GetItem on Audit',
      'dynamodb:GetItem on Captures',
      'dynamodb:GetItem on Deliveries',
      'dynamodb:GetItem on Keys',
      'dynamodb:GetItem on Limits',
      'dynamodb:GetItem on Policies',
      'dynamodb:GetItem on Records',
      'dynamodb:GetItem on Webhooks',
      `dynamodb:PutItem on Aggregates where ${forgottenOnly}`,
      'dynamodb:PutItem on Audit',
      'dynamodb:PutItem on Keys',
      'dynamodb:PutItem on Policies',
      `dynamodb:PutItem on Sessions where ${forgottenOnly}`,
      'dynamodb:PutItem on Webhooks',
      'dynamodb:Query on Aggregates',
      'dynamodb:Query on Aggregates/index/sessions',
      'dynamodb:Query on Aggregates/index/sessionsByEndUser',
      'dynamodb:Query on Aggregates/index/sessionsByKey',
      'dynamodb:Query on Deliveries/index/byEndUser',
      'dynamodb:Query on Deliveries/index/byState',
      'dynamodb:Query on Deliveries/index/byWebhook',
      'dynamodb:Query on Idempotency/index/endUser',
      'dynamodb:Query on Keys/index/list',
      'dynamodb:Query on Records',
      'dynamodb:Query on Records/index/byEndUser',
      'dynamodb:Query on Records/index/byKey',
      'dynamodb:Query on Records/index/withFindings',
      'dynamodb:Query on Sessions/index/byEndUser',
      'dynamodb:Query on Webhooks',
      `dynamodb:UpdateItem on Audit where ${headOnly}`,
      'dynamodb:UpdateItem on Deliveries',
      'dynamodb:UpdateItem on Keys',
      `dynamodb:UpdateItem on Limits where ${signInsOnly}`,
      'dynamodb:UpdateItem on Records',
      'dynamodb:UpdateItem on Webhooks',
      'logs:CreateLogStream on AdminApiLogs',
      'logs:PutLogEvents on AdminApiLogs',
      'secretsmanager:GetSecretValue on Pepper',
      'secretsmanager:GetSecretValue on Providers',
      'secretsmanager:GetSecretValue on SealingKey',
      'sqs:SendMessage on DeliveriesQueue',
    ],
    FirstAdminKeyRole: [
      'dynamodb:GetItem on Audit',
      'dynamodb:GetItem on Keys',
      'dynamodb:PutItem on Audit',
      'dynamodb:PutItem on Keys',
      'dynamodb:Query on Keys/index/list',
      `dynamodb:UpdateItem on Audit where ${headOnly}`,
      'logs:CreateLogStream on FirstAdminKeyLogs',
      'logs:PutLogEvents on FirstAdminKeyLogs',
      'secretsmanager:GetSecretValue on FirstAdminKey',
      'secretsmanager:GetSecretValue on Pepper',
      'secretsmanager:GetSecretValue on SyntheticCheckKey',
      'secretsmanager:PutSecretValue on FirstAdminKey',
      'secretsmanager:PutSecretValue on SyntheticCheckKey',
    ],
    // Nothing but its own key: it calls the deployment as a client does.
    SyntheticCheckRole: [
      'logs:CreateLogStream on SyntheticCheckLogs',
      'logs:PutLogEvents on SyntheticCheckLogs',
      'secretsmanager:GetSecretValue on SyntheticCheckKey',
    ],
    KeyWatchRole: [
      'dynamodb:BatchGetItem on Keys',
      'dynamodb:GetItem on Keys',
      'dynamodb:Query on Keys/index/list',
      `dynamodb:UpdateItem on Keys where ${only('expiryTold', 'outbox', 'outboxPk')}`,
      'logs:CreateLogStream on KeyWatchLogs',
      'logs:PutLogEvents on KeyWatchLogs',
    ],
    EventRelayRole: [
      ...['Keys', 'Records', 'Sessions', 'Webhooks'].flatMap((table) => [
        `dynamodb:DescribeStream on ${table}`,
        `dynamodb:GetRecords on ${table}`,
        `dynamodb:GetShardIterator on ${table}`,
      ]),
      'dynamodb:ListStreams on *',
      // What was relayed is taken out of the items that stay.
      `dynamodb:UpdateItem on Keys where ${only('outbox', 'outboxPk')}`,
      `dynamodb:UpdateItem on Sessions where ${only('outbox', 'outboxPk')}`,
      `dynamodb:UpdateItem on Webhooks where ${only('sk', 'outbox', 'outboxPk')}`,
      'logs:CreateLogStream on EventRelayLogs',
      'logs:PutLogEvents on EventRelayLogs',
      'sqs:SendMessage on Events',
      'sqs:SendMessage on Unrelayed',
    ].sort(),
    UsageCounterRole: [
      'dynamodb:BatchGetItem on Aggregates',
      'dynamodb:DescribeStream on Records',
      'dynamodb:GetRecords on Records',
      'dynamodb:GetShardIterator on Records',
      // Granted for all streams or none.
      'dynamodb:ListStreams on *',
      'dynamodb:PutItem on Aggregates',
      'logs:CreateLogStream on UsageCounterLogs',
      'logs:PutLogEvents on UsageCounterLogs',
      'sqs:SendMessage on Uncounted',
    ],
    WebhookDeliveryRole: [
      'dynamodb:BatchGetItem on Deliveries',
      'dynamodb:DeleteItem on Deliveries',
      'dynamodb:GetItem on Deliveries',
      'dynamodb:GetItem on Webhooks',
      'dynamodb:PutItem on Deliveries',
      'dynamodb:Query on Deliveries',
      'dynamodb:Query on Deliveries/index/due',
      'dynamodb:Query on Webhooks',
      'dynamodb:UpdateItem on Deliveries',
      'dynamodb:UpdateItem on Webhooks',
      'logs:CreateLogStream on WebhookDeliveryLogs',
      'logs:PutLogEvents on WebhookDeliveryLogs',
      'secretsmanager:GetSecretValue on SealingKey',
      ...['DeliveriesQueue', 'Events'].flatMap((queue) => [
        `sqs:DeleteMessage on ${queue}`,
        `sqs:GetQueueAttributes on ${queue}`,
        `sqs:ReceiveMessage on ${queue}`,
      ]),
      'sqs:SendMessage on DeliveriesQueue',
    ].sort(),
  };
  // X-Ray knows no resources.
  const traces = ['xray:PutTelemetryRecords on *', 'xray:PutTraceSegments on *'];

  // The rights on tables that the lists above do not name are what their definitions say.
  const listed = Object.values(permissions).flat().join('\n');
  const unlisted = TABLE_NAMES.map(constructId).filter((table) => !listed.includes(` on ${table}`));
  const listedRights = (stacks: typeof plain) =>
    Object.fromEntries(
      Object.entries(permissionsByRole(stacks)).map(([role, rights]) => [
        role,
        rights.filter((right) => !unlisted.some((table) => right.split(/ on |[/ ]/)[1] === table)),
      ]),
    );

  test('grant exactly what the functions need', () => {
    expect(listedRights(plain)).toEqual(permissions);
  });

  test.each(Object.entries<TableDefinition>(TABLES))('may do with %s what its definition says', (name, { access }) => {
    const table = constructId(name);
    const roles = permissionsByRole(plain);
    const streams = /^dynamodb:(DescribeStream|GetRecords|GetShardIterator)$/;
    const granted = Object.entries(roles).flatMap(([role, rights]) =>
      rights
        .map((right) => right.split(/ on | /))
        .filter(([action = '', on]) => on?.split('/')[0] === table && !streams.test(action))
        .map(([action, on, limited = '']) => `${role}: ${action} on ${on} ${limited}`),
    );
    const defined = Object.entries(access).flatMap(([user, { operations = [], queries = [], updates, onlyItems }]) =>
      [
        ...operations.map((operation) => `${operation} on ${table} `),
        ...queries.map((index) => `Query on ${table}/index/${index} `),
        ...(updates === undefined ? [] : [`UpdateItem on ${table} where`]),
        ...(onlyItems === undefined ? [] : [`${onlyItems.operation} on ${table} where`]),
      ].map((right) => `${user.split('-').map(constructId).join('')}Role: dynamodb:${right}`),
    );
    expect(granted.sort()).toEqual(defined.sort());
  });

  const guardrail = 'bedrock:ApplyGuardrail on arn:aws:bedrock:eu-central-1:AWS::AccountId:guardrail/gr1example2id';

  const through = ['dynamodb', 'sqs', 'secretsmanager'].map((service) => `${service}.*.amazonaws.com`);
  const bounds = JSON.stringify({ StringLike: { 'kms:ViaService': through } });
  const keyUse = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey'].map(
    (action) => `kms:${action} on ${FULL.encryptionKeyArn} where ${bounds}`,
  );

  const exportBounds = JSON.stringify({
    StringLike: { 'kms:ViaService': ['dynamodb.*.amazonaws.com', 's3.*.amazonaws.com'] },
  });

  // Lambda's own calls alone: those of a function's code have the key.
  const itself = { Null: { 'lambda:SourceFunctionArn': 'true' } };
  const thisVpc = {
    'Fn::Join': ['', ['arn:aws:ec2:eu-central-1:', account, `:vpc/${FULL.vpc?.vpcId}`]],
  };
  const inVpc = [
    `ec2:CreateNetworkInterface on * where ${JSON.stringify({ ...itself, ArnEqualsIfExists: { 'ec2:Vpc': thisVpc } })}`,
    ...[
      'AssignPrivateIpAddresses',
      'DeleteNetworkInterface',
      'DescribeNetworkInterfaces',
      'DescribeSubnets',
      'UnassignPrivateIpAddresses',
    ].map((action) => `ec2:${action} on * where ${JSON.stringify(itself)}`),
  ];
  const everywhere = [...traces, ...keyUse, ...inVpc];
  const movingAliasOf = (name: string) =>
    [
      'cloudwatch:DescribeAlarms on *',
      ...['GetAlias', 'GetProvisionedConcurrencyConfig', 'UpdateAlias'].flatMap((action) => [
        `lambda:${action} on ${name}Function`,
        `lambda:${action} on ${name}Function:live`,
      ]),
    ].sort();

  test('may trace besides where tracing is on, call the models, apply the one guardrail and use the one key that are set, be connected to the VPC, and export the one table', () => {
    const { OriginSecretRotationRole, DashboardFilesRole, ...others } = listedRights(full);
    // What else they may: test/infra/front-doors.cases.ts.
    expect(OriginSecretRotationRole).toEqual(expect.arrayContaining([...traces, ...keyUse]));
    expect(DashboardFilesRole).toEqual(expect.arrayContaining(traces));
    expect(others).toEqual({
      GatewayRole: [
        ...permissions.GatewayRole.filter((permission) => !anyModel.includes(permission)),
        ...theseModels,
        guardrail,
        `secretsmanager:GetSecretValue on ${FULL.otlp?.headersSecretArn}`,
        ...everywhere,
        'secretsmanager:GetSecretValue on OriginSecret',
      ].sort(),
      AdminApiRole: [
        ...permissions.AdminApiRole,
        ...everywhere,
        `secretsmanager:GetSecretValue on ${FULL.oidc?.clientSecretArn}`,
        'secretsmanager:GetSecretValue on OriginSecret',
      ].sort(),
      FirstAdminKeyRole: [...permissions.FirstAdminKeyRole, ...everywhere].sort(),
      KeyWatchRole: [...permissions.KeyWatchRole, ...everywhere].sort(),
      SyntheticCheckRole: [...permissions.SyntheticCheckRole, ...everywhere].sort(),
      UsageCounterRole: [...permissions.UsageCounterRole, ...everywhere].sort(),
      EventRelayRole: [...permissions.EventRelayRole, 'sqs:SendMessage on Findings', ...everywhere].sort(),
      FindingsExportRole: [
        'firehose:PutRecordBatch on arn:aws:firehose:eu-central-1:123456789012:deliverystream/to-siem',
        'logs:CreateLogStream on FindingsExportLogs',
        'logs:PutLogEvents on FindingsExportLogs',
        'sqs:DeleteMessage on Findings',
        'sqs:GetQueueAttributes on Findings',
        'sqs:ReceiveMessage on Findings',
        ...everywhere,
      ].sort(),
      WebhookDeliveryRole: [...permissions.WebhookDeliveryRole, ...everywhere].sort(),
      GatewayRolloutRole: movingAliasOf('Gateway'),
      AdminApiRolloutRole: movingAliasOf('AdminApi'),
      RecordExportMachineRole: [
        'dynamodb:DescribeExport on Records/export/*',
        'dynamodb:ExportTableToPointInTime on Records',
        ...['Decrypt', 'GenerateDataKey'].map(
          (action) => `kms:${action} on ${FULL.encryptionKeyArn} where ${exportBounds}`,
        ),
        ...['AbortMultipartUpload', 'PutObject', 'PutObjectAcl'].map(
          (action) => `s3:${action} on RecordExportBucket/records/*`,
        ),
      ].sort(),
      RecordExportScheduleRole: ['states:StartExecution on RecordExportMachine'],
    });
  });
});

test('a guardrail of another account is granted by its own ARN and no other', () => {
  const id = 'arn:aws:bedrock:us-west-2:123456789012:guardrail/gr1example2id';
  const { GatewayRole } = permissionsByRole(synthesize({ ...PLAIN, outsideDetectors: { bedrockGuardrail: { id } } }));
  expect(GatewayRole?.filter((permission) => permission.startsWith('bedrock:Apply'))).toEqual([
    `bedrock:ApplyGuardrail on ${id}`,
  ]);
});

describe('models of Amazon Bedrock', () => {
  const bedrockOf = (models: string[]) => {
    const stacks = synthesize({ ...PLAIN, bedrock: { models } });
    const granted = permissionsByRole(stacks).GatewayRole?.filter((permission) => permission.startsWith('bedrock:'));
    return { granted, variable: environmentOf(stacks.gateway, 'Gateway').SVC_BEDROCK, findings: stacks.findings };
  };

  test('are not granted if none is configured', () =>
    expect(bedrockOf([])).toEqual({ granted: [], variable: 'false', findings: [] }));

  test('are granted by exact ARN: one model needs no permission for any other', () => {
    const arn = 'arn:aws:bedrock:eu-central-1:123456789012:provisioned-model/a1b2';
    const granted = ['InvokeModel', 'InvokeModelWithResponseStream'].map((action) => `bedrock:${action} on ${arn}`);
    expect(bedrockOf([arn])).toEqual({ granted, variable: 'true', findings: [] });
  });
});

function keySchema(partitionKey: string, sortKey: string | undefined): object[] {
  const range = sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' }];
  return [{ AttributeName: partitionKey, KeyType: 'HASH' }, ...range];
}

function functionOf(template: typeof plain.gateway, name: string): Record<string, unknown> {
  const found = Object.entries(template.Resources).find(
    ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith(name),
  );
  return { ...found?.[1].Properties };
}

function environmentOf(template: typeof plain.gateway, name: string): Record<string, unknown> {
  return (functionOf(template, name).Environment as { Variables: Record<string, unknown> }).Variables;
}
