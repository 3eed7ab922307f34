import { describe, expect, test } from '@jest/globals';
import { Match, Template } from 'aws-cdk-lib/assertions';
import type * as z from 'zod';
import { adminEnvSchema } from '../../functions/admin-api/env.ts';
import { eventRelayEnvSchema } from '../../functions/event-relay/env.ts';
import { firstAdminKeyEnvSchema } from '../../functions/first-admin-key/env.ts';
import { type GatewayEnv, gatewayEnvSchema } from '../../functions/gateway/env.ts';
import { keyWatchEnvSchema } from '../../functions/key-watch/env.ts';
import { syntheticCheckEnvSchema } from '../../functions/synthetic-check/env.ts';
import { usageCounterEnvSchema } from '../../functions/usage-counter/env.ts';
import type { StreamingFunctionProps } from '../../lib/constructs/streaming-function.ts';
import { permissionsByRole } from './permissions.ts';
import { aliasOf, environmentOf, functionOf, outputOf } from './references.ts';
import { FULL, PLAIN, STATEFUL, synthesize, validate } from './synthesize.ts';

const plain = synthesize(PLAIN);
const full = validate(FULL);
const data = Template.fromJSON(plain.data);
const gateway = Template.fromJSON(plain.gateway);

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

  test('has new records counted in the order of their stream with each shard known, and reports those that cannot be counted', () => {
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
    ['Approvals', ['INSERT', 'MODIFY']],
    ['Policies', ['INSERT', 'MODIFY']],
  ])(
    'has events relayed from items of %s that have any, and reports those that cannot be relayed',
    (table, eventName) => {
      const hasEvents = { dynamodb: { NewImage: { outboxPk: { S: [{ exists: true }] } } } };
      gateway.resourceCountIs('AWS::Lambda::EventSourceMapping', 9);
      gateway.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        FunctionName: aliasOf('EventRelay'),
        EventSourceArn: outputOf(`${table}.*StreamArn`),
        StartingPosition: 'TRIM_HORIZON',
        TumblingWindowInSeconds: Match.absent(),
        BisectBatchOnFunctionError: true,
        FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ eventName, ...hasEvents }) }] },
        DestinationConfig: { OnFailure: { Destination: outputOf('Unrelayed') } },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRetryAttempts: Match.absent(),
        MaximumRecordAgeInSeconds: 21_600,
      });
    },
  );

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
    const without = validate({ ...PLAIN, syntheticCheck: false });
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
    const ownBus = validate({ ...PLAIN, findings: { eventBridge: {} } });
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

  test('checks every minute for roll-outs to withdraw, and so each hour for keys that expire soon', () => {
    gateway.resourceCountIs('AWS::Events::Rule', 3);
    gateway.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
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
    const shares = { AdminApi: 50, EventRelay: 20, UsageCounter: 20 };
    for (const [name, ReservedConcurrentExecutions] of Object.entries(shares)) {
      expect(functionOf(full.gateway, name)).toMatchObject({ ReservedConcurrentExecutions });
    }
    // Without a number from cdk.json or npm run deploy no quota can be exceeded.
    expect(JSON.stringify(plain.gateway)).not.toContain('ReservedConcurrentExecutions');
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
