import * as z from 'zod';
import {
  CAPTURE_MODES,
  deploymentPolicySchema,
  PRESETS,
  policySchema,
  THREAT_TYPES,
  TYPE_ACTIONS,
} from '../kernel/model/index.ts';
import { documentOperations, effectiveQuery, ifMatch, ignoredFields, versionFields } from './documents.ts';
import { AGO, idOf, text, time } from './fields.ts';
import { keyExample } from './keys.ts';
import { defineOperations } from './operation.ts';
import { overrideOperations } from './override.ts';
import { countsExample, endRolloutSchema, rolloutExample, rolloutField, rolloutStatusSchema } from './rollout.ts';
import { toolSuggestionExample, toolSuggestionSchema } from './tools.ts';

/** Where a value in force is set; `default` is the gateway's own value. */
export const POLICY_SOURCES = ['default', 'preset', 'deployment', 'team', 'key'] as const;
export type PolicySource = (typeof POLICY_SOURCES)[number];

/** The deployment's policy as the admin API returns it; version 0 is `{}`. */
export const policyVersionSchema = z
  .object({
    ...deploymentPolicySchema.shape,
    rollout: rolloutField.meta({
      description: 'The roll-out that runs: its candidate decides on the requests that it takes.',
    }),
    object: z.literal('policy'),
    ...versionFields,
  })
  .meta({ id: 'PolicyVersion', description: "The deployment's policy, in one of its versions." });
export type PolicyVersionView = z.infer<typeof policyVersionSchema>;

/** The body of a write: a policy, with or without what the admin API adds to it in responses. */
export const putPolicySchema = deploymentPolicySchema
  .safeExtend({
    ...ignoredFields,
    rollout: rolloutField.meta({
      description: 'Rolls the policy of the body out to a part of the requests; the policy in force stays in force.',
    }),
  })
  .meta({ id: 'PutPolicy', description: "The deployment's policy, also with the fields of a version that was read." });

const source = z
  .enum(POLICY_SOURCES)
  .meta({ description: "Where the value is set. `default`: the gateway's own value." });
const sourced = <T extends z.ZodType>(value: T) => z.object({ value, source });
const effectiveType = z.object({
  action: z.enum(TYPE_ACTIONS),
  threshold: z.number().meta({ description: 'The score from which the action applies.' }),
  source,
  thresholdSource: source,
});
/** A type that a release adds is missing in what an older one returns. */
const effectiveDirection = z.partialRecord(z.enum(THREAT_TYPES), effectiveType);
const failureAction = z.enum(['pass', 'block']);
const { shape: policyFields } = policySchema;

export const effectivePolicySchema = z
  .object({
    object: z.literal('policy.effective'),
    keyId: z.string().nullable().meta({ description: "null for the deployment's policy." }),
    version: z.int().min(0).meta({ description: "The version of the deployment's policy." }),
    flagFrom: z.number().meta({ description: 'From this score on a finding is reported, below its threshold too.' }),
    preset: sourced(z.enum(PRESETS)),
    input: effectiveDirection,
    output: effectiveDirection,
    contactDetails: sourced(z.enum(['allow', 'as_pii'])).meta({
      description:
        'E-mail addresses, telephone numbers and IP addresses in requests: only recorded, or like other `pii`.',
    }),
    onBlock: sourced(z.enum(['error', 'refusal'])),
    onDetectorFailure: sourced(failureAction),
    onUnfinishedInspection: sourced(failureAction).meta({ description: 'If inspection exceeds its CPU time.' }),
    unreadable: sourced(z.enum(['allow', 'flag', 'block'])),
    maxOutputTokens: sourced(z.int().nullable()),
    unknownPrice: sourced(policyFields.unknownPrice.unwrap()).optional(),
    cache: sourced(policyFields.cache.unwrap()).optional(),
    canary: sourced(z.boolean()),
    evidence: sourced(z.boolean()),
    capture: sourced(z.enum(CAPTURE_MODES)),
    rules: sourced(policyFields.rules.unwrap()),
    allow: sourced(policyFields.allow.unwrap()),
    bannedTopics: sourced(policyFields.bannedTopics.unwrap()),
    tools: sourced(policyFields.tools.unwrap()).optional(),
    shadow: sourced(policyFields.shadow.unwrap().nullable()),
    tagBudgets: sourced(deploymentPolicySchema.shape.tagBudgets.unwrap()),
  })
  .meta({ id: 'EffectivePolicy', description: 'Every value of a policy that is in force, with its source.' });
