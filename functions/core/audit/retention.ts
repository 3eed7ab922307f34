/** Seven years, leap days included. */
export const DEFAULT_AUDIT_RETENTION_DAYS = 2_557;
