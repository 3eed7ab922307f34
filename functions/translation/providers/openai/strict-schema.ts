import { isObject } from '../../../kernel/json/index.ts';
import type { ToolDefinition } from '../../../kernel/model/index.ts';
import type { Translation } from '../../routing/index.ts';
import { OPENAI_REFUSES, withPlainTops } from '../top-level-schema.ts';

/** Keywords that strict schemas do not have: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
const UNSUPPORTED =
  'allOf oneOf not if then else dependentRequired dependentSchemas patternProperties propertyNames unevaluatedProperties unevaluatedItems contains minContains maxContains minProperties maxProperties uniqueItems'.split(
    ' ',
  );

/** The tools for OpenAI's own API. One whose schema cannot be strict there, for example with an optional property, is not; with a warning. */
export function toStrictTools(tools: readonly ToolDefinition[], translation: Translation): readonly ToolDefinition[] {
  return withPlainTops(tools, OPENAI_REFUSES, translation).map((tool) => {
    if (tool.strict !== true || isStrictSchema(tool.parameters)) return tool;
    translation.adjusted('tools', 'its strict schemas are closed and have no optional properties');
    return { ...tool, strict: false };
  });
}

function isStrictSchema(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'object' && schema.anyOf === undefined && isStrict(schema);
}

function isStrict(schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { type, properties, required, additionalProperties, items, anyOf, $defs, definitions } = schema;
  if (UNSUPPORTED.some((name) => schema[name] !== undefined)) return false;
  const isOfObjects = type === 'object' || (Array.isArray(type) && type.includes('object')) || properties !== undefined;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  if (isOfObjects && (additionalProperties !== false || names.some((name) => !needed.has(name)))) return false;
  const inside = [properties, $defs, definitions].flatMap((one) => (isObject(one) ? Object.values(one) : []));
  return [...inside, items, ...(Array.isArray(anyOf) ? anyOf : [])].every(isStrict);
}
