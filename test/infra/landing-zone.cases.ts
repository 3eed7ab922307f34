import { describe, expect, test } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import type { Settings } from '../../lib/settings/settings.ts';
import type { Template } from './lint-templates.ts';
import { FULL, PLAIN, synthesize } from './synthesize.ts';

const TAGS = { costCenter: '4711', service: 'llm' };
const QUALIFIER = 'platform1';

/** Deployments whose roles and names are made by different code, with what an organization prescribes. */
const HOMES: readonly (readonly [name: string, settings: Settings])[] = [
  ['plain', { ...PLAIN, permissionsBoundary: 'ou/boundary', bootstrapQualifier: QUALIFIER, tags: TAGS }],
  [
    'full',
    { ...FULL, waf: { logs: true }, permissionsBoundary: 'ou/boundary', bootstrapQualifier: QUALIFIER, tags: TAGS },
  ],
  ['web-function', { ...FULL, compute: 'web-function', bootstrapQualifier: QUALIFIER }],
  ['fargate', { ...FULL, compute: 'fargate', bootstrapQualifier: QUALIFIER }],
];

function templatesOf(settings: Settings): readonly Template[] {
  const { data, gateway, operations, edge } = synthesize(settings);
  return [data, gateway, operations, ...(edge === undefined ? [] : [edge])];
}

function resourcesOf(settings: Settings, type: string): Record<string, unknown>[] {
  return templatesOf(settings).flatMap(({ Resources }) =>
    Object.values(Resources).flatMap(({ Type, Properties }) =>
      Type === type ? [(Properties ?? {}) as Record<string, unknown>] : [],
    ),
  );
}

describe.each(HOMES)('what an organization prescribes: %s', (_name, settings) => {
  test('every role has the permissions boundary', () => {
    const roles = resourcesOf(settings, 'AWS::IAM::Role');
    expect(roles.length).toBeGreaterThan(5);
    const policy = `policy/${settings.permissionsBoundary}`;
    expect(roles.filter(({ PermissionsBoundary: set }) => !JSON.stringify(set ?? null).includes(policy))).toEqual([]);
  });

  test('assets and roles of the CDK are those of the qualifier', () => {
    const text = JSON.stringify(templatesOf(settings));
    expect(text).not.toContain('hnb659fds');
    expect(text).toContain(`cdk-${QUALIFIER}-assets`);
  });

  test('tables have the tags, which stacks do not pass on to them', () => {
    const tables = resourcesOf(settings, 'AWS::DynamoDB::GlobalTable');
    expect(tables.length).toBeGreaterThan(5);
    const tags = Object.entries(settings.tags ?? {}).map(([Key, Value]) => ({ Key, Value }));
    for (const { Replicas } of tables) {
      expect(Replicas).toEqual([expect.objectContaining({ Tags: expect.arrayContaining(tags) })]);
    }
  });
});

test('stacks have the tags, which may replace ours', () => {
  const tags: unknown[] = [];
  synthesize({ ...PLAIN, tags: TAGS }, (stacks) => {
    for (const stack of Object.values(stacks)) if (stack instanceof Stack) tags.push(stack.tags.tagValues());
  });
  expect(tags).toEqual(Array(3).fill({ service: 'llm', stage: 'Development', costCenter: '4711' }));
});

test.each(['function-url', 'web-function', 'fargate'] as const)(
  'a gateway with a prefix shares no name with the other one of the account: %s',
  (compute) => {
    const settings: Settings = { ...FULL, compute, waf: { logs: true } };
    const text = JSON.stringify(templatesOf({ ...settings, prefix: 'payments' }));
    expect(JSON.stringify(templatesOf(settings))).toContain('svc-production');
    expect(text).not.toContain('svc-production');
    expect(text).not.toContain('"Production.');
    expect(text).toContain('payments-production');
  },
);

