import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import { auditRetentionDays, type SettingTable, variablesOf } from '../adapters/env.ts';

export const FIRST_ADMIN_KEY_SETTINGS = { auditRetentionDays } as const satisfies SettingTable;

/** What the function that makes the first admin key reads from its environment; the construct in lib/ takes exactly this type. */
export const firstAdminKeyEnvSchema = z.object({
  ...tableSchemas('first-admin-key'),
  /** Secrets Manager: the pepper that keys are hashed with. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: where the key's text is put. */
  SVC_FIRST_ADMIN_KEY_SECRET_ARN: z.string().min(1),
  ...variablesOf(FIRST_ADMIN_KEY_SETTINGS),
});

export type FirstAdminKeyEnv = z.input<typeof firstAdminKeyEnvSchema>;
