import * as z from 'zod';
import { DEFAULT_AUDIT_RETENTION_DAYS } from './retention.ts';

/** How long audit records are kept, as functions are told: days. */
export const auditDaysVariable = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'must be whole days, 1 to 99999')
  .default(String(DEFAULT_AUDIT_RETENTION_DAYS))
  .transform(Number);
