import * as z from 'zod';
import { tagSchema } from './api-key.ts';
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
