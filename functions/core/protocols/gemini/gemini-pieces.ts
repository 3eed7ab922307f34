import { isObject } from '../../json/is-object.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import type { Usage } from '../../model/chat.ts';
import type { TextSlot } from '../../pipeline/piece.ts';
import type { AnswerPiece } from '../answer-format.ts';
import { collectTexts, type IsFixed } from '../collect-texts.ts';
import { isFree } from './gemini-names.ts';

/** What the gateway reads of an answer of generateContent, whole or one chunk: both have the same form. */
export interface GeminiPiece extends AnswerPiece {
  readonly candidates: readonly number[];
  /** The candidates that this piece ends. */
  readonly finished: readonly number[];
  readonly finishPaths: readonly JsonPath[];
  /** Whether it has texts beside what the model says. */
  readonly besides: boolean;
  readonly id: string | undefined;
  readonly model: string | undefined;
}

type Json = Record<string, unknown>;

const OPAQUE = new Set(['thoughtSignature', 'data', 'mimeType', 'fileUri', 'id', 'name', 'language', 'outcome']);
const isFixed: IsFixed = (name, path) => OPAQUE.has(name) && !isFree(path);
/** Beside what the model says, a candidate has these of no text; all others hold what it found and searched for. */
const TEXTLESS = new Set(['content', 'index', 'finishReason', 'safetyRatings', 'logprobsResult']);
/** What pages, places and files are known by, and Google's own switches. */
const REFERENCES =
  'placeId encodedPolyline duration documentName chunkId fileId fileSearchStore mediaId sdkBlob sourceId googleMapsWidgetContextToken continuationToken urlRetrievalStatus overwrittenThreshold'.split(
    ' ',
  );
const isFixedBeside: IsFixed = (name) => OPAQUE.has(name) || REFERENCES.includes(name);

/**
 * @param before how many pieces of the answer had texts beside what the model says: those of each piece are texts of their own
 * @throws SyntaxError where the text is not JSON
 */
export function toGeminiPiece(json: string, before = 0): GeminiPiece {
  const root: unknown = JSON.parse(json);
  const body: Json = isObject(root) ? root : {};
  const all = Array.isArray(body.candidates) ? body.candidates.map((one) => (isObject(one) ? one : {})) : [];
  const indexes = all.map((one, at) => (typeof one.index === 'number' ? one.index : at));
  const said = all.flatMap((one, at) => slotsOf(one, at, indexes[at] as number));
  const beside = besideOf(body, all, indexes, before);
  const ends = all.flatMap(({ finishReason }, at) => (typeof finishReason === 'string' && finishReason ? [at] : []));
  const finished = ends.map((at) => indexes[at] as number);
  return {
    json,
    slots: [...said, ...beside],
    besides: beside.length > 0,
    echoes: all.flatMap(({ logprobsResult }, at) =>
      isObject(logprobsResult) ? [['candidates', at, 'logprobsResult']] : [],
    ),
    ends: finished.length > 0,
    closes: [...finished.map((index) => `candidates[${index}].`), ...beside.map(({ channel }) => channel)],
    divisible: said.length === 1 && beside.length === 0 && all.length === 1 && finished.length === 0,
    usage: toUsage(body.usageMetadata),
    candidates: indexes,
    finished,
    finishPaths: ends.map((at) => ['candidates', at, 'finishReason']),
    id: typeof body.responseId === 'string' ? body.responseId : undefined,
    model: typeof body.modelVersion === 'string' ? body.modelVersion : undefined,
    fault: faultOf(body),
  };
}

/** A prompt that Google itself refuses has `promptFeedback` in the place of candidates. */
function faultOf(body: Json): string | undefined {
  if (isObject(body.error)) return 'error in the place of an answer';
  const known = Array.isArray(body.candidates) || isObject(body.promptFeedback) || isObject(body.usageMetadata);
  return known ? undefined : 'no candidates';
}

function slotsOf(candidate: Json, at: number, index: number): TextSlot[] {
  const content = isObject(candidate.content) ? candidate.content : {};
  const parts = Array.isArray(content.parts) ? content.parts : [];
  return parts.flatMap((part: unknown, place): TextSlot[] => {
    if (!isObject(part)) return [];
    const slots: TextSlot[] = [];
    const path = ['candidates', at, 'content', 'parts', place];
    collectTexts(
      part,
      path,
      isFixed,
      (found, text, isName) => {
        const inside = found.slice(path.length);
        const isThought = part.thought === true;
        // Texts of one candidate are one text over all chunks; a call comes whole, in a part of its own.
        const name = inside[0] === 'text' ? (isThought ? 'thought' : 'text') : `parts[${place}].${inside.join('.')}`;
        const isReadOnly = isThought || isName;
        slots.push({
          channel: `candidates[${index}].${name}`,
          text,
          path: found,
          ...(isReadOnly && { isReadOnly: true }),
        });
      },
      isFree,
    );
    return slots;
  });
}

/** The texts of what stands beside what the model says: pages that it found, its searches, why it ended. */
function besideOf(body: Json, all: readonly Json[], indexes: readonly number[], before: number): TextSlot[] {
  const slots: TextSlot[] = [];
  const addFrom = (value: unknown, path: JsonPath, name: string) =>
    collectTexts(value, path, isFixedBeside, (found, text, isName) => {
      const place = `${name}.${found.slice(path.length).join('.')}${before > 0 ? ` (${before + 1})` : ''}`;
      slots.push({ channel: place, text, path: found, ...(isName && { isReadOnly: true }) });
    });
  all.forEach((candidate, at) => {
    for (const [name, value] of Object.entries(candidate)) {
      if (!TEXTLESS.has(name)) addFrom({ [name]: value }, ['candidates', at], `candidates[${indexes[at]}]`);
    }
  });
  if (isObject(body.promptFeedback)) {
    const { blockReasonMessage } = body.promptFeedback;
    addFrom({ blockReasonMessage }, ['promptFeedback'], 'promptFeedback');
  }
  return slots;
}

/** Counts are cumulative; those of thinking are billed as output. */
export function toUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const count = (name: string) =>
    Number.isSafeInteger(usage[name]) && Number(usage[name]) >= 0 ? Number(usage[name]) : undefined;
  const [input, output, thoughts, cached] = [
    count('promptTokenCount'),
    count('candidatesTokenCount'),
    count('thoughtsTokenCount'),
    count('cachedContentTokenCount'),
  ];
  const written = output === undefined && thoughts === undefined ? undefined : (output ?? 0) + (thoughts ?? 0);
  return {
    ...(input !== undefined && { inputTokens: input }),
    ...(written !== undefined && { outputTokens: written }),
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(thoughts !== undefined && { reasoningTokens: thoughts }),
  };
}
