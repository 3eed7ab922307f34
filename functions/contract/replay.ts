import * as z from 'zod';
import { isRequestId } from '../kernel/http/index.ts';
import { ACTIONS, deploymentPolicySchema, THREAT_TYPES } from '../kernel/model/index.ts';
import { REQUEST_ID } from './analytics-examples.ts';
import { AGO } from './fields.ts';
import { keyExample } from './keys.ts';
import { defineOperations } from './operation.ts';

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** Body of `POST /admin/policy/replay`. */
const replayRequestSchema = z
  .strictObject({
    policy: deploymentPolicySchema,
    /** Which policy it replaces. */
    as: z
      .enum(['deployment', 'key'])
      .default('deployment')
      .meta({
        description:
          "`deployment`: replaces the deployment's policy, under each key's. `key`: replaces the keys' policies, over the deployment's.",
        option: {
          name: 'as',
          format: 'text',
          value: 'WORD',
          help: "deployment, or key: instead of the keys' policies.",
        },
      }),
    from: time.optional().meta({
      description: 'Default: a day before `to`.',
      option: {
        name: 'from',
        format: 'time',
        value: 'TIME',
        help: `Start: a time such as 2026-11-21T09:00:00Z, ${AGO}. Default: 24h.`,
      },
    }),
    to: time.optional().meta({
      description: 'Not included. Default: now.',
      option: { name: 'to', format: 'time', value: 'TIME', help: `End: a time, ${AGO}. Default: now.` },
    }),
    keyId: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .meta({
        description: "Only this key's requests.",
        option: { name: 'key', format: 'text', value: 'ID', help: 'Only requests of this key.' },
      }),
    requestId: z
      .string()
      .refine(isRequestId, { error: 'must be the id of a request' })
      .optional()
      .meta({ description: 'Only this request, whatever `from` and `to` are.' }),
    texts: z
      .boolean()
      .default(false)
      .meta({
        description: 'Inspect again the texts that `capture: "full"` stored. The audit log records it.',
        option: {
          name: 'texts',
          format: 'switch',
          help: 'Inspect fully captured texts again; writes an audit record.',
        },
      }),
    cursor: z.string().max(512).optional().meta({
      description: 'The `nextCursor` of the page before. The range of that page applies, whatever is sent here.',
    }),
  })
  .meta({ id: 'ReplayRequest', description: 'A policy that is tried on past requests.' });

const action = z.enum(ACTIONS);
const perAction = z.object({
  allow: z.int(),
  flag: z.int(),
  redact: z.int(),
  ask: z.int().optional(),
  block: z.int(),
});
const type = z.enum(THREAT_TYPES);
const keyId = z.string();
const change = { live: action, replayed: action };
const changed = { ...change, requests: z.int() };
const changedFindings = { ...change, findings: z.int() };
const policyRule = z.string().optional().meta({ description: "The id of a rule in a policy's `tools`." });
const callFinding = { rule: z.string(), policyRule, action };

const policyReplaySchema = z
  .object({
    object: z.literal('policy.replay'),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    requests: z.int().meta({ description: 'Requests that were decided again.' }),
    fromText: z
      .int()
      .meta({ description: 'Of these, those decided by their text; the others by their recorded findings.' }),
    incomplete: z.int().meta({ description: 'Of these, those with more findings than their record contains.' }),
    live: perAction.meta({ description: 'Requests by their action at that time.' }),
    replayed: perAction.meta({ description: 'Requests by their action under the policy.' }),
    changed: z.int().meta({ description: 'Requests whose action differs.' }),
    changes: z.array(z.object(changed)).meta({ description: 'The differences, the most frequent first.' }),
    keys: z.array(z.object({ keyId, ...changed })).meta({ description: 'The same by key.' }),
    types: z.array(z.object({ type, ...changedFindings })).meta({ description: 'Findings whose action differs.' }),
    rules: z
      .array(z.object({ rule: z.string(), policyRule, type, ...changedFindings }))
      .meta({ description: 'The same by rule.' }),
    examples: z
      .array(z.object({ requestId: z.string(), time: z.iso.datetime(), keyId, ...change }))
      .meta({ description: 'Requests whose action differs, newest first, at most 50.' }),
    callRules: z
      .array(z.object({ ...callFinding, findings: z.int() }))
      .optional()
      .meta({
        description:
          'What the policy would do with tool calls, and with tools that the provider runs, by rule and action, also where that was done.',
      }),
    callExamples: z
      .array(z.object({ requestId: z.string(), time: z.iso.datetime(), keyId, ...callFinding, field: z.string() }))
      .optional()
      .meta({ description: 'Places of such calls, newest first, at most 50. Unusual names in `field` are `*`.' }),
    nextCursor: z.string().nullable().meta({
      description: 'Set where there are more: one replay reads 5,000 records, or for 10 seconds.',
    }),
    unknown: z.array(z.string()).meta({ description: 'The limits of a replay, in sentences.' }),
  })
  .meta({ id: 'PolicyReplay', description: 'What a policy would have changed.' });