export type EffectivePolicy = z.infer<typeof effectivePolicySchema>;

export const keyPolicySchema = z
  .object({ object: z.literal('key.policy'), keyId: z.string(), policy: policySchema })
  .meta({ id: 'KeyPolicy', description: "A key's own policy." });
export type KeyPolicy = z.infer<typeof keyPolicySchema>;

const scoreCounts = z.partialRecord(z.enum(THREAT_TYPES), z.array(z.int().min(0)));
export const policyScoresSchema = z
  .object({
    object: z.literal('policy.scores'),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    requests: z.int().meta({ description: 'Requests with findings that were read, the newest.' }),
    isCut: z.boolean().meta({ description: 'There are older ones in the range, which were not read.' }),
    bins: z.int().meta({ description: 'Number of equal intervals from 0 to 1; the last one contains 1.' }),
    input: scoreCounts,
    output: scoreCounts,
  })
  .meta({ id: 'PolicyScores', description: 'Counts of recorded findings by type and score.' });
export type PolicyScores = z.infer<typeof policyScoresSchema>;

const policyExample = { preset: 'strict', output: { secret: { action: 'block' } } };
const versionExample = {
  ...policyExample,
  object: 'policy',
  version: 3,
  createdAt: '2026-11-21T09:00:00.000Z',
  createdBy: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
};
const scoresExample = {
  object: 'policy.scores',
  from: '2026-11-14T09:30:00.000Z',
  to: '2026-11-21T09:30:00.000Z',
  requests: 3,
  isCut: false,
  bins: 4,
  input: { pii: [0, 0, 1, 2] },
  output: {},
};

const effective = effectiveQuery('`true`: every value in force, with its source, instead of what is set.', {
  name: 'effective',
  format: 'switch',
  help: 'Action, threshold and other values in force, each with its source.',
});
const suggestionQuery = z.strictObject({
  from: time.optional().meta({
    description: 'Default: seven days before `to`.',
    option: { name: 'from', format: 'time', value: 'TIME', help: `Start: a time, ${AGO}. Default: 7d.` },
  }),
  to: time.optional().meta({
    description: 'Default: now.',
    option: { name: 'to', format: 'time', value: 'TIME', help: `End: a time, ${AGO}. Default: now.` },
  }),
  keyId: text.optional().meta({
    description: 'Only requests of this key.',
    option: { name: 'key', format: 'text', value: 'ID', help: 'Only requests of this key.' },
  }),
  as: z
    .enum(['deployment', 'key'], { error: 'must be deployment or key' })
    .default('deployment')
    .meta({
      description:
        "`deployment`: for the deployment's policy. `key`: for the policy of the key `keyId`; it begins with the deployment's `tools` if the key has none.",
      option: { name: 'as', format: 'text', value: 'WORD', help: 'deployment, or key: for the policy of --key.' },
    }),
  minCalls: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, { error: 'must be a whole number from 1 to 999999' })
    .transform(Number)
    .default(20)
    .meta({
      description: 'The fewest calls that a proposal rests on.',
      option: { name: 'min-calls', format: 'count', value: 'N', help: 'Fewest calls of a proposal. Default: 20.' },
      wire: { type: 'integer', minimum: 1, maximum: 999_999, default: 20 },
    }),
});
const { oneVersion, ...shared } = documentOperations({
  access: 'security',
  path: '/v1/admin/policy',
  id: 'Policy',
  title: "the deployment's policy",
  first: 'the initial policy',
  version: policyVersionSchema,
  example: versionExample,
});

