import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import { logLevelSchema } from '../adapters/telemetry/log-level.ts';
import { corsOriginsSchema, corsVariable } from '../core/http/cors.ts';
import { frontDoorVariables } from '../core/http/front-door.ts';
import { modelPricesSchema } from '../core/routing/model-catalog.ts';
import { routesSchema } from '../core/routing/route-model.ts';

export { corsOriginsSchema, modelPricesSchema, routesSchema };

export const DEFAULT_PROVIDER_TIMEOUT_MS = 120_000;
/** Ends before the function's own 15 minutes, so that a request that takes too long is still told and recorded. */
export const MAX_REQUEST_MS = 870_000;
export const DEFAULT_RECORD_DAYS = 30;
export const DEFAULT_CAPTURE_DAYS = 7;
export const DEFAULT_SESSION_IDLE_MINUTES = 30;
/** The slowest bodies of the largest size take about that much. */
export const DEFAULT_INSPECTION_CPU_MS = 2_000;
const days = z.string().regex(/^[1-9]\d{0,3}$/, 'must be whole days, 1 to 9999');

/** A guardrail's id or ARN, and its version: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ApplyGuardrail.html */
export const guardrailId = z
  .string()
  .regex(
    /^(?:[a-z0-9]{1,64}|arn:aws(?:-[a-z]+)*:bedrock:[a-z0-9-]{1,20}:\d{12}:guardrail\/[a-z0-9]{1,64})$/,
    'must be the id or the ARN of a guardrail',
  );
export const guardrailVersion = z.string().regex(/^(?:DRAFT|[1-9]\d{0,7})$/, 'must be a number or DRAFT');
const RANGE = /^uncertain(?::(0(?:\.\d{1,4})?)-(0\.\d{1,4}|1))?$/;
/** `always`, `uncertain`, or `uncertain:0.2-0.85`: from the first score of our own to below the second. */
export const askWhen = z
  .string()
  .refine(
    (text) => text === 'always' || (RANGE.test(text) && rangeOf(text).from < rangeOf(text).to),
    'must be always, uncertain, or uncertain: and a range such as 0.2-0.85',
  );

/** The scores between which our own judgement is worth a second one: below, hardly ever wrong; above, blocked anyway. */
function rangeOf(text: string): { from: number; to: number } {
  const [, from = '0.2', to = '0.85'] = RANGE.exec(text) ?? [];
  return { from: Number(from), to: Number(to) };
}

/** Detectors that somebody else runs; the local run has the same variables. None set: nothing is asked of anybody. */
export const outsideEnvSchema = z.object({
  /** Amazon Bedrock Guardrails: the guardrail to apply. */
  SVC_BEDROCK_GUARDRAIL_ID: guardrailId.optional(),
  SVC_BEDROCK_GUARDRAIL_VERSION: guardrailVersion.default('DRAFT'),
  /** `openai`: OpenAI's moderation, with the provider's own key and address. */
  SVC_OUTSIDE_MODERATION: z.enum(['openai']).optional(),
  /** Longest wait for all outside judgements of a request, or of an answer, milliseconds. */
  SVC_OUTSIDE_DEADLINE_MS: z
    .string()
    .regex(/^[1-9]\d{1,4}$/, 'must be whole milliseconds, 10 to 99999')
    .default('1500')
    .transform(Number),
  /** Which texts they are asked about: every one, or those of which we are not sure ourselves. */
  SVC_OUTSIDE_WHEN: askWhen
    .default('always')
    .transform((text) => (text === 'always' ? ('always' as const) : rangeOf(text))),
});

