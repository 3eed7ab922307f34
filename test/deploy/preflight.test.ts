import { describe, expect, test } from '@jest/globals';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { LEAST_BOOTSTRAP } from '../../bin/preflight/account-checks.ts';
import { checksOf, identify, preflight } from '../../bin/preflight/preflight.ts';
import type { Settings } from '../../lib/settings/settings.ts';
import { ACCOUNT, ALL, aws, faultOf, playAws, remarks, SETTINGS, setStack } from './preflight-setup.ts';

playAws();

describe('a stage that can be deployed', () => {
  test('has no remarks, with few settings and with many', async () => {
    const context = { operationsConcurrency: '90' };
    expect(await remarks()).toEqual({ faults: [], warnings: [], context });
    expect(await remarks(ALL)).toEqual({ faults: [], warnings: [], context });
  });

  test('is checked in each region that it uses, with one signed call each', async () => {
    await remarks(ALL);
    const calls = aws.calls.map(({ action, region }) => `${action} ${region}`).sort();
    expect(calls).toEqual(
      [
        'sts:GetCallerIdentity eu-central-1',
        'ssm:GetParameter eu-central-1',
        'ssm:GetParameter us-east-1',
        ...Array(3).fill('cloudformation:DescribeStacks eu-central-1'),
        // The checks of records and of its creation read the gateway's stack too, and that of the quota its functions.
        ...Array(3).fill('cloudformation:DescribeStacks eu-central-1'),
        'cloudformation:ListStackResources eu-central-1',
        'cloudformation:DescribeStacks us-east-1',
        'lambda:GetAccountSettings eu-central-1',
        'acm:DescribeCertificate us-east-1',
        'acm:DescribeCertificate eu-central-1',
        'route53:GetHostedZone us-east-1',
        'route53:GetHostedZone us-east-1',
        'route53:ListResourceRecordSets us-east-1',
        'route53:ListResourceRecordSets us-east-1',
        's3:GetBucketOwnershipControls eu-central-1',
        'kms:DescribeKey eu-central-1',
        'kms:GetKeyPolicy eu-central-1',
        'lambda:CreateFunctionUrlConfig eu-central-1',
        'lambda:AddPermission eu-central-1',
        'sts:GetWebIdentityToken eu-central-1',
        'cloudfront:ListDistributions us-east-1',
      ].sort(),
    );
    for (const { authorization } of aws.calls)
      expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIAPLANTED/);
  });
});

test('credentials of another account than the stage’s are refused before any other call', async () => {
  await expect(identify({ ...SETTINGS, account: '999999999999' })).rejects.toThrow(
    'Staging belongs to account 999999999999 ("account" in cdk.json), but the credentials are of 123456789012: sign in to 999999999999',
  );
  expect(aws.calls.map(({ action }) => action)).toEqual(['sts:GetCallerIdentity']);
  expect((await identify({ ...SETTINGS, account: ACCOUNT })).account).toBe(ACCOUNT);
});

describe('what the deployer may not read becomes a warning that names the permission', () => {
  const actions = [
    'ssm:GetParameter',
    'cloudformation:DescribeStacks',
    'lambda:GetAccountSettings',
    'kms:GetKeyPolicy',
    'acm:DescribeCertificate',
    'route53:GetHostedZone',
    'route53:ListResourceRecordSets',
    's3:GetBucketOwnershipControls',
    'kms:DescribeKey',
    'sts:GetWebIdentityToken',
    'cloudfront:ListDistributions',
  ];
  test.each(actions)('%s', async (action) => {
    aws.replies.set(action, { error: 'AccessDenied', status: 403 });
    const { faults, warnings } = await remarks(ALL);
    expect(faults).toEqual([]);
    expect(warnings.length).toBeGreaterThan(0);
    for (const warning of warnings)
      expect(warning).toMatch(new RegExp(`^Not checked: .+ \\(${action}: AccessDenied\\)\\.$`));
  });

  test('and no other permission is needed', async () => {
    const checks = checksOf(await identify(ALL));
    expect([...new Set(checks.flatMap(({ action = [] }) => action))].sort()).toEqual([...actions].sort());
  });

  test('also if AWS has an error, after one attempt', async () => {
    aws.replies.set('lambda:GetAccountSettings', { error: 'ServiceException', status: 500 });
    expect((await remarks()).warnings).toEqual([
      'Not checked: the Lambda quota of eu-central-1 (lambda:GetAccountSettings: ServiceException).',
    ]);
    expect(aws.calls.filter(({ action }) => action === 'lambda:GetAccountSettings')).toHaveLength(1);
  });
});

test('warns of a read timeout of CloudFront that needs a raised quota', async () => {
  expect((await remarks({ ...SETTINGS, distribution: { readTimeoutSeconds: 120 } })).warnings).toEqual([]);
  expect((await remarks({ ...SETTINGS, distribution: { readTimeoutSeconds: 121 } })).warnings).toEqual([
    'distribution.readTimeoutSeconds is 121: CloudFront takes more than 120 only with a raised quota ("Response timeout per origin"). Not checked: whether it is raised.',
  ]);
});

test('federation must be enabled in the account, which is asked at the endpoint of the region', async () => {
  const federated: Settings = { ...SETTINGS, federationAudiences: ['https://api.openai.com/v1', 'other'] };
  expect((await remarks(federated)).faults).toEqual([]);
  const [call] = aws.calls.filter(({ action }) => action === 'sts:GetWebIdentityToken');
  expect([call?.region, Object.fromEntries(new URLSearchParams(call?.body))]).toMatchObject([
    'eu-central-1',
    { 'Audience.member.1': 'https://api.openai.com/v1', SigningAlgorithm: 'RS256', DurationSeconds: '60' },
  ]);
  aws.replies.set('sts:GetWebIdentityToken', { error: 'OutboundWebIdentityFederationDisabledException', status: 403 });
  expect(await faultOf(federated)).toBe(
    'federationAudiences needs outbound identity federation, which account 123456789012 has not enabled. Run once: aws iam enable-outbound-web-identity-federation',
  );
});

