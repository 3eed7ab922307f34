import * as z from 'zod';
import { isIpRange } from '../http/index.ts';
import {
  BUDGET_PERIODS_TEXT,
  budgetSchema,
  DEFAULT_RATE_LIMIT,
  PERIODS_TEXT,
  rateLimitSchema,
  tokenLimitSchema,
} from './key-limits.ts';
import { PERMISSIONS, readPermission } from './permissions.ts';
import { policySchema } from './policy.ts';

export const ENVIRONMENTS = ['Production', 'Staging', 'Development'] as const;

const environment = z
  .string()
  .transform((text) => ENVIRONMENTS.find((name) => name.toLowerCase() === text.toLowerCase()) ?? text)
  .pipe(z.enum(ENVIRONMENTS, { error: `must be one of ${ENVIRONMENTS.join(', ')}` }))
  .meta({
    description: `${ENVIRONMENTS.join(', ')}; case-insensitive. A new key has Development.`,
    label: 'Environment',
    option: {
      name: 'environment',
      format: 'text',
      value: 'NAME',
      help: 'A new key has Development.',
    },
    choices: ENVIRONMENTS,
  });

const permission = z
  .string()
  .transform((text) => readPermission(text) ?? text)
  .pipe(z.enum(PERMISSIONS, { error: `must be one of ${PERMISSIONS.join(', ')}, or a path such as /v1/embeddings` }));

const permissions = z
  .array(permission)
  .max(32)
  .transform((list) => [...new Set(list)]);
const PERMISSION_LIST = { choices: PERMISSIONS, isOpen: true } as const;

/** A tag's name and value. */
export const tagSchema = { name: z.string().min(1).max(64), value: z.string().max(256) };

/**
 * Fields that an administrator sets, as the API, the command line and the dashboard have them. A new one needs a value in KEY_DEFAULTS, and
 * is optional in keySchema: docs/extend.md#add-a-field-of-a-key.
 */
