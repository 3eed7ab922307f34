import * as z from 'zod';
import type { RouteEntry } from './routes.ts';

const PROTOCOLS = ['openai', 'anthropic', 'gemini', 'bedrock', 'azure', 'vertex'] as const;

/** Names that are not free: parts of paths of the admin API, the built-in `echo`, and what every object of JavaScript has. */
const RESERVED: readonly string[] = ['versions', 'rollback', 'echo', 'constructor'];
const ENDPOINTS = ['chat', 'responses', 'completions', 'embeddings', 'rerank', 'images', 'audio'] as const;

const capabilitiesSchema = z.strictObject({
  endpoints: z
    .array(z.enum(ENDPOINTS))
    .min(1)
    .max(ENDPOINTS.length)
    .optional()
    .meta({ description: 'What it serves. Requests to other routes go to other targets, or are a 400.' }),
  strictTools: z
    .boolean()
    .optional()
    .meta({ description: "Tools with `strict` get the form that OpenAI's strict schemas need." }),
  reasoning: z
    .enum(['reasoning_content', 'reasoning', 'thinking', 'refused'])
    .optional()
    .meta({ description: 'Where it takes the reasoning of earlier messages; `refused`: nowhere, it is removed.' }),
  streamUsage: z
    .boolean()
    .optional()
    .meta({ description: '`false`: it refuses `stream_options`, and reports the usage of each stream.' }),
  maxTokensField: z
    .enum(['max_tokens', 'max_completion_tokens'])
    .optional()
    .meta({ description: 'The field that limits the response.' }),
  workspaceId: z
    .string()
    .regex(/^[\w-]{1,128}$/, 'must be the id of a workspace')
    .optional()
    .meta({ description: 'The workspace at Claude Platform on AWS; only for `anthropic`.' }),
});
/** How a server differs from others of its protocol. */
export type ProviderCapabilities = z.infer<typeof capabilitiesSchema>;

const name = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, 'must have 1 to 32 lower-case letters, digits and -')
  .refine((name) => !RESERVED.includes(name), 'is reserved')
  .meta({ description: 'The part of `name/model` before the slash.', label: 'Name', hint: 'my-llm' });
const baseUrl = z.string().min(1).max(2_048);
const credentialId = z.string().min(1).max(64);

/** What an administrator sets of a provider; null is none. */
const fields = {
  protocol: z.enum(PROTOCOLS).meta({
    description: "The API that it has. Default: that of a known provider's name.",
    label: 'Protocol',
    option: { name: 'protocol', format: 'text', value: 'WORD', help: "Default: that of a known provider's name." },
  }),
  baseUrl: baseUrl.nullable().meta({
    description:
      "Where its API begins, without credentials and query: for `openai` with `/v1`, for others without. null: that of the settings, or a known provider's.",
    label: 'Base URL',
    hint: "Empty: that of the settings, or a known provider's",
    option: {
      name: 'base-url',
      format: 'text',
      value: 'URL',
      help: "Where its API begins; none: that of the settings, or a known provider's.",
      none: true,
    },
  }),
  credentialId: credentialId.nullable().meta({
    description: 'The credential that it is called with. null: none, or the key of the settings for its host.',
    label: 'Credential',
    hint: 'cred_...',
    option: { name: 'credential', format: 'text', value: 'ID', help: 'Its credential, or none.', none: true },
  }),
  models: z
    .array(z.string().min(1).max(256))
    .max(32)
    .meta({
      description: "Globs of models' names that go to it, after the deployment's routes and before the standard ones.",
      label: 'Models',
      hint: 'Names or patterns with * that go to it without its prefix',
      option: { name: 'models', format: 'list', value: 'A,B', help: "Globs of models' names that go to it." },
    }),
  capabilities: capabilitiesSchema.nullable().meta({
    description:
      'How it differs from other servers of its protocol: for `openai` and `azure`, and `workspaceId` for `anthropic`.',
    label: 'Capabilities',
    hint: 'JSON with endpoints, strictTools, reasoning, streamUsage, maxTokensField or workspaceId',
    option: {
      name: 'capabilities',
      format: 'JSON file',
      value: 'FILE',
      help: 'How it differs from other servers of its protocol; - reads standard input.',
    },
  }),
  state: z.enum(['active', 'disabled']).meta({ description: '`disabled`: gets no requests. Default: `active`.' }),
};

/** Body of `POST /admin/providers`. */
export const createProviderSchema = z
  .strictObject({ name, ...z.object(fields).partial().shape })
  .meta({ id: 'CreateProvider', description: "A provider. A known provider's name needs no other field." });

/** Body of `PATCH /admin/providers/{name}`. */
export const updateProviderSchema = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'UpdateProvider', description: 'Changes to a provider; absent fields keep their values.' });

const { protocol, models, state } = fields;
const storedSchema = z.strictObject({
  ...{ name, protocol },
  baseUrl: baseUrl.optional(),
  credentialId: credentialId.optional(),
  models: models.optional(),
  capabilities: capabilitiesSchema.optional(),
  state: state.optional(),
});
/** The content of the document `providers`. */
export const providersSchema = z.object({
  providers: z
    .array(storedSchema)
    .max(64)
    .superRefine((providers, context) => {
      for (const [at, { name }] of providers.entries()) {
        if (providers.findIndex((one) => one.name === name) === at) continue;
        context.addIssue({ code: 'custom', message: 'is not unique', path: [at, 'name'] });
      }
    }),
});

/** A provider that the admin API stores. It replaces one of the settings with its name; what it lacks is that one's. */
export interface StoredProvider {
  readonly name: string;
  /** The API that it has. */
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly baseUrl?: string | undefined;
  readonly credentialId?: string | undefined;
  readonly models?: readonly string[] | undefined;
  readonly capabilities?: ProviderCapabilities | undefined;
  readonly state?: 'active' | 'disabled' | undefined;
}

/** The content of the document `providers`: those of the settings are not in it. */
export interface ProvidersDocument {
  readonly providers: readonly StoredProvider[];
}

/** The routes to stored providers whose models have names of their form. */
export function storedRoutes(providers: readonly StoredProvider[]): readonly RouteEntry[] {
  return providers.flatMap(({ name, models = [] }) =>
    models.map((glob) => ({ models: glob, targets: [{ provider: name }] })),
  );
}
