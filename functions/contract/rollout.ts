import * as z from 'zod';
import { deploymentPolicySchema, ENVIRONMENTS } from '../kernel/model/index.ts';

const watchSchema = z.strictObject({
  blockedPoints: z
    .number()
    .min(0)
    .max(100)
    .meta({
      description:
        'The largest rise of the blocked share against the policy in force on the same requests, percentage points. Beyond it the roll-out is withdrawn.',
      label: 'Largest rise of the blocked share',
      hint: 'Percentage points. Beyond it the roll-out is withdrawn',
      option: {
        name: 'blocked-points',
        format: 'number',
        value: 'N',
        help: 'Withdraw the roll-out if it blocks more than this many percentage points more.',
      },
    }),
  minRequests: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(200)
    .meta({
      description: 'With fewer requests it is not withdrawn. Default: 200.',
      label: 'Fewest requests',
      hint: 'With fewer it is not withdrawn',
      option: { name: 'min-requests', format: 'count', value: 'N', help: 'Not with fewer requests. Default: 200.' },
    }),
  minutes: z
    .int()
    .min(1)
    .max(1440)
    .meta({
      description: 'The shares are those of this many last minutes.',
      label: 'Minutes',
      hint: 'The shares are those of the last minutes, 1 to 1440',
      option: { name: 'minutes', format: 'count', value: 'N', help: 'Of the requests in this many last minutes.' },
    }),
});

/** Whose requests a roll-out takes, and when it is withdrawn. */
const rolloutSchema = z
  .strictObject({
    percent: z
      .number()
      .min(0)
      .max(100)
      .meta({
        description: 'Share of the sessions; a request without a session or end user counts as one.',
        label: 'Percent of the sessions',
        hint: '0 to 100',
        option: {
          name: 'percent',
          format: 'number',
          value: 'N',
          help: 'Roll the policy out to this share of the sessions; the policy in force stays for all others.',
        },
      }),
    keyIds: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(1000)
      .optional()
      .meta({
        description: 'Only these keys.',
        label: 'Only these keys',
        hint: 'Ids; empty: all',
        option: { name: 'keys', format: 'list', value: 'A,B', help: 'Only requests of these keys.' },
      }),
    tags: z
      .record(z.string().min(1).max(64), z.string().max(256))
      .refine((tags) => Object.keys(tags).length > 0, { error: 'has no tag' })
      .optional()
      .meta({
        description: 'Only keys with all of these tags.',
        label: 'Only keys with these tags',
        hint: 'In the form name=value',
        option: { name: 'tag', format: 'NAME=VALUE', value: 'NAME=VALUE', help: 'Only keys with this tag.' },
      }),
    environments: z
      .array(z.enum(ENVIRONMENTS))
      .min(1)
      .max(ENVIRONMENTS.length)
      .optional()
      .meta({
        description: 'Only keys of these environments. A header of a request does not count.',
        label: 'Only keys of these environments',
        hint: 'None: all',
        choices: ENVIRONMENTS,
        option: { name: 'environments', format: 'list', value: 'A,B', help: 'Only keys of these environments.' },
      }),
    watch: watchSchema.meta({ description: 'When the roll-out is withdrawn by itself.' }),
  })
  .meta({ id: 'Rollout', description: 'A policy that decides on a part of the requests.' });

/** A roll-out in reads and writes; the candidate is absent where the body of a write is it. */
export const rolloutField = rolloutSchema
  .safeExtend({
    policy: deploymentPolicySchema
      .optional()
      .meta({ description: 'The candidate. In a write without it the rest of the body is the candidate.' }),
  })
  .optional();

export const endRolloutSchema = z
  .strictObject({ version: z.int().min(1).meta({ description: 'The version whose roll-out ends: the current one.' }) })
  .meta({ id: 'EndRollout' });

const count = z.int().min(0);
const rolloutCounts = z
  .object({
    requests: count,
    blocked: count,
    flagged: count.meta({ description: 'Flagged, redacted or held for approval.' }),
    blockedBefore: count.meta({ description: 'What the policy in force would have blocked of the same requests.' }),
    flaggedBefore: count,
    risePoints: z.number().meta({ description: 'How many percentage points more the candidate blocks.' }),
  })
  .meta({ id: 'RolloutCounts', description: 'Requests that a roll-out took, by both policies.' });
export const rolloutStatusSchema = z
  .object({
    object: z.literal('policy.rollout'),
    version: z.int().min(0).meta({ description: "The version of the deployment's policy." }),
    rollout: rolloutSchema.nullable().meta({ description: 'null if none runs.' }),
    since: z.iso.datetime().nullable(),
    total: rolloutCounts.nullable(),
    watched: rolloutCounts.nullable().meta({ description: 'In the last `watch.minutes`, by which it is withdrawn.' }),
  })
  .meta({ id: 'RolloutStatus', description: 'The roll-out of the policy that runs, and what it has done.' });

export const rolloutExample = { percent: 10, watch: { blockedPoints: 2, minRequests: 200, minutes: 60 } };
export const countsExample = {
  requests: 412,
  blocked: 9,
  flagged: 31,
  blockedBefore: 5,
  flaggedBefore: 30,
  risePoints: 0.97,
};
