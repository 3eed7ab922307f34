import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { LEAST_BOOTSTRAP } from '../bin/preflight/account-checks.ts';
import { checksOf, identify, preflight } from '../bin/preflight/preflight.ts';
import type { Settings } from '../lib/settings/settings.ts';
import { type AwsCall, type AwsReply, type FakeAws, startFakeAws } from './support/fake-aws.ts';

const ACCOUNT = '123456789012';
const REGION = 'eu-central-1';
const SETTINGS: Settings = { stage: 'Staging', region: REGION, logRetentionDays: 30, memoryMb: 1024, tracing: false };
const CERTIFICATE = `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/one`;
const API_CERTIFICATE = `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/two`;
const KEY = `arn:aws:kms:${REGION}:${ACCOUNT}:key/one`;
const ZONE = { hostedZoneId: 'Z1', zoneName: 'example.com' };
/** Settings with every check. */
const ALL: Settings = {
  ...SETTINGS,
  encryptionKeyArn: KEY,
  domain: { name: 'ai.example.com', certificateArn: CERTIFICATE, ...ZONE },
  restApi: { domain: { name: 'api.example.com', certificateArn: API_CERTIFICATE, ...ZONE } },
  waf: true,
  distribution: { logBucket: 'our-logs' },
};

let aws: FakeAws;
const ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  AWS_ACCESS_KEY_ID: 'AKIAPLANTED',
  AWS_SECRET_ACCESS_KEY: 'planted',
  AWS_PROFILE: undefined,
  AWS_REGION: undefined,
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
};
const before = { ...process.env };

