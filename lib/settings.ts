import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import * as z from 'zod';
import {
  askWhen,
  corsOriginsSchema,
  foreignIdSchema,
  guardrailId,
  guardrailVersion,
  MAX_REQUEST_MS,
  modelPricesSchema,
  routesSchema,
} from '../functions/gateway/env.ts';

const STAGES = ['Production', 'Staging', 'Development'] as const;

/** The periods that CloudWatch Logs offers; another one would fail only when the stack is deployed. */
const RETENTION_DAYS = Object.values(RetentionDays).filter(
  (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html; `/` stands in ARNs alone. */
const bedrockModel = z
  .string()
  .regex(
    /^(?:[\w.:*-]{1,256}|arn:aws(?:-[a-z]+)*:bedrock:[a-z0-9*-]{1,20}:(?:\d{12})?:[a-z-]{1,64}\/[\w.:*/-]{1,256})$/,
    'must be the id or the ARN of a model or an inference profile',
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
/** How the functions behind URLs move to a new version; `none` leaves it to CloudFormation, and to `cdk deploy --hotswap`. */
const ROLLOUTS = ['none', 'all-at-once', 'canary-10-5m', 'linear-10-1m'] as const;
export type Rollout = (typeof ROLLOUTS)[number];

const idOf = (kind: string) =>
  z.string().regex(new RegExp(`^${kind}-[0-9a-f]{8,17}$`), `must be an id like ${kind}-0a1b2c3d`);
/** Lists of them have commas. */
const groupName = z.string().regex(/^[^,]{1,128}$/, 'must be a name without a comma');

const days = z.int().min(1).max(9_999);

const hostName = z
  .string()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'must be the name of a host, such as ai.example.com',
  );
const certificateArn = z
  .string()
  .regex(
    /^arn:aws(?:-[a-z]+)*:acm:[a-z0-9-]{1,20}:\d{12}:certificate\/[a-z0-9-]{1,64}$/,
    'must be the ARN of a certificate',
  );
/** A hosted zone of Route 53 that gets the records of a name. */
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
    /** Of us-east-1; where absent one is made there, which the zone proves. */
    certificateArn: certificateArn.refine((arn) => arn.includes(':us-east-1:'), 'must be of us-east-1').optional(),
    ...zone,
  })
  .refine(wholeZone, BOTH)
  .refine((domain) => domain.certificateArn !== undefined || domain.hostedZoneId !== undefined, {
    error: 'needs a certificateArn, or a zone that a certificate can be made for',
  });

const distributionSchema = z.strictObject({
  /** An S3 bucket of yours, with ACLs enabled, that CloudFront writes its access logs into; none where absent. */
  logBucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
});

const restApiSchema = z.strictObject({
  /** The name at which it is reached, with a certificate of the same region; `execute-api` is closed then. */
  domain: z
    .strictObject({ name: hostName, certificateArn, ...zone })
    .refine(wholeZone, BOTH)
    .optional(),
  /** Requests of all callers together; the account's limit where absent. */
  throttle: z.strictObject({ requestsPerSecond: z.number().min(1), burst: z.int().min(1) }).optional(),
  /** Who may connect; everybody where absent. */
  allowedAddresses: z.array(addressRange).min(1).max(100).optional(),
  /** Needs API Gateway's role for logs, which an account has once (docs/deploy.md). */
  accessLogs: z.boolean().optional(),
});

const wafSchema = z.strictObject({
  /** Requests of one address in five minutes: 3,000. */
  rateLimit: z.int().min(10).max(2_000_000_000).optional(),
  /** What was refused or counted, into a log group of its own; keys are redacted. */
  logs: z.boolean().optional(),
});

export type Domain = z.infer<typeof domainSchema>;
export type RestApiSettings = z.infer<typeof restApiSchema>;

