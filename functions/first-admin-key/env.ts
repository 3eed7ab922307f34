import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import { auditDaysVariable } from '../core/audit/retention.ts';

/** What the function that makes the first admin key reads from its environment; the construct in lib/ takes exactly this type. */
export const firstAdminKeyEnvSchema = z.object({
  ...tableSchemas('first-admin-key'),
  /** How long audit records are kept, days. */
  SVC_AUDIT_RETENTION_DAYS: auditDaysVariable,
  /** Secrets Manager: the pepper that keys are hashed with. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: where the key's text is put. */
  SVC_FIRST_ADMIN_KEY_SECRET_ARN: z.string().min(1),
});

export type FirstAdminKeyEnv = z.input<typeof firstAdminKeyEnvSchema>;
