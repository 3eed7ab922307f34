import * as z from 'zod';
import { createProviderSchema, providersSchema, updateProviderSchema } from '../kernel/configuration/index.ts';
import { CIRCUIT_STATES, HEALTH_STATES } from '../kernel/model/index.ts';
import { documentOperations, ifMatch, ifMatchRequired, ignoredFields, versionFields } from './documents.ts';
import { defineOperations } from './operation.ts';

const lastError = z
  .object({
    code: z.string().nullable(),
    status: z.int().nullable(),
    time: z.iso.datetime(),
  })
  .nullable();
const { protocol, state, capabilities } = updateProviderSchema.shape;
export const providerSchema = z
  .object({
    object: z.literal('provider'),
    name: z.string(),
    isBuiltIn: z.boolean().meta({
      description: 'Whether the gateway knows it; false for one that `SVC_PROVIDERS` or an administrator added.',
    }),
    credentials: z.enum(['present', 'absent', 'not_needed', 'aws_role']),
    keyVariable: z.string().nullable().meta({ description: 'Where an operator sets the key. Never its value.' }),
    host: z.string().nullable().meta({ description: 'Host of the base URL, without user info, path and query.' }),
    isConfigured: z.boolean(),
    isCallable: z.boolean().meta({ description: 'Whether the gateway sends requests to it.' }),
    routes: z.array(z.string()).meta({ description: "`models` of the deployment's routes that name it." }),
    circuit: z
      .array(
        z.object({
          model: z.string(),
          state: z.enum(CIRCUIT_STATES),
          failures: z.int().meta({ description: 'Failed requests in a row.' }),
          openUntil: z.iso.datetime().nullable().meta({ description: 'Of an open circuit; null for others.' }),
        }),
      )
      .nullable()
      .meta({
        description:
          'The models that failed since their last success; all others are `closed`. Where the gateway has several processes, those that are open in any of them. null in responses of older releases.',
      }),
    health: z.object({
      state: z.enum(HEALTH_STATES),
      requests: z.int(),
      errors: z.int(),
      lastError,
    }),
    models: z.object({
      count: z.int(),
      data: z
        .array(z.object({ name: z.string(), maxTestCostUsd: z.number().nullable() }))
        .meta({ description: 'The first 50 that are known, with the highest list price of a test.' }),
      globs: z
        .array(z.string())
        .optional()
        .meta({ description: '`models` as an administrator set it: names that go to it.' }),
    }),
    test: z.object({
      isPossible: z.boolean(),
      reason: z.string().nullable().meta({ description: 'Why it is not possible.' }),
      model: z.string().nullable().meta({
        description:
          "The first model of the deployment's routes at this provider; null: a test uses one of the provider's own list.",
      }),
      maxCostUsd: z
        .number()
        .nullable()
        .meta({ description: 'The highest list price of a test of it; null if unknown.' }),
    }),
    // Missing in what an older release returns.
    source: z.enum(['settings', 'api']).optional().meta({ description: '`api`: an administrator stored it.' }),
    isOverridden: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the settings have it too; what an administrator stored counts instead.' }),
    state: state.meta({ description: '`disabled`: gets no requests.' }),
    protocol: protocol.nullable().meta({ description: 'The API that it has.' }),
    baseUrl: z.string().nullable().optional().meta({ description: 'As an administrator stored it.' }),
    credentialId: z.string().nullable().optional().meta({ description: 'As an administrator stored it.' }),
    usedCredentialId: z.string().nullable().optional().meta({
      description:
        'The stored credential of its calls: that of `credentialId`, or else the oldest active one of the provider for all keys. null: the key of the settings, or none.',
    }),
    capabilities,
  })
  .meta({ id: 'Provider', description: 'A provider as the gateway is configured, without credentials.' });
export type ProviderView = z.infer<typeof providerSchema>;

export const providerListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(providerSchema),
    health: z
      .object({ from: z.iso.datetime(), to: z.iso.datetime(), records: z.int(), isCut: z.boolean() })
      .meta({ description: 'The request records of the last 15 minutes from which `health` is derived.' }),
  })
  .meta({ id: 'ProviderList', description: 'The providers of the gateway.' });
export type ProviderList = z.infer<typeof providerListSchema>;

