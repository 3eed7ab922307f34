import * as z from 'zod';
import { alertChangeSchema, alertSchema, createAlertSchema, updateAlertSchema } from '../kernel/alerts/index.ts';
import { idOf, listOf } from './fields.ts';
import { defineOperations } from './operation.ts';

const listSchema = listOf(alertSchema).meta({ id: 'AlertList', description: 'All alerts, oldest first.' });
const historySchema = listOf(alertChangeSchema).meta({
  id: 'AlertHistory',
  description: 'The last 50 changes of an alert, newest first.',
});
const deletionSchema = z
  .object({ object: z.literal('alert.deletion'), id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'AlertDeletion', description: 'Confirms that an alert was deleted.' });

const createExample = {
  name: 'OpenAI fails',
  metric: 'errorRate',
  threshold: 0.05,
  minutes: 5,
  scope: { provider: 'openai' },
  targets: [{ webhookId: 'wh_019a9f3b5b7d4c2f8e0a1b2c3d4e5f60' }],
} as const;
const example = {
  id: 'alert_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
  object: 'alert',
  ...createExample,
  compare: 'above',
  minRequests: 20,
  silencedUntil: null,
  state: 'firing',
  since: '2026-11-30T09:05:10.000Z',
  createdAt: '2026-11-30T09:00:00.000Z',
};
const change = { at: example.since, state: 'firing', value: 0.12, requests: 240, silenced: false };
const params = idOf('Id of the alert.');
const oneAlert = { description: 'The alert.', body: alertSchema, example } as const;

/** Alerts: rules over the totals of requests, evaluated every minute; each change is in the audit log. */
export const alertOperations = defineOperations({
  listAlerts: {
    method: 'GET',
    path: '/v1/admin/alerts',
    tag: 'Admin',
    summary: 'List alerts',
    description: 'Oldest first, with their states.',
    access: 'operator',
    scope: 'deployment',
    response: {
      description: 'All alerts.',
      body: listSchema,
      example: { object: 'list', data: [example], nextCursor: null },
    },
  },
  createAlert: {
    method: 'POST',
    path: '/v1/admin/alerts',
    tag: 'Admin',
    summary: 'Create an alert',
    description:
      'Evaluated within a minute. A webhook of `targets` gets its events whatever its own `events`; so do all webhooks that select `alert.fired` and `alert.resolved`.',
    access: 'operator',
    scope: 'deployment',
    body: { schema: createAlertSchema, examples: { errors: { value: createExample } } },
    response: { ...oneAlert, status: 201 },
    errors: ['conflict'],
  },
  getAlert: {
    method: 'GET',
    path: '/v1/admin/alerts/{id}',
    tag: 'Admin',
    summary: 'Read an alert',
    access: 'operator',
    scope: 'deployment',
    params,
    response: oneAlert,
    errors: ['not_found'],
  },
  updateAlert: {
    method: 'PATCH',
    path: '/v1/admin/alerts/{id}',
    tag: 'Admin',
    summary: 'Change or silence an alert',
    description: 'Absent fields keep their values; `scope` and `targets` are replaced as a whole.',
    access: 'operator',
    scope: 'deployment',
    params,
    body: {
      schema: updateAlertSchema,
      examples: { silence: { value: { silencedUntil: '2026-11-30T12:00:00.000Z' } } },
    },
    response: oneAlert,
    errors: ['not_found', 'conflict'],
  },
  deleteAlert: {
    method: 'DELETE',
    path: '/v1/admin/alerts/{id}',
    tag: 'Admin',
    summary: 'Delete an alert',
    description: 'With its history. Nothing is sent, also if it fires.',
    access: 'operator',
    scope: 'deployment',
    params,
    response: {
      description: 'The alert is deleted.',
      body: deletionSchema,
      example: { object: 'alert.deletion', id: example.id, deleted: true },
    },
    errors: ['not_found', 'conflict'],
  },
  getAlertHistory: {
    method: 'GET',
    path: '/v1/admin/alerts/{id}/history',
    tag: 'Admin',
    summary: 'Read the history of an alert',
    description: 'Newest first.',
    access: 'operator',
    scope: 'deployment',
    params,
    response: {
      description: 'The last changes.',
      body: historySchema,
      example: { object: 'list', data: [change], nextCursor: null },
    },
    errors: ['not_found'],
  },
});
