import * as z from 'zod';
import { auditRecordSchema } from '../kernel/model/index.ts';
import { REQUEST_ID } from './analytics-examples.ts';
import { LIMIT_OPTION, laxPage } from './fields.ts';
import { keyExample } from './keys.ts';
import { defineOperations } from './operation.ts';

export const auditEntrySchema = auditRecordSchema.extend({ object: z.literal('audit.entry'), hash: z.string() }).meta({
  id: 'AuditEntry',
  description: 'An action of an administrator. `hash` is SHA-256 of the entry without it and `object`.',
});

export const auditListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(auditEntrySchema),
    nextCursor: z.string().nullable(),
    head: z
      .object({ seq: z.int(), hash: z.string(), at: z.iso.datetime() })
      .nullable()
      .meta({ description: 'The end of the chain; may lag behind briefly.' }),
  })
  .meta({ id: 'AuditList', description: "A page of administrators' actions, newest first." });

export type AuditList = z.infer<typeof auditListSchema>;

const HASH = '5bc91cd760a49ef34847a7b5b86600c9b9bc646938ed953c1084cc3a412c1593';
const example = {
  object: 'list',
  data: [
    {
      seq: 1,
      id: 'aud_0b6f5d0f4b3a4f1f8c7e6d5c4b3a2918',
      at: '2026-11-21T09:00:00.000Z',
      actor: { type: 'key', id: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0' },
      action: 'key.updated',
      target: { type: 'key', id: keyExample.id },
      before: { state: 'active' },
      after: { state: 'disabled' },
      from: { address: '203.0.113.7', requestId: REQUEST_ID },
      previousHash: null,
      previousAt: null,
      object: 'audit.entry',
      hash: HASH,
    },
  ],
  nextCursor: null,
  head: { seq: 1, hash: HASH, at: '2026-11-21T09:00:00.000Z' },
};

/** The audit log. */
export const auditOperations = defineOperations({
  listAudit: {
    method: 'GET',
    path: '/v1/admin/audit',
    tag: 'Admin',
    summary: 'List the audit log',
    description:
      'Newest first. Each entry has the hash of the previous one. Owners of a team get the entries of its objects, without `head`.',
    access: 'security',
    scope: 'owner',
    query: z.object({ ...laxPage, limit: laxPage.limit.meta({ ...laxPage.limit.meta(), option: LIMIT_OPTION }) }),
    response: { description: 'A page of the audit log.', body: auditListSchema, example },
  },
});