/** JSON in a variable, checked by its schema. */
function json<Schema extends z.ZodType>(schema: Schema, standard: string) {
  return z
    .string()
    .default(standard)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** The deployment's own prices of models; the local run has the same variable. */
export const pricesEnvSchema = z.object({
  /** JSON: `{"provider/model": {"input", "output", ...}}`, US dollars a million tokens. */
  SVC_MODEL_PRICES: json(modelPricesSchema, '{}'),
});

/** Where spans go, and who is told of traces; the local run has the same variables, but for the secret. */
export const telemetryEnvSchema = z.object({
  /** Address of a receiver of OpenTelemetry's protocol (OTLP/HTTP, JSON); no spans are sent where absent. */
  SVC_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Of the traces that begin here, the share of which spans are sent, 0 to 1. */
  SVC_OTLP_SAMPLE_RATIO: z.coerce.number<string>().min(0).max(1).default(1),
  /** `providers`: calls of providers carry `traceparent` and `tracestate`. */
  SVC_TRACE_PROPAGATION: z.enum(['none', 'providers']).default('none'),
});

/** Where models are asked for; the local run has the same variable. */
export const routesEnvSchema = z.object({
  /** JSON: `[{"models", "targets": [{"provider", "model"?, "weight"?}], "fallbacks"?}]`, before the standard routes. */
  SVC_ROUTES: json(routesSchema, '[]'),
});

/** Ids of things that were made outside the gateway; the local run has the same variable. */
export const foreignIdSchema = z
  .string()
  .regex(/^[\w./:-]{1,256}$/, 'must be what ids begin with, such as file- or cachedContents/');
export const foreignIdsEnvSchema = z.object({
  /** What ids that keys may name begin with, with commas between them: `file-, cachedContents/`. */
  SVC_FOREIGN_IDS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((prefix) => prefix.trim() || []))
    .pipe(z.array(foreignIdSchema)),
});

export type OutsideEnv = z.output<typeof outsideEnvSchema>;

/** What the gateway function reads from its environment; the construct in lib/ takes exactly this type. */
export const gatewayEnvSchema = z.object({
  ...tableSchemas('gateway'),
  /** How long an end user may be silent before another session is opened for him, minutes. */
  SVC_SESSION_IDLE_MINUTES: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be whole minutes, 1 to 9999')
    .default(String(DEFAULT_SESSION_IDLE_MINUTES))
    .transform(Number),
  /** CPU that the inspection of one request may use, and that of one answer, milliseconds. */
  SVC_INSPECTION_CPU_MS: z
    .string()
    .regex(/^[1-9]\d{1,5}$/, 'must be whole milliseconds, 10 to 999999')
    .default(String(DEFAULT_INSPECTION_CPU_MS))
    .transform(Number),
  /** How long a request's record is kept, days. */
  SVC_RECORD_DAYS: days.default(String(DEFAULT_RECORD_DAYS)).transform(Number),
  /** How long captured texts are kept, days. */
  SVC_CAPTURE_DAYS: days.default(String(DEFAULT_CAPTURE_DAYS)).transform(Number),
  /** SQS queue that events go to, out of the tables: looked at for readiness alone. */
  SVC_EVENTS_QUEUE_URL: z.url(),
  /** Secrets Manager: the pepper that keys are hashed with. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: a JSON object of `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`. */
  SVC_PROVIDERS_SECRET_ARN: z.string().min(1),
  /** The deployment's stage. */
  SVC_STAGE: z.enum(['Production', 'Staging', 'Development']),
  /** `true` answers the model `echo` without a provider; off in Production unless set. */
  SVC_ECHO: z.enum(['true', 'false']).optional(),
  /** Whether Amazon Bedrock is called with the function's role. */
  SVC_BEDROCK: z.enum(['true', 'false']).default('true'),
  /** Longest wait for a provider's first byte, and for each next one, milliseconds. */
  SVC_PROVIDER_TIMEOUT_MS: z
    .string()
    .regex(/^[1-9]\d{2,5}$/, 'must be whole milliseconds, 100 to 999999')
    .default(String(DEFAULT_PROVIDER_TIMEOUT_MS))
    .transform(Number),
  /** The longest that a request may take, its answer included, milliseconds; what runs longer is ended. */
  SVC_MAX_REQUEST_MS: z
    .string()
    .regex(/^[1-9]\d{2,5}$/, `must be whole milliseconds, 100 to ${MAX_REQUEST_MS}`)
    .default(String(MAX_REQUEST_MS))
    .transform(Number)
    .pipe(z.number().max(MAX_REQUEST_MS)),
  ...outsideEnvSchema.shape,
  ...pricesEnvSchema.shape,
  ...routesEnvSchema.shape,
  ...foreignIdsEnvSchema.shape,
  ...telemetryEnvSchema.shape,
  /** Secrets Manager: a JSON object of headers by which the receiver of spans knows us. */
  SVC_OTLP_HEADERS_SECRET_ARN: z.string().min(1).optional(),
  /** The least that is logged: `debug`, `info`, `warn` or `error`. */
  SVC_LOG_LEVEL: logLevelSchema,
  /** Origins whose pages may call from a browser, with commas between them. */
  SVC_CORS_ORIGINS: corsVariable,
  ...frontDoorVariables,
});

/** As the construct sets it: texts, those with a default left out where it stands. */
export type GatewayEnv = z.input<typeof gatewayEnvSchema>;
