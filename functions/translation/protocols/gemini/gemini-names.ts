import { GatewayError } from '../../../kernel/errors/index.ts';
import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { FREE_MEMBERS, type IdRules, namedIn, namedInPart } from '../bodies/named-ids.ts';
import { Places } from '../bodies/request-places.ts';
import type { NamedId } from '../protocol.ts';

/**
 * Google's API accepts two spellings, `systemInstruction` and `system_instruction`, in any case. The gateway reads the first, so that
 * nothing can hide behind the second.
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
    'responseMimeType',
    'responseModalities',
    'responseLogprobs',
    'presencePenalty',
    'frequencyPenalty',
    'thinkingConfig',
    'includeThoughts',
    'thinkingBudget',
    'thinkingLevel',
    'speechConfig',
    'imageConfig',
    'mediaResolution',
    'safetySettings',
    'cachedContent',
    'serviceTier',
    'googleSearch',
    'googleMaps',
    'urlContext',
    'codeExecution',
    'generateContentRequest',
    'taskType',
    'outputDimensionality',
  ].map((name) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name]),
);

/**
 * A copy of the value with known names in one spelling. Members that a tool or schema defines stay unchanged. @throws GatewayError
 * `invalid_value` for a member in both spellings
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

/** Which of the two Google's parser uses is unknown. */
function twice(name: string): GatewayError {
  return new GatewayError('invalid_value', `'${name}' is set twice, in two spellings.`, { param: name });
}

export function inCamelCaseName(name: string): string {
  return Object.hasOwn(NAMES, name) ? (NAMES[name] as string) : name;
}

/** Members below which callers choose the names. */
export const FREE: ReadonlySet<string> = new Set([
  'args',
  'response',
  'parameters',
  'responseSchema',
  'responseJsonSchema',
  'parametersJsonSchema',
]);

/** Content that callers and models fill freely: names in it have no meaning for the API. */
const INPUT = new Set<string | number>(['args', 'response']);

/** Whether a path leads into such content. */
export function isFree(path: JsonPath): boolean {
  return path.some((step) => INPUT.has(step));
}

const PLACES = {
  known: [...Object.values(NAMES), 'id', 'requests'].join(' '),
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
};

/** The strings of a request that are not plain text. */
export const GEMINI_PLACES = new Places(PLACES, inCamelCaseName);

/** The same for requests to count and to embed, which hold whole requests or single contents. */
export const GEMINI_CALL_PLACES = new Places(
  {
    ...PLACES,
    fixed: `${PLACES.fixed} taskType`,
    same: `${PLACES.same} generateContentRequest= requests[]= content=contents[]`,
  },
  inCamelCaseName,
);

const FILES_API = 'generativelanguage';
/** Google looks up what follows the last of these, whatever precedes it. */
const FILES = 'files/';
const FILE_NAME = /^\/*([^/?#:]+)/;

const rulesFor = (places: Places): IdRules => ({
  places,
  harmless: `*.ragFileIds *.accessToken *.idToken contents[].parts[].toolCall.id contents[].parts[].toolResponse.id
    contents[].parts[].executableCode.id contents[].parts[].executable_code.id contents[].parts[].codeExecutionResult.id
    contents[].parts[].code_execution_result.id`,
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
  free: new Set([...FREE_MEMBERS, ...FREE, 'labels', 'partMetadata']),
  nameOf: (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  idOf: (text, name) => (name === 'fileUri' ? fileIn(text) : text),
});
const RULES = rulesFor(GEMINI_PLACES);
const CALL_RULES = rulesFor(GEMINI_CALL_PLACES);

/** The ids in a request that name resources stored at Google for the account, in either spelling. */
export function namedInGemini(value: unknown): Steps<NamedId[]> {
  return namedIn(value, RULES);
}

/** The same in a request to count or to embed. */
export function namedInGeminiCall(value: unknown): Steps<NamedId[]> {
  return namedIn(value, CALL_RULES);
}

/** The ids of files in a response. */
export function idsInGeminiResponse(candidates: readonly Readonly<Record<string, unknown>>[]): string[] {
  return candidates.flatMap(({ content }) => {
    const parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
    return parts.some((part) => isObject(part) && isObject(part.fileData))
      ? namedInPart(parts, RULES).map(({ id }) => id)
      : [];
  });
}

/**
 * The file that a URI names: `files/abc` of the Files API at any of its hosts, or `gs://bucket/object`, which Google reads with the
 * account's permissions. Undefined for a public web page or video.
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
