import * as z from 'zod';
import { findAddressFault } from '../kernel/http/index.ts';
import { federationSchema } from './federation.ts';
import { idOf, listOf } from './fields.ts';
import { defineOperations } from './operation.ts';
import { readServiceAccountKey } from './service-account.ts';

const MAX_HOSTS = 8;
const MAX_GRACE_SECONDS = 30 * 86_400;
/** Shorter texts are ordinary words, which could not be removed from responses. */
const MIN_VALUE_CHARS = 8;
const MAX_VALUE_CHARS = 4_096;

/** A key, or the JSON key of a service account. */
function isValue(text: string): boolean {
  return text.startsWith('{') ? readServiceAccountKey(text) !== undefined : /^[\x21-\x7e]*$/.test(text);
}

const STATES = ['active', 'disabled'] as const;
const TYPES = ['sealed', 'secret', 'federation'] as const;

const name = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .meta({
    description: 'For people.',
    label: 'Name',
    option: { name: 'name', format: 'text', value: 'TEXT', help: 'A name for people.' },
  });
const provider = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, 'must be the name of a provider')
  .meta({
    description: 'The provider that the credential is for. It never changes.',
    label: 'Provider',
    hint: 'For example openai',
    option: { name: 'provider', format: 'text', value: 'NAME', help: 'The provider, such as openai.' },
  });
const host = z
  .string()
  .max(253)
  .transform((text) => text.toLowerCase())
  .refine((text) => findAddressFault(`https://${text}`) === undefined && URL.parse(`https://${text}`)?.host === text, {
    error: 'must be a host such as api.openai.com, with its port if it is not the usual one',
  });
const hosts = z
  .array(host)
  .min(1)
  .max(MAX_HOSTS)
  .meta({
    description:
      "The hosts to which the value may be sent; they never change. Default: the host of the provider's base URL.",
    label: 'Hosts',
    hint: "Empty: the host of the provider's base URL",
    option: {
      name: 'hosts',
      format: 'list',
      value: 'A,B',
      help: "Hosts to which the value may be sent. Default: that of the provider's base URL.",
    },
  });
const value = z
  .string()
  .trim()
  .min(MIN_VALUE_CHARS)
  .max(MAX_VALUE_CHARS)
  .refine(isValue, {
    error: 'must consist of visible ASCII characters, or be the JSON key of a Google service account',
  })
  .meta({
    description:
      "The provider's key, or the JSON key of a service account of Google Cloud, for which the gateway gets access tokens. It is never returned.",
    label: 'Value',
  });
const secretArn = z
  .string()
  .regex(
    /^arn:aws(?:-[a-z]+)*:secretsmanager:[a-z0-9-]{1,20}:\d{12}:secret:[\w/+=.@-]{1,512}$/,
    'must be the ARN of a secret',
  );
const secretField = z.string().min(1).max(128);
const state = z.enum(STATES).meta({
  description: 'A disabled credential is not used.',
  label: 'State',
  option: { name: 'state', format: 'text', value: 'WORD', help: 'active or disabled.' },
});
const teamId = z
  .string()
  .regex(/^team_[0-9a-f]{32}$/, 'must be the id of a team')
  .nullable()
  .meta({
    description: 'The team whose keys alone may name the credential; null: all keys. It never changes.',
    label: 'Team',
    hint: 'team_... Empty: all keys',
    option: { name: 'team', format: 'text', value: 'ID', help: 'The team whose keys alone may name it.' },
  });
const keysOnly = z.boolean().meta({
  description:
    'Whether only keys and providers that name the credential use it. Else it is used for all requests to its provider, before a key of the settings.',
  label: 'Only for keys and providers that name it',
  option: { name: 'keys-only', format: 'switch', help: 'Only for keys and providers that name it.' },
});
const skipTest = z
  .boolean()
  .default(false)
  .meta({
    description: 'Stores the value untested. Else a value that the provider refuses is a 400, and nothing is changed.',
    label: 'Without a test',
    option: { name: 'skip-test', format: 'switch', help: 'Without testing the value first.' },
  });

