import * as z from 'zod';

export const AUDIT_ACTIONS = [
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'key.tool_approved',
  'key.tool_unpinned',
  'policy.updated',
  'policy.promoted',
  'policy.withdrawn',
  'routes.updated',
  'override.updated',
  'prices.updated',
  'identity.updated',
  /** Of one identity. */
  'identity.disabled',
  'identity.enabled',
  'provider.tested',
  'credential.created',
  'credential.updated',
  'credential.rotated',
  'credential.deleted',
  'credential.tested',
  'providers.updated',
  'mcp_servers.updated',
  'mcp_tool.approved',
  'mcp_tool.withdrawn',
  'mcp_tool.tested',
  'team.created',
  'team.updated',
  'team.deleted',
  'alert.created',
  'alert.updated',
  'alert.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.tested',
  'webhook.redelivered',
  'end_user.deleted',
  'threat.marked',
  /** Reads and new inspections of captured texts. */
  'capture.read',
  'capture.replayed',
  /** Reads of the arguments of a tool call that waits for approval, and decisions. */
  'approval.read',
  'approval.decided',
  /** Sign-ins at the dashboard. */
  'session.created',
  /** The change of the named record did not happen: another change came first. */
  'audit.void',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const actor = z.union([
  z.object({ type: z.literal('key'), id: z.string() }),
  /** A person whom the identity provider authenticated. */
  z.object({ type: z.literal('person'), subject: z.string(), email: z.string().nullable() }),
  /** Someone with the deployment's AWS credentials. */
  z.object({ type: z.literal('operator') }),
  /** The deployment itself: it withdraws a roll-out of a policy. */
  z.object({ type: z.literal('system') }),
]);
const changed = z.record(z.string(), z.unknown()).nullable();
const BEFORE = 'The changed fields before the change; null for a new object.';
const AFTER = 'The changed fields after it; null for a deleted object.';

/** Who did what to what, from where; the changed fields before and after, without secrets. */
export const auditFactSchema = z.object({
  at: z.iso.datetime(),
  actor,
  action: z.enum(AUDIT_ACTIONS),
  target: z.object({
    type: z.enum([
      'key',
      'policy',
      'routes',
      'override',
      'prices',
      'identity',
      'provider',
      'credential',
      'providers',
      'mcp_servers',
      'mcp_tool',
      'team',
      'alert',
      'webhook',
      'delivery',
      'end_user',
      'threat',
      'capture',
      'approval',
      'session',
      'audit',
    ]),
    id: z.string(),
  }),
  teamId: z.string().optional().meta({
    description:
      'The team of the target, whose owners see the entry. Absent without one, and where the change moves the target.',
  }),
  before: changed.meta({ description: BEFORE }),
  after: changed.meta({ description: AFTER }),
  from: z
    .object({ address: z.string(), requestId: z.string() })
    .nullable()
    .meta({ description: 'The request; null for an operator.' }),
});
export type AuditFact = z.infer<typeof auditFactSchema>;

/** A fact with its place in the chain: each record has the hash and the time of the one before. */
export const auditRecordSchema = auditFactSchema.extend({
  seq: z.int().min(1).meta({ description: 'The number of the entry: 1, 2, 3, ...' }),
  /** The same in every attempt to write it. */
  id: z.string(),
  previousHash: z.string().nullable().meta({ description: '`hash` of the previous entry; null in the first.' }),
  previousAt: z.iso.datetime().nullable(),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;
