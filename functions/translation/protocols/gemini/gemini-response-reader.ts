import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { CallBy, ResponsePiece, TextSlot, Usage } from '../../../kernel/model/index.ts';
import { unknownIdsIn } from '../bodies/named-ids.ts';
import { countOf, termsOf, withoutUnknown } from '../bodies/provider-usage.ts';
import { readResponseJson } from '../bodies/response-json.ts';
import { idIn, indexIn, placeName, placesOf } from '../bodies/response-places.ts';
import { type UnlistedPlace, UnlistedSlots } from '../bodies/unlisted-texts.ts';
import { idsInGeminiResponse } from './gemini-names.ts';

/** What the gateway reads from a generateContent response. A whole response and a chunk have the same form. */
export interface GeminiPiece extends ResponsePiece {
  readonly candidates: readonly number[];
  /** The indexes of candidates that end with this piece. */
  readonly finished: readonly number[];
  /** Whether Google blocked the prompt: there are no candidates, and the response ends here. */
  readonly isBlocked: boolean;
  readonly finishPaths: readonly JsonPath[];
  readonly id: string | undefined;
  readonly model: string | undefined;
}

type Json = Record<string, unknown>;

const CALLS: ReadonlyMap<unknown, CallBy> = new Map<unknown, CallBy>([
  ['functionCall', 'client'],
  ['toolCall', 'provider'],
  ['executableCode', 'provider'],
]);

/** Where a response or chunk has no text, or text that is read by name: https://ai.google.dev/api/generate-content */
const PLACES = placesOf({
  '': {
    id: 'responseId modelVersion createTime usageMetadata.trafficType usageMetadata.serviceTier promptFeedback.blockReason candidates[].finishReason candidates[].content.role',
    logprobs: 'candidates[].logprobsResult',
  },
  'candidates[].safetyRatings[] promptFeedback.safetyRatings[]': {
    id: 'category probability severity overwrittenThreshold',
  },
  'usageMetadata.promptTokensDetails[] usageMetadata.candidatesTokensDetails[] usageMetadata.cacheTokensDetails[] usageMetadata.toolUsePromptTokensDetails[]':
    { id: 'modality' },
  'candidates[].content.parts[]': {
    text: 'text',
    id: 'functionCall.id functionResponse.id inlineData.mimeType fileData.mimeType executableCode.id executableCode.language codeExecutionResult.id codeExecutionResult.outcome',
    data: 'thoughtSignature inlineData.data',
    address: 'fileData.fileUri',
    free: 'functionCall.args functionResponse.response',
  },
});

/** The reader of the texts of one response that the model did not write. */
export function geminiOthers(): UnlistedSlots {
  return new UnlistedSlots(PLACES);
}

/** @throws SyntaxError, RangeError if the text is not JSON or nested too deep, or an index is no number */
export function toGeminiPiece(text: string, others = geminiOthers()): GeminiPiece {
  const { json, body } = readResponseJson(text);
  const all = Array.isArray(body.candidates) ? body.candidates.map((one) => (isObject(one) ? one : {})) : [];
  const indexes = all.map(indexIn);
  const ownSlots = all.flatMap((one, at) => slotsOf(one, at, indexes[at] as number));
  const beside = others.read(body, describeIn(all, indexes));
  const ends = all.flatMap(({ finishReason }, at) => (typeof finishReason === 'string' && finishReason ? [at] : []));
  const finished = ends.map((at) => indexes[at] as number);
  const isBlocked = isObject(body.promptFeedback) && typeof body.promptFeedback.blockReason === 'string';
  return {
    json,
    slots: [...ownSlots, ...beside.slots],
    echoes: all.flatMap(({ logprobsResult }, at) =>
      isObject(logprobsResult) ? [['candidates', at, 'logprobsResult']] : [],
    ),
    ends: finished.length > 0 || isBlocked,
    closes: finished.map((index) => `candidates[${index}].`),
    divisible: ownSlots.length === 1 && beside.slots.length === 0 && all.length === 1 && finished.length === 0,
    usage: fromGeminiUsage(body),
    candidates: indexes,
    finished,
    isBlocked,
    finishPaths: ends.map((at) => ['candidates', at, 'finishReason']),
    id: idIn(body.responseId),
    model: idIn(body.modelVersion),
    fault: faultOf(body),
    issuedIds: idsInGeminiResponse(all),
    ownId: typeof body.responseId === 'string' ? body.responseId : undefined,
    unknownIds: unknownIdsIn(body),
  };
}

/** If Google itself blocks the prompt, the response has `promptFeedback` and no candidates. */
function faultOf(body: Json): string | undefined {
  if (isObject(body.error)) return 'error instead of a response';
  const known = Array.isArray(body.candidates) || isObject(body.promptFeedback) || isObject(body.usageMetadata);
  if (!known) return 'no candidates';
  const parts = Array.isArray(body.candidates) ? body.candidates.flatMap((one) => partsOf(Object(one).content)) : [];
  // Some clients accept the names of Protocol Buffers.
  const isUnread = (part: unknown) =>
    isObject(part) && (part.function_call != null || Array.isArray(part.functionCall));
  return parts.some(isUnread) ? 'a tool call in a form that is not known' : undefined;
}

