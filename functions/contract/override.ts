import * as z from 'zod';
import { MAX_OVERRIDE_HOURS, overrideSchema } from '../kernel/configuration/index.ts';
import { versionFields } from './documents.ts';
import { defineOperations } from './operation.ts';

const overrideView = z
  .object({
    object: z.literal('override'),
    mode: z.enum(['none', 'observe', 'refuse']).meta({ description: '`none` also after its end.' }),
    until: z.iso.datetime().nullable().meta({ description: 'When it ends by itself; null without one.' }),
    ...versionFields,
  })
  .meta({ id: 'Override', description: 'The emergency switch of the deployment.' });

const example = {
  object: 'override',
  mode: 'observe',
  until: '2026-11-30T03:30:00.000Z',
  version: 3,
  createdAt: '2026-11-30T03:00:00.000Z',
  createdBy: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
};
const response = { description: 'The override.', body: overrideView, example } as const;

/** The emergency switch of the deployment. */
export const overrideOperations = defineOperations({
  getOverride: {
    method: 'GET',
    path: '/v1/admin/override',
    tag: 'Admin',
    summary: 'Read the emergency override',
    access: 'admin',
    response,
  },
  putOverride: {
    method: 'PUT',
    path: '/v1/admin/override',
    tag: 'Admin',
    summary: 'Set or end the emergency override',
    description: `In force in every process within 10 s, until its time: at most ${MAX_OVERRIDE_HOURS} hours. \`observe\` reduces every action of every policy to \`flag\`, also where inspection fails; \`svc.warnings\` then has \`policy_observed\`. \`refuse\` is a 503 \`unavailable\` for requests that are inspected or sent to a model; running responses go on.`,
    access: 'admin',
    body: {
      schema: overrideSchema,
      examples: {
        observe: { value: { mode: 'observe', until: '2026-11-30T03:30:00Z' } },
        end: { value: { mode: 'none' } },
      },
    },
    response,
    errors: ['conflict'],
  },
});
