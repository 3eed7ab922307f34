import { isObject } from '../../core/base/json.ts';

/** JSON schema keywords whose values are schemas by name, schemas in a list, or one schema. */
const BY_NAME = new Set(['properties', '$defs', 'definitions']);
const IN_LIST = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
/** Limits that the API rejects: the model reads them in the description instead. */
const LIMITS = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties'.split(
    ' ',
  ),
);

/** Whether an object of the schema may have properties that the schema does not name. Claude's structured outputs have no such objects. */
export function hasFreeProperties(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, properties, additionalProperties: free } = schema;
  const isAnyObject = type === 'object' && properties === undefined && free !== false;
  return isAnyObject || free === true || isObject(free) || schemasIn(schema).some(hasFreeProperties);
}

function schemasIn(schema: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(schema).flatMap(([name, value]) => {
    if (BY_NAME.has(name) && isObject(value)) return Object.values(value);
    if (IN_LIST.has(name) && Array.isArray(value)) return value;
    return name === 'items' ? [value] : [];
  });
}

/**
 * A JSON schema as Claude's structured outputs take it: objects have no further properties, and limits of numbers, texts and arrays are
 * in the description. Source: https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export function toClaudeSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const limits: string[] = [];
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (LIMITS.has(name) && !(name === 'minItems' && (value === 0 || value === 1))) {
      limits.push(`${name}: ${JSON.stringify(value)}`);
      return [];
    }
    return [[name, withinSchema(name, value)]];
  });
  const result = Object.fromEntries(entries);
  if (limits.length > 0) {
    const said = typeof schema.description === 'string' ? `${schema.description} ` : '';
    result.description = `${said}(${limits.join(', ')})`;
  }
  if (schema.type === 'object' || isObject(schema.properties)) result.additionalProperties = false;
  return result;
}

function withinSchema(name: string, value: unknown): unknown {
  if (BY_NAME.has(name) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toSchema(one)]));
  }
  if (IN_LIST.has(name) && Array.isArray(value)) return value.map(toSchema);
  return name === 'items' ? toSchema(value) : value;
}

function toSchema(value: unknown): unknown {
  return isObject(value) ? toClaudeSchema(value) : value;
}
