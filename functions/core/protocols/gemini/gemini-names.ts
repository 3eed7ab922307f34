import { GatewayError } from '../../base/errors.ts';
import type { JsonPath } from '../../base/json-splice.ts';
import { Places } from '../places.ts';

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
    'displayName',
    'toolCall',
    'toolResponse',
    'responseSchema',
    'responseJsonSchema',
  ].map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
);

/**
 * The value with the names that we read in one spelling; whatever a tool or schema defines is left as it is.
 * @throws GatewayError `invalid_value` for a member in both spellings
 */
export function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  const known = new Map<string, unknown>();
  for (const [name, item] of Object.entries(value)) {
    const read = inCamelCaseName(name);
    if (known.has(read)) throw twice(read);
    known.set(read, FREE.has(read) ? item : inCamelCase(item));
  }
  return Object.fromEntries(known);
}

/** Which of the two Google's parser takes is not known here. */
function twice(name: string): GatewayError {
  return new GatewayError('invalid_value', `'${name}' is set twice, in two spellings.`, { param: name });
}

function inCamelCaseName(name: string): string {
  return Object.hasOwn(NAMES, name) ? (NAMES[name] as string) : name;
}

/** Below these stand names that callers choose. */
export const FREE: ReadonlySet<string> = new Set([
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

/** What the strings of a request are, where they are not plain text. */
export const GEMINI_PLACES = new Places(
  {
    fixed: 'role mimeType id thoughtSignature fileUri',
    names: 'name displayName allowedFunctionNames',
    free: `labels contents[].parts[].functionCall.args contents[].parts[].functionResponse.response
      contents[].parts[].toolCall.args contents[].parts[].toolResponse.response`,
    schemas: `tools[].functionDeclarations[].parameters tools[].functionDeclarations[].parametersJsonSchema
      tools[].functionDeclarations[].response tools[].functionDeclarations[].responseJsonSchema
      generationConfig.responseSchema generationConfig.responseJsonSchema`,
    media: 'contents[].parts[].inlineData.data contents[].parts[].fileData.fileUri',
    unread: 'generationConfig.stopSequences[]',
    sealed: 'contents[].parts[].thoughtSignature',
    same: `contents[].parts[].functionResponse.parts[]=contents[].parts[] systemInstruction.parts[]=contents[].parts[]`,
  },
  inCamelCaseName,
);
