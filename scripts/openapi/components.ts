import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { toWire } from '../../functions/contract/index.ts';

export type Json = { readonly [name: string]: unknown };

const DEFINITION = '#/$defs/';

/**
 * The schemas under `components`, each by the `id` of its `.meta`. Throws if two schemas share a name.
 * Response schemas stay open, because a field that is added to a response breaks no client.
 */
export function toComponents(requests: readonly z.ZodType[], responses: readonly z.ZodType[]): Record<string, Json> {
  const components: Record<string, Json> = {};
  const add = (schema: z.ZodType, io: 'input' | 'output') => {
    for (const [name, found] of Object.entries(definitions(schema, io))) {
      const known = components[name];
      components[name] ??= found;
      if (known !== undefined && !isDeepStrictEqual(opened(known), opened(found))) {
        throw new Error(`two schemas are called ${name}`);
      }
    }
  };
  for (const schema of requests) add(schema, 'input');
  for (const schema of responses) add(schema, 'output');
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A schema without an id, as a request has it. */
export function inlineSchema(schema: z.ZodType): Json {
  const { $schema: _, ...inline } = z.toJSONSchema(schema, {
    io: 'input',
    override: toWire,
  });
  return inline;
}

/** A reference to a schema by its `id`. Throws if it has none. */
export function schemaRef(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) {
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape).join(', ') : schema.def.type;
    throw new Error(`a schema of the document needs .meta({ id: 'Name', description: '…' }): the one of ${fields}`);
  }
  return { $ref: `#/components/schemas/${id}` };
}

function definitions(schema: z.ZodType, io: 'input' | 'output'): Record<string, Json> {
  schemaRef(schema);
  const { $defs } = z.toJSONSchema(schema, { io, override: toWire });
  const found = moved($defs ?? {}) as Record<string, Json>;
  return io === 'input' ? found : (opened(found) as Record<string, Json>);
}

/** Rewrites references so that they point to `components`. */
function moved(value: unknown): unknown {
  return mapped(value, (name, item) =>
    name === '$ref' ? [name, String(item).replace(DEFINITION, '#/components/schemas/')] : [name, item],
  );
}

/** Removes `additionalProperties` where it is false or the empty schema. */
function opened(value: unknown): unknown {
  return mapped(value, (name, item) => {
    const closed = item === false || (typeof item === 'object' && item !== null && Object.keys(item).length === 0);
    return name === 'additionalProperties' && closed ? undefined : [name, item];
  });
}

function mapped(value: unknown, change: (name: string, item: unknown) => [string, unknown] | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      const changed = change(name, item);
      return changed === undefined ? [] : [[changed[0], mapped(changed[1], change)]];
    }),
  );
}
