import * as z from 'zod';
import type { SettingTable } from '../../functions/adapters/env.ts';
import { MAX_BODY_BYTES } from '../../functions/core/http/request-body.ts';
import { isApiKeyForm } from '../../functions/core/keys/api-key-format.ts';
import { FUNCTION_SETTINGS, localVariables } from '../settings/function-settings.ts';

const wholeNumber = (min: number, max: number) =>
  z.coerce.number<string>({ error: 'must be a number' }).int().min(min).max(max);

/** Settings of the local run only. To add one: its entry here, its use (local-service.ts) and a test. */
export const LOCAL_SETTINGS = {
  port: {
    variable: 'PORT',
    schema: wholeNumber(0, 65_535).default(8787),
    default: 8787,
    description: 'Port on 127.0.0.1; 0 selects a free one',
  },
  dataDir: {
    variable: 'SVC_DATA_DIR',
    schema: z.string().min(1).default('.svc'),
    default: '.svc',
    description:
      'Folder of tables, queues, pepper and sealing key, kept across restarts. Only its owner can read it; one process at a time',
  },
  adminKey: {
    variable: 'SVC_ADMIN_KEY',
    schema: z.string().refine(isApiKeyForm, { error: 'is not a key in our format (its checksum included)' }).optional(),
    default: 'created at the first start',
    description:
      "A key in our format to use as the first admin key; not printed. Its limit is 1,000,000 requests an hour, not a new key's 1,000",
  },
  providers: {
    variable: 'SVC_PROVIDERS',
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}(?:, ?[a-z][a-z0-9-]{0,31})*$/, 'must be names separated by commas')
      .optional(),
    default: 'none',
    description: "Names of [custom servers](providers.md#add-a-provider) of OpenAI's protocol, separated by commas",
  },
  maxBodyBytes: {
    variable: 'SVC_MAX_BODY_BYTES',
    schema: wholeNumber(1, 512 * 1024 * 1024).default(MAX_BODY_BYTES),
    default: MAX_BODY_BYTES,
    unit: 'bytes',
    description: 'Largest request body',
  },
  allowsLoopbackWebhooks: {
    variable: 'SVC_WEBHOOK_ALLOW_LOOPBACK',
    schema: z
      .enum(['true', 'false'])
      .default('true')
      .transform((text) => text === 'true'),
    default: 'true',
    description:
      'Allows [webhooks](webhooks.md) to this machine, also over HTTP; other private addresses stay refused. Not available in a deployment',
  },
  dynamodbEndpoint: {
    variable: 'AWS_ENDPOINT_URL_DYNAMODB',
    schema: z.url().optional(),
    default: 'an embedded store',
    description: 'Address of another DynamoDB-compatible store',
  },
  sqsEndpoint: {
    variable: 'AWS_ENDPOINT_URL_SQS',
    schema: z.url().optional(),
    default: 'an embedded store',
    description: 'Address of another SQS-compatible store',
  },
  bedrockEndpoint: {
    variable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    schema: z.url().optional(),
    default: "AWS's own",
    description: 'Another address of Bedrock, such as a private endpoint',
  },
  otlpHeaders: {
    variable: 'SVC_OTLP_HEADERS',
    schema: z.string().default(''),
    default: 'none',
    description: 'Headers of the receiver of [spans](operations.md#spans), a JSON object',
  },
  oidcClientSecret: {
    variable: 'SVC_OIDC_CLIENT_SECRET',
    schema: z.string().min(1).optional(),
    default: 'none: a public client',
    description: "The client's secret at the identity provider",
  },
} as const satisfies SettingTable;

/** The variables of the local run and of the functions. */
export const localEnvSchema = z.object({
  ...localVariables(LOCAL_SETTINGS),
  ...localVariables(FUNCTION_SETTINGS.gateway),
  ...localVariables(FUNCTION_SETTINGS['admin-api']),
  ...localVariables(FUNCTION_SETTINGS['usage-counter']),
  ...localVariables(FUNCTION_SETTINGS['webhook-delivery']),
});

export type LocalEnv = z.infer<typeof localEnvSchema> & {
  /** The environment without empty variables, for `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`. */
  readonly all: Readonly<Record<string, string | undefined>>;
};

/**
 * Whether the environment has credentials and a region for Amazon Bedrock. Otherwise it is not called, so that the SDK does not use
 * credentials of another service on this machine.
 */
export function hasAwsIdentity(all: LocalEnv['all']): boolean {
  const keys = all.AWS_ACCESS_KEY_ID && all.AWS_SECRET_ACCESS_KEY;
  return Boolean((all.BEDROCK_REGION || all.AWS_REGION) && (keys || all.AWS_PROFILE));
}

/** Reads the local run's settings. Throws an error with the names of all wrong variables, without values. */
export function readLocalEnv(all: Readonly<Record<string, string | undefined>>): LocalEnv {
  const set = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''));
  const result = localEnvSchema.safeParse(set);
  if (result.success) return { ...result.data, all: set };
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`Wrong environment. ${faults.join('; ')}`);
}
