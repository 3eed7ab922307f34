import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { type StageSetting, secretArn, topicArn } from '../../functions/adapters/env.ts';
import { ACCOUNT_SETTINGS } from './account-settings.ts';
import { certificateArn, HOME_SETTINGS, hostName, idOf } from './home-settings.ts';

/** The periods that CloudWatch Logs supports; others would fail only at deployment. */
const RETENTION_DAYS = Object.values(RetentionDays).filter(
  (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

const busArn = z
  .string()
  .regex(
    /^arn:aws(?:-[a-z]+)*:events:[a-z0-9-]{1,20}:\d{12}:event-bus\/[\w./-]{1,256}$/,
    'must be the ARN of an event bus',
  );
const streamArn = z
  .string()
  .regex(
    /^arn:aws(?:-[a-z]+)*:firehose:[a-z0-9-]{1,20}:\d{12}:deliverystream\/[\w.-]{1,64}$/,
    'must be the ARN of a delivery stream',
  );
/** How the functions with URLs move to a new version; `none` leaves it to CloudFormation, and to `cdk deploy --hotswap`. */
const ROLLOUTS = ['none', 'all-at-once', 'canary-10-5m', 'linear-10-1m'] as const;
export type Rollout = (typeof ROLLOUTS)[number];

/** As in an identity token, where it is compared character by character. */
const audience = z.string().regex(/^[\x21-\x7e]{1,1000}$/, 'must consist of visible ASCII characters');

const days = z.int().min(1).max(9_999);

/** A Route 53 hosted zone for the records of a domain name. */
const zone = {
  hostedZoneId: z
    .string()
    .regex(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a hosted zone')
    .optional(),
  zoneName: hostName.optional(),
};
const wholeZone = ({ hostedZoneId, zoneName }: { hostedZoneId?: string | undefined; zoneName?: string | undefined }) =>
  (hostedZoneId === undefined) === (zoneName === undefined);
const BOTH = 'hostedZoneId and zoneName are needed together';
const addressRange = z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()], 'must be an address or a CIDR range');

const domainSchema = z
  .strictObject({
    name: hostName,
    /** In us-east-1; without it one is created there and validated by the zone. */
    certificateArn: certificateArn.refine((arn) => arn.includes(':us-east-1:'), 'must be of us-east-1').optional(),
    ...zone,
  })
  .refine(wholeZone, BOTH)
  .refine((domain) => domain.certificateArn !== undefined || domain.hostedZoneId !== undefined, {
    error: 'needs a certificateArn, or a zone to create a certificate',
  });

/** The longest that CloudFront accepts with a raised quota. */
const LONGEST_READ_SECONDS = 180;

const distributionSchema = z.strictObject({
  /** How long CloudFront waits for a response, and for each further piece. Default: 120. */
  readTimeoutSeconds: z.int().min(30).max(LONGEST_READ_SECONDS).optional(),
  /** Your S3 bucket, with ACLs enabled, for CloudFront's access logs. Default: no logs. */
  logBucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
});

const restApiSchema = z.strictObject({
  /** Custom domain, with a certificate of the same region; closes the `execute-api` address. */
  domain: z
    .strictObject({ name: hostName, certificateArn, ...zone })
    .refine(wholeZone, BOTH)
    .optional(),
  /** Requests of all callers together. Default: the account's limit. */
  throttle: z.strictObject({ requestsPerSecond: z.number().min(1), burst: z.int().min(1) }).optional(),
  /** Addresses that may connect. Default: all. */
  allowedAddresses: z.array(addressRange).min(1).max(100).optional(),
  /** Makes it private: only these interface endpoints for `execute-api` reach it. Default: reachable from the internet. */
  vpcEndpointIds: z.array(idOf('vpce')).min(1).max(10).optional(),
  /** Needs the account's role for API Gateway logs (docs/deploy.md). */
  accessLogs: z.boolean().optional(),
});

const wafSchema = z.strictObject({
  /** Requests of one address in five minutes, which may be all servers behind a NAT. AWS's range. Default: 60,000. */
  rateLimit: z.int().min(10).max(2_000_000_000).optional(),
  /** Logs refused and counted requests, with keys redacted. */
  logs: z.boolean().optional(),
});

export type Domain = z.infer<typeof domainSchema>;
export type RestApiSettings = z.infer<typeof restApiSchema>;

const emails = z.array(z.email()).max(20);
const percent = z.number().positive().max(100);

const ACCOUNT_FAULT = 'must be the 12 digits of an AWS account in quotation marks';

/** Settings of a stage that no function reads. To add one: its entry here, its use in a stack and a test. */
export const STAGE_SETTINGS = {
  region: {
    inStage: () => z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'is not the name of a region'),
    default: "the CLI's",
    example: 'eu-central-1',
    description: 'Region of the stage',
  },
  account: {
    inStage: () => z.string(ACCOUNT_FAULT).regex(/^\d{12}$/, ACCOUNT_FAULT),
    default: "the credentials'",
    example: '123456789012',
    description: 'The only AWS account that the stage can be [deployed to](deploy.md#checks-before-a-deployment)',
  },
  ...ACCOUNT_SETTINGS,
  logRetentionDays: {
    inStage: () => z.literal(RETENTION_DAYS),
    isRequired: true,
    unit: 'days',
    example: 400,
    description: "How long CloudWatch keeps the functions' logs",
  },
  compute: {
    inStage: () => z.enum(['function-url', 'web-function', 'fargate']),
    default: 'function-url',
    example: 'function-url',
    description:
      'How the gateway runs ([which for which load](deploy.md#homes)): one request per environment behind a function URL, many as a [Lambda Web Function](../reference/homes.md#many-requests-per-environment), or many in [containers on ECS Fargate](../reference/homes.md#containers-on-fargate)',
  },
  ...HOME_SETTINGS,
  memoryMb: {
    inStage: () => z.int().min(256).max(10_240),
    unit: 'MB',
    default: 1_024,
    example: 1_769,
    description: "The gateway's memory, which also sets its share of CPU",
  },
  tracing: {
    inStage: () => z.boolean(),
    isRequired: true,
    example: true,
    description: 'Sends traces to X-Ray, which costs per request',
  },
  reservedConcurrency: {
    inStage: () => z.int().min(1),
    default: 'unreserved',
    example: 100,
    description: "Concurrent requests of the gateway, reserved from the account's quota",
  },
  operationsConcurrency: {
    inStage: () => z.int().min(0).max(1_000),
    default: 'computed by `npm run deploy`; 0 with plain `cdk deploy`',
    example: 90,
    description:
      "Concurrent runs [reserved](deploy.md#reserved-concurrency) for the admin API (5/9), the event relay and the usage counter (2/9 each), so that the gateway's requests cannot use up all. Below 23 nothing is reserved",
  },
  provisionedConcurrency: {
    inStage: () => z.int().min(1),
    default: 'none',
    example: 5,
    description:
      'Instances of the gateway that Lambda keeps initialized, to avoid cold starts. Needs `rollout` `none` or `all-at-once`, as Lambda refuses it while an alias is split',
  },
  rollout: {
    inStage: () => z.enum(ROLLOUTS),
    default: '`canary-10-5m` in Production, `none` elsewhere',
    example: 'linear-10-1m',
    description:
      'How the gateway and the admin API [move to a new version](deploy.md#upgrade): 10 % for five minutes, then all (`canary-10-5m`); 10 % more each minute (`linear-10-1m`); at once by CodeDeploy (`all-at-once`) or by CloudFormation (`none`)',
  },
  vpcId: {
    inStage: () => idOf('vpc'),
    path: 'vpc.vpcId',
    isRequired: true,
    default: 'no VPC',
    example: 'vpc-0a1b2c3d',
    description: 'The VPC of all functions, with [routes to AWS and the providers](../reference/homes.md#vpc)',
  },
  subnetIds: {
    inStage: () => z.array(idOf('subnet')).min(1).max(16),
    path: 'vpc.subnetIds',
    isRequired: true,
    example: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'],
    description: 'Their subnets',
  },
  securityGroupIds: {
    inStage: () => z.array(idOf('sg')).min(1).max(5),
    path: 'vpc.securityGroupIds',
    isRequired: true,
    example: ['sg-0a1b2c3d'],
    description: 'Their security groups',
  },
  encryptionKeyArn: {
    inStage: () =>
      z
        .string()
        .regex(/^arn:aws(?:-[a-z]+)*:kms:[a-z0-9-]{1,20}:\d{12}:key\/[a-z0-9-]{1,64}$/, 'must be the ARN of a KMS key'),
    default: "AWS's keys",
    example: 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
    description: 'Your KMS key, in `region`, that encrypts tables, queues and secrets',
  },
  credentialSecretArns: {
    inStage: () => z.array(secretArn().inStage()).min(1).max(64),
    default: 'none',
    example: ['arn:aws:secretsmanager:eu-central-1:123456789012:secret:openai-AbCdEf'],
    description:
      'Secrets in the same region that [credentials](providers.md#keep-keys-in-the-gateway) of the type `secret` may name. Their KMS key must allow the roles of the gateway and the admin API',
  },
  federationAudiences: {
    inStage: () => z.array(audience).min(1).max(16),
    default: 'none',
    example: ['https://api.openai.com/v1', 'api://AzureADTokenExchange'],
    description:
      'Audiences of the identity tokens that gateway and admin API may get for [credentials of the type `federation`](providers.md#without-a-key)',
  },
  exportEvery: {
    inStage: () => z.enum(['hour', 'day']),
    path: 'recordExport.every',
    isRequired: true,
    default: 'no export',
    example: 'day',
    description:
      '[Exports records](operations.md#records-for-a-warehouse) to a bucket of the data stack: the window of each export',
  },
  exportDays: {
    inStage: () => days,
    path: 'recordExport.keptDays',
    default: 30,
    unit: 'days',
    example: 90,
    description: 'How long files are kept',
  },
  alarmTopicArn: {
    inStage: () => topicArn,
    default: 'a topic of the operations stack',
    example: 'arn:aws:sns:eu-central-1:123456789012:on-call',
    description:
      'An SNS topic of the same region for urgent [alarms](operations.md#alarms) (severity `page`), and for all without the next two',
  },
  alarmTicketTopicArn: {
    inStage: () => topicArn,
    default: '`alarmTopicArn`, else a topic of the operations stack',
    example: 'arn:aws:sns:eu-central-1:123456789012:tickets',
    description: 'An SNS topic of the same region for the other alarms (severity `ticket`)',
  },
  alarmEmails: {
    inStage: () => emails,
    default: 'none',
    example: ['on-call@example.com'],
    description: 'Addresses that get urgent alarms by e-mail, each after confirming',
  },
  alarmTicketEmails: {
    inStage: () => emails,
    default: '`alarmEmails`',
    example: ['team@example.com'],
    description: 'Addresses that get the other alarms; `[]` for none',
  },
  alarmOwnLatencyMs: {
    inStage: () => z.int().min(1).max(60_000),
    path: 'alarmLimits.ownLatencyMs',
    default: 500,
    unit: 'milliseconds',
    example: 250,
    description: "Alarm limit of the gateway's own latency (p99)",
  },
  alarmDailyCostUsd: {
    inStage: () => z.number().positive(),
    path: 'alarmLimits.dailyCostUsd',
    default: 'no alarm',
    unit: 'US dollars',
    example: 100,
    description: 'Alarm limit of the cost of models since midnight UTC, at list prices',
  },
  monthlyBudgetUsd: {
    inStage: () => z.number().positive(),
    default: 'no budget',
    unit: 'US dollars',
    example: 500,
    description:
      "A budget of the account's whole [AWS bill](../reference/runbooks.md#bill-above-its-budget) of a month, whose warnings are tickets",
  },
  alarmBlockedPercent: {
    inStage: () => percent,
    path: 'alarmLimits.blockedPercent',
    default: 10,
    unit: '%',
    example: 5,
    description: "Alarm limit of the share of clients' requests that the policy blocks, in a quarter of an hour",
  },
  alarmFlaggedPercent: {
    inStage: () => percent,
    path: 'alarmLimits.flaggedPercent',
    default: 25,
    unit: '%',
    example: 40,
    description: 'The same of requests that it flags or redacts',
  },
  alarmMinRequests: {
    inStage: () => z.int().min(1).max(1_000_000),
    path: 'alarmLimits.minRequests',
    default: 50,
    unit: 'requests',
    example: 200,
    description: 'With fewer requests in a quarter of an hour both shares raise no alarm',
  },
  alarmUnknownKeys: {
    inStage: () => z.int().min(1).max(10_000_000),
    path: 'alarmLimits.unknownKeys',
    default: 1_000,
    unit: 'requests',
    example: 5_000,
    description: 'Alarm limit of requests without a valid key, in each of two times five minutes',
  },
  syntheticCheck: {
    inStage: () => z.boolean(),
    default: 'true',
    example: true,
    description: '[Checks the deployment](../operations.md#synthetic-check) through its front door every minute',
  },
  watchedProviders: {
    inStage: () => z.array(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the name of a provider')).max(30),
    default: 'openai, anthropic, gemini, bedrock',
    example: ['openai', 'bedrock'],
    description: 'Providers with an alarm, by their names in `provider/model`',
  },
  otlpProtocol: {
    inStage: () => z.literal('http/json'),
    path: 'otlp.protocol',
    default: 'http/json',
    example: 'http/json',
    description: 'The only encoding of spans that is supported',
  },
  findings: {
    inStage: () =>
      z.union([
        z.strictObject({ eventBridge: z.strictObject({ busArn: busArn.optional() }) }),
        z.strictObject({ firehose: z.strictObject({ streamArn }) }),
      ]),
    default: 'none',
    example: { firehose: { streamArn: 'arn:aws:firehose:eu-central-1:123456789012:deliverystream/to-siem' } },
    description:
      "Target of [findings for a SIEM](siem.md): an EventBridge bus (without `busArn` the account's default bus), or a Firehose delivery stream",
  },
  distribution: {
    inStage: () => z.union([z.boolean(), distributionSchema]),
    default: 'true',
    example: { logBucket: 'our-logs', readTimeoutSeconds: 180 },
    description:
      '[CloudFront](../reference/front-doors.md#the-distribution) for dashboard, admin API and gateway; `false` for none. `readTimeoutSeconds`: how long it waits for the first byte of a response (30 to 180, default 120; more needs a raised quota). `logBucket`: your bucket, with ACLs enabled, for access logs',
  },
  domain: {
    inStage: () => domainSchema,
    default: "CloudFront's",
    example: { name: 'ai.example.com', hostedZoneId: 'Z0123456789EXAMPLE', zoneName: 'example.com' },
    description:
      "The distribution's domain. `certificateArn` is a certificate in us-east-1; without it one is created there and validated by the hosted zone",
  },
  restApi: {
    inStage: () => z.union([z.boolean(), restApiSchema]),
    default: 'false',
    example: { throttle: { requestsPerSecond: 50, burst: 100 }, allowedAddresses: ['192.0.2.0/24'] },
    description:
      'An [API Gateway REST API](../reference/front-doors.md#the-rest-api) with streamed responses: its `domain` (closes `execute-api`), `throttle` of all callers together, `allowedAddresses`, `accessLogs`, and `vpcEndpointIds` for [a private one](../reference/front-doors.md#a-private-rest-api)',
  },
  publicFunctionUrls: {
    inStage: () => z.boolean(),
    default: '`true` if there is no other front door',
    example: true,
    description:
      'Public [function URLs](deploy.md#front-doors) beside the REST API, without the distribution. They bypass its `domain`, `throttle` and `allowedAddresses`, and WAF',
  },
  waf: {
    inStage: () => z.union([z.boolean(), wafSchema]),
    default: 'false',
    example: { rateLimit: 60_000, logs: true },
    description:
      '[AWS WAF](../reference/front-doors.md#aws-waf) for the distribution and the REST API. `rateLimit`: requests of one address in five minutes (10 to 2,000,000,000, default 60,000); `logs`: refused and counted requests, with keys redacted',
  },
} as const satisfies Readonly<Record<string, StageSetting>>;
