/** States of the circuit breaker of a provider's model. */
export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;
/** What the latest requests say of a provider. */
export const HEALTH_STATES = ['ok', 'degraded', 'failing', 'unknown'] as const;
