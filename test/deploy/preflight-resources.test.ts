import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Settings } from '../../lib/settings/settings.ts';
import type { AwsReply } from '../support/fake-aws.ts';
import {
  ACCOUNT,
  aws,
  CERTIFICATE,
  faultOf,
  KEY,
  playAws,
  REGION,
  remarks,
  SETTINGS,
  setStack,
  ZONE,
} from './preflight-setup.ts';

playAws();

describe('an ARN', () => {
  test.each<[path: string, settings: Partial<Settings>]>([
    ['encryptionKeyArn', { encryptionKeyArn: KEY.replace(ACCOUNT, '999999999999') }],
    [
      'domain.certificateArn',
      { domain: { name: 'ai.example.com', certificateArn: CERTIFICATE.replace(ACCOUNT, '999999999999') } },
    ],
  ])('of another account is refused: %s', async (path, settings) => {
    expect(await faultOf({ ...SETTINGS, ...settings })).toBe(
      `${path} is of account 999999999999, but must be of 123456789012: correct it in cdk.json.`,
    );
  });

  test('of a stream or of a certificate must be in its region', async () => {
    const { faults } = await remarks({
      ...SETTINGS,
      findings: { firehose: { streamArn: `arn:aws:firehose:eu-west-1:${ACCOUNT}:deliverystream/siem` } },
      restApi: { domain: { name: 'api.example.com', certificateArn: CERTIFICATE } },
    });
    expect(faults).toEqual([
      'restApi.domain.certificateArn is in us-east-1, but must be in eu-central-1: correct it in cdk.json.',
      'findings.firehose.streamArn is in eu-west-1, but must be in eu-central-1: correct it in cdk.json.',
    ]);
  });

  test('of a topic may be of another account', async () => {
    const alarmTopicArn = `arn:aws:sns:${REGION}:999999999999:on-call`;
    expect((await remarks({ ...SETTINGS, alarmTopicArn })).faults).toEqual([]);
  });
});

test('a distribution is refused outside the partition aws', async () => {
  aws.replies.set('sts:GetCallerIdentity', { Account: ACCOUNT, Arn: `arn:aws-us-gov:iam::${ACCOUNT}:user/ops` });
  const settings: Settings = { ...SETTINGS, region: 'us-gov-west-1' };
  expect(await faultOf(settings)).toBe(
    'The distribution is not supported in the partition aws-us-gov: set "distribution": false in cdk.json.',
  );
  expect((await remarks({ ...settings, distribution: false })).faults).toEqual([]);
});

describe('a certificate', () => {
  const settings: Settings = { ...SETTINGS, domain: { name: 'ai.example.com', certificateArn: CERTIFICATE } };
  test.each<[reply: AwsReply, fault: RegExp]>([
    [
      { error: 'ResourceNotFoundException' },
      /^domain\.certificateArn does not exist\. .+ list-certificates --region us-east-1$/,
    ],
    [
      { Certificate: { Status: 'PENDING_VALIDATION', DomainName: 'ai.example.com' } },
      /^domain\.certificateArn is PENDING_VALIDATION, not ISSUED\. See why: aws acm describe-certificate --certificate-arn arn/,
    ],
    [
      { Certificate: { Status: 'ISSUED', DomainName: 'example.com', SubjectAlternativeNames: ['*.eu.example.com'] } },
      /^domain\.certificateArn is not valid for ai\.example\.com\./,
    ],
  ])('is refused: %j', async (reply, fault) => {
    aws.replies.set('acm:DescribeCertificate', reply);
    expect(await faultOf(settings)).toMatch(fault);
  });

  test('may have the name among others', async () => {
    const names = { DomainName: 'example.com', SubjectAlternativeNames: ['example.com', 'ai.example.com'] };
    aws.replies.set('acm:DescribeCertificate', { Certificate: { Status: 'ISSUED', ...names } });
    expect((await remarks(settings)).faults).toEqual([]);
  });
});

describe('a hosted zone', () => {
  const settings: Settings = { ...SETTINGS, domain: { name: 'ai.example.com', certificateArn: CERTIFICATE, ...ZONE } };
  const zone = (Name: string, PrivateZone = false) => ({
    HostedZone: { Id: '/hostedzone/Z1', Name, CallerReference: '1', Config: { PrivateZone } },
  });
  test.each<[reply: AwsReply, fault: string]>([
    [{ error: 'NoSuchHostedZone', status: 404 }, 'domain.hostedZoneId, Z1, does not exist.'],
    [zone('example.org.'), 'domain.hostedZoneId is the zone example.org., not of zoneName, example.com.'],
    [zone('example.com.', true), 'domain.hostedZoneId is a private zone'],
  ])('is refused: %j', async (reply, fault) => {
    aws.replies.set('route53:GetHostedZone', reply);
    expect(await faultOf(settings)).toMatch(new RegExp(`^${fault}.*List zones: aws route53 list-hosted-zones$`));
  });

  test('must contain the name', async () => {
    aws.replies.set('acm:DescribeCertificate', { Certificate: { Status: 'ISSUED', DomainName: 'ai.example.net' } });
    const domain = { name: 'ai.example.net', certificateArn: CERTIFICATE, ...ZONE };
    expect(await faultOf({ ...SETTINGS, domain })).toMatch(
      /^domain\.name, ai\.example\.net, is not in the zone example\.com\./,
    );
  });
});

