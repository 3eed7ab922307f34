import * as z from 'zod';
import type { SettingTable } from '../../functions/adapters/env.ts';
import { MAX_BODY_BYTES } from '../../functions/core/http/request-body.ts';
import { isApiKeyForm } from '../../functions/core/keys/api-key-format.ts';
import { FUNCTION_SETTINGS, localVariables } from '../settings/function-settings.ts';

const wholeNumber = (min: number, max: number) =>
  z.coerce.number<string>({ error: 'must be a number' }).int().min(min).max(max);

/** The settings that the local run alone has. To add one: its entry here, its use (local-service.ts) and a test. */
export const LOCAL_SETTINGS = {
  port: {
    variable: 'PORT',
    schema: wholeNumber(0, 65_535).default(8787),
    default: 8787,
    description: 'Port on 127.0.0.1; 0 takes a free one',
  },
  dataDir: {
    variable: 'SVC_DATA_DIR',
    schema: z.string().min(1).default('.svc'),
    default: '.svc',
    description:
      'Folder of the tables, the queue, the pepper and the sealing key; survives a restart. Readable to its owner alone; one run at a time',
  },
  adminKey: {
    variable: 'SVC_ADMIN_KEY',
    schema: z.string().refine(isApiKeyForm, { error: 'is not a key in our format (its checksum included)' }).optional(),
    default: 'made at the first start',
    description:
      "A key in our format to use as the first admin key; not printed. Its limit is 1,000,000 requests an hour, not a new key's 1,000",
  },
  providers: {
    variable: 'SVC_PROVIDERS',
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}(?:, ?[a-z][a-z0-9-]{0,31})*$/, 'must be names with commas between them')
      .optional(),
    default: 'none',
    description:
      "Names of [servers of your own](providers.md#add-a-provider) of OpenAI's protocol, with commas between them",
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
      '[Webhooks](webhooks.md) may be on this machine, and by http; nothing else that is private. A deployment has no such variable',
  },
  dynamodbEndpoint: {
    variable: 'AWS_ENDPOINT_URL_DYNAMODB',
    schema: z.url().optional(),
    default: 'an embedded store',
    description: 'Another store of tables',
  },
  sqsEndpoint: {
    variable: 'AWS_ENDPOINT_URL_SQS',
    schema: z.url().optional(),
    default: 'an embedded store',
    description: 'Another store of queues',
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

/** The variables of the local run: its own, and those of the functions. */
export const localEnvSchema = z.object({
  ...localVariables(LOCAL_SETTINGS),
  ...localVariables(FUNCTION_SETTINGS.gateway),
  ...localVariables(FUNCTION_SETTINGS['admin-api']),
  ...localVariables(FUNCTION_SETTINGS['usage-counter']),
  ...localVariables(FUNCTION_SETTINGS['webhook-delivery']),
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
