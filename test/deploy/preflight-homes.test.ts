import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Settings } from '../../lib/settings/settings.ts';
import { ACCOUNT, aws, faultOf, playAws, REGION, remarks, SETTINGS } from './preflight-setup.ts';

playAws();

const SEARCHED = process.env.PATH;
const FARGATE: Settings = { ...SETTINGS, compute: 'fargate' };
const certificateArn = `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/1234abcd-12ab`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-docker-'));
  process.env.PATH = folder;
  await installAws({});
});
afterEach(async () => {
  process.env.PATH = SEARCHED;
  await rm(folder, { recursive: true });
});

async function install(program: string, script: string): Promise<void> {
  const file = path.join(folder, program);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

const installDocker = (exitCode: number) => install('docker', `exit ${exitCode}`);

/** An AWS CLI that prints by the words of its command; another command is refused. */
const installAws = (answers: Readonly<Record<string, string>>) => {
  const cases = Object.entries({ ...QUOTAS, ...answers }).map(([words, answer]) => `*"${words}"*) ${answer};;`);
  const refused = '*) echo "An error occurred (AccessDeniedException) when calling it" >&2; exit 254;;';
  return install('aws', `case "$*" in ${cases.join(' ')} ${refused} esac`);
};
const CPUS = 'get-service-quota --service-code fargate --quota-code L-3032A538';
const BALANCERS = 'get-service-quota --service-code elasticloadbalancing --quota-code L-53DA6B97';
const QUOTAS = { [CPUS]: 'echo 100.0', [BALANCERS]: 'echo 50.0', 'elbv2 describe-load-balancers': 'echo 3' };

test('a machine without Docker is refused, as is one without buildx', async () => {
  const fault = 'compute fargate builds an image: start Docker with buildx on this machine, then retry.';
  expect(await faultOf(FARGATE)).toBe(fault);
  await installDocker(1);
  expect(await faultOf(FARGATE)).toBe(fault);
  await installDocker(0);
  expect((await remarks(FARGATE)).faults).toEqual([]);
});

test('other homes need no Docker', async () => {
  expect((await remarks(SETTINGS)).faults).toEqual([]);
});

test('the certificate of the load balancer must be issued, and of this account', async () => {
  await installDocker(0);
  const alone: Settings = { ...FARGATE, distribution: false, fargate: { certificateArn } };
  aws.replies.set('acm:DescribeCertificate', { Certificate: { Status: 'PENDING_VALIDATION', DomainName: 'a' } });
  expect(await faultOf(alone)).toContain('fargate.certificateArn is PENDING_VALIDATION, not ISSUED.');
  aws.replies.set('acm:DescribeCertificate', { Certificate: { Status: 'ISSUED', DomainName: 'any.example.com' } });
  expect((await remarks(alone)).faults).toEqual([]);
  const foreign = certificateArn.replace(ACCOUNT, '999999999999');
  expect(await faultOf({ ...alone, fargate: { certificateArn: foreign } })).toContain('is of account 999999999999');
});

test('what only functions reserve is not asked of the quota', async () => {
  await installDocker(0);
  const reserved: Settings = { ...FARGATE, reservedConcurrency: 100_000 };
  expect((await remarks(reserved)).faults).toEqual([]);
});

describe('the quota of vCPUs', () => {
  beforeEach(() => installDocker(0));

  test('must have room for a deployment of the fewest containers', async () => {
    await installAws({ [CPUS]: 'echo 6.0' });
    const few: Settings = { ...FARGATE, fargate: { minTasks: 3, maxTasks: 6 } };
    expect(await remarks(few)).toMatchObject({ faults: [], warnings: [] });
    expect(await faultOf({ ...FARGATE, fargate: { minTasks: 4, maxTasks: 4 } })).toBe(
      'fargate.minTasks is 4: a deployment runs twice as many, which needs 8 vCPUs, but the quota of vCPUs on Fargate in eu-central-1 is 6, for all services of the account. Lower it, or request a higher quota: aws service-quotas request-service-quota-increase --service-code fargate --quota-code L-3032A538 --desired-value 4 --region eu-central-1',
    );
  });

  test('of a new account is a warning with the defaults, which add containers beyond it', async () => {
    await installAws({ [CPUS]: 'echo 6.0' });
    const { faults, warnings } = await remarks(FARGATE);
    expect([faults, warnings]).toEqual([
      [],
      [expect.stringMatching(/^fargate.maxTasks is 10, which needs 10 vCPUs, but the quota .* is 6/)],
    ]);
  });
});

describe('the quota of load balancers', () => {
  beforeEach(() => installDocker(0));

  test('must have room for one more, unless the stage has its own', async () => {
    await installAws({ [BALANCERS]: 'echo 3.0' });
    expect(await faultOf(FARGATE)).toContain('eu-central-1 has 3 application load balancers, and the quota is 3');
    aws.replies.set('cloudformation:ListStackResources', {
      StackResourceSummaries: {
        member: [
          {
            LogicalResourceId: 'FargateGatewayLoadBalancer',
            PhysicalResourceId: 'arn',
            ResourceType: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
            ResourceStatus: 'CREATE_COMPLETE',
            LastUpdatedTimestamp: '2026-11-21T09:00:00Z',
          },
        ],
      },
    });
    expect((await remarks(FARGATE)).faults).toEqual([]);
  });
});

describe('Web Functions', () => {
  const WEB: Settings = { ...SETTINGS, compute: 'web-function' };
  const quotas = (cpus: number, rate: number) => {
    const accountQuotas = { maxTotalArmVCpus: cpus, maxTotalRateLimit: rate };
    return installAws({ 'lambda-web get-web-account-settings': `echo '${JSON.stringify({ accountQuotas })}'` });
  };

  test('with limits of the endpoint beyond the quotas get a warning', async () => {
    const limited: Settings = { ...WEB, webFunction: { maxEnvironments: 50, rateLimit: 1_000 } };
    await quotas(2_000, 100_000);
    expect(await remarks(limited)).toMatchObject({ faults: [], warnings: [] });
    await quotas(20, 500);
    const ofAll = 'for all Web Functions of the account in eu-central-1. The quota limits it further.';
    expect((await remarks(limited)).warnings).toEqual([
      `webFunction.maxEnvironments is 50, but the quota is 10 (20 vCPUs) ${ofAll}`,
      `webFunction.rateLimit is 1000, but the quota is 500 requests a second ${ofAll}`,
    ]);
  });

  test('are refused where the account may run none', async () => {
    await quotas(0, 0);
    expect(await faultOf(WEB)).toBe(
      'The account may run no Web Function in eu-central-1: its quotas are 0 vCPUs and 0 requests a second.',
    );
  });

  test('are not checked without the permission, the AWS CLI or a CLI that knows them', async () => {
    const warning = async () => (await remarks(WEB)).warnings;
    const start = 'Not checked: the quotas of Web Functions in eu-central-1 (lambda:GetWebAccountSettings';
    expect(await warning()).toEqual([`${start}: AccessDeniedException).`]);
    await install('aws', 'echo "aws: error: argument command: Invalid choice" >&2; exit 252');
    expect(await warning()).toEqual([`${start}: the AWS CLI failed: is it up to date?).`]);
    await rm(path.join(folder, 'aws'));
    expect(await warning()).toEqual([`${start}: the AWS CLI is not installed).`]);
  });
});

test('what the deployer may not read of containers is a warning with its permission', async () => {
  await installDocker(0);
  await installAws({
    [CPUS]: 'exit 1',
    'elbv2 describe-load-balancers': 'echo "An error occurred (AccessDenied)" >&2; exit 254',
  });
  expect((await remarks(FARGATE)).warnings).toEqual([
    'Not checked: the Fargate quota of eu-central-1 (servicequotas:GetServiceQuota: the AWS CLI failed: is it up to date?).',
    'Not checked: the quota of load balancers in eu-central-1 (elasticloadbalancing:DescribeLoadBalancers: AccessDenied).',
  ]);
});
