import * as z from 'zod';

/** Seven years, leap days included. */
export const DEFAULT_AUDIT_RETENTION_DAYS = 2_557;

/** How long audit records are kept, as functions are told: days. */
export const auditDaysVariable = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'must be whole days, 1 to 99999')
  .default(String(DEFAULT_AUDIT_RETENTION_DAYS))
  .transform(Number);