const settingsSchema = z.strictObject({
  /** Where the stage is deployed; the CLI's own region where absent. */
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'is not the name of a region')
    .optional(),
  /** How long CloudWatch keeps the functions' logs. */
  logRetentionDays: z.literal(RETENTION_DAYS),
  /** The gateway function's memory, which also sets its share of CPU. */
  memoryMb: z.int().min(256).max(10_240),
  /** Requests that the gateway may serve at once, taken out of the account's pool; unreserved where absent. */
  reservedConcurrency: z.int().min(1).optional(),
  /**
   * Requests for which the gateway is kept started, in the place of cold starts. Lambda refuses it while an alias is split
   * between two versions: `rollout` must be `none` or `all-at-once`.
   */
  provisionedConcurrency: z.int().min(1).optional(),
  /**
   * How the gateway and the admin API move to a new version: 10 % for five minutes, then all (`canary-10-5m`, the default in
   * Production); 10 % more each minute (`linear-10-1m`); at once by CodeDeploy; or `none`, the default elsewhere.
   */
  rollout: z.enum(ROLLOUTS).optional(),
  /** Places all functions in a VPC, which must let them reach AWS and the providers (docs/deploy.md); in none where absent. */
  vpc: z
    .strictObject({
      vpcId: idOf('vpc'),
      subnetIds: z.array(idOf('subnet')).min(1).max(16),
      securityGroupIds: z.array(idOf('sg')).min(1).max(5),
    })
    .optional(),
  /** Sends traces to X-Ray, which costs per request. */
  tracing: z.boolean(),
  /** Answers the model `echo` without a provider; where absent, off in Production and on elsewhere. */
  echo: z.boolean().optional(),
  /**
   * Which models of Amazon Bedrock the gateway may call with its role, by the ids of models and inference profiles
   * (`eu.anthropic.*`) or by ARN, `*` for any run of characters; none: `[]`; all of this region and account where absent.
   */
  bedrock: z.strictObject({ models: z.array(bedrockModel).max(32) }).optional(),
  /** Longest wait for a provider's first byte, and for each next one; the gateway's own default where absent. */
  providerTimeoutSeconds: z.int().min(1).max(840).optional(),
  /** The longest that a request may take, its answer included: 870. A function that streams is not told that its caller left. */
  maxRequestSeconds: z
    .int()
    .min(1)
    .max(MAX_REQUEST_MS / 1000)
    .optional(),
  /** CPU that the inspection of one request may use, and that of one answer, milliseconds; 2,000 where absent. */
  inspectionCpuMs: z.int().min(10).max(999_999).optional(),
  /** How long an end user may be silent before another session is opened for him; 30 where absent. */
  sessionIdleMinutes: z.int().min(1).max(9_999).optional(),
  /** How long each kind of data is kept; the defaults where absent. */
  retentionDays: z
    .strictObject({
      /** What administrators did: 2,557, which is seven years. */
      audit: z.int().min(1).max(36_500).optional(),
      /** Records of requests, and sessions after their last: 30. */
      records: days.optional(),
      /** What requests add up to by hour and day: 400. */
      aggregates: days.optional(),
      /** Captured texts: 7. */
      captures: days.optional(),
      /** Deliveries of webhooks and their log: 30. */
      deliveries: days.optional(),
    })
    .optional(),
  /**
   * The ARN of a KMS key of your own, of the region that `region` names, which tables, queues and secrets are encrypted with; AWS's keys
   * where absent.
   */
  encryptionKeyArn: z
    .string()
    .regex(/^arn:aws(?:-[a-z]+)*:kms:[a-z0-9-]{1,20}:\d{12}:key\/[a-z0-9-]{1,64}$/, 'must be the ARN of a KMS key')
    .optional(),
  /** Records of requests for warehouses, as files in a bucket of the data stack; none where absent. */
  recordExport: z
    .strictObject({
      /** How much each export holds; it is there an hour after its end. */
      every: z.enum(['hour', 'day']),
      /** How long the files stay: 30. */
      keptDays: days.optional(),
    })
    .optional(),
  /** An SNS topic of the same region that is told of alarms; the operations stack makes one where absent. */
  alarmTopicArn: z
    .string()
    .regex(/^arn:aws(?:-[a-z]+)*:sns:[a-z0-9-]{1,20}:\d{12}:[A-Za-z0-9_-]{1,256}$/, 'must be the ARN of an SNS topic')
    .optional(),
  /** Who is told of alarms by e-mail: AWS asks each for a confirmation first. */
  alarmEmails: z.array(z.email()).max(20).optional(),
  /** What alarms are measured by; the defaults where absent. */
  alarmLimits: z
    .strictObject({
      /** What our own work may take in 99 of 100 requests, milliseconds: 500. */
      ownLatencyMs: z.int().min(1).max(60_000).optional(),
      /** What models may cost from midnight to midnight UTC, US dollars at list prices; nobody minds where absent. */
      dailyCostUsd: z.number().positive().optional(),
      /** How many requests the account may run at once, where `reservedConcurrency` sets none aside: 1,000. */
      accountConcurrency: z.int().min(1).max(1_000_000).optional(),
    })
    .optional(),
  /** Providers that have an alarm of their own, by their names in `provider/model`: openai, anthropic, gemini, bedrock. */
  watchedProviders: z
    .array(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the name of a provider'))
    .max(30)
    .optional(),
  /** The least that functions log: info where absent. What is left out is counted all the same. */
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).optional(),
  /** A receiver of spans, by OpenTelemetry's protocol; none are sent where absent. */
  otlp: z
    .strictObject({
      /** OTLP over HTTP: `https://collector.example.com:4318`. */
      endpoint: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
      /** The only encoding that is spoken; it may be said. */
      protocol: z.literal('http/json').optional(),
      /** A secret of the same region with a JSON object of headers, such as `{"authorization": "..."}`. */
      headersSecretArn: z
        .string()
        .regex(
          /^arn:aws(?:-[a-z]+)*:secretsmanager:[a-z0-9-]{1,20}:\d{12}:secret:[\w/+=.@-]{1,512}$/,
          'must be the ARN of a secret',
        )
        .optional(),
      /** Of the traces that begin here, the share of which spans are sent: 1. */
      sampleRatio: z.number().min(0).max(1).optional(),
    })
    .optional(),
  /** `providers`: calls of providers carry the request's trace, so that they can be told apart there; `none` where absent. */
  tracePropagation: z.enum(['none', 'providers']).optional(),
  /** Prices and limits of models by `provider/model`, in the place of the table's; all variables of a function have 4 KB. */
  modelPrices: modelPricesSchema.optional(),
  /** Where models are asked for, before the standard routes: aliases, weighted targets, fallbacks. */
  routes: routesSchema.optional(),
  /**
   * What ids of files, caches and the like that were made outside the gateway begin with, such as `file-` and `cachedContents/`: every
   * key may name them. Where absent, keys may name only ids that the gateway gave them.
   */
  foreignIds: z.array(foreignIdSchema).min(1).max(64).optional(),
  /**
   * Where findings go for a SIEM, in the shape of OCSF: a bus of EventBridge (the account's default one where none is named), or a
   * delivery stream of Firehose; nowhere where absent.
   */
  findings: z
    .union([
      z.strictObject({ eventBridge: z.strictObject({ busArn: busArn.optional() }) }),
      z.strictObject({ firehose: z.strictObject({ streamArn }) }),
    ])
    .optional(),
  /** Origins whose pages may call from a browser, such as `https://app.example.com`; none where absent. */
  corsOrigins: corsOriginsSchema.optional(),
  /** CloudFront before both functions, with the dashboard: on where absent, `false` for none. */
  distribution: z.union([z.boolean(), distributionSchema]).optional(),
  /** The distribution's own name; CloudFront's where absent. */
  domain: domainSchema.optional(),
  /** Refuses what reaches the functions' URLs past the distribution; `/healthz` and the REST API excepted. */
  onlyThroughDistribution: z.boolean().optional(),
  /** An API Gateway REST API before both functions, with streamed answers; none where absent. */
  restApi: z.union([z.boolean(), restApiSchema]).optional(),
  /** AWS WAF before the distribution and the REST API; none where absent. */
  waf: z.union([z.boolean(), wafSchema]).optional(),
  /** Where people see the dashboard, `https://svc.example.com`: an identity provider sends them back there. */
  dashboardUrl: z.url({ protocol: /^https$/ }).optional(),
  /** People sign in at the dashboard through an identity provider (OpenID Connect); by keys alone where absent. */
  oidc: z
    .strictObject({
      /** The provider as it writes itself, `https://cognito-idp.REGION.amazonaws.com/POOL`. */
      issuer: z.url({ protocol: /^https$/ }),
      clientId: z.string().min(1),
      /** The client's secret; none for a public client. */
      clientSecretArn: z
        .string()
        .regex(
          /^arn:aws(?:-[a-z]+)*:secretsmanager:[a-z0-9-]{1,20}:\d{12}:secret:[\w/+=.@-]{1,512}$/,
          'must be the ARN of a secret',
        )
        .optional(),
      /** What the button says; `single sign-on` where absent. */
      label: z.string().min(1).max(64).optional(),
      /** Groups whose members may do everything, and those whose members may look. */
      adminGroups: z.array(groupName).optional(),
      analyticsGroups: z.array(groupName).optional(),
      /** The claim that lists groups; `cognito:groups` where absent. */
      groupsClaim: z.string().min(1).optional(),
    })
    .optional(),
  /** Detectors that somebody else runs and that judge besides our own; none where absent. */
  outsideDetectors: z
    .strictObject({
      /**
       * A guardrail of this account by its id, or of another by its ARN; `version` is a number, or DRAFT (default). One that
       * is encrypted with a key of your own needs that key's consent besides: kms:Decrypt for the gateway's role.
       */
      bedrockGuardrail: z.strictObject({ id: guardrailId, version: guardrailVersion.optional() }).optional(),
      /** OpenAI's moderation, with the provider's key. */
      moderation: z.literal('openai').optional(),
      /** Longest wait for them; the gateway's own default where absent. */
      deadlineMs: z.int().min(10).max(99_999).optional(),
      /** `always` (default), `uncertain`, or `uncertain:0.2-0.85`: only where our own score lies in that range. */
      when: askWhen.optional(),
    })
    .optional(),
});