describe('a record of the domain', () => {
  const settings: Settings = { ...SETTINGS, domain: { name: 'ai.example.com', certificateArn: CERTIFICATE, ...ZONE } };
  const records = (...sets: readonly (readonly [name: string, type: string])[]) => ({
    ResourceRecordSets: { ResourceRecordSet: sets.map(([Name, Type]) => ({ Name, Type })) },
    IsTruncated: false,
    MaxItems: 300,
  });

  test('is refused if the stage is new, as Route 53 would refuse its records', async () => {
    aws.replies.set(
      'route53:ListResourceRecordSets',
      records(['ai.example.com.', 'TXT'], ['ai.example.com.', 'CNAME']),
    );
    expect(await faultOf(settings)).toBe(
      'domain.name, ai.example.com, has a record of the type CNAME in Z1 already. Delete it, or remove hostedZoneId and zoneName: aws route53 list-resource-record-sets --hosted-zone-id Z1 --start-record-name ai.example.com',
    );
    setStack('svc-staging-gateway', 'UPDATE_COMPLETE');
    expect((await remarks(settings)).faults).toEqual([]);
  });

  test('may have another name or type', async () => {
    aws.replies.set('route53:ListResourceRecordSets', records(['ai.example.com.', 'TXT'], ['b.example.com.', 'A']));
    expect((await remarks(settings)).faults).toEqual([]);
  });
});

describe('the bucket of access logs', () => {
  const settings: Settings = { ...SETTINGS, distribution: { logBucket: 'our-logs' } };
  test('must exist', async () => {
    aws.replies.set('s3:GetBucketOwnershipControls', { error: 'NoSuchBucket', status: 404 });
    expect(await faultOf(settings)).toBe('distribution.logBucket, our-logs, does not exist. List buckets: aws s3 ls');
  });

  test('must have ACLs', async () => {
    aws.replies.set('s3:GetBucketOwnershipControls', { Rule: { ObjectOwnership: 'BucketOwnerEnforced' } });
    expect(await faultOf(settings)).toMatch(/^distribution\.logBucket has no ACLs, .+ --bucket our-logs /);
  });

  test('may be an old one, without ownership controls', async () => {
    aws.replies.set('s3:GetBucketOwnershipControls', { error: 'OwnershipControlsNotFoundError', status: 404 });
    expect(await remarks(settings)).toMatchObject({ faults: [], warnings: [] });
  });
});

describe('a KMS key', () => {
  const key = (KeyState: string, more: object = {}) => ({
    KeyMetadata: { KeyId: '1', KeyState, Enabled: KeyState === 'Enabled', KeySpec: 'SYMMETRIC_DEFAULT', ...more },
  });
  test.each<[reply: AwsReply, fault: string]>([
    [key('Disabled'), `encryptionKeyArn is Disabled. Enable it: aws kms enable-key --key-id ${KEY}`],
    [key('PendingDeletion'), `encryptionKeyArn will be deleted. Keep it: aws kms cancel-key-deletion --key-id ${KEY}`],
    [key('Enabled', { KeySpec: 'RSA_2048' }), 'encryptionKeyArn is a key of the kind RSA_2048: name a symmetric key'],
  ])('is refused: %j', async (reply, fault) => {
    aws.replies.set('kms:DescribeKey', reply);
    expect(await faultOf({ ...SETTINGS, encryptionKeyArn: KEY })).toContain(fault);
  });

  const LOGS = `logs.${REGION}.amazonaws.com`;
  const policy = (...statements: object[]) => ({ Policy: JSON.stringify({ Statement: statements }) });
  const allow = (Service: string | string[], Action: string | string[]) => ({
    Effect: 'Allow',
    Principal: { Service },
    Action,
  });
  const BY_ROOT = { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` }, Action: 'kms:*' };
  test.each<[name: string, reply: AwsReply, settings: Partial<Settings>, missing: string]>([
    ['roles only', policy(BY_ROOT), {}, `${LOGS} (logs), cloudwatch.amazonaws.com (topics of alarms)`],
    ['everyone', policy({ ...BY_ROOT, Principal: '*' }), { alarmTopicArn: 'arn' }, `${LOGS} (logs)`],
    ['decryption only', policy(allow(LOGS, 'kms:Decrypt')), { alarmTopicArn: 'arn' }, `${LOGS} (logs)`],
    [
      'another region',
      policy(allow('logs.us-east-1.amazonaws.com', 'kms:*')),
      { alarmTopicArn: 'arn' },
      `${LOGS} (logs)`,
    ],
    [
      'a denial',
      policy({ ...allow([LOGS, 'cloudwatch.amazonaws.com'], 'kms:*'), Effect: 'Deny' }),
      {},
      `${LOGS} (logs), cloudwatch.amazonaws.com (topics of alarms)`,
    ],
    [
      'a Web Function',
      policy(allow([LOGS, 'cloudwatch.amazonaws.com'], ['kms:Decrypt*', 'kms:GenerateDataKey*'])),
      { compute: 'web-function' },
      'lambda.amazonaws.com (variables of the Web Function)',
    ],
  ])("must have a policy for AWS's services: %s", async (_name, reply, settings, missing) => {
    aws.replies.set('kms:GetKeyPolicy', reply);
    const topic = settings.alarmTopicArn && { alarmTopicArn: `arn:aws:sns:${REGION}:${ACCOUNT}:on-call` };
    const { faults } = await remarks({ ...SETTINGS, encryptionKeyArn: KEY, ...settings, ...topic });
    expect(faults).toEqual([
      `The policy of encryptionKeyArn does not allow kms:Decrypt and kms:GenerateDataKey* to ${missing}: add the statements of docs/security.md#a-kms-key-of-yours.`,
    ]);
  });
});