describe('with a KMS key of the customer', () => {
  const KEY = FULL.encryptionKeyArn as string;
  const withKey = (settings: Settings): Settings => ({ ...settings, encryptionKeyArn: KEY });
  const CASES: readonly (readonly [name: string, settings: Settings])[] = [
    ['plain', withKey({ ...PLAIN, region: 'eu-central-1' })],
    ['everything', { ...FULL, waf: { logs: true }, restApi: { accessLogs: true } }],
    ['web-function', { ...FULL, compute: 'web-function' }],
    ['fargate', { ...FULL, compute: 'fargate' }],
  ];
  /** By type: the property with the key, and which resources may be without. */
  const ENCRYPTED: Readonly<Record<string, string>> = {
    'AWS::Logs::LogGroup': 'KmsKeyId',
    'AWS::Lambda::Function': 'KmsKeyArn',
    'AWS::Lambda::WebFunctionRevision': 'KmsKeyArn',
    'AWS::SNS::Topic': 'KmsMasterKeyId',
    'AWS::SQS::Queue': 'KmsMasterKeyId',
    'AWS::SecretsManager::Secret': 'KmsKeyId',
  };

  test.each(CASES)('logs, variables, topics, queues and secrets are encrypted under it: %s', (_name, settings) => {
    const { data, gateway, operations } = synthesize(settings);
    let found = 0;
    for (const { Resources } of [data, gateway, operations]) {
      for (const [id, { Type, Properties = {} }] of Object.entries(Resources)) {
        const property = ENCRYPTED[Type];
        // Functions that CDK runs during deployments have no variables.
        if (property === undefined || (Type === 'AWS::Lambda::Function' && !('Environment' in Properties))) continue;
        found += 1;
        expect([id, (Properties as Record<string, unknown>)[property]]).toEqual([id, KEY]);
      }
    }
    expect(found).toBeGreaterThan(30);
    expect(JSON.stringify([data, gateway, operations])).not.toContain('AWS::KMS::Key"');
  });

  test('each function may have its variables decrypted, through Lambda', () => {
    const { Resources } = synthesize(withKey({ ...PLAIN, region: 'eu-central-1' })).gateway;
    const all = Object.values(Resources);
    const decrypting = all.filter(
      ({ Type, Properties }) =>
        Type === 'AWS::IAM::Policy' &&
        /"kms:ViaService":[^\]]*"lambda\.\*\.amazonaws\.com"/.test(JSON.stringify(Properties)),
    );
    expect(decrypting).toHaveLength(all.filter(({ Type }) => Type === 'AWS::Lambda::Function').length);
  });

  test("WAF's logs in us-east-1 are encrypted under the replica of a multi-Region key, and under AWS's key with any other", () => {
    const groupOf = (encryptionKeyArn: string) => {
      const { edge } = synthesize({ ...FULL, waf: { logs: true }, encryptionKeyArn });
      return Object.values(edge?.Resources ?? {}).find(({ Type }) => Type === 'AWS::Logs::LogGroup')?.Properties;
    };
    const multi = 'arn:aws:kms:eu-central-1:123456789012:key/mrk-1234abcd';
    expect(groupOf(multi)).toMatchObject({ KmsKeyId: 'arn:aws:kms:us-east-1:123456789012:key/mrk-1234abcd' });
    expect(groupOf(KEY)).not.toHaveProperty('KmsKeyId');
  });
});

test('a private REST API is reached through its endpoints only, and nothing else is', () => {
  const vpcEndpointIds = ['vpce-0a1b2c3d', 'vpce-4e5f6a7b'];
  const { gateway } = synthesize({ ...PLAIN, vpc: FULL.vpc, restApi: { vpcEndpointIds } });
  const all = Object.values(gateway.Resources);
  expect(all.filter(({ Type }) => /Lambda::Url|CloudFront|LoadBalancer/.test(Type))).toEqual([]);
  expect(all.find(({ Type }) => Type === 'AWS::ApiGateway::RestApi')?.Properties).toMatchObject({
    EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: vpcEndpointIds },
    Policy: {
      Statement: [
        { Effect: 'Allow', Action: 'execute-api:Invoke' },
        { Effect: 'Deny', Condition: { StringNotEquals: { 'aws:SourceVpce': vpcEndpointIds } } },
      ],
    },
  });
  expect(JSON.stringify(gateway.Outputs)).toContain('-vpce-0a1b2c3d.execute-api.');
});

test('the operations stack changes with a gateway stack that was created again', () => {
  const outputWith = (gatewayCreated?: string) => {
    const settings: Settings = { ...PLAIN, alarmEmails: [] };
    return synthesize(settings, undefined, gatewayCreated === undefined ? {} : { gatewayCreated }).operations.Outputs;
  };
  expect(outputWith()).not.toHaveProperty('GatewayCreated');
  expect(outputWith('2026-11-30T08:00:00.000Z')).toHaveProperty('GatewayCreated.Value', '2026-11-30T08:00:00.000Z');
});
