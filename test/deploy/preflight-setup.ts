import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { identify, preflight } from '../../bin/preflight/preflight.ts';
import type { Settings } from '../../lib/settings/settings.ts';
import { type AwsCall, type AwsReply, type FakeAws, startFakeAws } from '../support/fake-aws.ts';

export const ACCOUNT = '123456789012';
export const REGION = 'eu-central-1';
export const SETTINGS: Settings = {
  stage: 'Staging',
  region: REGION,
  logRetentionDays: 30,
  memoryMb: 1024,
  tracing: false,
};
export const CERTIFICATE = `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/one`;
const API_CERTIFICATE = `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/two`;
export const KEY = `arn:aws:kms:${REGION}:${ACCOUNT}:key/one`;
export const ZONE = { hostedZoneId: 'Z1', zoneName: 'example.com' };
/** Settings with every check. */
export const ALL: Settings = {
  ...SETTINGS,
  encryptionKeyArn: KEY,
  domain: { name: 'ai.example.com', certificateArn: CERTIFICATE, ...ZONE },
  restApi: { domain: { name: 'api.example.com', certificateArn: API_CERTIFICATE, ...ZONE } },
  waf: true,
  distribution: { logBucket: 'our-logs' },
  federationAudiences: ['https://api.openai.com/v1'],
};

export let aws: FakeAws;
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

/** Plays AWS for the tests of a file, with no faults before each. */
export function playAws(): void {
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
}

/** Without the time of the gateway stack, which one test reads. */
export async function remarks(settings: Settings = SETTINGS) {
  const { context, ...others } = await preflight(await identify(settings));
  const { gatewayCreated: _, ...rest } = context;
  return { ...others, context: rest };
}

/** The only fault. */
export async function faultOf(settings: Settings = SETTINGS): Promise<string> {
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
export function setStack(name: string, status: string, isProtected = false) {
  const isAbout = ({ body }: AwsCall) => new URLSearchParams(body).get('StackName') === name;
  aws.replies.set('cloudformation:DescribeStacks', only(isAbout, stackOf(name, status, isProtected), MISSING_STACK));
}
export const setQuota = (quota: number, unreserved = quota) =>
  aws.replies.set('lambda:GetAccountSettings', {
    AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved },
  });