export type PolicyReplay = z.infer<typeof policyReplaySchema>;

/** What records do not contain, and a replay therefore cannot consider. */
export const UNKNOWN_TO_REPLAYS = [
  'Without stored texts, new rules, topics, and allowances by literal or pattern match nothing in past requests.',
  'Without stored texts, findings below the thresholds of the policy at that time, or of types that were off, are unknown.',
  "Without stored texts, findings in the operator's text count as a user's, except those in definitions.",
  'Without stored texts, a finding in encoded text of a response counts as one in plain text, which a policy may act on.',
  'Without stored texts, a rule for tools is known only from calls that violated a rule with this id. Calls of texts that earlier releases stored are decided so too.',
  "A session's past, outside detectors and a canary's marker are not stored: a text is inspected again without them.",
  'A blocked request had no response, and one that a replay blocks would have had none.',
];

const replayRequestExample = {
  policy: { preset: 'strict' },
  from: '2026-11-20T00:00:00Z',
  to: '2026-11-21T00:00:00Z',
};
const replayExample = {
  object: 'policy.replay',
  from: '2026-11-20T00:00:00.000Z',
  to: '2026-11-21T00:00:00.000Z',
  requests: 42,
  fromText: 0,
  incomplete: 0,
  live: { allow: 0, flag: 40, redact: 0, ask: 0, block: 2 },
  replayed: { allow: 0, flag: 39, redact: 0, ask: 0, block: 3 },
  changed: 1,
  changes: [{ live: 'flag', replayed: 'block', requests: 1 }],
  keys: [{ keyId: keyExample.id, live: 'flag', replayed: 'block', requests: 1 }],
  types: [{ type: 'jailbreak', live: 'flag', replayed: 'block', findings: 1 }],
  rules: [{ rule: 'jailbreak/named-persona', type: 'jailbreak', live: 'flag', replayed: 'block', findings: 1 }],
  examples: [
    { requestId: REQUEST_ID, time: '2026-11-20T09:00:00.000Z', keyId: keyExample.id, live: 'flag', replayed: 'block' },
  ],
  callRules: [{ rule: 'tool-misuse/tool-policy', policyRule: 'account', action: 'block', findings: 1 }],
  callExamples: [
    {
      requestId: REQUEST_ID,
      time: '2026-11-20T09:00:00.000Z',
      keyId: keyExample.id,
      rule: 'tool-misuse/tool-policy',
      policyRule: 'account',
      action: 'block',
      field: 'choices[0].message.tool_calls[0].function.arguments.account',
    },
  ],
  nextCursor: null,
  unknown: UNKNOWN_TO_REPLAYS,
};

/** A policy on past requests. */
export const replayOperations = defineOperations({
  replayPolicy: {
    method: 'POST',
    path: '/v1/admin/policy/replay',
    tag: 'Admin',
    summary: 'Replay past requests with a policy',
    description:
      'Decides about past requests again, by the findings of their records, or by their captured text. Changes nothing.',
    access: 'records',
    scope: 'deployment',
    body: { schema: replayRequestSchema, examples: { strict: { value: replayRequestExample } } },
    response: {
      description: 'The decisions that the policy would change.',
      body: policyReplaySchema,
      example: replayExample,
    },
  },
});