const settings = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .meta({ label: 'Name', option: { name: 'name', format: 'text', value: 'TEXT', help: 'New name.' } }),
  environment,
  permissions: permissions.meta({
    description: `${PERMISSIONS.join(', ')}; \`admin\` includes all. A new key has chat_completions.`,
    label: 'Permissions',
    option: {
      name: 'permissions',
      format: 'list',
      value: 'A,B',
      help: 'What the key may do. A new key has chat_completions.',
    },
    ...PERMISSION_LIST,
  }),
  excludePermissions: permissions.meta({
    description: 'Takes precedence over `permissions`.',
    label: 'Excluded permissions',
    section: 'Restrictions',
    hint: 'Exclusions override permissions',
    option: { name: 'exclude', format: 'list', value: 'A,B', help: 'What the key may not do, also with admin.' },
    ...PERMISSION_LIST,
  }),
  rateLimit: rateLimitSchema.meta({
    description: 'Requests per period; `burst` is the capacity, by default `requests`.',
    label: 'Requests',
    section: 'Limits',
    option: {
      name: 'rate',
      format: 'amount/period',
      value: 'N/PERIOD',
      help: `Requests in a period (${PERIODS_TEXT}), such as 600/minute. A new key has 1000/hour.`,
    },
  }),
  tokenLimit: tokenLimitSchema.nullable().meta({
    description: 'Tokens of requests and responses per period.',
    label: 'Tokens',
    section: 'Limits',
    hint: 'No limit',
    option: {
      name: 'tokens',
      format: 'amount/period',
      value: 'N/PERIOD',
      help: `Input and output tokens in a period (${PERIODS_TEXT}), such as 1000000/day, or none. A new key has none.`,
      none: true,
    },
  }),
  budget: budgetSchema.nullable().meta({
    description:
      'US dollars per period, at the prices of the models. `calendarMonth` begins on the first of a month in `timeZone`.',
    label: 'Budget, US dollars',
    section: 'Limits',
    hint: 'No limit',
    option: {
      name: 'budget',
      format: 'amount/period',
      value: 'USD/PERIOD',
      help: `US dollars in a period (${BUDGET_PERIODS_TEXT}), such as 50/month, or none. A new key has none.`,
      none: true,
    },
  }),
  maxConcurrent: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .meta({
      description: 'Requests at the same time.',
      label: 'Concurrent requests',
      section: 'Limits',
      hint: 'No limit',
      option: {
        name: 'max-concurrent',
        format: 'count',
        value: 'N',
        help: "Requests that run at the same time, or none. A new key has the deployment's default, 50.",
        none: true,
      },
    }),
  onStoreFailure: z.enum(['closed', 'open']).meta({
    description: 'When the limits cannot be read: `closed` returns 503; `open` admits the request and logs it.',
    label: 'While the limits store is unavailable',
    section: 'Limits',
    option: {
      name: 'on-store-failure',
      format: 'text',
      value: 'WORD',
      help: 'Without the store of limits, closed refuses requests and open admits them. A new key has closed.',
    },
    choiceLabels: { closed: 'Refuse requests', open: 'Allow requests' },
  }),
  ipWhitelist: z
    .array(
      z.string().refine((text) => isIpRange(text), {
        error: 'must be an IPv4 or IPv6 address, or a CIDR block whose host bits are 0',
      }),
    )
    .max(256)
    .meta({
      description: 'Addresses and CIDR blocks that may use the key. Empty: all.',
      label: 'IP addresses or CIDR blocks',
      section: 'Restrictions',
      hint: 'Empty: any',
      option: {
        name: 'ip',
        format: 'list',
        value: 'A,B',
        help: 'Allowed addresses and CIDR blocks, such as 10.0.0.0/8. Empty: all, as for a new key.',
      },
    }),
  allowedModels: z
    .array(z.string().min(1).max(256))
    .max(256)
    .meta({
      description: 'Models that the key may use; `*` matches any text. Empty: all.',
      label: 'Models',
      section: 'Restrictions',
      hint: 'For example gpt-6-sol* or anthropic/*. Empty: any',
      option: {
        name: 'models',
        format: 'list',
        value: 'A,B',
        help: 'Allowed models, with * for any text, as in gpt-*. Empty: all, as for a new key.',
      },
    }),
  allowedTools: z
    .array(z.string().min(1).max(256))
    .max(256)
    .meta({
      description: 'Tools of MCP servers that the key may use, as `server/tool`; `*` matches any text. Empty: all.',
      label: 'MCP tools',
      section: 'Restrictions',
      hint: 'For example crm/search_* or files/*. Empty: any',
      option: {
        name: 'tools',
        format: 'list',
        value: 'A,B',
        help: 'Allowed MCP tools as server/tool, with * for any text. Empty: all, as for a new key.',
      },
    }),
  policy: policySchema.meta({
    description: "Takes precedence over the deployment's policy.",
    label: 'Full policy as JSON',
    section: 'Policy',
    hint: 'Thresholds, custom rules and more.',
    option: {
      name: 'policy',
      format: 'JSON file',
      value: 'FILE',
      help: "The key's policy as JSON; - reads standard input.",
    },
  }),
  tags: z
    .record(tagSchema.name, tagSchema.value)
    .refine((all) => Object.keys(all).length <= 32, { error: 'must have at most 32 tags' })
    .meta({
      description: 'At most 32 names with values; budgets and analytics refer to them.',
      label: 'Tags',
      section: 'Restrictions',
      hint: 'In the form name=value',
      option: {
        name: 'tag',
        format: 'NAME=VALUE',
        value: 'NAME=VALUE',
        help: 'A tag, such as team=shop. Replaces all tags.',
      },
    }),
  credentialId: z
    .string()
    .regex(/^cred_[0-9a-f]{32}$/, 'must be the id of a credential')
    .nullable()
    .meta({
      description:
        'A credential that the key brings for its provider; null: the usual one. Other providers are called as usual.',
      label: 'Credential for its provider',
      section: 'Restrictions',
      hint: 'cred_... Empty: the usual one',
      option: {
        name: 'credential',
        format: 'text',
        value: 'ID',
        help: 'The credential to use for its provider, or none. A new key has none.',
        none: true,
      },
    }),
  teamId: z
    .string()
    .regex(/^team_[0-9a-f]{32}$/, 'must be the id of a team')
    .nullable()
    .meta({
      description: 'The team whose limits, models, tags and policy hold for the key too; null: none.',
      label: 'Team',
      section: 'Restrictions',
      hint: 'team_... Empty: none',
      option: {
        name: 'team',
        format: 'text',
        value: 'ID',
        help: 'The team that the key belongs to, or none. A new key has none.',
        none: true,
      },
    }),
  expiresAt: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text).toISOString())
    .refine((text) => !text.startsWith('+'), { error: 'must be before the year 10000' })
    .nullable()
    .meta({
      description: 'The key is invalid from then on; null: never.',
      label: 'Expires',
      section: 'Restrictions',
      hint: 'Empty: never',
      option: {
        name: 'expires',
        format: 'text',
        value: 'TIME',
        help: 'A time such as 2027-01-01T00:00:00Z, or none. A new key has none.',
        none: true,
      },
    }),
};

