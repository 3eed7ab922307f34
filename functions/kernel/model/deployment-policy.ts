import * as z from 'zod';
import { ENVIRONMENTS, tagSchema } from './api-key.ts';
import { budgetSchema } from './key-limits.ts';
import { policySchema } from './policy.ts';

/** Each is checked for every request. */
const MAX_TAG_BUDGETS = 100;

const tagBudgetSchema = budgetSchema
  .extend({ tag: tagSchema.name, value: tagSchema.value })
  .meta({ id: 'TagBudget', description: 'A budget shared by all keys with this tag name and value.' });
export type TagBudget = z.infer<typeof tagBudgetSchema>;

/** The deployment's policy: defaults for every key, and budgets that keys share. */
export const deploymentPolicySchema = policySchema
  .safeExtend({ tagBudgets: z.array(tagBudgetSchema).max(MAX_TAG_BUDGETS).optional() })
  .superRefine(({ tagBudgets = [] }, context) => {
    const names = tagBudgets.map(({ tag, value }) => JSON.stringify([tag, value]));
    const twice = names.findIndex((name, at) => names.indexOf(name) < at);
    if (twice < 0) return;
    context.addIssue({
      code: 'custom',
      path: ['tagBudgets', twice],
      message: 'repeats a tag that already has a budget',
    });
  })
  .meta({
    id: 'DeploymentPolicy',
    description: 'The policy of every key, and budgets that keys with the same tag share.',
  });
export type DeploymentPolicy = z.infer<typeof deploymentPolicySchema>;

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
export const rolloutSchema = z
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
      .record(tagSchema.name, tagSchema.value)
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

/**
 * The document of the policy: the policy in force, and while a candidate is rolled out that `policy`, which decides on the requests that the
 * roll-out takes. Releases without roll-outs ignore the member and apply the policy in force.
 */
export type PolicyDocument = DeploymentPolicy & {
  readonly rollout?: (z.infer<typeof rolloutSchema> & { readonly policy: DeploymentPolicy }) | undefined;
};

/** Requests that a roll-out took; `…Before`: what the policy in force would have done with them. */
export interface RolloutCounts {
  readonly requests: number;
  readonly blocked: number;
  readonly flagged: number;
  readonly blockedBefore: number;
  readonly flaggedBefore: number;
}
