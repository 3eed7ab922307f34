/** The types of events that other systems can receive. */
export const EVENT_TYPES = [
  'threat.detected',
  'request.blocked',
  'rate_limit.exceeded',
  'budget.exceeded',
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'key.expiring',
  'session.flagged',
  'policy.withdrawn',
  'override.changed',
  'tool.approval_requested',
  'tool.approval_decided',
  'mcp.tool_changed',
  'alert.fired',
  'alert.resolved',
  'spend.report',
  'webhook.disabled',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Their events show a request, or totals of requests. */
export const REQUEST_EVENTS: ReadonlySet<EventType> = new Set([
  'threat.detected',
  'request.blocked',
  'rate_limit.exceeded',
  'budget.exceeded',
  'session.flagged',
  'tool.approval_requested',
  'tool.approval_decided',
  'spend.report',
]);
