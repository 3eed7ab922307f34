import * as z from 'zod';
import { originSchema } from './origin.ts';

/** `used`: the call was released. `expired`: it was not decided in time, or the approved call was not made. */
export const APPROVAL_STATES = ['pending', 'approved', 'denied', 'used', 'expired'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

const { argument, sources, user, ordered } = originSchema.shape;

/** A tool call that waits for a person, without its arguments. */
export const approvalSchema = z
  .object({
    id: z.string(),
    object: z.literal('approval'),
    keyId: z.string().meta({ description: 'The key whose request has the call. It cannot decide.' }),
    teamId: z.string().optional().meta({ description: 'The team of the key. Absent without one.' }),
    environment: z.string(),
    sessionId: z.string().nullable(),
    endUserId: z.string().nullable(),
    requestId: z.string(),
    tool: z
      .string()
      .meta({ description: 'Name of the tool. Here and in `argument` and `sources` unusual names are `*`.' }),
    argument,
    field: z.string().meta({ description: 'The place of the doubtful value in the response.' }),
    sources,
    user: user.optional().meta({
      description:
        'Whether the texts of the user have its value. Absent if the conversation is not known, like `ordered`.',
    }),
    ordered: ordered.optional(),
    policyRule: z.string().optional().meta({ description: "Id of the policy's rule that the call violates." }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'What is doubtful, without any value. Absent in approvals of earlier releases.' }),
    state: z.enum(APPROVAL_STATES),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().meta({ description: 'When it can no longer be decided or used: after 60 minutes.' }),
    decidedAt: z.iso.datetime().nullable(),
    decidedBy: z
      .string()
      .nullable()
      .meta({ description: "Id of the key, the person's e-mail address or subject, or `user`: the code was entered." }),
  })
  .meta({ id: 'Approval', description: 'A tool call that waits for the approval of a person, without its arguments.' });
export type ApprovalView = z.infer<typeof approvalSchema>;

/** One approval with its call. */
export const approvalDetailSchema = approvalSchema
  .extend({
    call: z
      .object({
        id: z.string().nullable().meta({ description: "The call's id in the response; null if it has none." }),
        name: z.string(),
        arguments: z.string().meta({ description: 'As the model wrote them.' }),
      })
      .nullable()
      .meta({ description: 'The call; null from `expiresAt` on.' }),
  })
  .meta({ id: 'ApprovalDetail', description: 'A tool call that waits for the approval of a person.' });
