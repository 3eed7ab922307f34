import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Template, TemplateResource } from '../infra/lint-templates.ts';
import { FULL, PLAIN, synthesize } from '../infra/synthesize.ts';

const RULES = path.join(import.meta.dirname, 'rules.guard');
const PACKAGE = path.join(import.meta.dirname, 'node_modules/@cdklabs/cdk-validator-cfnguard/bin');
const SYSTEM = process.platform === 'darwin' ? 'macos' : 'ubuntu';
const GUARD = path.join(PACKAGE, SYSTEM, process.arch === 'arm64' ? 'aarch64' : 'x86_64', 'cfn-guard');

const dir = mkdtempSync(path.join(tmpdir(), 'svc-guard-'));
afterAll(() => rmSync(dir, { recursive: true }));

const stacks = { plain: synthesize(PLAIN), full: synthesize(FULL) };

/** The names of the rules that a template breaks. */
function broken(template: Template): string[] {
  const file = path.join(dir, `${crypto.randomUUID()}.json`);
  writeFileSync(file, JSON.stringify(template));
  const args = [
    'validate',
    '--rules',
    RULES,
    '--data',
    file,
    '--output-format',
    'json',
    '--structured',
    '--show-summary',
    'none',
  ];
  const { stdout, stderr, status } = spawnSync(GUARD, args, { encoding: 'utf8' });
  // 19: a rule is broken. Anything else but 0 is a fault in the rules or the call.
  if (status !== 0 && status !== 19) throw new Error(`cfn-guard ended with ${status}: ${stderr}${stdout}`);
  const [{ not_compliant: found }] = JSON.parse(stdout) as [{ not_compliant: { Rule: { name: string } }[] }];
  return found.map(({ Rule }) => Rule.name).sort();
}

describe.each(Object.entries(stacks))('the %s stacks', (_name, { data, gateway }) => {
  test.each(Object.entries({ data, gateway }))('%s keeps every rule', (_stack, template) => {
    expect(broken(template)).toEqual([]);
  });
});

describe('a rule is broken by', () => {
  const { data, gateway } = stacks.full;
  /** The template with the first resource of that type changed. */
  const withFirst = (template: Template, type: string, change: (resource: TemplateResource) => object): Template => {
    const [id, resource] = Object.entries(template.Resources).find(([, { Type }]) => Type === type) ?? [];
    if (id === undefined || resource === undefined) throw new Error(`there is no ${type}`);
    const Resources = { ...template.Resources, [id]: change(resource) as TemplateResource };
    return { ...template, Resources };
  };
  const properties = (changed: object) => (resource: TemplateResource) => ({
    ...resource,
    Properties: JSON.parse(JSON.stringify({ ...resource.Properties, ...changed })),
  });
  const replica = (changed: object) => (table: TemplateResource) => {
    const { Replicas } = table.Properties as { readonly Replicas: readonly object[] };
    const [first, ...rest] = Replicas;
    return properties({ Replicas: [{ ...first, ...changed }, ...rest] })(table);
  };
  const TABLE = 'AWS::DynamoDB::GlobalTable';
  const QUEUE = 'AWS::SQS::Queue';
  const BUCKET = 'AWS::S3::Bucket';
  const FUNCTION = 'AWS::Lambda::Function';
  const recoverable = (on: boolean) => ({ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: on } });
  const anyAction = { Statement: [{ Effect: 'Allow', Action: 'dynamodb:*', Resource: 'arn' }] };

  const planted: readonly (readonly [rule: string, template: Template])[] = [
    ['tables_encrypted', withFirst(data, TABLE, properties({ SSESpecification: { SSEEnabled: false } }))],
    ['tables_recoverable', withFirst(data, TABLE, replica(recoverable(false)))],
    ['tables_protected', withFirst(data, TABLE, replica({ DeletionProtectionEnabled: false }))],
    ['tables_on_demand', withFirst(data, TABLE, properties({ BillingMode: 'PROVISIONED' }))],
    ['state_retained', withFirst(data, TABLE, (table) => ({ ...table, DeletionPolicy: 'Delete' }))],
    ['state_retained', withFirst(data, BUCKET, (bucket) => ({ ...bucket, UpdateReplacePolicy: undefined }))],
    [
      'queues_encrypted',
      withFirst(data, QUEUE, properties({ KmsMasterKeyId: undefined, SqsManagedSseEnabled: false })),
    ],
    ['queues_keep_two_weeks', withFirst(data, QUEUE, properties({ MessageRetentionPeriod: 345_600 }))],
    ['only_over_tls', withFirst(data, 'AWS::SQS::QueuePolicy', properties({ PolicyDocument: { Statement: [] } }))],
    [
      'buckets_private',
      withFirst(data, BUCKET, properties({ PublicAccessBlockConfiguration: { BlockPublicAcls: false } })),
    ],
    ['buckets_encrypted', withFirst(data, BUCKET, properties({ BucketEncryption: undefined }))],
    ['logs_expire', withFirst(gateway, 'AWS::Logs::LogGroup', properties({ RetentionInDays: undefined }))],
    ['functions_log_to_their_own_group', withFirst(gateway, FUNCTION, properties({ LoggingConfig: undefined }))],
    ['functions_run_node_24_on_arm', withFirst(gateway, FUNCTION, properties({ Runtime: 'nodejs22.x' }))],
    ['no_action_wildcards', withFirst(gateway, 'AWS::IAM::Policy', properties({ PolicyDocument: anyAction }))],
    ['no_managed_policies', withFirst(gateway, 'AWS::IAM::Role', properties({ ManagedPolicyArns: ['arn'] }))],
  ];

  test.each(planted)('only the change planted for %s', (rule, template) => {
    expect(broken(template)).toEqual([rule]);
  });

  test('each rule by a planted change', () => {
    const rules = [...readFileSync(RULES, 'utf8').matchAll(/^rule (\w+)/gm)].map(([, name]) => name);
    expect([...new Set(planted.map(([rule]) => rule))].sort()).toEqual(rules.sort());
  });
});
