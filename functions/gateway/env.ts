import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import {
  type CommonSettings,
  captureDays,
  corsOrigins,
  flag,
  json,
  list,
  logLevel,
  onlyThroughDistribution,
  recordDays,
  recordShards,
  type SettingTable,
  secretArn,
  variablesOf,
  wholeNumber,
} from '../adapters/env.ts';
import { httpDetectorsSchema } from '../adapters/http/http-detector.ts';
import { bedrock, echo, identity, modelPrices, routes } from '../adapters/shared-settings.ts';
import { addressSchema } from '../kernel/http/index.ts';
import { isCallable, ModelCatalog, type Target } from '../translation/index.ts';

/** Metrics that each container of a deployment writes; autoscaling and the CloudWatch dashboard read them. */
export const CONTAINER_METRICS = { requests: 'RunningRequests', streams: 'RunningStreams' } as const;

/** Less than the function's 15 minutes, so that a request that takes too long still gets its response and its record. */
const MAX_REQUEST_MS = 870_000;

/** A guardrail's id or ARN, and its version: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ApplyGuardrail.html */
const guardrailId = z
  .string()
  .regex(
    /^(?:[a-z0-9]{1,64}|arn:aws(?:-[a-z]+)*:bedrock:[a-z0-9-]{1,20}:\d{12}:guardrail\/[a-z0-9]{1,64})$/,
    'must be the id or the ARN of a guardrail',
  );
const guardrailVersion = z.string().regex(/^(?:DRAFT|[1-9]\d{0,7})$/, 'must be a number or DRAFT');
const guardrailChecks = z.array(z.enum(['contentFilter', 'promptAttack', 'sensitiveInformation']));
const RANGE = /^uncertain(?::(0(?:\.\d{1,4})?)-(0\.\d{1,4}|1))?$/;
/** `always`, `uncertain`, or `uncertain:0.2-0.85`: only if the gateway's score is at least the first number and below the second. */
const askWhen = z
  .string()
  .refine(
    (text) => text === 'always' || (RANGE.test(text) && rangeOf(text).from < rangeOf(text).to),
    'must be always, uncertain, or uncertain: and a range such as 0.2-0.85',
  );

/** The score range in which another verdict is worth the time: below it threats are rare, above it the request is blocked anyway. */
export const UNCERTAIN = { from: 0.2, to: 0.85 };

function rangeOf(text: string): { from: number; to: number } {
  const [, from = UNCERTAIN.from, to = UNCERTAIN.to] = RANGE.exec(text) ?? [];
  return { from: Number(from), to: Number(to) };
}

const judgeModel = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}\/.{1,256}$/, 'must be provider/model')
  .refine((name) => {
    const { provider, model } = targetOf(name);
    return isCallable(provider, model);
  }, 'is not a valid model or deployment name');

/** The provider and the model of `provider/model`. */
export function targetOf(name: string): Target {
  const slash = name.indexOf('/');
  return { provider: name.slice(0, slash), model: name.slice(slash + 1) };
}

/** Whether a model's cost is known; otherwise no budget could hold it. */
export function hasPrice(name: string, prices: ConstructorParameters<typeof ModelCatalog>[0]): boolean {
  const { provider, model } = targetOf(name);
  return new ModelCatalog(prices).find(provider, model).prices !== undefined;
}

