import type { JsonPath } from '../../json/json-splice.ts';

/**
 * Google's API takes each name in two spellings, `systemInstruction` and `system_instruction`; its parser does not mind which.
 * Ours reads the first, so that nothing can hide behind the other: these stand for the same.
 */
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'systemInstruction',
    'inlineData',
    'mimeType',
    'fileData',
    'fileUri',
    'functionCall',
    'functionResponse',
    'functionDeclarations',
    'toolConfig',
    'functionCallingConfig',
    'allowedFunctionNames',
    'generationConfig',
    'topP',
    'topK',
    'candidateCount',
    'maxOutputTokens',
    'stopSequences',
    'parametersJsonSchema',
    'thoughtSignature',
  ].map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
);

/** The value with the names that we read in one spelling; whatever a tool or schema defines is left as it is. */
export function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const known = Object.hasOwn(NAMES, name) ? (NAMES[name] as string) : name;
      return [known, FREE.has(known) ? item : inCamelCase(item)];
    }),
  );
}

/** Below these stand names that callers choose. */
const FREE = new Set([
  'args',
  'response',
  'parameters',
  'responseSchema',
  'responseJsonSchema',
  'parametersJsonSchema',
]);

/** What callers and models fill as they like: no name in it means anything to the API. */
const INPUT = new Set<string | number>(['args', 'response']);

/** Whether a path leads into it. */
export function isFree(path: JsonPath): boolean {
  return path.some((step) => INPUT.has(step));
}
