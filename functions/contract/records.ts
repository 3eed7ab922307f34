import { captureSchema, markThreatSchema, threatSchema } from '../kernel/model/index.ts';
import { capture, threat } from './analytics-examples.ts';
import { deliveryListExample, deliveryListSchema } from './deliveries.ts';
import { idOf } from './fields.ts';
import { defineOperations } from './operation.ts';

const ofRequest = idOf('Id of the request.');

/** What administrators with `analytics` may do with records. */
export const recordOperations = defineOperations({
  markThreat: {
    method: 'PATCH',
    path: '/v1/analytics/threats/{id}',
    tag: 'Analytics',
    summary: 'Mark a finding',
    description: 'Marks a finding as right or wrong; null removes the mark.',
    access: 'records',
    scope: 'deployment',
    params: idOf('Id of the finding.'),
    body: { schema: markThreatSchema, examples: { wrong: { value: { mark: 'false_positive' } } } },
    response: { description: 'The finding.', body: threatSchema, example: threat },
    errors: ['not_found'],
  },
  getCapture: {
    method: 'GET',
    path: '/v1/analytics/requests/{id}/capture',
    tag: 'Analytics',
    summary: 'Read the captured texts of a request',
    description:
      'The texts exist only if the policy captures them, for a limited time. The call writes an audit record.',
    access: 'records',
    scope: 'owner',
    params: ofRequest,
    response: { description: 'The texts.', body: captureSchema, example: capture },
    errors: ['not_found'],
  },
  listRequestDeliveries: {
    method: 'GET',
    path: '/v1/admin/requests/{id}/deliveries',
    tag: 'Webhooks',
    summary: "List the webhook deliveries of a request's event",
    description: 'One for each endpoint that receives the event; empty if the request had none.',
    access: 'records',
    scope: 'deployment',
    params: ofRequest,
    response: { description: 'The deliveries.', body: deliveryListSchema, example: deliveryListExample },
  },
});
