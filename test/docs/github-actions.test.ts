import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { checksOf } from '../../bin/preflight/preflight.ts';
import type { Settings } from '../../lib/settings/settings.ts';
import { lintTemplates, type Template, type TemplateResource } from '../infra/lint-templates.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const guide = read('docs/deploy.md') + read('docs/reference/deployment-checks.md');
const STAGE = `\${{ inputs.stage || 'Staging' }}`;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly needs?: string;
  readonly permissions?: object;
  readonly environment?: string;
  readonly concurrency?: object;
  readonly steps: readonly Step[];
}

describe('examples/github-actions/deploy.yml', () => {
  const text = read('examples/github-actions/deploy.yml');
  const workflow: { permissions: object; jobs: Readonly<Record<string, Job>> } = parse(text);
  const { test: tests, deploy } = workflow.jobs;
  const runs = deploy?.steps.flatMap(({ run }) => run ?? []);

  test('deploys a stage after its tests, without questions', () => {
    expect(deploy?.needs).toBe('test');
    expect(tests?.steps.flatMap(({ run }) => run ?? [])).toEqual(['npm ci', 'npm test']);
    expect(runs).toEqual(['npm ci', 'npm run deploy -- --stage "$STAGE" --require-approval never']);
    expect(deploy?.environment).toBe(STAGE);
    expect(deploy?.concurrency).toEqual({
      group: `deploy-${STAGE}`,
      'cancel-in-progress': false,
    });
  });

  test('grants each job only what it needs, and its token for AWS only to the deployment', () => {
    expect(workflow.permissions).toEqual({});
    expect(tests?.permissions).toEqual({ contents: 'read' });
    expect(deploy?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  });

  test('pins each action to a commit, with its version in a comment', () => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    expect(uses).toHaveLength(5);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('has no secrets: AWS trusts the token, and the checkout keeps none', () => {
    expect(text).not.toMatch(/secrets\.|access-key|AKIA/);
    const steps = Object.values(workflow.jobs).flatMap(({ steps }) => steps);
    for (const { uses, with: inputs } of steps)
      if (uses?.startsWith('actions/checkout@')) expect(inputs).toEqual({ 'persist-credentials': false });
  });

  test('puts no expression into a command, where an input could add to it', () => {
    for (const run of runs ?? []) expect(run).not.toContain('${{');
  });
});

describe('examples/github-actions/deploy-role.yml', () => {
  const template: Template = parse(read('examples/github-actions/deploy-role.yml'));
  interface Statement {
    readonly Action: string | readonly string[];
    readonly Condition?: unknown;
    readonly Resource?: unknown;
  }
  const { AssumeRolePolicyDocument: trust, Policies: policies } = (template.Resources.Role as TemplateResource)
    .Properties as {
    AssumeRolePolicyDocument: { Statement: readonly Statement[] };
    Policies: readonly { PolicyDocument: { Statement: readonly Statement[] } }[];
  };
  const [assume, ...reads] = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

  test('is a template that CloudFormation accepts', () => {
    expect(lintTemplates({ role: template })).toEqual([]);
  });

  test('trusts one environment of one repository', () => {
    expect(trust.Statement).toHaveLength(1);
    expect(trust.Statement[0]).toMatchObject({
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
          'token.actions.githubusercontent.com:sub': { 'Fn::Sub': `repo:\${Repository}:environment:\${Environment}` },
        },
      },
    });
  });

  test.each([
    ['octo/svc', true],
    ['octo@123456/svc-gateway@456789', true],
    ['octo/*', false],
    ['octo', false],
    ['octo/svc:ref', false],
  ])('takes only the name of a repository: %s %j', (name, isTaken) => {
    const { Repository } = template.Parameters as { Repository: { AllowedPattern: string } };
    expect(new RegExp(`^(?:${Repository.AllowedPattern})$`).test(name)).toBe(isTaken);
  });

  test("may assume the CDK's roles, and read what the checks read, but nothing else", async () => {
    expect(assume).toMatchObject({
      Action: 'sts:AssumeRole',
      Resource: { 'Fn::Sub': `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/cdk-\${Qualifier}-*` },
    });
    const zone = { hostedZoneId: 'Z1', zoneName: 'example.com' };
    const checksIn = (home: Partial<Settings>) =>
      checksOf({
        settings: {
          ...home,
          stage: 'Production',
          logRetentionDays: 30,
          memoryMb: 1024,
          tracing: false,
          distribution: { logBucket: 'our-logs' },
          encryptionKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/1',
          domain: {
            name: 'ai.example.com',
            certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
            ...zone,
          },
        },
        account: '123456789012',
        region: 'eu-central-1',
        partition: 'aws',
        arn: '',
        clientIn: () => {
          throw new Error('no call');
        },
      });
    const checks = (['function-url', 'web-function', 'fargate'] as const).flatMap((compute) => checksIn({ compute }));
    const actions = checks.flatMap(({ action = [] }) => action).filter((action) => /^\w+:\w+$/.test(action));
    // One says whether a distribution is the stage's, the other how many load balancers there are.
    const second = ['cloudformation:DescribeStackResources', 'elasticloadbalancing:DescribeLoadBalancers'];
    const needed = new Set([...actions, ...second]);
    expect(reads.flatMap(({ Action }) => Action).sort()).toEqual([...needed].sort());
    for (const action of needed) expect(guide).toContain(`\`${action}\``);
  });
});

describe('examples/github-actions/release.yml', () => {
  const text = read('examples/github-actions/release.yml');
  const workflow: { permissions: object; jobs: Readonly<Record<string, Job>> } = parse(text);
  const { package: packing, image } = workflow.jobs;

  test('releases what npm run pack writes, and signs it and the image', () => {
    expect(packing?.steps.flatMap(({ run }) => run ?? []).slice(0, 2)).toEqual(['npm ci', 'npm run pack']);
    const signing = [packing, image].map((job) => job?.steps.find(({ uses = '' }) => uses.includes('/attest-'))?.with);
    expect(signing).toEqual([
      { 'subject-checksums': 'dist/SHA256SUMS' },
      expect.objectContaining({ 'subject-digest': expect.any(String), 'push-to-registry': true }),
    ]);
    expect(read('scripts/pack.mjs')).toContain("'SHA256SUMS'");
    expect(image?.steps.some(({ run = '' }) => run.includes('--file container/Dockerfile'))).toBe(true);
  });

  test('grants each job only what it needs, pins each action, and puts no context into a script', () => {
    const signs = { 'id-token': 'write', attestations: 'write' };
    expect(workflow.permissions).toEqual({});
    expect(packing?.permissions).toEqual({ contents: 'write', ...signs });
    expect(image?.permissions).toEqual({ contents: 'read', packages: 'write', ...signs });
    const uses = text.split('\n').filter((line) => line.includes('uses:'));
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
    for (const { uses: action, with: inputs } of steps)
      if (action?.startsWith('actions/checkout@')) expect(inputs).toEqual({ 'persist-credentials': false });
  });
});

test('the guide names both files and both variables', () => {
  const section = guide.split('## Deploy from GitHub Actions\n')[1]?.split(/^## /m)[0] ?? '';
  for (const name of ['examples/github-actions/deploy.yml', 'examples/github-actions/deploy-role.yml'])
    expect(section).toContain(name);
  const used = [...read('examples/github-actions/deploy.yml').matchAll(/vars\.(\w+)/g)].map(([, name = '']) => name);
  for (const name of used) expect(section).toContain(`\`${name}\``);
});