const foreignIds = z.array(
  z.string().regex(/^[\w./:-]{1,256}$/, 'must be id prefixes such as file- or cachedContents/'),
);
/** The settings of the gateway. To add one: an entry here, its use (compose.ts has all values as `settings`) and a test. */
export const GATEWAY_SETTINGS = {
  echo,
  bedrock,
  providerTimeoutMs: {
    variable: 'SVC_PROVIDER_TIMEOUT_MS',
    ...wholeNumber({ unit: 'milliseconds', min: 100, max: 999_999, default: 120_000 }),
    inStage: () => z.int().min(1).max(840),
    path: 'providerTimeoutSeconds',
    toText: (seconds: number) => String(seconds * 1000),
    example: 300,
    description: "Maximum wait for a provider's first byte, and for each next one",
  },
  maxRequestMs: {
    variable: 'SVC_MAX_REQUEST_MS',
    ...wholeNumber({ unit: 'milliseconds', min: 100, max: MAX_REQUEST_MS, default: MAX_REQUEST_MS }),
    inStage: () =>
      z
        .int()
        .min(1)
        .max(MAX_REQUEST_MS / 1000),
    path: 'maxRequestSeconds',
    toText: (seconds: number) => String(seconds * 1000),
    example: 600,
    description:
      'Maximum duration of a request, [its response included](clients.md#what-ends-a-stream-early); the default is the maximum',
  },
  inspectionCpuMs: {
    variable: 'SVC_INSPECTION_CPU_MS',
    // The slowest bodies of the maximum size take about the default.
    ...wholeNumber({ unit: 'milliseconds', min: 10, max: 999_999, default: 2_000 }),
    example: 1_500,
    description:
      "CPU time for the inspection of one request, and of its response. The policy's [`onDetectorFailure`](policies.md#fields) decides about input that exceeds it",
  },
  sessionIdleMinutes: {
    variable: 'SVC_SESSION_IDLE_MINUTES',
    ...wholeNumber({ unit: 'minutes', min: 1, max: 9_999, default: 30 }),
    example: 15,
    description: 'Idle time after which an end user gets [another session](findings.md#sessions)',
  },
  recordDays,
  recordShards,
  compactRecords: {
    variable: 'SVC_COMPACT_RECORDS',
    ...flag(false),
    default: 'false',
    example: true,
    description:
      'Stores request records [in half the bytes](scale.md#records), once no process of 0.3.0 or older is left, to which you would not roll back either',
  },
  captureDays,
  modelPrices,
  routes,
  identity,
  foreignIds: {
    variable: 'SVC_FOREIGN_IDS',
    ...list(foreignIds),
    inStage: () => foreignIds.min(1).max(64),
    default: 'none',
    example: ['file-', 'cachedContents/'],
    description:
      'Prefixes of [ids created outside the gateway](../reference/protocols.md#reuse-ids-from-responses): every key may use these ids',
  },
  guardrailId: {
    variable: 'SVC_BEDROCK_GUARDRAIL_ID',
    schema: guardrailId.optional(),
    inStage: () => guardrailId,
    path: 'outsideDetectors.bedrockGuardrail.id',
    isRequired: true,
    toText: (id: string) => id,
    default: 'none',
    example: 'gr1example2id',
    description:
      "An Amazon Bedrock guardrail as [outside detector](detection.md#outside-detectors): the id of one in this account, or the ARN of one in another. A local run uses AWS's standard variables for region and credentials. A guardrail that is encrypted with a customer managed key needs kms:Decrypt for the gateway's role",
  },
  guardrailVersion: {
    variable: 'SVC_BEDROCK_GUARDRAIL_VERSION',
    schema: guardrailVersion.default('DRAFT'),
    inStage: () => guardrailVersion,
    path: 'outsideDetectors.bedrockGuardrail.version',
    toText: (version: string) => version,
    default: 'DRAFT',
    example: '3',
    description: 'The version of the guardrail: a number or `DRAFT`',
  },
  guardrailChecks: {
    variable: 'SVC_BEDROCK_GUARDRAIL_CHECKS',
    ...list(guardrailChecks),
    inStage: () => guardrailChecks.min(1),
    path: 'outsideDetectors.bedrockGuardrailChecks',
    default: 'none',
    example: ['promptAttack', 'contentFilter'],
    description:
      'Checks of Amazon Bedrock Guardrails as [outside detector](detection.md#outside-detectors), without a guardrail: `contentFilter`, `promptAttack`, `sensitiveInformation`. [Not in all regions](../reference/detection.md#checks-of-bedrock-without-a-guardrail)',
  },
  outsideModeration: {
    variable: 'SVC_OUTSIDE_MODERATION',
    schema: z.enum(['openai']).optional(),
    inStage: () => z.literal('openai'),
    path: 'outsideDetectors.moderation',
    toText: (detector: string) => detector,
    default: 'none',
    example: 'openai',
    description: "`openai`: OpenAI's moderation as outside detector, with the provider's key and base URL",
  },
  httpDetectors: {
    variable: 'SVC_HTTP_DETECTORS',
    ...json(httpDetectorsSchema, '[]'),
    path: 'outsideDetectors.http',
    example: [
      {
        name: 'prompt_guard',
        url: 'http://prompt-guard.internal:8080/predict',
        request: { inputs: '{text}', truncate: true },
        score: ['*[label=MALICIOUS].score'],
      },
    ],
    description:
      'Outside detectors with an [HTTP API of JSON](../reference/detection.md#a-detector-with-an-http-api): JSON in the variable',
  },
  outsideDeadlineMs: {
    variable: 'SVC_OUTSIDE_DEADLINE_MS',
    ...wholeNumber({ unit: 'milliseconds', min: 10, max: 99_999, default: 1_500 }),
    local: undefined,
    path: 'outsideDetectors.deadlineMs',
    example: 900,
    description: 'Maximum wait for all outside detectors, once per request and once per response',
  },
  outsideWhen: {
    variable: 'SVC_OUTSIDE_WHEN',
    schema: askWhen.default('always').transform((text) => (text === 'always' ? ('always' as const) : rangeOf(text))),
    inStage: () => askWhen,
    path: 'outsideDetectors.when',
    toText: (when: string) => when,
    default: 'always',
    example: 'uncertain:0.2-0.85',
    description: "`uncertain`, or `uncertain:0.2-0.85`: asks them only if the gateway's score is in that range",
  },
  judgeModel: {
    variable: 'SVC_JUDGE_MODEL',
    schema: judgeModel.optional(),
    inStage: () => judgeModel,
    path: 'outsideDetectors.judge.model',
    isRequired: true,
    toText: (model: string) => model,
    default: 'none',
    example: 'anthropic/claude-haiku-4-5',
    description:
      'A model as [outside detector](detection.md#outside-detectors), `provider/model`: called for texts about which our rules are uncertain. It needs a price and a provider that is set up. A model of Amazon Bedrock must be among `bedrock.models`',
  },
  judgeBudgetUsd: {
    variable: 'SVC_JUDGE_BUDGET_USD',
    schema: z.coerce.number<string>().min(0.01).max(100_000).default(1),
    inStage: () => z.number().min(0.01).max(100_000),
    path: 'outsideDetectors.judge.budgetUsdPerDay',
    toText: (usd: number) => String(usd),
    default: 1,
    example: 5,
    description: 'The most that the detector model may cost in a UTC day, in US dollars, for the whole deployment',
  },
  judgeScore: {
    variable: 'SVC_JUDGE_SCORE',
    schema: z.coerce.number<string>().min(0.5).max(1).default(0.8),
    inStage: () => z.number().min(0.5).max(1),
    path: 'outsideDetectors.judge.score',
    toText: (score: number) => String(score),
    default: 0.8,
    example: 0.9,
    description: "The score of the detector model's findings, 0.5 to 1: the policy `balanced` flags the default",
  },
  otlpEndpoint: {
    variable: 'SVC_OTLP_ENDPOINT',
    schema: addressSchema.optional(),
    inStage: () => addressSchema,
    path: 'otlp.endpoint',
    isRequired: true,
    toText: (address: string) => address,
    default: 'none',
    example: 'https://collector.example.com:4318',
    description: "A receiver of [spans](operations.md#spans) in OpenTelemetry's protocol (OTLP/HTTP, JSON)",
  },
  otlpHeadersSecretArn: {
    variable: 'SVC_OTLP_HEADERS_SECRET_ARN',
    ...secretArn(),
    path: 'otlp.headersSecretArn',
    default: 'none',
    example: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:otlp-a1b2c3',
    description:
      'A secret in the same region with the receiver\'s headers as a JSON object such as `{"authorization": "..."}`',
  },
  otlpSampleRatio: {
    variable: 'SVC_OTLP_SAMPLE_RATIO',
    schema: z.coerce.number<string>().min(0).max(1).default(1),
    inStage: () => z.number().min(0).max(1),
    path: 'otlp.sampleRatio',
    toText: (ratio: number) => String(ratio),
    default: 1,
    example: 0.1,
    description: 'Share of the traces started by the gateway whose spans are sent, 0 to 1',
  },
  tracePropagation: {
    variable: 'SVC_TRACE_PROPAGATION',
    schema: z.enum(['none', 'providers']).default('none'),
    inStage: () => z.enum(['none', 'providers']),
    toText: (to: string) => to,
    default: 'none',
    example: 'providers',
    description: '`providers`: calls to providers carry [the trace](operations.md#traces)',
  },
  logLevel,
  corsOrigins,
  onlyThroughDistribution,
} as const satisfies SettingTable;