const createSchema = z
  .strictObject({
    name,
    provider,
    hosts: hosts.optional(),
    type: z
      .enum(TYPES, { error: `must be one of ${TYPES.join(', ')}` })
      .default('sealed')
      .meta({
        description:
          '`sealed`: the gateway keeps the value, encrypted. `secret`: it is in AWS Secrets Manager. `federation`: there is none, the provider trusts the AWS role of the gateway.',
        label: 'Kept',
        option: {
          name: 'type',
          format: 'text',
          value: 'WORD',
          help: 'sealed, secret for AWS Secrets Manager, or federation for no value.',
        },
        choiceLabels: {
          sealed: 'In the gateway, encrypted',
          secret: 'In AWS Secrets Manager',
          federation: 'Nowhere: the provider trusts the AWS role',
        },
      }),
    value: value.optional().meta({ ...value.meta(), description: 'Of the type `sealed`. It is never returned.' }),
    secretArn: secretArn.optional().meta({
      description: 'Of the type `secret`. The stage setting `credentialSecretArns` allows reading it.',
      label: 'ARN of the secret',
      option: { name: 'secret-arn', format: 'text', value: 'ARN', help: 'The secret in AWS Secrets Manager.' },
    }),
    secretField: secretField.optional().meta({
      description: 'The member of a secret that is a JSON object. Default: the whole secret is the value.',
      label: 'Member of the secret',
      option: { name: 'secret-field', format: 'text', value: 'NAME', help: 'The member of a secret that is JSON.' },
    }),
    federation: federationSchema.optional().meta({
      description: 'Of the type `federation`: how the gateway gets access tokens. A kind has only its fields.',
    }),
    teamId: teamId.default(null),
    keysOnly: keysOnly.default(false),
    state: state.default('active'),
    skipTest,
  })
  .meta({ id: 'CreateCredential', description: 'A new credential for a provider.' });

const updateSchema = z
  .strictObject({
    name,
    keysOnly,
    state,
    /** Accepted only unchanged, so that a credential that was read can be written back. */
    provider: provider.meta({ description: 'Never changes: another one is a 400.' }),
    hosts: hosts.meta({ description: 'Never change: others are a 400.' }),
  })
  .partial()
  .extend({ skipTest })
  .meta({ id: 'UpdateCredential', description: 'Changes to a credential. Enabling it tests its value before.' });

const rotateSchema = z
  .strictObject({
    value,
    graceSeconds: z
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(86_400)
      .meta({
        description:
          'How long the old value is kept. It is used only if the provider refuses the new one; with 0 it is deleted at once.',
        label: 'Keep the old value, seconds',
        option: {
          name: 'grace',
          format: 'duration',
          value: 'DURATION',
          help: 'How long the old value is kept, in case the provider refuses the new one: 90s, 30m, 24h, 7d; at most 30d, and 0 for not at all. Default: 24h.',
        },
      }),
    skipTest,
  })
  .meta({ id: 'RotateCredential', description: 'A new value for a credential.' });

const credentialSchema = z
  .object({
    id: z.string(),
    object: z.literal('credential'),
    name: z.string(),
    provider: z.string(),
    hosts: z.array(z.string()),
    type: z.enum(TYPES),
    secretArn: z.string().optional().meta({ description: 'Only of the type `secret`.' }),
    secretField: z.string().optional(),
    federation: federationSchema
      .extend({ audience: z.string() })
      .optional()
      .meta({ description: 'Only of the type `federation`. No response has a token.' }),
    teamId: z.string().nullable(),
    keysOnly: z.boolean(),
    state: z.enum(STATES),
    last4: z.string().nullable().meta({
      description:
        "The end of the value, of a service account's key that of its id; null if it is short, or not kept in the gateway.",
    }),
    previous: z
      .object({ last4: z.string().nullable(), validUntil: z.iso.datetime() })
      .nullable()
      .meta({ description: 'A rotated value that is still kept.' }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'To ten minutes.' }),
  })
  .meta({ id: 'Credential', description: 'A credential for a provider, without its value.' });

const listSchema = listOf(credentialSchema).meta({
  id: 'CredentialList',
  description: 'All credentials, oldest first.',
});

const deletionSchema = z
  .object({ object: z.literal('credential.deletion'), id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'CredentialDeletion', description: 'Confirms that a credential and its values were deleted.' });

const testSchema = z
  .object({
    object: z.literal('credential.test'),
    id: z.string(),
    provider: z.string(),
    result: z.enum(['ok', 'refused', 'failed']).meta({
      description: '`refused`: the provider refuses the value. `failed`: the test has no result.',
    }),
    code: z.string().nullable().meta({ description: 'Of the failure; null for `ok`.' }),
    message: z.string().meta({ description: 'What happened, without any text of the provider.' }),
    durationMs: z.number(),
  })
  .meta({ id: 'CredentialTest', description: 'The result of a test of a credential.' });