const providersVersionSchema = z
  .object({ object: z.literal('providers'), ...versionFields, ...providersSchema.shape })
  .meta({ id: 'ProvidersVersion', description: 'The providers that administrators stored, in one of their versions.' });
const putProvidersSchema = z.strictObject({ ...providersSchema.shape, ...ignoredFields }).meta({
  id: 'PutProviders',
  description: 'The stored providers, also with the fields of a version that was read.',
});
const providerDeletionSchema = z
  .object({ object: z.literal('provider.deletion'), name: z.string(), deleted: z.literal(true) })
  .meta({ id: 'ProviderDeletion' });

/** Body of `POST /admin/providers/{name}/test`. */
export const testProviderSchema = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .meta({
        option: {
          name: 'model',
          format: 'text',
          value: 'NAME',
          help: 'The model at the provider. Default: one that is known.',
        },
      }),
  })
  .meta({
    id: 'TestProvider',
    description:
      "The model at the provider. If absent: one of the deployment's routes, else the cheapest chat model of the provider's own list.",
  });

export const providerTestSchema = z
  .object({
    object: z.literal('provider.test'),
    provider: z.string(),
    model: z.string(),
    result: z.enum(['ok', 'failed']),
    code: z.string().nullable().meta({ description: 'Of the failure; null for `ok`.' }),
    status: z.int().nullable().meta({ description: 'The status that a client would get; null for `ok`.' }),
    message: z.string().meta({ description: 'What happened, without any text of the provider.' }),
    durationMs: z.number(),
    tokens: z.object({ input: z.int(), output: z.int() }).nullable(),
    costUsd: z.number().nullable().meta({ description: 'The known part, by list prices; null if nothing is known.' }),
  })
  .meta({ id: 'ProviderTest', description: 'The result of one test request.' });
export type ProviderTest = z.infer<typeof providerTestSchema>;

const providerExample = {
  object: 'provider',
  name: 'openai',
  isBuiltIn: true,
  credentials: 'present',
  keyVariable: 'OPENAI_API_KEY',
  host: 'api.openai.com',
  isConfigured: true,
  isCallable: true,
  routes: ['fast'],
  circuit: [{ model: 'gpt-6-sol', state: 'open', failures: 5, openUntil: '2026-11-21T09:26:40.000Z' }],
  health: {
    state: 'degraded',
    requests: 120,
    errors: 2,
    lastError: { code: 'provider_timeout', status: 504, time: '2026-11-21T09:26:12.000Z' },
  },
  models: { count: 1, data: [{ name: 'gpt-6-luna', maxTestCostUsd: 0.000016 }] },
  test: { isPossible: true, reason: null, model: 'gpt-6-luna', maxCostUsd: 0.000016 },
};
const providerListExample = {
  object: 'list',
  data: [providerExample],
  health: { from: '2026-11-21T09:15:00.000Z', to: '2026-11-21T09:30:00.000Z', records: 120, isCut: false },
};
const providerTestExample = {
  object: 'provider.test',
  provider: 'openai',
  model: 'gpt-6-luna',
  result: 'ok',
  code: null,
  status: null,
  message: 'The provider responded.',
  durationMs: 612,
  tokens: { input: 13, output: 2 },
  costUsd: 0.0000023,
};
const stored = {
  name: 'my-llm',
  protocol: 'openai' as const,
  baseUrl: 'https://llm.example.com/v1',
  models: ['llama-*'],
};
const storedExample = {
  ...providerExample,
  ...{ name: 'my-llm', isBuiltIn: false, credentials: 'not_needed', keyVariable: null, host: 'llm.example.com' },
  ...{ circuit: [], models: { ...providerExample.models, globs: stored.models } },
  ...{ source: 'api', isOverridden: false, state: 'active', protocol: stored.protocol, baseUrl: stored.baseUrl },
  ...{ credentialId: null, usedCredentialId: null, capabilities: null },
};
const versionExample = {
  object: 'providers',
  version: 3,
  createdAt: '2026-11-21T09:00:00.000Z',
  createdBy: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
  providers: [stored],
};
const params = z.object({ name: z.string().meta({ description: 'Name of the provider.' }) });
const oneProvider = {
  description: 'The provider.',
  body: providerSchema,
  example: storedExample,
  headers: ['ETag'],
} as const;
const shared = documentOperations({
  access: 'operator',
  path: '/v1/admin/providers',
  id: 'Providers',
  title: 'the stored providers',
  first: 'only those of the settings',
  version: providersVersionSchema,
  example: versionExample,
});
const APPLIED = 'Creates a new version of the providers, which every process of the gateway applies within 10 s.';

