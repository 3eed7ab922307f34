import * as z from 'zod';
import { idOf } from './fields.ts';
import { defineOperations } from './operation.ts';

export const endUserDeletionSchema = z
  .object({
    object: z.literal('end_user.deletion'),
    deleted: z.record(z.string(), z.int()).meta({ description: 'Number of items of each kind.' }),
  })
  .meta({ id: 'EndUserDeletion', description: 'The deleted data of an end user.' });
export type EndUserDeletion = z.infer<typeof endUserDeletionSchema>;

/** The data of end users. */
export const endUserOperations = defineOperations({
  deleteEndUser: {
    method: 'DELETE',
    path: '/v1/admin/end-users/{id}',
    tag: 'Admin',
    summary: "Delete an end user's data",
    description:
      'Deletes all stored data of requests on behalf of this end user, of all keys; by the id of an identity, that of its requests and the identity. Deleting an unknown one succeeds too.',
    access: 'admin',
    scope: 'deployment',
    params: idOf('The value of `X-End-User-ID`, or the id of an identity.'),
    response: {
      description: 'Counts of deleted items.',
      body: endUserDeletionSchema,
      example: { object: 'end_user.deletion', deleted: { answers: 2 } },
    },
    errors: ['invalid_value'],
  },
});
