import * as z from 'zod';
import { list, type SettingTable } from '../../functions/adapters/env.ts';
import { readOtlpHeaders } from '../../functions/adapters/telemetry/otlp-headers.ts';
import { isApiKeyForm } from '../../functions/control/keys/index.ts';
import { addressSchema, isIpAddress, MAX_BODY_BYTES } from '../../functions/kernel/http/index.ts';
import { FUNCTION_SETTINGS, localVariables } from '../settings/function-settings.ts';

const wholeNumber = (min: number, max: number) =>
  z.coerce.number<string>({ error: 'must be a number' }).int().min(min).max(max);

const onUnlessFalse = z
  .enum(['true', 'false'])
  .default('true')
  .transform((text) => text === 'true');

/** One or several secrets separated by spaces, the current one first. */
const secret = z.string().regex(/^\S{32,256}(?: \S{32,256})*$/, 'must have 32 characters or more');

function checkHeaders(text: string, context: z.RefinementCtx): void {
  try {
    readOtlpHeaders(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
}

/** Settings of the local run only. To add one: its entry here, its use (local-service.ts) and a test. */
export const LOCAL_SETTINGS = {
  port: {
    variable: 'PORT',
    schema: wholeNumber(0, 65_535).default(8787),
    default: 8787,
    description: 'Port; 0 selects a free one',
  },
  host: {
    variable: 'SVC_HOST',
    schema: z.string().refine(isIpAddress, { error: 'must be an IP address' }).default('127.0.0.1'),
    default: '127.0.0.1',
    description: 'Address to listen on; [a container](container.md) sets `0.0.0.0`',
  },
  allowedHosts: {
    variable: 'SVC_ALLOWED_HOSTS',
    ...list(z.array(z.string().regex(/^[a-z0-9_](?:[a-z0-9._-]{0,252})$/, 'must be host names in lower case'))),
    default: 'none',
    description:
      'Further [host names](container.md#host-names) that requests may have, separated by commas. IP addresses, `localhost` and the host of `SVC_DASHBOARD_URL` are always accepted',
  },
  drainSeconds: {
    variable: 'SVC_DRAIN_SECONDS',
    schema: wholeNumber(0, 890).default(7),
    default: 7,
    unit: 'seconds',
    description: 'How long running requests may continue after SIGTERM, before they are cancelled',
  },
  warmsUp: {
    variable: 'SVC_WARM_UP',
    schema: onUnlessFalse,
    default: 'true',
    description:
      'Inspects pages of the documentation before the service is ready. Without, it starts 0.4 seconds sooner, and the first request of an agent takes 0.15 seconds longer',
  },
  relaysEvents: {
    variable: 'SVC_RELAY_EVENTS',
    schema: onUnlessFalse,
    default: 'true',
    description:
      'Sends events and delivers webhooks. Of [several containers](container.md#several-containers) one is enough: the others need one process less',
  },
  metricsPort: {
    variable: 'SVC_METRICS_PORT',
    schema: wholeNumber(0, 65_535).optional(),
    default: 'off',
    description: 'Port of [`/metrics`](container.md#metrics) for Prometheus; 0 selects a free one',
  },
  dataDir: {
    variable: 'SVC_DATA_DIR',
    schema: z.string().min(1).default('.svc'),
    default: '.svc',
    description:
      'Folder of tables, queues, pepper and sealing key, kept across restarts. Only its owner can read it; one process at a time',
  },
  demo: {
    variable: 'SVC_DEMO',
    schema: z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true'),
    default: 'false',
    description: '`svc start --demo` sets it: an empty data folder is filled with a day of invented traffic',
  },
  stores: {
    variable: 'SVC_STORES',
    schema: z.enum(['embedded', 'aws']).default('embedded'),
    default: 'embedded',
    description:
      '`aws`: [tables, queues and secrets in AWS](container.md#tables-in-aws), with the credentials and the region of the AWS SDK. The data folder is not used then',
  },
  storesParameter: {
    variable: 'SVC_STORES_PARAMETER',
    schema: z
      .string()
      .regex(/^\/[\w./-]{1,1010}$/, 'must be the name of an SSM parameter')
      .optional(),
    default: 'none',
    description:
      'The SSM parameter with their names, for `SVC_STORES=aws`: `/svc/<stack>/stores` of a deployment, or of `svc create-tables`',
  },
  adminKey: {
    variable: 'SVC_ADMIN_KEY',
    schema: z.string().refine(isApiKeyForm, { error: 'is not a key in our format (its checksum included)' }).optional(),
    default: 'created at the first start',
    description:
      "A key in our format to use as the first admin key; not printed. Its limit is 1,000,000 requests an hour, not a new key's 1,000",
  },
  pepper: {
    variable: 'SVC_PEPPER',
    schema: secret.optional(),
    default: 'created at the first start',
    description:
      'Secret of key hashes, 32 characters or more. Set it if [several processes](container.md#several-containers) use the same tables',
  },
  sealingKey: {
    variable: 'SVC_SEALING_KEY',
    schema: secret.optional(),
    default: 'created at the first start',
    description: 'Secret that encrypts signing secrets and sessions, 32 characters or more; like `SVC_PEPPER`',
  },
  credentialsKey: {
    variable: 'SVC_CREDENTIALS_KEY',
    schema: secret.optional(),
    default: 'created at the first start',
    description:
      'Secret that encrypts [stored credentials](providers.md#keep-keys-in-the-gateway), 32 characters or more; like `SVC_PEPPER`',
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
    schema: onUnlessFalse,
    default: 'true',
    description:
      'Allows [webhooks](webhooks.md) and [providers of the admin API](../reference/providers.md#fields-of-a-provider) on this machine, also over HTTP; other private addresses stay refused. Not available in a deployment',
  },
  dynamodbEndpoint: {
    variable: 'AWS_ENDPOINT_URL_DYNAMODB',
    schema: addressSchema.optional(),
    default: 'an embedded store',
    description: 'Address of another DynamoDB-compatible store',
  },
  sqsEndpoint: {
    variable: 'AWS_ENDPOINT_URL_SQS',
    schema: addressSchema.optional(),
    default: 'an embedded store',
    description: 'Address of another SQS-compatible store',
  },
  bedrockEndpoint: {
    variable: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
    schema: addressSchema.optional(),
    default: "AWS's own",
    description: 'Another address of Bedrock, such as a private endpoint',
  },
  otlpHeaders: {
    variable: 'SVC_OTLP_HEADERS',
    schema: z.string().default('').superRefine(checkHeaders),
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
  ...localVariables(FUNCTION_SETTINGS['key-watch']),
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
