import * as z from 'zod';
import { deploymentPolicySchema } from '../model/deployment-policy.ts';
import { THREAT_TYPES } from '../model/threat.ts';

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** Body of `POST /admin/policy/replay`. */
export const replayRequestSchema = z
  .strictObject({
    policy: deploymentPolicySchema,
    /** In whose place the policy is tried. */
    as: z.enum(['deployment', 'key']).default('deployment').meta({
      description:
        "`deployment`: in the place of the deployment's, under what each key has of its own. `key`: in the place of the keys', over the deployment's.",
    }),
    from: time.optional().meta({ description: 'Default: a day before `to`.' }),
    to: time.optional().meta({ description: 'Not included. Default: now.' }),
    keyId: z.string().min(1).max(128).optional().meta({ description: "This key's requests alone." }),
    texts: z
      .boolean()
      .default(false)
      .meta({ description: 'Judge again the texts that `capture: "full"` kept. Leaves a record in the audit log.' }),
    cursor: z.string().max(512).optional().meta({
      description: 'The `nextCursor` of the page before. It goes on in the range of that page, whatever is given here.',
    }),
  })
  .meta({ id: 'ReplayRequest', description: 'A policy that is tried on past requests.' });
export type ReplayRequest = z.infer<typeof replayRequestSchema>;

const action = z.enum(['allow', 'flag', 'redact', 'block']);
const perAction = z.object({ allow: z.int(), flag: z.int(), redact: z.int(), block: z.int() });
const type = z.enum(THREAT_TYPES);
const keyId = z.string();
const change = { live: action, replayed: action };
const changed = { ...change, requests: z.int() };
const changedFindings = { ...change, findings: z.int() };

export const policyReplaySchema = z
  .object({
    object: z.literal('policy.replay'),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    requests: z.int().meta({ description: 'Requests that were decided about anew.' }),
    fromText: z.int().meta({ description: 'Of these, by their text; the others by the findings of their record.' }),
    incomplete: z.int().meta({ description: 'Of these, requests with more findings than their record has.' }),
    live: perAction.meta({ description: 'How many of them had which action.' }),
    replayed: perAction.meta({ description: 'How many would have had which.' }),
    changed: z.int().meta({ description: 'How many would have had another.' }),
    changes: z.array(z.object(changed)).meta({ description: 'Which instead of which, the most frequent first.' }),
    keys: z.array(z.object({ keyId, ...changed })).meta({ description: 'The same by key.' }),
    types: z.array(z.object({ type, ...changedFindings })).meta({ description: 'Findings that would go another way.' }),
    rules: z.array(z.object({ rule: z.string(), type, ...changedFindings })).meta({ description: 'The same by rule.' }),
    examples: z
      .array(z.object({ requestId: z.string(), time: z.iso.datetime(), keyId, ...change }))
      .meta({ description: 'Requests that would have gone another way, newest first, 50 at most.' }),
    nextCursor: z.string().nullable().meta({
      description: 'Set where there are more: one replay looks at 5,000 records, or for 10 seconds.',
    }),
    unknown: z.array(z.string()).meta({ description: 'What a replay cannot know, in sentences.' }),
  })
  .meta({ id: 'PolicyReplay', description: 'What a policy would have changed.' });
export type PolicyReplay = z.infer<typeof policyReplaySchema>;
