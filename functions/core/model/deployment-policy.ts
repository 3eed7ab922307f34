import * as z from 'zod';
import { budgetSchema, tagSchema } from './api-key.ts';
import { policySchema } from './policy.ts';

/** Each is looked at for every request. */
const MAX_TAG_BUDGETS = 100;

const tagBudgetSchema = budgetSchema
  .extend({ tag: tagSchema.name, value: tagSchema.value })
  .meta({ id: 'TagBudget', description: 'A budget that all keys with this tag, by name and value, share.' });
export type TagBudget = z.infer<typeof tagBudgetSchema>;

/** The deployment's policy: what counts for every key, and what keys share. */
export const deploymentPolicySchema = policySchema
  .safeExtend({ tagBudgets: z.array(tagBudgetSchema).max(MAX_TAG_BUDGETS).optional() })
  .superRefine(({ tagBudgets = [] }, context) => {
    const names = tagBudgets.map(({ tag, value }) => JSON.stringify([tag, value]));
    const twice = names.findIndex((name, at) => names.indexOf(name) < at);
    if (twice < 0) return;
    context.addIssue({
      code: 'custom',
      path: ['tagBudgets', twice],
      message: 'is for a tag that has a budget already',
    });
  })
  .meta({
    id: 'DeploymentPolicy',
    description: 'The policy of every key, and the budgets that keys with one tag share.',
  });
export type DeploymentPolicy = z.infer<typeof deploymentPolicySchema>;