const checkedSchema = settingsSchema.superRefine((settings, context) => {
  const needs = (path: keyof typeof settings, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { encryptionKeyArn, region } = settings;
  if (encryptionKeyArn !== undefined && (region === undefined || !encryptionKeyArn.includes(`:${region}:`))) {
    needs('encryptionKeyArn', 'needs `region`, which must be the key’s');
  }
  if (settings.oidc !== undefined && settings.dashboardUrl === undefined) {
    needs('oidc', 'needs `dashboardUrl`, where the identity provider sends people back to');
  }
  if (distributionOf(settings) === undefined) {
    if (settings.domain !== undefined) needs('domain', 'needs the distribution');
    if (settings.onlyThroughDistribution === true) needs('onlyThroughDistribution', 'needs the distribution');
    if (wafOf(settings) !== undefined && restApiOf(settings) === undefined) {
      needs('waf', 'needs the distribution or the REST API: a function URL takes none');
    }
  }
});

/** What can differ between two deployments of the service. */
export type Settings = z.infer<typeof settingsSchema> & { readonly stage: (typeof STAGES)[number] };

/** How this stage's functions behind URLs move to a new version. */
export function rolloutOf({ stage, rollout }: Pick<Settings, 'stage' | 'rollout'>): Rollout {
  return rollout ?? (stage === 'Production' ? 'canary-10-5m' : 'none');
}

/**
 * The settings of the stage that `-c stage=NAME` names (Development where it names none), from `stages` in cdk.json.
 * Throws with every wrong setting by its name.
 */
export function readSettings(node: Node): Settings {
  const asked: unknown = node.tryGetContext('stage') ?? 'Development';
  const stage = STAGES.find((name) => name === asked);
  if (stage === undefined) throw new Error(`-c stage=${asked}: choose from ${STAGES.join(', ')}`);

  const place = `cdk.json, context.stages.${stage}`;
  const stages = z.record(z.string(), z.unknown()).catch({}).parse(node.tryGetContext('stages'));
  if (stages[stage] === undefined) throw new Error(`${place}: missing`);
  const result = checkedSchema.safeParse(stages[stage]);
  if (!result.success) {
    const faults = result.error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': '));
    throw new Error(`${place}: ${faults.join('; ')}`);
  }
  const settings = { ...result.data, stage };
  const fault = contradictionIn(settings);
  if (fault !== undefined) throw new Error(`${place}: ${fault}`);
  return settings;
}

