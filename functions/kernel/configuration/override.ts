import * as z from 'zod';

/** The longest time for which an override is set. */
export const MAX_OVERRIDE_HOURS = 24;

const MODES = ['none', 'observe', 'refuse'] as const;

/** What an administrator sets: what it overrides, and until when. */
export const overrideSchema = z
  .strictObject({
    mode: z.enum(MODES).meta({
      description:
        '`observe`: every action of a policy is reduced to `flag`. `refuse`: requests to models get a 503. `none`: ends an override.',
    }),
    until: z.iso
      .datetime({ offset: true, error: 'must be a time with its zone (ISO 8601)' })
      .optional()
      .meta({
        description: `When it ends by itself, at most ${MAX_OVERRIDE_HOURS} hours from now. Required unless \`mode\` is \`none\`.`,
      }),
  })
  .refine(({ mode, until }) => mode === 'none' || until !== undefined, {
    path: ['until'],
    error: 'is required: an override ends by itself',
  })
  .meta({ id: 'PutOverride', description: 'An emergency switch of the whole deployment.' });

/** The content of the document `override`. */
export type Override =
  | { readonly mode: 'none' }
  | {
      readonly mode: 'observe' | 'refuse';
      /** When it was set and when it ends, ISO 8601. */
      readonly from: string;
      readonly until: string;
    };
