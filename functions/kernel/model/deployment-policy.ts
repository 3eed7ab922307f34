import * as z from 'zod';
import { type ENVIRONMENTS, tagSchema } from './api-key.ts';
import { budgetSchema } from './key-limits.ts';
import { policySchema } from './policy.ts';

/** Each is checked for every request. */
const MAX_TAG_BUDGETS = 100;

const tagBudgetSchema = budgetSchema
  .safeExtend({ tag: tagSchema.name, value: tagSchema.value })
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
export type DeploymentPolicy = z.infer<typeof deploymentPolicySchema> & {
  /**
   * Only in the document: the policy of a roll-out, beside the one in force, decides on the requests that it takes. Releases without roll-outs
   * ignore the member.
   */
  readonly rollout?: Rollout | undefined;
};

/** Whose requests a roll-out takes, and when it is withdrawn. */
interface Rollout {
  readonly percent: number;
  readonly keyIds?: string[] | undefined;
  readonly tags?: Record<string, string> | undefined;
  readonly environments?: (typeof ENVIRONMENTS)[number][] | undefined;
  readonly watch: { readonly blockedPoints: number; readonly minRequests: number; readonly minutes: number };
  readonly policy: z.infer<typeof deploymentPolicySchema>;
}
