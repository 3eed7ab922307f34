import { isObject } from '../../../kernel/json/index.ts';
import type { ChatRequest, JsonFormat, ToolDefinition } from '../../../kernel/model/index.ts';
import type { Translation } from '../../routing/index.ts';
import { CLAUDE_REFUSES, MAX_SCHEMA_DEPTH, targetOf, withPlainTops } from '../top-level-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** JSON schema keywords whose values are schemas by name, schemas in a list, or one schema. */
const BY_NAME = new Set(['properties', '$defs', 'definitions']);
const IN_LIST = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
/** The keywords of structured outputs: https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
const TAKEN = new Set(
  'type properties required additionalProperties items enum const anyOf allOf $ref $defs definitions default title description format pattern minItems'.split(
    ' ',
  ),
);
/** Keywords that limit nothing. */
const NOTES = new Set('$schema $id $comment $anchor examples deprecated readOnly writeOnly'.split(' '));
const FORMATS: ReadonlySet<unknown> = new Set(
  'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '),
);
/** Lookaround, backreferences and word boundaries. */
const COMPLEX_PATTERN = /\(\?[=!<]|\\[1-9bBk]/;

/** Whether structured outputs can express a schema: without free properties, recursion, and references to other documents. */
export function fitsClaude(schema: Schema): boolean {
  return !hasFreeProperties(schema) && !hasReferenceInAllOf(schema) && hasPlainReferences(schema);
}

/** Whether an object of the schema may have properties that the schema does not name. Claude's structured outputs have no such objects. */
export function hasFreeProperties(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, properties, additionalProperties: free } = schema;
  const isAnyObject = type === 'object' && properties === undefined && free !== false;
  return isAnyObject || free === true || isObject(free) || schemasIn(schema).some(hasFreeProperties);
}

function hasReferenceInAllOf(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { allOf } = schema;
  const isFound = Array.isArray(allOf) && allOf.some((one) => isObject(one) && one.$ref !== undefined);
  return isFound || schemasIn(schema).some(hasReferenceInAllOf);
}

/** Whether every reference leads to a schema of the document, and none to one around itself. */
function hasPlainReferences(root: Schema): boolean {
  const isPlain = new Map<string, boolean>();
  const check = (schema: unknown, depth: number): boolean =>
    depth < MAX_SCHEMA_DEPTH && referencesIn(schema).every((reference) => follow(reference, depth));
  const follow = (reference: string, depth: number): boolean => {
    const known = isPlain.get(reference);
    if (known !== undefined) return known;
    // While it is followed, a second visit is recursion.
    isPlain.set(reference, false);
    const target = targetOf(reference, root);
    const plain = isObject(target) && check(target, depth + 1);
    isPlain.set(reference, plain);
    return plain;
  };
  return check(root, 0);
}

function referencesIn(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const own = schema.$ref === undefined ? [] : [String(schema.$ref)];
  return [...own, ...schemasIn(schema).flatMap(referencesIn)];
}

function schemasIn(schema: Schema): unknown[] {
  return Object.entries(schema).flatMap(([name, value]) => {
    if (BY_NAME.has(name) && isObject(value)) return Object.values(value);
    if (IN_LIST.has(name) && Array.isArray(value)) return value;
    return name === 'items' ? [value] : [];
  });
}

/**
 * A JSON schema as Claude's structured outputs take it: objects have no further properties, and what the API rejects is in the
 * description, where the model reads it.
 */
export function toClaudeSchema(schema: Schema): Record<string, unknown> {
  const limits: string[] = [];
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (NOTES.has(name)) return [];
    if (name === 'oneOf' && schema.anyOf === undefined) return [['anyOf', withinSchema('anyOf', value)]];
    if (isTaken(name, value)) return [[name, withinSchema(name, value)]];
    limits.push(`${name}: ${JSON.stringify(value)}`);
    return [];
  });
  const result = Object.fromEntries(entries);
  if (limits.length > 0) {
    const said = typeof schema.description === 'string' ? `${schema.description} ` : '';
    result.description = `${said}(${limits.join(', ')})`;
  }
  if (schema.type === 'object' || isObject(schema.properties)) result.additionalProperties = false;
  return result;
}

function isTaken(name: string, value: unknown): boolean {
  switch (name) {
    case 'minItems':
      return value === 0 || value === 1;
    case 'format':
      return FORMATS.has(value);
    case 'pattern':
      return !COMPLEX_PATTERN.test(String(value));
    case 'enum':
      return Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null);
    default:
      return TAKEN.has(name);
  }
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

/** The API requires a schema. */
export const NO_PARAMETERS = { type: 'object', properties: {} } as const;

/**
 * The tools of a request with schemas in Claude's form. A strict tool whose schema cannot be strict is sent without `strict`, with a warning.
 * @param takesStrict whether the model has structured outputs
 */
export function toClaudeTools(
  { tools = [], others }: Pick<ChatRequest, 'tools' | 'others'>,
  takesStrict: boolean,
  translation: Translation,
): readonly ToolDefinition[] {
  const bounds = new StrictBounds();
  for (const { meaning, value } of others) if (meaning === 'response_format') bounds.add((value as JsonFormat).schema);
  return withPlainTops(tools, CLAUDE_REFUSES, translation).map((tool) => {
    const { strict, ...plain } = tool;
    if (strict !== true) return plain;
    const { parameters = NO_PARAMETERS } = tool;
    if (takesStrict && fitsClaude(parameters) && bounds.takes(parameters)) {
      return { ...tool, parameters: toClaudeSchema(parameters) };
    }
    translation.adjusted('tools', 'this model cannot be bound to one of their strict schemas, or to no more of them');
    return plain;
  });
}

/** What all strict schemas of one request may have together. Source: as above, "Schema complexity limits". */
class StrictBounds {
  private tools = 20;
  private optional = 24;
  private unions = 16;

  /** Counts a strict tool's schema, unless it is one too many. */
  takes(schema: Schema): boolean {
    const { optional, unions } = countIn(schema);
    if (this.tools < 1 || optional > this.optional || unions > this.unions) return false;
    this.tools -= 1;
    this.add(schema);
    return true;
  }

  add(schema: Schema | undefined): void {
    const { optional, unions } = countIn(schema);
    this.optional -= optional;
    this.unions -= unions;
  }
}

/** The parameters that are optional, and those of several types, at any depth. */
function countIn(schema: unknown): { optional: number; unions: number } {
  if (!isObject(schema)) return { optional: 0, unions: 0 };
  const { properties, required } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const isUnion = (one: unknown) => isObject(one) && (one.anyOf ?? one.oneOf ?? Array.isArray(one.type)) !== false;
  const own = {
    optional: names.filter((name) => !needed.has(name)).length,
    unions: isObject(properties) ? Object.values(properties).filter(isUnion).length : 0,
  };
  return schemasIn(schema)
    .map(countIn)
    .reduce((sum, one) => ({ optional: sum.optional + one.optional, unions: sum.unions + one.unions }), own);
}
