import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import { auditRetentionDays, type SettingTable, variablesOf } from '../adapters/env.ts';

export const FIRST_ADMIN_KEY_SETTINGS = { auditRetentionDays } as const satisfies SettingTable;

/** Environment of the function that creates a deployment's first keys; the construct in lib/ takes exactly this type. */
export const firstAdminKeyEnvSchema = z.object({
  ...tableSchemas('first-admin-key'),
  /** Secrets Manager: the pepper for key hashes. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: the secret that receives the key's text. */
  SVC_FIRST_ADMIN_KEY_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: the secret that receives the text of the synthetic check's key; absent without a check. */
  SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN: z.string().min(1).optional(),
  ...variablesOf(FIRST_ADMIN_KEY_SETTINGS),
});

export type FirstAdminKeyEnv = z.input<typeof firstAdminKeyEnvSchema>;