/** The deployment's policy, its versions, the policies of keys, and the override of all of them. */
export const policyOperations = defineOperations({
  ...overrideOperations,
  getPolicy: {
    method: 'GET',
    path: '/v1/admin/policy',
    tag: 'Admin',
    summary: "Read the deployment's policy",
    description:
      'It applies to every key. The policy of a key takes precedence. With `effective=true` the response has every value in force and its source.',
    access: 'security',
    scope: 'deployment',
    query: effective,
    response: { ...oneVersion, body: [policyVersionSchema, effectivePolicySchema] },
  },
  putPolicy: {
    method: 'PUT',
    path: '/v1/admin/policy',
    tag: 'Admin',
    summary: "Replace the deployment's policy",
    description:
      'Creates a new version, which the gateway applies within 10 s. Old versions stay in the list. A policy that was read can be written back: `object`, `version`, `createdAt` and `createdBy` are ignored. With `rollout` the policy of the body decides only on the requests that the roll-out takes, and the policy in force on all others. Without it a roll-out that runs ends.',
    access: 'security',
    scope: 'deployment',
    headers: ifMatch,
    body: {
      schema: putPolicySchema,
      examples: {
        policy: { value: policyExample },
        rollout: { value: { ...policyExample, rollout: rolloutExample } },
      },
    },
    response: oneVersion,
    errors: ['conflict', 'version_conflict'],
  },
  rollbackPolicy: {
    ...shared.rollback,
    description:
      'Creates a new version with the policy that was in force in an old one, without a roll-out. A version that is no longer a valid policy is a 400: correct it and save it with `PUT`.',
  },
  getRollout: {
    method: 'GET',
    path: '/v1/admin/policy/rollout',
    tag: 'Admin',
    summary: 'Read what the roll-out of the policy has done',
    description: 'Counts follow the requests by some seconds.',
    access: 'security',
    scope: 'deployment',
    response: {
      description: 'The roll-out.',
      body: rolloutStatusSchema,
      example: {
        object: 'policy.rollout',
        version: 4,
        rollout: rolloutExample,
        since: '2026-11-21T09:00:00.000Z',
        total: countsExample,
        watched: countsExample,
      },
    },
  },
  promotePolicy: {
    method: 'POST',
    path: '/v1/admin/policy/promote',
    tag: 'Admin',
    summary: 'Put the candidate of a roll-out in force',
    description: 'Creates a new version with the candidate for all requests.',
    access: 'security',
    scope: 'deployment',
    body: { schema: endRolloutSchema, examples: { promote: { value: { version: 4 } } } },
    response: oneVersion,
    errors: ['conflict', 'version_conflict'],
  },
  withdrawPolicy: {
    method: 'POST',
    path: '/v1/admin/policy/withdraw',
    tag: 'Admin',
    summary: 'Withdraw the roll-out of a policy',
    description: 'Creates a new version with the policy in force alone.',
    access: 'security',
    scope: 'deployment',
    body: { schema: endRolloutSchema, examples: { withdraw: { value: { version: 4 } } } },
    response: oneVersion,
    errors: ['conflict', 'version_conflict'],
  },
  listPolicyVersions: shared.versions,
  getPolicyVersion: shared.version,
  getKeyPolicy: {
    method: 'GET',
    path: '/v1/admin/keys/{id}/policy',
    tag: 'Admin',
    summary: 'Read the policy of a key',
    description:
      "What the key sets itself, or with `effective=true` every value that is in force for its requests, with the value's source.",
    access: 'security',
    scope: 'deployment',
    params: idOf('Id of the key.'),
    query: effective,
    response: {
      description: 'The policy.',
      body: [keyPolicySchema, effectivePolicySchema],
      example: { object: 'key.policy', keyId: keyExample.id, policy: { preset: 'strict' } },
    },
    errors: ['not_found'],
  },
  getPolicyScores: {
    method: 'GET',
    path: '/v1/admin/policy/scores',
    tag: 'Admin',
    summary: 'Count the scores of recorded findings',
    description:
      'Reads at most 10,000 records or for 6 s, the newest first; `isCut` says whether older ones were left out. Findings below the thresholds of their time are not recorded.',
    access: 'records',
    scope: 'deployment',
    query: z.strictObject({
      from: time.optional().meta({ description: 'Default: seven days ago.' }),
      to: time.optional().meta({ description: 'Default: now.' }),
      keyId: text.optional().meta({ description: 'Only requests of this key.' }),
    }),
    response: { description: 'The counts.', body: policyScoresSchema, example: scoresExample },
  },
  suggestTools: {
    method: 'GET',
    path: '/v1/admin/policy/tool-suggestion',
    tag: 'Admin',
    summary: 'Suggest rules for tools',
    description:
      "Proposes `tools` for the deployment's policy, or a key's, from recorded tool calls: effects, and rules with the action `flag` that none of these calls shows to be wrong. Changes nothing.",
    access: 'records',
    scope: 'deployment',
    query: suggestionQuery,
    response: { description: 'The proposals.', body: toolSuggestionSchema, example: toolSuggestionExample },
    errors: ['not_found'],
  },
});
