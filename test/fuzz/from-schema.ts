import fc from 'fast-check';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Deeper than this a value is whatever is short. */
const MAX_DEPTH = 7;

/** Values that a JSON Schema allows by its basic keywords: a grammar for requests, not a validator. */
export function fromSchema(
  schema: Schema,
  components: Readonly<Record<string, Schema>>,
  depth = 0,
): fc.Arbitrary<unknown> {
  const below = (part: Schema) => fromSchema(part, components, depth + 1);
  const named = schema.$ref === undefined ? undefined : components[schema.$ref.split('/').at(-1) ?? ''];
  if (named !== undefined) return below(named);
  if (depth > MAX_DEPTH) return fc.constantFrom<unknown>(null, 'x', 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined && choices.length > 0) return fc.oneof(...choices.map(below));
  if (schema.allOf !== undefined) {
    return fc.tuple(...schema.allOf.map(below)).map((parts) => Object.assign({}, ...(parts as object[])));
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0
    ? fc.jsonValue({ maxDepth: 1 })
    : fc.oneof(...types.map((type) => ofType(type, schema, below)));
}

function ofType(type: string, schema: Schema, below: (part: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { minimum = -10, maximum = 1_000 } = schema;
  switch (type) {
    case 'object': {
      const { properties = {}, required = [], additionalProperties: others } = schema;
      const own = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, below(part)]));
      if (Object.keys(own).length > 0) return fc.record(own, { requiredKeys: required.filter((name) => name in own) });
      return fc.dictionary(fc.string({ maxLength: 8 }), typeof others === 'object' ? below(others) : fc.jsonValue(), {
        maxKeys: 3,
      });
    }
    case 'array':
      return fc.array(below(schema.items ?? {}), { minLength: Math.min(schema.minItems ?? 0, 3), maxLength: 3 });
    case 'string':
      return strings(schema);
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.max(Math.ceil(minimum), Math.min(maximum, 2 ** 31 - 1)) });
    case 'number':
      return fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true });
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

function strings({ pattern, format, maxLength = 30 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'uri') return fc.constant('https://hooks.invalid/x');
  const plain = fc.string({ maxLength: Math.min(maxLength, 30) });
  if (pattern === undefined) return plain;
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    // It has what the generator cannot follow, such as a look-ahead.
    return plain;
  }
}
