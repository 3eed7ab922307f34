import * as z from 'zod';
import {
  createKeySchema,
  ENVIRONMENTS,
  environmentOf,
  importedSecretSchema,
  KEY_STATES,
  keySchema,
  updateKeySchema,
} from '../kernel/model/index.ts';
import { idOf, page, text } from './fields.ts';
import { defineOperations } from './operation.ts';
import { defaultsOf } from './to-fields.ts';

const MAX_GRACE_SECONDS = 30 * 86_400;

/** Body of `POST /admin/keys/{id}/rotate`. */
const rotateKeySchema = z
  .strictObject({
    graceSeconds: z
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(86_400)
      .meta({
        description: 'How long the old secret stays valid. With 0 all older secrets become invalid.',
        option: {
          name: 'grace',
          format: 'duration',
          value: 'DURATION',
          help: 'How long the old secret stays valid, in seconds, minutes, hours or days: 90s, 30m, 24h, 7d; at most 30d, and 0 for not at all. Default: 24h.',
        },
      }),
  })
  .meta({ id: 'RotateKey', description: 'The grace period of the old secret.' });

/** A key that was created or rotated: the only time that its secret is shown. */
export const createdKeySchema = keySchema
  .extend({ key: z.string() })
  .meta({ id: 'CreatedKey', description: 'A key with its new secret, which is shown only once.' });
export type CreatedKey = z.infer<typeof createdKeySchema>;

const importKeySchema = createKeySchema
  .extend({
    state: z.enum(['active', 'disabled']).default('active'),
    importedSecret: importedSecretSchema,
  })
  .meta({ id: 'ImportKey', description: 'A key of another gateway, whose secret clients keep.' });

const allowance = z.object({ limit: z.int(), remaining: z.int(), fullAt: z.iso.datetime() });
const budgetUsage = z.object({
  usd: z.number(),
  remainingUsd: z.number(),
  startAt: z.iso.datetime().meta({ description: 'When the period began.' }),
  resetAt: z.iso.datetime(),
});
const concurrentUsage = z.object({ limit: z.int(), remaining: z.int() });
const sharedLimits = {
  requests: allowance.nullable(),
  tokens: allowance.nullable(),
  budget: budgetUsage.nullable(),
  concurrent: concurrentUsage.nullable(),
};
const sharedUsage = z
  .array(
    z.object({
      source: z.enum(['deployment', 'team']).meta({ description: '`deployment`: the budget of a tag in its policy.' }),
      name: z.string().meta({ description: 'The name of the team, or `tag: value`.' }),
      ...sharedLimits,
    }),
  )
  .optional()
  .meta({ description: 'Limits that the key shares with others, as of all of them together. All hold.' });
export const keyUsageSchema = z
  .object({
    object: z.literal('key.usage'),
    keyId: z.string(),
    at: z.iso.datetime(),
    requests: allowance.meta({ description: 'Of `rateLimit`: `limit` is the capacity of a full bucket.' }),
    tokens: allowance.nullable().meta({ description: 'Of `tokenLimit`; null if there is none.' }),
    budget: budgetUsage.nullable().meta({ description: 'Of `budget`; null if there is none.' }),
    concurrent: concurrentUsage.nullable().meta({ description: 'Of `maxConcurrent`; null if there is none.' }),
    shared: sharedUsage,
  })
  .meta({ id: 'KeyUsage', description: "What a key's limits would admit now, without what running requests reserve." });
export type KeyUsage = z.infer<typeof keyUsageSchema>;
export const teamUsageSchema = z
  .object({ object: z.literal('team.usage'), teamId: z.string(), at: z.iso.datetime(), ...sharedLimits })
  .meta({ id: 'TeamUsage', description: 'What the limits of a team would admit now; null: it has no such limit.' });

const keyTotals = z
  .object({
    requests: z.int(),
    blocked: z.int(),
    costUsd: z.number().nullable(),
    unpriced: z.int(),
    partlyPriced: z.int(),
  })
  .nullable()
  .optional()
  .meta({
    description:
      'With `include=usage`: totals of the last 30 UTC days, today included. null while the totals cannot be read. `costUsd` is null if no price is known, and the known part if `unpriced` or `partlyPriced` is more than 0.',
  });
