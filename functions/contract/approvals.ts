import * as z from 'zod';
import { APPROVAL_STATES, approvalDetailSchema, approvalSchema } from '../kernel/model/index.ts';
import { REQUEST_ID } from './analytics-examples.ts';
import { idOf, LIMIT_OPTION, listOf, page } from './fields.ts';
import { keyExample } from './keys.ts';
import { defineOperations } from './operation.ts';

const approvalListSchema = listOf(approvalSchema).meta({
  id: 'ApprovalList',
  description: 'A page of approvals, newest first.',
});

const decisionSchema = z
  .strictObject({ decision: z.enum(['approve', 'deny']) })
  .meta({ id: 'DecideApproval', description: 'The decision on a tool call.' });

const example = {
  id: 'appr_0b6f5d0f4b3a4f1f8c7e6d5c4b3a2918',
  object: 'approval',
  keyId: keyExample.id,
  environment: 'Production',
  sessionId: 'chat-17',
  endUserId: 'ann',
  requestId: REQUEST_ID,
  tool: 'transfer',
  argument: 'iban',
  field: 'choices[0].message.tool_calls[0].function.arguments.iban',
  sources: [{ message: 3, tool: 'read_mail', field: 'body', start: 104, end: 126, as: 'prose' }],
  user: false,
  ordered: true,
  policyRule: 'accounts',
  reason: 'Rule "accounts" of the policy: the argument "iban" is not from user or list:suppliers.',
  state: 'pending',
  createdAt: '2026-11-21T09:30:00.000Z',
  expiresAt: '2026-11-21T10:30:00.000Z',
  decidedAt: null,
  decidedBy: null,
};
const call = { id: 'call_1', name: 'transfer', arguments: '{"iban":"DE12500105170648489890","amount":900}' };
const decided = { ...example, state: 'approved', decidedAt: '2026-11-21T09:41:00.000Z', decidedBy: 'kim@example.com' };

/** Tool calls that wait for a person. */
export const approvalOperations = defineOperations({
  listApprovals: {
    method: 'GET',
    path: '/v1/approvals',
    tag: 'Approvals',
    summary: 'List tool calls that wait for approval',
    description: 'Newest first, without arguments. An approval stays in the list for a day after it expires.',
    access: 'approvals',
    scope: 'owner',
    query: z.strictObject({
      ...page,
      limit: page.limit.meta({ ...page.limit.meta(), option: LIMIT_OPTION }),
      state: z
        .enum(APPROVAL_STATES, { error: `must be one of ${APPROVAL_STATES.join(', ')}` })
        .optional()
        .meta({
          description: 'Their state.',
          label: 'State',
          choiceLabels: { pending: 'Waiting' },
          option: {
            name: 'state',
            format: 'text',
            value: 'STATE',
            help: 'Only approvals in this state. Default: all.',
          },
        }),
    }),
    response: {
      description: 'A page of approvals.',
      body: approvalListSchema,
      example: { object: 'list', data: [example], nextCursor: null },
    },
  },
  getApproval: {
    method: 'GET',
    path: '/v1/approvals/{id}',
    tag: 'Approvals',
    summary: 'Read a tool call that waits for approval',
    description: 'With its arguments until it expires. The call writes an audit record.',
    access: 'approvals',
    scope: 'owner',
    params: idOf('Id of the approval.'),
    response: { description: 'The approval and its call.', body: approvalDetailSchema, example: { ...example, call } },
    errors: ['not_found'],
  },
  decideApproval: {
    method: 'POST',
    path: '/v1/approvals/{id}',
    tag: 'Approvals',
    summary: 'Approve or deny a tool call',
    description:
      'An approved call is released once, when the model makes it again in the same session. A key cannot decide on its own calls. A decided or expired approval is a 409.',
    access: 'approvals',
    scope: 'owner',
    params: idOf('Id of the approval.'),
    body: { schema: decisionSchema, examples: { approve: { value: { decision: 'approve' } } } },
    response: { description: 'The decided approval.', body: approvalSchema, example: decided },
    errors: ['not_found', 'conflict'],
  },
});