/** Providers as the gateway has them, and those that administrators store. No response has a credential. */
export const providerOperations = defineOperations({
  listProviders: {
    method: 'GET',
    path: '/v1/admin/providers',
    tag: 'Admin',
    summary: 'List providers',
    description:
      'Configured ones first, with their health by the request records of the last 15 minutes, of which at most 1,500 are read. The response has no credential.',
    access: 'operator',
    scope: 'deployment',
    response: { description: 'The providers.', body: providerListSchema, example: providerListExample },
  },
  createProvider: {
    method: 'POST',
    path: '/v1/admin/providers',
    tag: 'Admin',
    summary: 'Add a provider',
    description: `${APPLIED} Without a credential it is called without a key; the key of the settings is sent to their host only.`,
    access: 'operator',
    scope: 'deployment',
    headers: ifMatch,
    body: { schema: createProviderSchema, examples: { provider: { value: stored } } },
    response: { ...oneProvider, status: 201 },
    errors: ['conflict', 'version_conflict'],
  },
  putProviders: {
    method: 'PUT',
    path: '/v1/admin/providers',
    tag: 'Admin',
    summary: 'Replace the stored providers',
    description: `${APPLIED} Providers that were read as a version can be written back: \`object\`, \`version\`, \`createdAt\` and \`createdBy\` are ignored.`,
    access: 'operator',
    scope: 'deployment',
    headers: ifMatchRequired,
    body: { schema: putProvidersSchema, examples: { providers: { value: { providers: [stored] } } } },
    response: shared.oneVersion,
    errors: ['conflict', 'version_conflict'],
  },
  rollbackProviders: shared.rollback,
  listProvidersVersions: shared.versions,
  getProvidersVersion: shared.version,
  getProvider: {
    method: 'GET',
    path: '/v1/admin/providers/{name}',
    tag: 'Admin',
    summary: 'Read a provider',
    access: 'operator',
    scope: 'deployment',
    params,
    response: oneProvider,
    errors: ['not_found'],
  },
  updateProvider: {
    method: 'PATCH',
    path: '/v1/admin/providers/{name}',
    tag: 'Admin',
    summary: 'Change a provider',
    description: `${APPLIED} Absent fields keep their values. A change of a provider of the settings is stored beside it, and counts instead.`,
    access: 'operator',
    scope: 'deployment',
    params,
    headers: ifMatch,
    body: { schema: updateProviderSchema, examples: { disable: { value: { state: 'disabled' } } } },
    response: oneProvider,
    errors: ['not_found', 'conflict', 'version_conflict'],
  },
  deleteProvider: {
    method: 'DELETE',
    path: '/v1/admin/providers/{name}',
    tag: 'Admin',
    summary: 'Remove a stored provider',
    description: `${APPLIED} A provider that the settings have too is then theirs again. One that a route names is a 409.`,
    access: 'operator',
    scope: 'deployment',
    params,
    headers: ifMatch,
    response: {
      description: 'The provider is removed.',
      body: providerDeletionSchema,
      example: { object: 'provider.deletion', name: 'my-llm', deleted: true },
    },
    errors: ['not_found', 'conflict', 'version_conflict'],
  },
  testProvider: {
    method: 'POST',
    path: '/v1/admin/providers/{name}/test',
    tag: 'Admin',
    summary: 'Send a test request to a provider',
    description:
      'The admin API sends one short text itself, with at most 16 tokens of response and a deadline of 15 s. The request is not inspected, counts toward no limit and leaves no record; the provider bills it. It is in the audit log.',
    access: 'operator',
    scope: 'deployment',
    params,
    body: {
      schema: testProviderSchema,
      examples: { model: { value: { model: 'gpt-6-luna' } } },
      isOptional: true,
    },
    response: {
      description: 'The result, also of a failed test.',
      body: providerTestSchema,
      example: providerTestExample,
    },
    errors: ['not_found', 'conflict'],
  },
});
