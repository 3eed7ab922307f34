/** Alerts: rules over the totals of requests, and the form of their states. */
export {
  type Alert,
  type AlertsDocument,
  alertChangeSchema,
  alertSchema,
  createAlertSchema,
  findAlertFault,
  MAX_ALERTS,
  metricName,
  updateAlertSchema,
} from './alert.ts';
