import * as z from 'zod';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;

/** A name or id in a query. */
export const text = z.string().min(1, { error: 'must not be empty' }).max(256);

/** A time in a query: milliseconds since 1970. */
export const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 }), z.iso.date()], {
    error: 'must be a time with its zone (ISO 8601), or a date, which begins at midnight UTC',
  })
  .transform((written) => Date.parse(written))
  // The end of its hour, day or list has four digits too.
  .refine((ms) => ms < Date.UTC(9999, 0), { error: 'must be before the year 9999' })
  .meta({ wire: { type: 'string' } });
export const TIME_TEXT = 'ISO 8601 with a time zone, or a date, which starts at midnight UTC.';

/** In the help of an option. */
export const AGO = 'or how long ago in seconds, minutes, hours or days (90s, 30m, 24h, 7d)';
export const LIMIT_OPTION = {
  name: 'limit',
  format: 'count',
  value: 'N',
  help: 'Maximum number of rows. Default: 50.',
} as const;

const cursor = z.string().optional().meta({ description: '`nextCursor` of the previous page.' });
const limitWire = { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT };
const LIMIT_ERROR = `must be a whole number from 1 to ${MAX_LIMIT}`;
/** `limit` and `cursor` of a list. */
export const page = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, { error: LIMIT_ERROR })
    .transform(Number)
    .pipe(z.number().max(MAX_LIMIT, { error: LIMIT_ERROR }))
    .default(DEFAULT_LIMIT)
    .meta({ description: 'Most entries on a page.', wire: limitWire }),
  cursor,
};

/** `limit` and `cursor` of lists that ignore other parameters. */
export const laxPage = {
  limit: z.coerce
    .number({ error: LIMIT_ERROR })
    .int({ error: LIMIT_ERROR })
    .min(1, { error: LIMIT_ERROR })
    .max(MAX_LIMIT, { error: LIMIT_ERROR })
    .default(DEFAULT_LIMIT)
    .meta({ description: 'Most entries on a page.', wire: limitWire }),
  cursor,
};

/** The `{id}` of a path. */
export function idOf(description: string) {
  return z.object({ id: z.string().meta({ description }) });
}

/** The response of a list without further fields. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ object: z.literal('list'), data: z.array(item), nextCursor: z.string().nullable() });
}
