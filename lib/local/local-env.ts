import * as z from 'zod';
import { logLevelSchema } from '../../functions/adapters/telemetry/log-level.ts';
import { oidcEnvSchema } from '../../functions/admin-api/env.ts';
import { corsVariable } from '../../functions/core/http/cors.ts';
import { MAX_BODY_BYTES } from '../../functions/core/http/request-body.ts';
import { isApiKeyForm } from '../../functions/core/keys/api-key-format.ts';
import {
  DEFAULT_CAPTURE_DAYS,
  DEFAULT_INSPECTION_CPU_MS,
  DEFAULT_PROVIDER_TIMEOUT_MS,
  DEFAULT_RECORD_DAYS,
  DEFAULT_SESSION_IDLE_MINUTES,
  foreignIdsEnvSchema,
  MAX_REQUEST_MS,
  outsideEnvSchema,
  pricesEnvSchema,
  routesEnvSchema,
  telemetryEnvSchema,
} from '../../functions/gateway/env.ts';
import { DEFAULT_AGGREGATE_DAYS } from '../../functions/usage-counter/env.ts';
import { DEFAULT_DELIVERY_DAYS } from '../../functions/webhook-delivery/env.ts';

const wholeNumber = (min: number, max: number) =>
  z.coerce.number({ error: 'must be a number' }).int().min(min).max(max);

const localEnvSchema = z.object({
  PORT: wholeNumber(0, 65_535).default(8787),
  SVC_DATA_DIR: z.string().min(1).default('.svc'),
  SVC_ADMIN_KEY: z
    .string()
    .refine(isApiKeyForm, { error: 'is not a key in our format (its checksum included)' })
    .optional(),
  SVC_PROVIDERS: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}(?:, ?[a-z][a-z0-9-]{0,31})*$/, 'must be names with commas between them')
    .optional(),
  SVC_PROVIDER_TIMEOUT_MS: wholeNumber(100, 999_999).default(DEFAULT_PROVIDER_TIMEOUT_MS),
  SVC_MAX_REQUEST_MS: wholeNumber(100, MAX_REQUEST_MS).default(MAX_REQUEST_MS),
  SVC_MAX_BODY_BYTES: wholeNumber(1, 512 * 1024 * 1024).default(MAX_BODY_BYTES),
  SVC_INSPECTION_CPU_MS: wholeNumber(10, 999_999).default(DEFAULT_INSPECTION_CPU_MS),
  SVC_SESSION_IDLE_MINUTES: wholeNumber(1, 9_999).default(DEFAULT_SESSION_IDLE_MINUTES),
  SVC_RECORD_DAYS: wholeNumber(1, 9_999).default(DEFAULT_RECORD_DAYS),
  SVC_CAPTURE_DAYS: wholeNumber(1, 9_999).default(DEFAULT_CAPTURE_DAYS),
  SVC_AGGREGATE_DAYS: wholeNumber(1, 9_999).default(DEFAULT_AGGREGATE_DAYS),
  SVC_DELIVERY_DAYS: wholeNumber(1, 9_999).default(DEFAULT_DELIVERY_DAYS),
  SVC_WEBHOOK_ALLOW_LOOPBACK: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true'),
  AWS_ENDPOINT_URL_DYNAMODB: z.url().optional(),
  AWS_ENDPOINT_URL_SQS: z.url().optional(),
  SVC_BEDROCK_GUARDRAIL_ID: outsideEnvSchema.shape.SVC_BEDROCK_GUARDRAIL_ID,
  SVC_BEDROCK_GUARDRAIL_VERSION: outsideEnvSchema.shape.SVC_BEDROCK_GUARDRAIL_VERSION,
  SVC_OUTSIDE_MODERATION: outsideEnvSchema.shape.SVC_OUTSIDE_MODERATION,
  SVC_OUTSIDE_DEADLINE_MS: outsideEnvSchema.shape.SVC_OUTSIDE_DEADLINE_MS,
  SVC_OUTSIDE_WHEN: outsideEnvSchema.shape.SVC_OUTSIDE_WHEN,
  SVC_MODEL_PRICES: pricesEnvSchema.shape.SVC_MODEL_PRICES,
  SVC_FOREIGN_IDS: foreignIdsEnvSchema.shape.SVC_FOREIGN_IDS,
  SVC_ROUTES: routesEnvSchema.shape.SVC_ROUTES,
  SVC_CORS_ORIGINS: corsVariable,
  SVC_LOG_LEVEL: logLevelSchema,
  SVC_OTLP_ENDPOINT: telemetryEnvSchema.shape.SVC_OTLP_ENDPOINT,
  SVC_OTLP_HEADERS: z.string().default(''),
  SVC_OTLP_SAMPLE_RATIO: telemetryEnvSchema.shape.SVC_OTLP_SAMPLE_RATIO,
  SVC_TRACE_PROPAGATION: telemetryEnvSchema.shape.SVC_TRACE_PROPAGATION,
  SVC_OIDC_ISSUER: oidcEnvSchema.shape.SVC_OIDC_ISSUER,
  SVC_OIDC_CLIENT_ID: oidcEnvSchema.shape.SVC_OIDC_CLIENT_ID,
  SVC_OIDC_LABEL: oidcEnvSchema.shape.SVC_OIDC_LABEL,
  SVC_OIDC_ADMIN_GROUPS: oidcEnvSchema.shape.SVC_OIDC_ADMIN_GROUPS,
  SVC_OIDC_ANALYTICS_GROUPS: oidcEnvSchema.shape.SVC_OIDC_ANALYTICS_GROUPS,
  SVC_OIDC_GROUPS_CLAIM: oidcEnvSchema.shape.SVC_OIDC_GROUPS_CLAIM,
  SVC_DASHBOARD_URL: oidcEnvSchema.shape.SVC_DASHBOARD_URL,
  SVC_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: z.url().optional(),
});

export type LocalEnv = z.infer<typeof localEnvSchema> & {
  /** The whole environment but for what is empty, for `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`. */
  readonly all: Readonly<Record<string, string | undefined>>;
};

/**
 * Whether the environment says who calls Amazon Bedrock, and where: else it is not called, rather than with an identity that
 * somebody else's service on this machine might hand out.
 */
export function hasAwsIdentity(all: LocalEnv['all']): boolean {
  const keys = all.AWS_ACCESS_KEY_ID && all.AWS_SECRET_ACCESS_KEY;
  return Boolean((all.BEDROCK_REGION || all.AWS_REGION) && (keys || all.AWS_PROFILE));
}

/** The local run's settings. Throws with every wrong variable by its name, and without its value. */
export function readLocalEnv(all: Readonly<Record<string, string | undefined>>): LocalEnv {
  const set = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''));
  const result = localEnvSchema.safeParse(set);
  if (result.success) return { ...result.data, all: set };
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`Wrong environment. ${faults.join('; ')}`);
}
