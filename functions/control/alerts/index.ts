/** Alerts: their evaluation over totals and budgets, their states, and who is notified of a change. */
export { type AlertState, type AlertStates, firstState, isSilenced } from './alert-state.ts';
export { evaluateAlerts } from './evaluate-alerts.ts';