const keyLimits = z
  .object({ ...sharedLimits, requests: allowance })
  .nullable()
  .optional()
  .meta({
    description:
      "With `include=usage`: what the key's own limits would admit now, as in `GET /v1/admin/keys/{id}/usage`. null while they cannot be read.",
  });
export const keyListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(keySchema.extend({ usage: keyTotals, limits: keyLimits })),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'KeyList', description: 'A page of keys, newest first.' });
export type KeyList = z.infer<typeof keyListSchema>;

const createExample = {
  name: 'Checkout assistant',
  environment: 'Production',
  permissions: ['chat_completions'],
  rateLimit: { requests: 600, period: 'minute', burst: 50 },
  tokenLimit: { tokens: 200_000, period: 'minute' },
  budget: { usd: 25, period: 'day' },
  ipWhitelist: ['203.0.113.0/24'],
  policy: { preset: 'strict' },
};
export const keyExample = {
  id: 'key_9a1c6f3e5b7d4c2f8e0a1b2c3d4e5f60',
  object: 'key',
  ...{ name: createExample.name, ...defaultsOf(createKeySchema), maxConcurrent: null },
  ...createExample,
  state: 'active',
  last4: 'Qx4Z',
  createdAt: '2026-11-21T09:00:00.000Z',
  lastUsedAt: '2026-11-21T09:30:00.000Z',
  previousSecrets: [],
};
const importExample = {
  ...createExample,
  importedSecret: { sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', last4: 'Qx4Z' },
};
const createdExample = { ...keyExample, key: 'svc_sk_<32 random characters><6 of checksum>' };
const usageExample = {
  object: 'key.usage',
  keyId: keyExample.id,
  at: '2026-11-21T09:30:00.000Z',
  requests: { limit: 1000, remaining: 998, fullAt: '2026-11-21T09:30:07.200Z' },
  tokens: null,
  budget: { usd: 500, remainingUsd: 421.5, startAt: '2026-11-01T00:00:00.000Z', resetAt: '2026-12-01T00:00:00.000Z' },
  concurrent: { limit: 20, remaining: 19 },
};

const listQuery = z.strictObject({
  ...page,
  include: z.enum(['usage'], { error: 'must be usage' }).optional().meta({
    description: '`usage` adds totals of the last 30 days, and what the limits would admit now, to each key.',
  }),
  search: text.optional().meta({
    description: 'Part of the name (case-insensitive), the id, or the end of the secret.',
    label: 'Search',
    hint: 'Name or id',
    option: {
      name: 'search',
      format: 'text',
      value: 'TEXT',
      help: 'Only keys with this in their name or id, or at the end of their secret.',
    },
  }),
  environment: z
    .string()
    .transform(environmentOf)
    .pipe(z.enum(ENVIRONMENTS, { error: `must be one of ${ENVIRONMENTS.join(', ')}` }))
    .optional()
    .meta({
      description: 'Case-insensitive.',
      wire: { type: 'string', enum: ENVIRONMENTS },
      label: 'Environment',
      option: { name: 'environment', format: 'text', value: 'NAME', help: 'Only keys of this environment.' },
    }),
  state: z
    .enum(KEY_STATES)
    .optional()
    .meta({
      description: 'The current state.',
      label: 'State',
      option: { name: 'state', format: 'text', value: 'STATE', help: 'Only keys in this state. Default: all.' },
    }),
  teamId: text.optional().meta({
    description: 'The id of their team.',
    label: 'Team',
    hint: 'team_…',
    option: { name: 'team', format: 'text', value: 'ID', help: 'Only keys of this team.' },
  }),
  sort: z
    .enum(['created', 'name', 'lastUsed', 'expires', 'requests', 'spend'])
    .optional()
    .meta({
      description:
        '`requests` and `spend` are those of the last 30 days. Keys without a value are last. Of at most 10,000 keys.',
      option: { name: 'sort', format: 'text', value: 'FIELD', help: 'Sort by this field. Default: newest first.' },
    }),
  order: z
    .enum(['asc', 'desc'])
    .default('asc')
    .meta({
      description: 'The direction of `sort`.',
      option: { name: 'order', format: 'text', value: 'WORD', help: 'Direction of --sort. Default: asc.' },
    }),
});

const params = idOf('Id of the key.');
const oneKey = { description: 'The key.', body: keySchema, example: keyExample };

/** Keys, their secrets and their limits; each change is in the audit log. */
export const keyOperations = defineOperations({
  listKeys: {
    method: 'GET',
    path: '/v1/admin/keys',
    tag: 'Admin',
    summary: 'List keys',
    description:
      'Newest first unless sorted, including revoked keys. With filters a page may hold fewer than `limit` entries although another page follows.',
    access: 'admin',
    scope: 'owner',
    query: listQuery,
    response: {
      description: 'A page of keys.',
      body: keyListSchema,
      example: { object: 'list', data: [keyExample], nextCursor: null },
    },
  },
  createKey: {
    method: 'POST',
    path: '/v1/admin/keys',
    tag: 'Admin',
    summary: 'Create a key',
    description: 'The response has the secret in `key`. It is not shown again.',
    access: 'admin',
    scope: 'owner',
    body: { schema: createKeySchema, examples: { key: { value: createExample } } },
    response: {
      status: 201,
      description: 'The new key with its secret.',
      body: createdKeySchema,
      example: createdExample,
    },
  },
  importKey: {
    method: 'POST',
    path: '/v1/admin/keys/import',
    tag: 'Admin',
    summary: 'Import a key of another gateway',
    description:
      'Clients use it with the secret that they have. It must not be one of this gateway. The gateway accepts it within 30 s. Rotate the key later, since the other gateway knows the secret. A secret that a key here has or had is a 409.',
    access: 'admin',
    scope: 'deployment',
    body: { schema: importKeySchema, examples: { key: { value: importExample } } },
    response: { status: 201, description: 'The new key.', body: keySchema, example: keyExample },
    errors: ['conflict'],
  },
  getKey: {
    method: 'GET',
    path: '/v1/admin/keys/{id}',
    tag: 'Admin',
    summary: 'Read a key',
    access: 'admin',
    scope: 'owner',
    params,
    response: oneKey,
    errors: ['not_found'],
  },
  updateKey: {
    method: 'PATCH',
    path: '/v1/admin/keys/{id}',
    tag: 'Admin',
    summary: 'Change a key',
    description:
      'Absent fields keep their values; an object such as `policy` is replaced as a whole. A revoked key is a 404. The gateway applies a change within 30 s.',
    access: 'admin',
    scope: 'owner',
    params,
    body: { schema: updateKeySchema, examples: { disable: { value: { state: 'disabled' } } } },
    response: oneKey,
    errors: ['not_found', 'conflict'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/admin/keys/{id}',
    tag: 'Admin',
    summary: 'Revoke a key',
    description:
      'Permanent; the key stays in the list. Repeating the call returns the same response. The gateway applies it within 30 s.',
    access: 'admin',
    scope: 'owner',
    params,
    response: oneKey,
    errors: ['not_found', 'conflict'],
  },
  rotateKey: {
    method: 'POST',
    path: '/v1/admin/keys/{id}/rotate',
    tag: 'Admin',
    summary: 'Rotate the secret of a key',
    description:
      'The response has the new secret in `key`. It is not shown again. The old secret stays valid for the grace period. With a grace of 0 it becomes invalid within 30 s.',
    access: 'admin',
    scope: 'owner',
    params,
    body: { schema: rotateKeySchema, examples: { soon: { value: { graceSeconds: 3600 } } }, isOptional: true },
    response: { description: 'The key with its new secret.', body: createdKeySchema, example: createdExample },
    errors: ['not_found', 'conflict'],
  },
  getKeyUsage: {
    method: 'GET',
    path: '/v1/admin/keys/{id}/usage',
    tag: 'Admin',
    summary: 'Read the remaining limits of a key',
    description: 'What the limits would admit now. The call consumes nothing.',
    access: 'admin',
    scope: 'owner',
    params,
    response: { description: 'The remaining limits.', body: keyUsageSchema, example: usageExample },
    errors: ['not_found'],
  },
});
