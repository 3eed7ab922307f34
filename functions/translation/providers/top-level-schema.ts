import { isObject } from '../../kernel/json/index.ts';
import type { ToolDefinition } from '../../kernel/model/index.ts';
import type { Translation } from '../routing/index.ts';

type Schema = Readonly<Record<string, unknown>>;

/** "input_schema does not support oneOf, allOf, or anyOf at the top level": github.com/anthropics/claude-code/issues/5973 */
export const CLAUDE_REFUSES: readonly string[] = ['anyOf', 'oneOf', 'allOf'];
/**
 * "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level":
 * github.com/nspady/google-calendar-mcp/issues/39
 */
export const OPENAI_REFUSES: readonly string[] = [...CLAUDE_REFUSES, 'enum', 'not'];

/**
 * The tools with a plain object at the top of their schemas, as the API requires. It has the properties of all alternatives, and the description
 * says what they allow.
 */
export function withPlainTops(
  tools: readonly ToolDefinition[],
  refused: readonly string[],
  translation: Translation,
): readonly ToolDefinition[] {
  return tools.map((tool, at) => {
    if (tool.parameters === undefined) return tool;
    const names = refused.filter((name) => tool.parameters?.[name] !== undefined);
    const { type = 'object' } = tool.parameters;
    if (type !== 'object') translation.adjusted(`tools[${at}].parameters`, "the top of a tool's schema is an object");
    if (names.length === 0) return { ...tool, parameters: { ...tool.parameters, type: 'object' } };
    translation.adjusted(`tools[${at}].parameters`, `it takes no ${names.join(', ')} at the top of a tool's schema`);
    return { ...tool, parameters: toPlainTop(tool.parameters, names) };
  });
}

function toPlainTop(schema: Schema, names: readonly string[]): Record<string, unknown> {
  const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
  const { properties, required } = shapeOf(schema, schema, new Set());
  const limits = names.map((name) => `${name}: ${JSON.stringify(schema[name])}`).join(', ');
  return {
    ...rest,
    type: 'object',
    description: typeof schema.description === 'string' ? `${schema.description} (${limits})` : `(${limits})`,
    properties: Object.fromEntries([...properties].map(([name, values]) => [name, toOne([...values.values()])])),
    ...(required.size > 0 && { required: [...required] }),
  };
}

interface Shape {
  /** The schemas of each property by their JSON. */
  readonly properties: Map<string, Map<string, unknown>>;
  /** Properties that every object has. */
  readonly required: ReadonlySet<string>;
}

/** References lead on from one alternative to the next: more of them are not followed. */
export const MAX_SCHEMA_DEPTH = 256;

/** @param seen alternatives that were read, since references can lead to one more than once */
function shapeOf(schema: Schema, root: Schema, seen: Set<unknown>, depth = 0): Shape {
  const properties: Shape['properties'] = new Map();
  const required = new Set(listOf(schema.required).filter((one) => typeof one === 'string'));
  const add = (name: string, values: Iterable<unknown>) => {
    const known = properties.get(name) ?? new Map<string, unknown>();
    for (const value of values) known.set(JSON.stringify(value), value);
    properties.set(name, known);
  };
  if (isObject(schema.properties)) for (const [name, one] of Object.entries(schema.properties)) add(name, [one]);
  for (const composition of CLAUDE_REFUSES) {
    const listed = listOf(schema[composition]);
    const alternatives = listed
      .map((one) => followed(one, root))
      .filter(isObject)
      .filter((one) => depth < MAX_SCHEMA_DEPTH && !seen.has(one) && seen.add(one));
    const shapes = alternatives.map((one) => shapeOf(one, root, seen, depth + 1));
    for (const shape of shapes) for (const [name, values] of shape.properties) add(name, values.values());
    const requiring = new Map<string, number>();
    for (const shape of shapes) for (const name of shape.required) requiring.set(name, (requiring.get(name) ?? 0) + 1);
    const all = composition === 'allOf' ? 1 : listed.length;
    for (const [name, count] of requiring) if (count >= all) required.add(name);
  }
  return { properties, required };
}

/** What a reference such as `#/$defs/node` names; other schemas are returned. */
function followed(schema: unknown, root: Schema): unknown {
  return isObject(schema) && typeof schema.$ref === 'string' ? targetOf(schema.$ref, root) : schema;
}

/** What a JSON pointer such as `#/$defs/node` names; undefined if the document has no such place. */
export function targetOf(reference: string, root: Schema): unknown {
  const [start, ...names] = reference.split('/');
  if (start !== '#') return undefined;
  let value: unknown = root;
  for (const name of names) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function toOne(schemas: readonly unknown[]): unknown {
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