test('reports all faults together', async () => {
  aws.replies.set('ssm:GetParameter', { error: 'ParameterNotFound' });
  aws.replies.set('kms:DescribeKey', { error: 'NotFoundException' });
  setStack('svc-staging-gateway', 'DELETE_FAILED');
  const there = (name: string) => `arn:aws:sns:eu-west-1:${ACCOUNT}:${name}`;
  const topics = { alarmTopicArn: there('on-call'), alarmTicketTopicArn: there('tickets') };
  const { faults } = await remarks({ ...ALL, ...topics });
  expect(faults).toEqual([
    'alarmTopicArn is in eu-west-1, but must be in eu-central-1: correct it in cdk.json.',
    'alarmTicketTopicArn is in eu-west-1, but must be in eu-central-1: correct it in cdk.json.',
    'Account 123456789012 is not bootstrapped in eu-central-1. Run once: npx cdk bootstrap aws://123456789012/eu-central-1',
    'Account 123456789012 is not bootstrapped in us-east-1. Run once: npx cdk bootstrap aws://123456789012/us-east-1',
    'The stack svc-staging-gateway is half deleted (DELETE_FAILED). Delete the rest: aws cloudformation delete-stack --stack-name svc-staging-gateway --region eu-central-1',
    'encryptionKeyArn does not exist. List keys: aws kms list-keys --region eu-central-1',
  ]);
});

test('the operations stack gets the time of the gateway stack, so that it is updated with a new one', async () => {
  const created = async () => (await preflight(await identify(SETTINGS))).context.gatewayCreated;
  setStack('svc-staging-gateway', 'UPDATE_COMPLETE');
  expect(await created()).toBe('2026-11-21T09:00:00.000Z');
  aws.replies.clear();
  const started = Date.now();
  expect(Date.parse((await created()) as string)).toBeGreaterThanOrEqual(started);
  aws.replies.set('cloudformation:DescribeStacks', { error: 'AccessDenied', status: 403 });
  expect(await created()).toBeUndefined();
});

describe('bootstrapping', () => {
  test('of us-east-1 is needed only with a stack there', async () => {
    aws.replies.set('ssm:GetParameter', (call) =>
      call.region === 'us-east-1' ? { error: 'ParameterNotFound' } : { Parameter: { Value: '30' } },
    );
    expect((await remarks()).faults).toEqual([]);
    expect(await faultOf({ ...SETTINGS, waf: true })).toMatch(
      /^Account 123456789012 is not bootstrapped in us-east-1\./,
    );
  });

  test('is looked for under the qualifier of the setting', async () => {
    aws.replies.set('ssm:GetParameter', ({ body }) =>
      body.includes('/cdk-bootstrap/platform1/version')
        ? { error: 'ParameterNotFound' }
        : { Parameter: { Value: '30' } },
    );
    expect((await remarks()).faults).toEqual([]);
    expect(await faultOf({ ...SETTINGS, bootstrapQualifier: 'platform1' })).toBe(
      'Account 123456789012 is not bootstrapped in eu-central-1 with the qualifier platform1. Run once: npx cdk bootstrap aws://123456789012/eu-central-1 --qualifier platform1 --toolkit-stack-name CDKToolkit-platform1',
    );
  });

  test('may not be older than the stacks need', async () => {
    aws.replies.set('ssm:GetParameter', { Parameter: { Value: '5' } });
    expect(await faultOf()).toBe(
      'The bootstrap stack of eu-central-1 has version 5, but needs 6. Run: npx cdk bootstrap aws://123456789012/eu-central-1',
    );
    // CloudFormation's rules take seconds.
    const app = new App({ builtinCloudFormationValidation: false });
    new CfnResource(new Stack(app, 'Any'), 'Topic', { type: 'AWS::SNS::Topic' });
    expect(app.synth().getStackByName('Any').requiresBootstrapStackVersion).toBe(LEAST_BOOTSTRAP);
  });
});

describe('a stack', () => {
  test.each([['ROLLBACK_COMPLETE'], ['ROLLBACK_FAILED']])(
    'that is protected cannot be replaced: %s',
    async (status) => {
      setStack('svc-staging-data', status, true);
      expect(await faultOf()).toBe(
        `The stack svc-staging-data was never created (${status}) and is protected, so it cannot be replaced. Run: aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name svc-staging-data --region eu-central-1`,
      );
    },
  );

  test('whose rollback failed must be rolled back', async () => {
    setStack('svc-staging-operations', 'UPDATE_ROLLBACK_FAILED');
    expect(await faultOf()).toBe(
      'The stack svc-staging-operations could not be rolled back (UPDATE_ROLLBACK_FAILED). Run: npx cdk rollback svc-staging-operations -c stage=Staging',
    );
  });

  test('of us-east-1 is checked there', async () => {
    setStack('svc-staging-eu-central-1-edge', 'DELETE_FAILED');
    expect(await faultOf({ ...SETTINGS, waf: true })).toMatch(
      / --stack-name svc-staging-eu-central-1-edge --region us-east-1$/,
    );
  });

  test.each([['ROLLBACK_COMPLETE'], ['REVIEW_IN_PROGRESS'], ['UPDATE_ROLLBACK_COMPLETE'], ['CREATE_COMPLETE']])(
    'that the CDK replaces or updates is no fault: %s',
    async (status) => {
      setStack('svc-staging-gateway', status);
      expect((await remarks()).faults).toEqual([]);
    },
  );
});