/** The text parts of one candidate are one text across all chunks. */
function slotsOf({ content }: Json, at: number, index: number): TextSlot[] {
  return partsOf(content).flatMap((part, place): TextSlot[] => {
    if (!isObject(part) || typeof part.text !== 'string' || part.text === '') return [];
    const path = ['candidates', at, 'content', 'parts', place, 'text'];
    if (part.thought !== true) return [{ channel: `candidates[${index}].text`, text: part.text, path }];
    return [{ channel: `candidates[${index}].thought`, text: part.text, path, isReadOnly: true }];
  });
}

function partsOf(content: unknown): readonly unknown[] {
  return isObject(content) && Array.isArray(content.parts) ? content.parts : [];
}

/** Names the other texts of a piece by the candidates that they belong to. Strings of a streamed argument continue in the next chunk. */
function describeIn(all: readonly Json[], indexes: readonly number[]): (path: JsonPath) => UnlistedPlace {
  return (path) => {
    const [top, at, holder, list, place, ...inside] = path;
    if (top !== 'candidates' || typeof at !== 'number') return { name: placeName(path) };
    const candidate = `candidates[${indexes[at]}]`;
    if (holder !== 'content' || list !== 'parts' || typeof place !== 'number')
      return { name: `${candidate}.${placeName(path.slice(2))}` };
    const isReadOnly = Object(partsOf(all[at]?.content)[place]).thought === true;
    const isJoined = inside[1] === 'partialArgs' && inside[3] === 'stringValue';
    const call = CALLS.get(inside[0]);
    return { name: `${candidate}.parts[${place}].${placeName(inside)}`, isReadOnly, call, isJoined };
  };
}

/**
 * Counts are cumulative; thinking tokens are billed as output, and the results of Google's tools, which `promptTokenCount` excludes, as input:
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function fromGeminiUsage({ usageMetadata: usage, candidates }: Json): Usage | undefined {
  const searches = searchesOf(candidates);
  if (!isObject(usage)) return Object.keys(searches).length === 0 ? undefined : searches;
  const [input, ofTools, output, thoughts] = [
    countOf(usage.promptTokenCount),
    countOf(usage.toolUsePromptTokenCount),
    countOf(usage.candidatesTokenCount),
    countOf(usage.thoughtsTokenCount),
  ];
  const read = input === undefined ? undefined : input + (ofTools ?? 0);
  const written = output === undefined && thoughts === undefined ? undefined : (output ?? 0) + (thoughts ?? 0);
  // Tokens of a kind that no member counts are in the total only.
  const others = (countOf(usage.totalTokenCount) ?? 0) - (read ?? Number.POSITIVE_INFINITY);
  return withoutUnknown({
    inputTokens: read,
    outputTokens: written === undefined ? undefined : Math.max(written, others),
    cachedInputTokens: countOf(usage.cachedContentTokenCount),
    audioInputTokens: audioIn(usage.promptTokensDetails, usage.toolUsePromptTokensDetails),
    audioOutputTokens: audioIn(usage.candidatesTokensDetails),
    reasoningTokens: thoughts,
    ...searches,
    terms: termsOf({ serviceTier: usage.serviceTier }),
  });
}

function audioIn(...lists: readonly unknown[]): number | undefined {
  const counts = lists
    .flat()
    .flatMap((one) =>
      isObject(one) && String(one.modality).toUpperCase() === 'AUDIO' ? (countOf(one.tokenCount) ?? []) : [],
    );
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
}

/**
 * The queries that Google ran, each of which has a fee: https://ai.google.dev/gemini-api/docs/google-search. Google Maps has another; its places
 * may come without a query: https://ai.google.dev/gemini-api/docs/maps-grounding
 */
function searchesOf(candidates: unknown): Pick<Usage, 'searches' | 'otherSearches'> {
  let [searches, otherSearches] = [0, 0];
  for (const one of Array.isArray(candidates) ? candidates : []) {
    const { webSearchQueries, groundingChunks: chunks } = Object(Object(one).groundingMetadata) as Json;
    const queries = Array.isArray(webSearchQueries) ? webSearchQueries.length : 0;
    const has = (source: string) =>
      Array.isArray(chunks) && chunks.some((chunk) => isObject(chunk) && chunk[source] != null);
    // Queries of both tools are in one list, so they have the dearer fee.
    const isOfMaps = has('maps') && !has('web');
    if (isOfMaps) otherSearches += Math.max(1, queries);
    else searches += Math.max(queries, has('maps') ? 1 : 0);
  }
  return { ...(searches > 0 && { searches }), ...(otherSearches > 0 && { otherSearches }) };
}
