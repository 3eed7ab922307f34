import * as z from 'zod';
import { auditRecordSchema } from '../kernel/model/index.ts';
import { REQUEST_ID } from './analytics-examples.ts';
import { AGO, LIMIT_OPTION, laxPage, TIME_TEXT, text, time } from './fields.ts';
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
    searchedTo: z.iso.datetime().nullable().optional().meta({
      description:
        'With a filter: the time of the oldest entry that was compared. A page compares 1,000 entries. null if all were.',
    }),
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

const listQuery = z.object({
  ...laxPage,
  limit: laxPage.limit.meta({ ...laxPage.limit.meta(), option: LIMIT_OPTION }),
  from: time.optional().meta({
    description: `Not before this time. ${TIME_TEXT}`,
    label: 'From',
    option: { name: 'from', format: 'time', value: 'TIME', help: `Not before a time, ${AGO}. Default: all entries.` },
  }),
  to: time.optional().meta({
    description: `Before this time. ${TIME_TEXT}`,
    label: 'To',
    option: { name: 'to', format: 'time', value: 'TIME', help: `Before a time, ${AGO}.` },
  }),
  action: auditRecordSchema.shape.action.optional().meta({
    description: 'What was done.',
    label: 'Action',
    option: { name: 'action', format: 'text', value: 'NAME', help: 'Only this action: key.created.' },
  }),
  actor: text.optional().meta({
    description: 'Who did it: the id of a key, the subject or e-mail address of a person, `operator` or `system`.',
    label: 'Who',
    hint: 'Key, e-mail address…',
    option: {
      name: 'actor',
      format: 'text',
      value: 'WHO',
      help: 'Only by this key, by its id, or person, by e-mail address or subject; or operator, or system.',
    },
  }),
  targetType: auditRecordSchema.shape.target.shape.type.optional().meta({
    description: 'The kind of what was changed.',
    label: 'Kind',
    option: { name: 'type', format: 'text', value: 'KIND', help: 'Only changes of this kind of object: policy.' },
  }),
  target: text.optional().meta({
    description: 'The id of what was changed.',
    label: 'Target',
    hint: 'Id',
    option: { name: 'target', format: 'text', value: 'ID', help: 'Only changes of this object, by its id.' },
  }),
});

/** The audit log. */
export const auditOperations = defineOperations({
  listAudit: {
    method: 'GET',
    path: '/v1/admin/audit',
    tag: 'Admin',
    summary: 'List the audit log',
    description:
      'Newest first. Each entry has the hash of the previous one. With filters a page may hold fewer than `limit` entries although another page follows. Owners of a team get the entries of its objects, without `head`.',
    access: 'security',
    scope: 'owner',
    query: listQuery,
    response: { description: 'A page of the audit log.', body: auditListSchema, example },
  },
});
