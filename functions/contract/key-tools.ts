import * as z from 'zod';
import { listOf, page } from './fields.ts';
import { defineOperations } from './operation.ts';

const digest = z.string().meta({ description: 'SHA-256 of the definition.' });

/** A tool of a key, with its pinned definition as a digest. */
export const keyToolSchema = z
  .object({
    object: z.literal('key.tool'),
    tool: z.string().meta({ description: 'The name that clients send.' }),
    digest,
    firstSeenAt: z.iso.datetime().meta({ description: 'When a request first had this definition.' }),
    pending: z
      .object({
        digest,
        firstSeenAt: z.iso.datetime(),
        fields: z.array(z.string()).meta({ description: 'What differs: `description`, `parameters.properties.to`.' }),
      })
      .nullable()
      .meta({ description: 'The last other definition that a request had; null if there was none.' }),
  })
  .meta({ id: 'KeyTool', description: 'The pinned definition of a tool. Texts of definitions are not stored.' });
export type KeyTool = z.infer<typeof keyToolSchema>;

const acceptToolSchema = z
  .strictObject({
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'must be a digest as the list shows it' })
      .optional()
      .meta({
        description: 'The pending digest. Default: the one that is pending now.',
        option: { name: 'digest', format: 'text', value: 'DIGEST', help: 'Only if this definition is pending.' },
      }),
  })
  .meta({ id: 'ApproveTool', description: 'Which definition becomes the pinned one.' });

const DIGEST = '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4';
const example = {
  object: 'key.tool',
  tool: 'send_email',
  digest: DIGEST,
  firstSeenAt: '2026-11-21T09:30:00.000Z',
  pending: {
    digest: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    firstSeenAt: '2026-11-24T14:05:00.000Z',
    fields: ['description', 'parameters.properties.bcc'],
  },
};
const accepted = { ...example, ...{ digest: example.pending.digest, firstSeenAt: example.pending.firstSeenAt } };
const params = z.object({
  id: z.string().meta({ description: 'Id of the key.' }),
  tool: z.string().meta({ description: 'Name of the tool.' }),
});

/** The pinned tools of a key; each change is in the audit log. */
export const keyToolOperations = defineOperations({
  listKeyTools: {
    method: 'GET',
    path: '/v1/admin/keys/{id}/tools',
    tag: 'Admin',
    summary: 'List the pinned tools of a key',
    description: 'By name. Tools are pinned while the policy has `tools.pin`.',
    access: 'security',
    scope: 'deployment',
    params: params.pick({ id: true }),
    query: z.strictObject(page),
    response: {
      description: 'A page of tools.',
      body: listOf(keyToolSchema).meta({ id: 'KeyToolList', description: 'A page of pinned tools.' }),
      example: { object: 'list', data: [example], nextCursor: null },
    },
    errors: ['not_found'],
  },
  approveKeyTool: {
    method: 'POST',
    path: '/v1/admin/keys/{id}/tools/{tool}/approve',
    tag: 'Admin',
    summary: 'Accept the changed definition of a tool',
    description: 'The pending definition becomes the pinned one. The gateway applies it within 10 s.',
    access: 'security',
    scope: 'deployment',
    params,
    body: {
      schema: acceptToolSchema,
      examples: { shown: { value: { digest: example.pending.digest } } },
      isOptional: true,
    },
    response: { description: 'The tool.', body: keyToolSchema, example: { ...accepted, pending: null } },
    errors: ['not_found', 'conflict'],
  },
  unpinKeyTool: {
    method: 'DELETE',
    path: '/v1/admin/keys/{id}/tools/{tool}',
    tag: 'Admin',
    summary: 'Remove the pin of a tool',
    description: 'The next definition that a request has is pinned. The gateway applies it within 10 s.',
    access: 'security',
    scope: 'deployment',
    params,
    response: {
      description: 'The tool is not pinned.',
      body: z
        .object({ object: z.literal('key.tool.deletion'), tool: z.string(), deleted: z.literal(true) })
        .meta({ id: 'KeyToolDeletion', description: 'Confirms that a tool was unpinned.' }),
      example: { object: 'key.tool.deletion', tool: example.tool, deleted: true },
    },
    errors: ['not_found'],
  },
});
