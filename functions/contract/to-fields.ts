import * as z from 'zod';
import type { FieldMeta } from '../kernel/model/index.ts';

/** A JSON schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A field of a query, a path or a body, as data: for the document, the command line and the dashboard. */
export interface Field extends FieldMeta {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description?: string;
  /** The value as a client sends it. A schema with an id is a `$ref`. */
  readonly schema: JsonSchema;
  /** Of an object with fixed fields. */
  readonly fields?: readonly Field[];
  /** Of a list of such objects: the fields of one. */
  readonly items?: readonly Field[];
}

/** Members of a schema that are no JSON schema: those of FieldMeta. */
const META = ['label', 'hint', 'section', 'option', 'choices', 'choiceLabels', 'isOpen'] as const;

/** The fields of a schema in their order. */
export function toFields(schema: z.ZodType): Field[] {
  const { $ref, $defs, ...inline } = z.toJSONSchema(schema, { io: 'input', override: tidy });
  return fieldsOf($ref === undefined ? inline : ($defs?.[$ref.slice('#/$defs/'.length)] as JsonSchema));
}

/** The defaults of fields by their names, also of those whose JSON schema has none, because they are written in several ways. */
export function defaultsOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const shape = schema instanceof z.ZodObject ? (schema.shape as z.ZodRawShape) : {};
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) =>
      field instanceof z.ZodDefault ? [[name, field.def.defaultValue]] : [],
    ),
  );
}

/** zod writes these bounds for an integer without bounds. */
const SAFE = Number.MAX_SAFE_INTEGER;

/** Replaces a schema by the `wire` of its metadata, and drops keywords that repeat `type` and `format`. */
function tidy({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { wire } = jsonSchema;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.minimum === -SAFE) delete jsonSchema.minimum;
  if (jsonSchema.maximum === SAFE) delete jsonSchema.maximum;
  if (wire === undefined) return;
  for (const name of Object.keys(jsonSchema)) {
    if (name !== 'description' && !META.some((kept) => kept === name)) delete jsonSchema[name];
  }
  Object.assign(jsonSchema, wire);
}

/** The same without what only people see. For `override` of zod's JSON schema. */
export function toWire(context: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  tidy(context);
  for (const name of ['id', ...META]) delete context.jsonSchema[name];
}

function fieldsOf(schema: JsonSchema): Field[] {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as JsonSchema & { readonly description?: string };
    const wire = Object.fromEntries(Object.entries(rest).filter(([member]) => !META.some((one) => one === member)));
    const meta = Object.fromEntries(
      META.flatMap((member) => (rest[member] === undefined ? [] : [[member, rest[member]]])),
    );
    const inner = fieldsOf(objectOf(wire));
    const items = fieldsOf((wire.items as JsonSchema | undefined) ?? {});
    const choices = choicesOf(wire);
    return {
      ...{ name, isRequired: required.includes(name), ...(description !== undefined && { description }) },
      ...(choices !== undefined && { choices }),
      ...meta,
      schema: wire,
      ...(inner.length > 0 && { fields: inner }),
      ...(items.length > 0 && { items }),
    };
  });
}

/** The values that a schema or the items of a list list. */
function choicesOf({ enum: values, items, anyOf }: JsonSchema): readonly string[] | undefined {
  if (values !== undefined) return values as readonly string[];
  if (items !== undefined) return choicesOf(items as JsonSchema);
  return (anyOf as readonly JsonSchema[] | undefined)?.map(choicesOf).find((found) => found !== undefined);
}

/** The object of a schema that may be null. */
function objectOf(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema as { readonly anyOf?: readonly JsonSchema[] };
  return anyOf?.find(({ type }) => type === 'object') ?? schema;
}