/** Settings of a new key, but for its name and `maxConcurrent`, and of a stored key without the field. */
export const KEY_DEFAULTS = {
  environment: 'Development',
  permissions: ['chat_completions'],
  excludePermissions: [],
  rateLimit: DEFAULT_RATE_LIMIT,
  tokenLimit: null,
  budget: null,
  onStoreFailure: 'closed',
  ipWhitelist: [],
  allowedModels: [],
  allowedTools: [],
  policy: {},
  tags: {},
  credentialId: null,
  teamId: null,
  expiresAt: null,
} satisfies { readonly [Name in keyof typeof settings]?: z.output<(typeof settings)[Name]> };

/** Body of `POST /admin/keys`. */
export const createKeySchema = z
  .strictObject({
    ...withDefaults(settings, KEY_DEFAULTS),
    maxConcurrent: settings.maxConcurrent.optional().meta({
      ...settings.maxConcurrent.meta(),
      description: "Requests at the same time; null: no limit. Default: the deployment's `defaultMaxConcurrent`.",
      hint: "The deployment's default",
    }),
  })
  .meta({ id: 'CreateKey', description: 'A new API key.' });
export type CreateKey = z.infer<typeof createKeySchema>;

/** The secret of a key of another gateway, as that one stored it. */
export const importedSecretSchema = z
  .strictObject({
    sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex, in lower case'),
    last4: z.string().max(4).default(''),
  })
  .meta({
    description: 'The SHA-256 of the secret, as the other gateway stored it, and the last characters of the secret.',
  });

type Shape = Readonly<Record<string, z.ZodType>>;

/** The fields, of which those with a default may be absent. */
function withDefaults<Fields extends Shape, Defaults extends object>(fields: Fields, defaults: Defaults) {
  const entries = Object.entries(fields).map(([name, field]) => {
    const value = (defaults as Readonly<Record<string, unknown>>)[name];
    return [name, value === undefined ? field : field.default(value)];
  });
  return Object.fromEntries(entries) as {
    [Name in keyof Fields]: Name extends keyof Defaults ? z.ZodDefault<Fields[Name]> : Fields[Name];
  };
}

/** Body of `PATCH /admin/keys/{id}`: absent fields stay unchanged. Only DELETE sets `revoked`, which is final. */
export const updateKeySchema = z
  .strictObject({ ...settings, state: z.enum(['active', 'disabled']) })
  .partial()
  .meta({ id: 'UpdateKey', description: 'Changes to an API key.' });
export type UpdateKey = z.infer<typeof updateKeySchema>;

export const KEY_STATES = ['active', 'disabled', 'revoked', 'expired'] as const;

/**
 * A key as the admin API returns it: only the last four characters of its secret. A setting that an earlier release does not return is
 * optional here, because its responses must still parse.
 */
export const keySchema = z
  .object({
    id: z.string(),
    object: z.literal('key'),
    ...settings,
    // As stored: normalized, and within the bounds of its time.
    environment: z.enum(ENVIRONMENTS),
    permissions: z.array(z.enum(PERMISSIONS)),
    excludePermissions: z.array(z.enum(PERMISSIONS)),
    rateLimit: rateLimitSchema,
    ipWhitelist: z.array(z.string()),
    allowedModels: z.array(z.string()),
    allowedTools: z.array(z.string()).optional(),
    policy: policySchema,
    tags: z.record(z.string(), z.string()),
    credentialId: settings.credentialId.optional(),
    teamId: settings.teamId.optional(),
    expiresAt: z.iso.datetime().nullable(),
    state: z.enum(KEY_STATES),
    last4: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'To the minute.' }),
    previousSecrets: z
      .array(z.object({ last4: z.string(), validUntil: z.iso.datetime() }))
      .meta({ description: 'Rotated secrets that are still valid.' }),
  })
  .meta({ id: 'Key', description: 'An API key, without its secret.' });
export type KeyView = z.infer<typeof keySchema>;
