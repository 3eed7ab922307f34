import * as z from 'zod';
import { VIEW_PAGES } from '../kernel/configuration/index.ts';
import { idOf, listOf } from './fields.ts';
import { defineOperations } from './operation.ts';

const MAX_SEARCH = 2_000;
/** Of an end user, whose data can be deleted, and of a session, which expires. */
const NOT_SAVED = ['endUserId', 'sessionId'];

const fields = {
  page: z.enum(VIEW_PAGES).meta({ description: 'The list of the dashboard.' }),
  name: z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(60, { error: 'must have at most 60 characters' })
    .meta({ description: 'Its name: one view of a page has it.' }),
  search: z
    .string()
    .max(MAX_SEARCH, { error: `must have at most ${MAX_SEARCH} characters` })
    .meta({ description: "Filters, range and columns, as in the page's URL: `status=429&range=7d`." }),
  shared: z.boolean().meta({ description: 'Whether the others see it too: those of the team, or of the deployment.' }),
};

const createViewSchema = z
  .strictObject({
    ...fields,
    search: fields.search.refine((search) => !namesPerson(search), {
      error: `must not have ${NOT_SAVED.join(' or ')}: a view would outlive their data`,
    }),
    shared: fields.shared.default(false),
  })
  .meta({ id: 'CreateView', description: 'Filters of a list under a name.' });

const viewSchema = z
  .object({
    object: z.literal('view'),
    id: z.string(),
    ...fields,
    own: z.boolean().meta({ description: 'Whether the caller saved it.' }),
    savedBy: z.string().meta({ description: 'The id of the key, or the e-mail address or subject of the person.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'View', description: 'Filters of a list under a name.' });

const deletionSchema = z
  .object({ object: z.literal('view.deletion'), id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'ViewDeletion', description: 'Confirms that a view was deleted.' });

function namesPerson(search: string): boolean {
  const all = [...new URLSearchParams(search)];
  return all.some(([name, value]) => NOT_SAVED.includes(name === 'not' ? (value.split('=')[0] as string) : name));
}

const createExample = { page: 'requests', name: 'Rate limited', search: 'status=429&range=7d', shared: true };
const example = {
  object: 'view',
  id: 'view_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
  ...createExample,
  own: true,
  savedBy: 'ann@example.com',
  createdAt: '2026-11-30T09:00:00.000Z',
};

/** Saved filters of the dashboard's lists: those of the caller, and those that they share. */
export const viewOperations = defineOperations({
  listViews: {
    method: 'GET',
    path: '/v1/admin/views',
    tag: 'Admin',
    summary: 'List saved views',
    description: "The caller's own, and those that others share with them: in their team, or else in the deployment.",
    access: 'analytics',
    scope: 'viewer',
    response: {
      description: 'The views, oldest first.',
      body: listOf(viewSchema).meta({ id: 'ViewList', description: 'Saved views.' }),
      example: { object: 'list', data: [example], nextCursor: null },
    },
  },
  createView: {
    method: 'POST',
    path: '/v1/admin/views',
    tag: 'Admin',
    summary: 'Save a view',
    description:
      'It replaces an own view of the same page and name, or a shared one that the caller may delete. At most 50 own and 50 shared ones.',
    access: 'analytics',
    scope: 'viewer',
    body: { schema: createViewSchema, examples: { limited: { value: createExample } } },
    response: { status: 201, description: 'The view.', body: viewSchema, example },
    errors: ['conflict'],
  },
  deleteView: {
    method: 'DELETE',
    path: '/v1/admin/views/{id}',
    tag: 'Admin',
    summary: 'Delete a saved view',
    description: 'A shared one is deleted by who saved it, by owners of the team, and by administrators.',
    access: 'analytics',
    scope: 'viewer',
    params: idOf('Id of the view.'),
    response: {
      description: 'The view is deleted.',
      body: deletionSchema,
      example: { object: 'view.deletion', id: example.id, deleted: true },
    },
    errors: ['not_found', 'conflict'],
  },
});