/** Settings that are right each by itself and that AWS refuses together. */
function contradictionIn(settings: Settings): string | undefined {
  const { provisionedConcurrency: provisioned, reservedConcurrency: reserved } = settings;
  if (provisioned === undefined) return undefined;
  const rollout = rolloutOf(settings);
  if (rollout !== 'none' && rollout !== 'all-at-once')
    return `provisionedConcurrency: not with the rollout ${rollout}, which splits the alias; set rollout to "all-at-once"`;
  if (reserved !== undefined && provisioned > reserved)
    return `provisionedConcurrency: ${provisioned} is more than reservedConcurrency, ${reserved}`;
  return undefined;
}

/** The distribution's settings; undefined where there is none. */
export function distributionOf({ distribution = true }: Pick<Settings, 'distribution'>) {
  return whereOn(distribution);
}

/** The REST API's settings; undefined where there is none. */
export function restApiOf({ restApi = false }: Pick<Settings, 'restApi'>) {
  return whereOn(restApi);
}

/** The web ACLs' settings; undefined where there are none. */
export function wafOf({ waf = false }: Pick<Settings, 'waf'>) {
  return whereOn(waf);
}

/** A setting that may be switched on without a word more. */
function whereOn<Details extends object>(setting: boolean | Details): Partial<Details> | undefined {
  if (setting === false) return undefined;
  return setting === true ? {} : setting;
}

/** The hosted zone of a name, as CDK takes it; undefined where its records are made elsewhere. */
export function zoneOf({ hostedZoneId, zoneName }: Pick<Domain, 'hostedZoneId' | 'zoneName'>) {
  return hostedZoneId === undefined || zoneName === undefined ? undefined : { hostedZoneId, zoneName };
}
