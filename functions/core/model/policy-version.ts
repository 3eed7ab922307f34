import * as z from 'zod';
import { deploymentPolicySchema } from '../policies/deployment-policy.ts';

/** The deployment's policy as the admin API shows it; version 0 is what a deployment begins with, `{}`. */
export const policyVersionSchema = z
  .object({
    ...deploymentPolicySchema.shape,
    object: z.literal('policy'),
    version: z.int().min(0),
    createdAt: z.iso.datetime().nullable(),
    /** Id of the key that put it there. */
    createdBy: z.string().nullable(),
  })
  .meta({
    id: 'PolicyVersion',
    description: 'The policy of keys that have none of their own, in one of its versions.',
  });
export type PolicyVersionView = z.infer<typeof policyVersionSchema>;