beforeAll(async () => {
  aws = await startFakeAws();
  for (const [name, value] of Object.entries({ ...ENVIRONMENT, AWS_ENDPOINT_URL: aws.url })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});
afterAll(() => {
  aws.stop();
  process.env = before;
});
beforeEach(() => {
  aws.replies.clear();
  aws.calls.length = 0;
});

async function remarks(settings: Settings = SETTINGS) {
  return await preflight(await identify(settings));
}

/** The only fault. */
async function faultOf(settings: Settings = SETTINGS): Promise<string> {
  const { faults, warnings } = await remarks(settings);
  expect(warnings).toEqual([]);
  expect(faults).toHaveLength(1);
  return faults[0] ?? '';
}

const only =
  (wanted: (call: AwsCall) => boolean, reply: AwsReply, other: AwsReply) =>
  (call: AwsCall): AwsReply =>
    wanted(call) ? reply : other;
const MISSING_STACK = { error: 'ValidationError', message: 'Stack with id svc-staging does not exist' };
const stackOf = (name: string, status: string, isProtected = false) => ({
  Stacks: {
    member: [
      {
        StackName: name,
        StackStatus: status,
        CreationTime: '2026-11-21T09:00:00Z',
        EnableTerminationProtection: isProtected,
      },
    ],
  },
});
/** One stack exists, in this state. */
function setStack(name: string, status: string, isProtected = false) {
  const isAbout = ({ body }: AwsCall) => new URLSearchParams(body).get('StackName') === name;
  aws.replies.set('cloudformation:DescribeStacks', only(isAbout, stackOf(name, status, isProtected), MISSING_STACK));
}
const setQuota = (quota: number, unreserved = quota) =>
  aws.replies.set('lambda:GetAccountSettings', {
    AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved },
  });

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
        // The checks of records read the gateway's stack too, and that of the quota its functions.
        ...Array(2).fill('cloudformation:DescribeStacks eu-central-1'),
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
    'acm:DescribeCertificate',
    'route53:GetHostedZone',
    'route53:ListResourceRecordSets',
    's3:GetBucketOwnershipControls',
    'kms:DescribeKey',
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
    expect([...new Set(checks.map(({ action }) => action))].sort()).toEqual([...actions].sort());
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

  test('may not be older than the stacks need', async () => {
    aws.replies.set('ssm:GetParameter', { Parameter: { Value: '5' } });
    expect(await faultOf()).toBe(
      'The bootstrap stack of eu-central-1 has version 5, but needs 6. Run: npx cdk bootstrap aws://123456789012/eu-central-1',
    );
    const app = new App();
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

describe("Lambda's quota", () => {
  const REQUEST =
    'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000 --region eu-central-1';

  /** The deployed stage has functions with these reservations. */
  function setReserved(reserved: Readonly<Record<string, number>>) {
    const summary = (LogicalResourceId: string, ResourceType: string, ResourceStatus = 'CREATE_COMPLETE') => ({
      LogicalResourceId,
      PhysicalResourceId: LogicalResourceId,
      ResourceType,
      ResourceStatus,
      LastUpdatedTimestamp: '2026-11-21T09:00:00Z',
    });
    const functions = Object.keys(reserved).map((name) => summary(name, 'AWS::Lambda::Function'));
    const others = [
      summary('table', 'AWS::DynamoDB::Table'),
      summary('old', 'AWS::Lambda::Function', 'DELETE_COMPLETE'),
    ];
    // Two pages.
    aws.replies.set('cloudformation:ListStackResources', ({ body }) =>
      body.includes('NextToken')
        ? { StackResourceSummaries: { member: functions.slice(1) } }
        : { StackResourceSummaries: { member: [...others, ...functions.slice(0, 1)] }, NextToken: 'more' },
    );
    aws.replies.set('lambda:GetFunctionConcurrency', ({ path }) => {
      const name = /functions\/([^/]+)\//.exec(path)?.[1] ?? '';
      if (name === 'Deleted') return { error: 'ResourceNotFoundException', status: 404 };
      return reserved[name] === 0 ? {} : { ReservedConcurrentExecutions: reserved[name] };
    });
  }

  test('of a new account is a warning, and nothing is reserved', async () => {
    for (const quota of [10, 50]) {
      setQuota(quota);
      expect(await remarks()).toEqual({
        faults: [],
        warnings: [
          `Lambda's quota in eu-central-1 is ${quota}, of which 0 are reserved, so nothing is reserved for the admin API, and requests of the gateway can keep administrators out. Request a higher quota: ${REQUEST}`,
        ],
        context: { operationsConcurrency: '0' },
      });
    }
  });

  test.each([
    // A quarter at most, 90 at most, and never so much that fewer than 100 are left.
    [1_000, 1_000, {}, 90],
    [300, 300, {}, 75],
    [120, 120, {}, 0],
    [1_000, 130, {}, 30],
    [1_000, 122, {}, 0],
    [1_000, 190, { reservedConcurrency: 60 }, 30],
    [1_000, 190, { provisionedConcurrency: 60 }, 30],
    // Those of cdk.json are kept.
    [1_000, 1_000, { operationsConcurrency: 40 }, 40],
    [1_000, 1_000, { operationsConcurrency: 0 }, 0],
  ])('of %d, %d unreserved, leaves for administration, with %j: %d', async (quota, unreserved, settings, expected) => {
    setQuota(quota, unreserved);
    const { faults, context } = await remarks({ ...SETTINGS, ...settings });
    expect([faults, context]).toEqual([[], { operationsConcurrency: String(expected) }]);
  });

  test('counts what the deployed stage has reserved as available to it', async () => {
    setQuota(1_000, 100);
    setReserved({ Gateway: 0, AdminApi: 50, EventRelay: 20, UsageCounter: 20, Deleted: 9 });
    expect((await remarks()).context).toEqual({ operationsConcurrency: '90' });
    setReserved({ Gateway: 200 });
    expect((await remarks({ ...SETTINGS, reservedConcurrency: 150 })).context).toEqual({ operationsConcurrency: '50' });
    expect(await faultOf({ ...SETTINGS, reservedConcurrency: 150, operationsConcurrency: 90 })).toMatch(
      /^reservedConcurrency is 150 and operationsConcurrency is 90, but Lambda's quota in eu-central-1 is 1000, of which 700 are reserved/,
    );
  });

  test('leaves the reservation to the deployment if it cannot be computed, with the missing permission', async () => {
    setReserved({ AdminApi: 50 });
    for (const action of ['cloudformation:ListStackResources', 'lambda:GetFunctionConcurrency']) {
      const reply = aws.replies.get(action) as AwsReply;
      aws.replies.set(action, { error: 'AccessDenied', status: 403 });
      expect(await remarks()).toEqual({
        faults: [],
        warnings: [`Not checked: the Lambda quota of eu-central-1 (${action}: AccessDenied).`],
        context: {},
      });
      aws.replies.set(action, reply);
    }
  });

  test.each([
    ['reservedConcurrency', 10, 10, 5],
    ['reservedConcurrency', 1_000, 1_000, 901],
    ['provisionedConcurrency', 1_000, 1_000, 901],
    ['reservedConcurrency', 1_000, 300, 201],
  ] as const)('is too small for %s: %d, %d unreserved, %d wanted', async (name, quota, unreserved, wanted) => {
    setQuota(quota, unreserved);
    const fault = await faultOf({ ...SETTINGS, [name]: wanted });
    expect(fault).toContain(
      `${name} is ${wanted}, but Lambda's quota in eu-central-1 is ${quota}, of which ${quota - unreserved} are reserved and 100 must stay unreserved.`,
    );
    expect(fault).toContain('--desired-value 100');
  });

  test('suffices if 100 stay unreserved', async () => {
    setQuota(1_000, 300);
    expect((await remarks({ ...SETTINGS, reservedConcurrency: 200 })).faults).toEqual([]);
  });

  test('includes the reservation of a stage that exists', async () => {
    setQuota(1_000, 500);
    setReserved({ Gateway: 500 });
    expect((await remarks({ ...SETTINGS, reservedConcurrency: 500 })).faults).toEqual([]);
    expect(await faultOf({ ...SETTINGS, reservedConcurrency: 901 })).toMatch(/^reservedConcurrency is 901/);
  });
});

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
