import * as z from 'zod';
import { issuersSchema, shownIssuersSchema } from '../kernel/identity/index.ts';
import { documentOperations, ifMatchRequired, ignoredFields, versionFields } from './documents.ts';
import { LIMIT_OPTION, listOf, page } from './fields.ts';
import { keyUsageSchema } from './keys.ts';
import { defineOperations } from './operation.ts';

const identityVersionSchema = z
  .object({ object: z.literal('identity'), ...versionFields, issuers: shownIssuersSchema })
  .meta({ id: 'IdentityVersion', description: 'The issuers whose tokens are accepted, in one of their versions.' });

const rule = {
  id: 'engineers',
  match: { groups: ['engineering', 'platform-*'] },
  environment: 'Production',
  permissions: ['chat_completions', 'embeddings'],
  budget: { usd: 20, period: 'day' },
};
const issuer = { issuer: 'https://login.example.com', audience: ['svc'], rules: [rule] };
const versionExample = {
  object: 'identity',
  version: 3,
  createdAt: '2026-11-21T09:00:00.000Z',
  createdBy: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
  issuers: issuersSchema.parse([issuer]),
};
const { oneVersion, ...shared } = documentOperations({
  access: 'admin',
  path: '/v1/admin/identity',
  id: 'Identity',
  title: 'the issuers of tokens',
  first: 'the issuers of the settings',
  version: identityVersionSchema,
  example: versionExample,
});

/** The issuers of tokens and their versions. */
export const identityOperations = defineOperations({
  getIdentity: {
    method: 'GET',
    path: '/v1/admin/identity',
    tag: 'Admin',
    summary: 'Read the issuers of tokens',
    description: 'Tokens of these issuers are accepted wherever a key is. Rules say what their callers may do.',
    access: 'admin',
    scope: 'deployment',
    response: oneVersion,
  },
  putIdentity: {
    method: 'PUT',
    path: '/v1/admin/identity',
    tag: 'Admin',
    summary: 'Replace the issuers of tokens',
    description:
      'Creates a new version, which every process applies within 10 s; from then on the issuers of the settings do not count. A caller cannot give permissions that they lack. What was read can be written back: `object`, `version`, `createdAt` and `createdBy` are ignored.',
    access: 'admin',
    scope: 'deployment',
    headers: ifMatchRequired,
    body: {
      schema: z.strictObject({ issuers: issuersSchema, ...ignoredFields }).meta({
        id: 'PutIdentity',
        description: 'The issuers of tokens, also with the fields of a version that was read.',
      }),
      examples: { issuers: { value: { issuers: [issuer] } } },
    },
    response: oneVersion,
    errors: ['conflict', 'version_conflict'],
  },
  rollbackIdentity: shared.rollback,
  listIdentityVersions: shared.versions,
  getIdentityVersion: shared.version,
});

const STATES = ['active', 'disabled'] as const;
const state = z.enum(STATES).meta({
  description: '`disabled`: its tokens are refused, and its running requests end, within 30 s.',
});
const identitySchema = z
  .object({
    id: z.string().meta({ description: 'The `keyId` of its requests: `idn_` and a digest of issuer and subject.' }),
    object: z.literal('identity'),
    issuer: z.string(),
    subject: z.string().meta({ description: 'A digest if the policy has `identitySubject: "hashed"`.' }),
    rule: z.string().meta({ description: 'The rule of its last request.' }),
    teamId: z.string().nullable().optional().meta({ description: 'The team of its last request; null: none.' }),
    state,
    firstSeenAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().meta({ description: 'To the minute.' }),
  })
  .meta({ id: 'CallerIdentity', description: 'A caller that an issuer names, stored from its first request on.' });
const example = {
  id: 'idn_9a1c6f3e5b7d4c2f8e0a1b2c3d4e5f60',
  object: 'identity',
  issuer: issuer.issuer,
  subject: '00u1a2b3c4d5',
  rule: rule.id,
  teamId: null,
  state: 'active',
  firstSeenAt: '2026-11-20T08:00:00.000Z',
  lastSeenAt: '2026-11-21T09:00:00.000Z',
};
const params = z.object({ id: z.string().meta({ description: 'The id of the identity.' }) });

/** Callers that issuers name. */
export const callerIdentityOperations = defineOperations({
  listIdentities: {
    method: 'GET',
    path: '/v1/admin/identities',
    tag: 'Admin',
    summary: 'List identities',
    description: 'Newest first. Owners of a team get those of their team.',
    access: 'admin',
    scope: 'owner',
    query: z.strictObject({ ...page, limit: page.limit.meta({ ...page.limit.meta(), option: LIMIT_OPTION }) }),
    response: {
      description: 'A page of identities.',
      body: listOf(identitySchema).meta({ id: 'IdentityList', description: 'A page of identities, newest first.' }),
      example: { object: 'list', data: [example], nextCursor: null },
    },
  },
  updateIdentity: {
    method: 'PATCH',
    path: '/v1/admin/identities/{id}',
    tag: 'Admin',
    summary: 'Disable or enable an identity',
    description:
      'In force within 30 s. Owners of a team can disable identities of their team; administrators enable them again.',
    access: 'admin',
    scope: 'owner',
    params,
    body: {
      schema: z.strictObject({ state }).meta({ id: 'UpdateIdentity', description: 'A change of an identity.' }),
      examples: { disable: { value: { state: 'disabled' } } },
    },
    response: {
      description: 'The changed identity.',
      body: identitySchema,
      example: { ...example, state: 'disabled' },
    },
    errors: ['not_found'],
  },
  getIdentityUsage: {
    method: 'GET',
    path: '/v1/admin/identities/{id}/usage',
    tag: 'Admin',
    summary: 'Read the remaining limits of an identity',
    description: 'What the limits of its rule would admit now. The call consumes nothing.',
    access: 'admin',
    scope: 'owner',
    params,
    response: {
      description: 'The remaining limits.',
      body: keyUsageSchema,
      example: {
        ...{ object: 'key.usage', keyId: example.id, at: '2026-11-21T09:00:00.000Z' },
        requests: { limit: 1_000, remaining: 988, fullAt: '2026-11-21T09:00:43.200Z' },
        tokens: null,
        budget: {
          ...{ usd: 20, remainingUsd: 11.5 },
          startAt: '2026-11-21T00:00:00.000Z',
          resetAt: '2026-11-22T00:00:00.000Z',
        },
        concurrent: { limit: 50, remaining: 50 },
      },
    },
    errors: ['not_found'],
  },
});
