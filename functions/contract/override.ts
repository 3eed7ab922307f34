import * as z from 'zod';
import { versionFields } from './documents.ts';
import { defineOperations } from './operation.ts';

const MODES = ['none', 'observe', 'refuse'] as const;

/** The override as everybody sees it who may read analytics. */
export const overrideInForce = z.object({
  mode: z.enum(MODES).meta({ description: '`none` also after its end.' }),
  until: z.iso.datetime().nullable().meta({ description: 'When it ends by itself; null without one.' }),
});

/** What an administrator sets: what it overrides, and until when. */
const overrideSchema = z
  .strictObject({
    mode: z.enum(MODES).meta({
      description:
        '`observe`: every action of a policy is reduced to `flag`. `refuse`: requests to models get a 503. `none`: ends an override.',
    }),
    until: z.iso
      .datetime({ offset: true, error: 'must be a time with its zone (ISO 8601)' })
      .optional()
      .meta({ description: 'When it ends by itself, at most a day from now. Required unless `mode` is `none`.' }),
  })
  .refine(({ mode, until }) => mode === 'none' || until !== undefined, {
    path: ['until'],
    error: 'is required: an override ends by itself',
  })
  .meta({ id: 'PutOverride', description: 'An emergency switch of the whole deployment.' });

const overrideView = z
  .object({
    object: z.literal('override'),
    ...overrideInForce.shape,
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
    access: 'operator',
    scope: 'deployment',
    response,
  },
  putOverride: {
    method: 'PUT',
    path: '/v1/admin/override',
    tag: 'Admin',
    summary: 'Set or end the emergency override',
    description:
      'In force in every process within 10 s, until its time: at most a day. `observe` reduces every action of every policy to `flag`, also where inspection fails; `svc.warnings` then has `policy_observed`. `refuse` is a 503 `unavailable` for requests that are inspected or sent to a model; running responses go on.',
    access: 'operator',
    scope: 'deployment',
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
