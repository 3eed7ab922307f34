import { describe, expect, test } from '@jest/globals';
import { TABLE_NAMES, TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import { constructId } from '../../lib/stacks/data-stack.ts';
import { permissionsByRole } from './permissions.ts';
import { environmentOf } from './references.ts';
import { FULL, FULL_MODELS, PLAIN, synthesize, validate } from './synthesize.ts';

const plain = synthesize(PLAIN);
const full = synthesize(FULL);

describe('the roles', () => {
  const only = (...attributes: string[]) =>
    JSON.stringify({
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', ...attributes] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
    });
  const itemsLike = (...keys: readonly string[]) =>
    JSON.stringify({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } });
  const headOnly = JSON.stringify({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['head'] } });
  const forgottenOnly = itemsLike('forgotten#*', 'given#*');
  const usesOnly = itemsLike('credential-use#*');
  const notedOnly = itemsLike('credential-use#*', 'alert-state#*');
  const identitiesOnly = itemsLike('identity#*', 'identities#*');
  const policyOnly = itemsLike('current', 'version#*', 'alert-state#*', 'report-state#*');
  const signInsOnly = itemsLike('sign-in#*', 'tools#*');
  /** Models of the region and inference profiles of the account, models elsewhere through those profiles alone, and the responses that Bedrock stores. */
  const callingModels = (arn: string, region: string, ids: readonly string[], through: readonly unknown[]) => [
    ...['InvokeModel', 'InvokeModelWithResponseStream', 'GetInvoke', 'CancelInvoke', 'DeleteInvoke'].map(
      (action) => `bedrock:${action} on ${arn}:bedrock:${region}:AWS::AccountId:project/default`,
    ),
    ...['InvokeModel', 'InvokeModelWithResponseStream'].flatMap((action) => [
      ...ids.map((id) => `bedrock:${action} on ${arn}:bedrock:${region}::foundation-model/${id}`),
      ...ids.map((id) => `bedrock:${action} on ${arn}:bedrock:${region}:AWS::AccountId:inference-profile/${id}`),
      `bedrock:${action} on ${arn}:bedrock:*::foundation-model/* where ${JSON.stringify({ StringLike: { 'bedrock:InferenceProfileArn': through } })}`,
    ]),
  ];
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
      'dynamodb:BatchGetItem on Policies',
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
      `dynamodb:UpdateItem on Keys where ${identitiesOnly}`,
      'dynamodb:UpdateItem on Limits',
      `dynamodb:UpdateItem on Policies where ${usesOnly}`,
      'dynamodb:UpdateItem on Sessions',
      'logs:CreateLogStream on GatewayLogs',
      'logs:PutLogEvents on GatewayLogs',
      'secretsmanager:GetSecretValue on CredentialsKey',
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
      `dynamodb:DeleteItem on Policies where ${notedOnly}`,
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
      'dynamodb:Query on Aggregates/index/sessionsByTeam',
      'dynamodb:Query on Audit/index/byTeam',
      'dynamodb:Query on Deliveries/index/byEndUser',
      'dynamodb:Query on Deliveries/index/byState',
      'dynamodb:Query on Deliveries/index/byWebhook',
      'dynamodb:Query on Idempotency/index/endUser',
      'dynamodb:Query on Keys/index/byTeam',
      'dynamodb:Query on Keys/index/list',
      'dynamodb:Query on Records',
      'dynamodb:Query on Records/index/byEndUser',
      'dynamodb:Query on Records/index/byKey',
      'dynamodb:Query on Records/index/byTeam',
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
      'secretsmanager:GetSecretValue on CredentialsKey',
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
      'dynamodb:BatchGetItem on Policies',
      'dynamodb:GetItem on Audit',
      'dynamodb:GetItem on Keys',
      // It reads how much of a budget is used, for alerts.
      'dynamodb:GetItem on Limits',
      'dynamodb:GetItem on Policies',
      'dynamodb:PutItem on Audit',
      // It withdraws a roll-out of the policy, writes the states of alerts, and changes no other document.
      `dynamodb:PutItem on Policies where ${policyOnly}`,
      'dynamodb:Query on Aggregates',
      'dynamodb:Query on Keys/index/list',
      `dynamodb:UpdateItem on Audit where ${headOnly}`,
      `dynamodb:UpdateItem on Keys where ${only('expiryTold', 'outbox', 'outboxPk')}`,
      'logs:CreateLogStream on KeyWatchLogs',
      'logs:PutLogEvents on KeyWatchLogs',
    ],
    EventRelayRole: [
      ...['Keys', 'Policies', 'Records', 'Sessions', 'Webhooks'].flatMap((table) => [
        `dynamodb:DescribeStream on ${table}`,
        `dynamodb:GetRecords on ${table}`,
        `dynamodb:GetShardIterator on ${table}`,
      ]),
      'dynamodb:ListStreams on *',
      // What was relayed is taken out of the items that stay.
      `dynamodb:UpdateItem on Keys where ${only('outbox', 'outboxPk')}`,
      `dynamodb:UpdateItem on Policies where ${only('outbox', 'outboxPk')}`,
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

  const guardrailChecks = 'bedrock:InvokeGuardrailChecks on *';

  const through = ['dynamodb', 'sqs', 'secretsmanager', 'lambda'].map((service) => `${service}.*.amazonaws.com`);
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

  test('may trace besides where tracing is on, call the models, apply the one guardrail, run its checks and use the one key that are set, be connected to the VPC, and export the one table', () => {
    const { OriginSecretRotationRole, DashboardFilesRole, ...others } = listedRights(full);
    // What else they may: test/infra/origin-secret.cases.ts.
    expect(OriginSecretRotationRole).toEqual(expect.arrayContaining([...traces, ...keyUse]));
    expect(DashboardFilesRole).toEqual(expect.arrayContaining(traces));
    const credentialSecrets = (FULL.credentialSecretArns ?? []).map((arn) => `secretsmanager:GetSecretValue on ${arn}`);
    const identityTokens = `sts:GetWebIdentityToken on * where ${JSON.stringify({
      'ForAllValues:StringEquals': { 'sts:IdentityTokenAudience': FULL.federationAudiences },
      NumericLessThanEquals: { 'sts:DurationSeconds': 3_600 },
    })}`;
    expect(others).toEqual({
      GatewayRole: [
        ...permissions.GatewayRole.filter((permission) => !anyModel.includes(permission)),
        ...theseModels,
        guardrail,
        guardrailChecks,
        `secretsmanager:GetSecretValue on ${FULL.otlp?.headersSecretArn}`,
        ...credentialSecrets,
        identityTokens,
        ...everywhere,
        'secretsmanager:GetSecretValue on OriginSecret',
      ].sort(),
      AdminApiRole: [
        ...permissions.AdminApiRole,
        ...everywhere,
        `secretsmanager:GetSecretValue on ${FULL.oidc?.clientSecretArn}`,
        ...credentialSecrets,
        identityTokens,
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
      WebhookDeliveryRole: [
        ...permissions.WebhookDeliveryRole,
        ...[...(FULL.alertTopicArns ?? []), ...(FULL.spendReport?.topicArns ?? [])].map(
          (arn) => `sns:Publish on ${arn}`,
        ),
        ...everywhere,
      ].sort(),
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
    const stacks = validate({ ...PLAIN, bedrock: { models } });
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
