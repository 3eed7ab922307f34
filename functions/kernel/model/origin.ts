import * as z from 'zod';

const count = z.int().min(0);

/** Where the value of an argument occurs in third-party text: places, never the text. */
const sourceSchema = z.object({
  message: count.meta({ description: 'Index of the message in the request.' }),
  tool: z.string().nullable().meta({ description: 'The tool whose result it is; null for a document.' }),
  field: z
    .string()
    .meta({ description: 'Path in the result, such as `items[0].body`; empty for a text without fields.' }),
  start: count.meta({ description: 'In UTF-16 code units of the text of `field`.' }),
  end: count.meta({ description: 'Exclusive; equal to `start` if the place in the text is not known.' }),
  as: z.enum(['field', 'prose']).meta({ description: 'Whether the value is the whole field, or part of a text.' }),
  earlier: z.literal(true).optional().meta({
    description:
      'Present if the value first came in a result or document of an earlier request of the session; `message` is the message of this request that repeats it.',
  }),
});

/** Where the values and the cause of a tool call come from. */
export const originSchema = z
  .object({
    call: z.string().meta({ description: 'Name of the called tool.' }),
    argument: z
      .string()
      .nullable()
      .meta({ description: 'Path of the doubtful argument, such as `to[0]`; null for the call as a whole.' }),
    user: z.boolean().meta({ description: 'Whether the texts of the user have its value.' }),
    sources: z.array(sourceSchema).readonly(),
    ordered: z.boolean().meta({ description: 'Whether third-party text orders such a call.' }),
  })
  .meta({ id: 'CallOrigin', description: 'Where the values and the cause of a tool call are. Contains no text.' });
export type CallOrigin = z.infer<typeof originSchema>;

const NAME = /^[A-Za-z_][\w-]{0,63}$/;
const MAX_PATH = 200;

/** The same for records and events: a name that a third party or a model may have chosen is kept if it is a simple identifier, else `*`. */
export function withoutUnusualNames({ call, argument, sources, ...rest }: CallOrigin): CallOrigin {
  return {
    ...rest,
    call: usualPath(call),
    argument: argument === null ? null : usualPath(argument),
    sources: sources.map((source) => ({
      ...source,
      tool: source.tool === null ? null : usualPath(source.tool),
      field: usualPath(source.field),
    })),
  };
}

/** A path whose names are `*` unless they are simple identifiers. */
export function usualPath(path: string): string {
  return path
    .slice(0, MAX_PATH)
    .replace(/\[\d{1,7}\]|[^.[\]]+/g, (step) => (step.startsWith('[') || NAME.test(step) ? step : '*'));
}