/** The gateway settings that deployments and the local run both have. */
export type GatewaySettings = CommonSettings<typeof GATEWAY_SETTINGS>;

/** The gateway function's environment; the construct in lib/ takes exactly this type. */
export const gatewayEnvSchema = z.object({
  ...tableSchemas('gateway'),
  /** SQS queue that receives events from the tables; used only by the readiness check. */
  SVC_EVENTS_QUEUE_URL: z.url(),
  /** Secrets Manager: the pepper for key hashes. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: a JSON object of `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`. */
  SVC_PROVIDERS_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: the key that seals stored credentials. */
  SVC_CREDENTIALS_SECRET_ARN: z.string().min(1),
  /** The deployment's stage. */
  SVC_STAGE: z.enum(['Production', 'Staging', 'Development']),
  /** Secrets Manager: the distribution's origin secret; absent if there is no distribution. */
  SVC_ORIGIN_SECRET_ARN: z.string().min(1).optional(),
  /** How long the distribution waits for a response, milliseconds; absent if there is no distribution. */
  SVC_DISTRIBUTION_TIMEOUT_MS: z.coerce.number<string>().int().positive().optional(),
  ...variablesOf(GATEWAY_SETTINGS),
});

/** As the construct sets it: strings; a variable with its default value is omitted. */
export type GatewayEnv = z.input<typeof gatewayEnvSchema>;