const createExample = { name: 'OpenAI, production', provider: 'openai', value: '<key-of-the-provider>' };
const federationExample = {
  name: 'OpenAI, without a key',
  provider: 'openai',
  type: 'federation',
  federation: { kind: 'openai', identityProviderId: 'wip_abc123', serviceAccountId: 'sa_abc123' },
} as const;
const example = {
  id: 'cred_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
  object: 'credential',
  name: 'OpenAI, production',
  provider: 'openai',
  hosts: ['api.openai.com'],
  type: 'sealed',
  teamId: null,
  keysOnly: false,
  state: 'active',
  last4: 'x9Kq',
  previous: null,
  createdAt: '2026-11-30T09:00:00.000Z',
  lastUsedAt: null,
};
const params = idOf('Id of the credential.');
const oneCredential = { description: 'The credential.', body: credentialSchema, example } as const;

/** Credentials that the gateway keeps for providers. No response has a value; each change is in the audit log. */
export const credentialOperations = defineOperations({
  listCredentials: {
    method: 'GET',
    path: '/v1/admin/credentials',
    tag: 'Admin',
    summary: 'List credentials',
    description: 'Oldest first, without their values.',
    access: 'operator',
    scope: 'deployment',
    response: {
      description: 'All credentials.',
      body: listSchema,
      example: { object: 'list', data: [example], nextCursor: null },
    },
  },
  createCredential: {
    method: 'POST',
    path: '/v1/admin/credentials',
    tag: 'Admin',
    summary: 'Create a credential',
    description:
      'An active one is tested first: if the provider refuses its value, nothing is stored. Every process of the gateway uses it within 10 s.',
    access: 'admin',
    scope: 'deployment',
    body: {
      schema: createSchema,
      examples: { sealed: { value: createExample }, federation: { value: federationExample } },
    },
    response: { ...oneCredential, status: 201 },
    errors: ['conflict'],
  },
  getCredential: {
    method: 'GET',
    path: '/v1/admin/credentials/{id}',
    tag: 'Admin',
    summary: 'Read a credential',
    access: 'operator',
    scope: 'deployment',
    params,
    response: oneCredential,
    errors: ['not_found'],
  },
  updateCredential: {
    method: 'PATCH',
    path: '/v1/admin/credentials/{id}',
    tag: 'Admin',
    summary: 'Change a credential',
    description: 'Absent fields keep their values. A credential that is enabled is tested first.',
    access: 'admin',
    scope: 'deployment',
    params,
    body: { schema: updateSchema, examples: { disable: { value: { state: 'disabled' } } } },
    response: oneCredential,
    errors: ['not_found', 'conflict'],
  },
  deleteCredential: {
    method: 'DELETE',
    path: '/v1/admin/credentials/{id}',
    tag: 'Admin',
    summary: 'Delete a credential',
    description: 'Deletes its values. One that a key or a provider names is a 409.',
    access: 'admin',
    scope: 'deployment',
    params,
    response: {
      description: 'The credential is deleted.',
      body: deletionSchema,
      example: { object: 'credential.deletion', id: example.id, deleted: true },
    },
    errors: ['not_found', 'conflict'],
  },
  rotateCredential: {
    method: 'POST',
    path: '/v1/admin/credentials/{id}/rotate',
    tag: 'Admin',
    summary: 'Give a credential a new value',
    description:
      'The new value is tested first, and then used. The old one is kept for the grace period, in case the provider refuses the new one.',
    access: 'operator',
    scope: 'deployment',
    params,
    body: {
      schema: rotateSchema,
      examples: { hour: { value: { value: '<new-key-of-the-provider>', graceSeconds: 3600 } } },
    },
    response: oneCredential,
    errors: ['not_found', 'conflict'],
  },
  testCredential: {
    method: 'POST',
    path: '/v1/admin/credentials/{id}/test',
    tag: 'Admin',
    summary: 'Test a credential',
    description:
      "Reads the provider's list of models with the value, also of a disabled credential. A provider without such a list gets a short request for a model that a route names. A credential of the type `federation` gets a new access token first.",
    access: 'operator',
    scope: 'deployment',
    params,
    response: {
      description: 'The result, also of a failed test.',
      body: testSchema,
      example: {
        object: 'credential.test',
        id: example.id,
        provider: 'openai',
        result: 'ok',
        code: null,
        message: 'The provider accepts the credential.',
        durationMs: 214,
      },
    },
    errors: ['not_found'],
  },
});
