import type { JsonPath } from '../../base/edits.ts';
import { GatewayError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { type IdRules, namedIn } from '../bodies/named-resources.ts';
import { Places } from '../bodies/request-places.ts';
import type { NamedId } from '../protocol.ts';

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

const FILES_API = 'generativelanguage';
/** Google looks up what follows the last of these, however a name is written. */
const FILES = 'files/';
const FILE_NAME = /^\/*([^/?#:]+)/;

const RULES: IdRules = {
  members: {
    cachedContent: 'Cached content',
    fileUri: 'File',
    fileSearchStoreNames: 'File search store',
    ragCorpora: 'Corpus',
    ragCorpus: 'Corpus',
    datastore: 'Data store',
    dataStore: 'Data store',
    engine: 'Search engine',
  },
  free: new Set([...FREE, 'labels', 'partMetadata']),
  nameOf: (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  idOf: (text, name) => (name === 'fileUri' ? fileIn(text) : text),
};

/** The ids by which a request names what Google keeps for the account, in either spelling of their members. */
export function namedInGemini(value: unknown): NamedId[] {
  return namedIn(value, RULES);
}

/** The files that an answer gives. */
export function givenInGemini(candidates: readonly Readonly<Record<string, unknown>>[]): string[] {
  return candidates.flatMap(({ content }) => {
    const parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
    return parts.some((part) => isObject(part) && isObject(part.fileData))
      ? namedIn(parts, RULES).map(({ id }) => id)
      : [];
  });
}

/**
 * The file that an address names: `files/abc` of the Files API by whichever of its addresses, or `gs://bucket/object`, which is
 * read with the account's rights. Undefined for a page or a video of the web, which anybody may read.
 */
function fileIn(uri: string): string | undefined {
  const address = URL.parse(uri);
  const isWeb = address !== null && /^https?:$/.test(address.protocol);
  if (isWeb && !address.hostname.includes(FILES_API)) return undefined;
  const path = decoded(isWeb ? address.pathname : uri);
  const at = path.toLowerCase().lastIndexOf(FILES);
  const [, name] = at < 0 ? [] : (FILE_NAME.exec(path.slice(at + FILES.length)) ?? []);
  return name === undefined || uri.startsWith('gs:') ? uri : `files/${name}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