describe('a service control policy that denies public function URLs', () => {
  const denied = (message: string): AwsReply => ({ error: 'AccessDeniedException', status: 403, message });
  const BY_SCP = denied('User: x is not authorized, with an explicit deny in a service control policy');
  test.each([
    ['lambda:CreateFunctionUrlConfig', {}, 'with "distribution": false and "restApi": true'],
    ['lambda:AddPermission', {}, 'with "distribution": false and "restApi": true'],
    ['lambda:AddPermission', { compute: 'fargate' }, 'with "compute": "function-url" and "distribution": false'],
  ] as const)('%s is reported with the way out: %j', async (action, settings, way) => {
    aws.replies.set(action, BY_SCP);
    const { faults } = await remarks({ ...SETTINGS, ...settings });
    const named = faults.filter((fault) => fault.includes('organization'));
    expect(named).toEqual([expect.stringContaining(`denies ${action} for public function URLs. Use API Gateway`)]);
    expect(named[0]).toContain(way);
  });

  test('is not asked for without function URLs', async () => {
    aws.replies.set('lambda:CreateFunctionUrlConfig', BY_SCP);
    expect(await remarks({ ...SETTINGS, distribution: false, restApi: true })).toMatchObject({
      faults: [],
      warnings: [],
    });
    expect(aws.calls.map(({ action }) => action)).not.toContain('lambda:CreateFunctionUrlConfig');
  });

  test('a deployer needs no permission for the check', async () => {
    aws.replies.set('lambda:AddPermission', denied('because no identity-based policy allows the action'));
    expect(await remarks()).toMatchObject({ faults: [], warnings: [] });
  });

  test('is not checked where Lambda is unavailable', async () => {
    aws.replies.set('lambda:AddPermission', { error: 'ServiceException', status: 500 });
    expect(await remarks()).toMatchObject({
      faults: [],
      warnings: ['Not checked: whether your organization allows public function URLs (ServiceException).'],
    });
  });

  test('the calls name a function that no deployment has, and one call is made of each', async () => {
    await remarks();
    const made = aws.calls.filter(({ path }) => path.includes('svc-preflight-'));
    expect(made.map(({ action }) => action).sort()).toEqual(['lambda:AddPermission', 'lambda:CreateFunctionUrlConfig']);
    for (const { path } of made) expect(path).toMatch(/\/svc-preflight-[0-9a-f-]{36}\/(?:url|policy)$/);
  });
});

describe('a domain name', () => {
  const settings: Settings = { ...SETTINGS, domain: { name: 'ai.example.com', certificateArn: CERTIFICATE } };
  const page = (Id: string, name: string, next: string | undefined) => ({
    Marker: '',
    MaxItems: 1,
    Quantity: 1,
    IsTruncated: next !== undefined,
    ...(next !== undefined && { NextMarker: next }),
    Items: { DistributionSummary: [{ Id, Aliases: { Quantity: 1, Items: { CNAME: [name] } } }] },
  });
  beforeEach(() => {
    aws.replies.set('cloudfront:ListDistributions', ({ path }) =>
      path.includes('Marker=E1') ? page('E2', 'ai.example.com', undefined) : page('E1', 'other.example.com', 'E1'),
    );
  });

  test('that another distribution has is refused, also on a later page', async () => {
    expect(await faultOf(settings)).toBe(
      'domain.name, ai.example.com, is on the distribution E2 already. Remove it there, or choose another: aws cloudfront get-distribution --id E2',
    );
  });

  test("may be on the stage's distribution", async () => {
    aws.replies.set('cloudformation:DescribeStackResources', {
      StackResources: {
        member: [{ LogicalResourceId: 'D', PhysicalResourceId: 'E2', ResourceType: 'AWS::CloudFront::Distribution' }],
      },
    });
    expect((await remarks(settings)).faults).toEqual([]);
  });
});
