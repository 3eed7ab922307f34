import { isObject, type JsonPath, spliceJson } from '../../../kernel/json/index.ts';
import type { FinishReason, ResponsePiece, TextSlot } from '../../../kernel/model/index.ts';
import { idOf, unknownIdsIn } from '../bodies/named-ids.ts';
import { fromOpenAiUsage, tierIn } from '../bodies/provider-usage.ts';
import { readResponseJson } from '../bodies/response-json.ts';
import { indexIn, indexName, isIdShaped, placeName, placesOf } from '../bodies/response-places.ts';
import { type UnlistedPlace, UnlistedSlots } from '../bodies/unlisted-texts.ts';
import { REASONING_MEMBERS } from './chat-reasoning.ts';

/** What the gateway reads from a response in OpenAI's chat protocol, whole or one chunk. */
export interface ChatPiece extends ResponsePiece {
  /** The choices that end with this piece, with their finish reasons. */
  readonly finished: readonly { readonly choice: number; readonly reason: FinishReason | string }[];
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly created: number | undefined;
  /** A chunk that only reports usage: `choices` is empty. */
  readonly usageOnly: boolean;
  /** The paths of the finish reasons. */
  readonly finishPaths: readonly JsonPath[];
  /** The choices that the piece belongs to. */
  readonly choiceIndexes: readonly number[];
}

type Json = Record<string, unknown>;

const CALL = { call: 'client' } as const;
const JSON_CALL = { isJson: true, ...CALL } as const;
/** Members of a message with tool calls. */
const CALLS = new Set<unknown>(['tool_calls', 'function_call']);
const READ_ONLY = { isReadOnly: true } as const;
/** Members of OpenRouter's `reasoning_details` that hold reasoning. */
const REASONED = new Set<unknown>(['text', 'summary']);

/** The channel names of nearly every chunk, created once: a lookup then compares references. */
const CONTENT_CHANNELS = Array.from({ length: 8 }, (_, index) => `choices[${index}].content`);

const ROOT = {
  id: 'id object created model choices[].index usage service_tier system_fingerprint provider obfuscation choices[].finish_reason choices[].native_finish_reason',
  logprobs: 'choices[].logprobs',
};
const MESSAGE = {
  text: 'content content[].text refusal reasoning_content reasoning tool_calls[].function.arguments tool_calls[].custom.input function_call.arguments audio.transcript',
  id: 'role channel content[].type content[].thinking[].type tool_calls[].id tool_calls[].type audio.id annotations[].type reasoning_details[].type reasoning_details[].format reasoning_details[].id images[].type',
  data: 'audio.data reasoning_details[].data reasoning_details[].signature',
  address: 'images[].image_url.url content[].image_url.url',
};
/** Where a chat completion or chunk has no text, or text that is read by name. */
const PLACES = placesOf({ '': ROOT, 'choices[].message choices[].delta': MESSAGE });

/** The reader of the texts of one response that the model did not write. */
export function chatOthers(): UnlistedSlots {
  return new UnlistedSlots(PLACES);
}

/**
 * @param isChunk whether it is part of a stream: some servers send chunks without `choices`
 * @throws SyntaxError, RangeError if the text is not JSON or nested too deep, or an index is no number
 */
export function toChatPiece(text: string, others = chatOthers(), isChunk = false): ChatPiece {
  const { json, body } = readResponseJson(text);
  const choices = Array.isArray(body.choices) ? body.choices : [];
  const slots: TextSlot[] = [];
  const echoes: JsonPath[] = [];
  const finished: { choice: number; reason: string }[] = [];
  const finishPaths: JsonPath[] = [];
  const choiceIndexes: number[] = [];
  const issuedIds: string[] = [];
  choices.forEach((choice: unknown, at) => {
    if (!isObject(choice)) return;
    const index = indexIn(choice, at);
    for (const holder of ['delta', 'message'] as const) {
      const message = choice[holder];
      if (!isObject(message)) continue;
      addSlots(message, ['choices', at, holder], index, slots);
      if (isObject(message.audio) && typeof message.audio.id === 'string' && message.audio.id !== '')
        issuedIds.push(message.audio.id);
    }
    if (isObject(choice.logprobs)) echoes.push(['choices', at, 'logprobs']);
    choiceIndexes.push(index);
    // Some providers write an empty finish reason in every chunk except the last.
    if (typeof choice.finish_reason !== 'string' || choice.finish_reason === '') return;
    finished.push({ choice: index, reason: choice.finish_reason });
    finishPaths.push(['choices', at, 'finish_reason']);
  });
  const usageOnly = choices.length === 0 && isObject(body.usage);
  const ownSlots = slots.length;
  const beside = others.read(body, describeIn(choices));
  for (const slot of beside.slots) slots.push(slot);
  return {
    json,
    slots,
    echoes,
    ends: usageOnly || finished.length > 0,
    closes:
      finished.length === 0
        ? beside.closes
        : [...finished.map(({ choice }) => `choices[${choice}].`), ...beside.closes],
    divisible:
      ownSlots === 1 && slots.length === 1 && finished.length === 0 && echoes.length === 0 && choices.length === 1,
    usage: fromOpenAiUsage(body) ?? tierIn(body),
    finished,
    id: typeof body.id === 'string' ? body.id : undefined,
    model: typeof body.model === 'string' ? body.model : undefined,
    created: typeof body.created === 'number' ? body.created : undefined,
    usageOnly,
    finishPaths,
    choiceIndexes,
    fault: faultOf(body, isChunk),
    issuedIds,
    ownId: idOf(body),
    unknownIds: unknownIdsIn(body),
  };
}

/** The JSON of a chunk around its text and, where it has one, the padding after that. */
interface ChunkForm {
  readonly head: string;
  /** Between the two. */
  readonly middle: string | undefined;
  readonly tail: string;
  readonly piece: ChatPiece;
}

/**
 * Reads the chunks of one stream. Most have the JSON of the chunk before but for the text of their delta and OpenAI's random padding: then
 * only these are parsed, which takes a fifth of the time.
 */
export class ChatChunkReader {
  private readonly others: UnlistedSlots;
  private before: ChunkForm | undefined;

  constructor(others: UnlistedSlots) {
    this.others = others;
  }

  /** As `toChatPiece`. */
  read(json: string): ChatPiece {
    const known = this.likeBefore(json);
    if (known !== undefined) return known;
    const piece = toChatPiece(json, this.others, true);
    this.before = undefined;
    const isPlain = piece.divisible && piece.json === json && piece.fault === undefined && this.others.isIdle;
    if (isPlain && json.length <= LONGEST_CHUNK) this.before = formOf(piece);
    return piece;
  }

  private likeBefore(json: string): ChatPiece | undefined {
    if (this.before === undefined) return undefined;
    const { head, middle, tail, piece } = this.before;
    // `startsWith` and `endsWith` take four times as long.
    const isLike = json.slice(0, head.length) === head && json.slice(-tail.length) === tail;
    if (json.length > LONGEST_CHUNK || !isLike) return undefined;
    const varying = json.slice(head.length, -tail.length);
    // A JSON string does not contain it, since its quotes are not escaped.
    const at = middle === undefined ? varying.length : varying.indexOf(middle);
    const text = at < 0 ? undefined : stringOf(varying.slice(0, at));
    // An empty text is no slot.
    if (!text) return undefined;
    if (middle !== undefined && !isPadding(varying.slice(at + middle.length))) return undefined;
    this.others.passOver();
    return { ...piece, json, slots: [{ ...(piece.slots[0] as TextSlot), text }] };
  }
}

/** Marks what varies in a chunk: no JSON contains it unescaped. */
const VARYING = '\0';
const LONGEST_CHUNK = 4_096;
/** A member with random characters, so that the length of an event does not show that of its text. */
const PADDING = ['obfuscation'];

function formOf(piece: ChatPiece): ChunkForm | undefined {
  const { json, slots } = piece;
  const path = slots[0]?.path ?? [];
  const edits = [path, ...(json.includes('"obfuscation"') ? [PADDING] : [])].map(
    (path) => ({ kind: 'replace', path, json: VARYING }) as const,
  );
  const [head = '', ...rest] = spliceJson(json, edits).split(VARYING);
  const tail = rest.at(-1);
  if (tail === undefined || rest.length !== edits.length) return undefined;
  const middle = rest.length === 2 ? rest[0] : undefined;
  return middle === undefined || middle.endsWith('"obfuscation":') ? { head, middle, tail, piece } : undefined;
}

/** Whether a JSON text is a string that is no text, as the padding of the chunk before. */
function isPadding(json: string): boolean {
  const value = stringOf(json);
  return value !== undefined && isIdShaped(value);
}

/** A string without escapes: every character from the space but quotation marks and backslashes. */
const PLAIN_STRING = /^"[ !#-[\]-\uffff]*"$/;

/** The string that a JSON text is; undefined if it is something else. */
function stringOf(json: string): string | undefined {
  if (PLAIN_STRING.test(json)) return json.slice(1, -1);
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function faultOf({ error, choices }: Json, isChunk: boolean): string | undefined {
  if (isObject(error)) return 'error instead of a response';
  if (!Array.isArray(choices)) return isChunk && choices == null ? undefined : 'not a chat completion';
  const isRead = (choice: unknown) =>
    isObjectOrNull(choice) && isObjectOrNull(choice?.delta) && isObjectOrNull(choice?.message);
  if (!choices.every(isRead)) return 'a choice or message that is no object';
  const areRead = (choice: Json | null) => areCallsRead(choice?.delta) && areCallsRead(choice?.message);
  return choices.every(areRead) ? undefined : 'tool calls in a form that is not known';
}

const CALLS_LIKE = /^(?:tool|function)_?(?:call|use)s?$/i;

/** Whether all that a client may take for calls of a message is read as such: some clients accept other names and forms. */
function areCallsRead(message: unknown): boolean {
  if (!isObject(message)) return true;
  return Object.entries(message).every(([name, value]) => {
    if (typeof value !== 'object' || value === null || !CALLS_LIKE.test(name)) return true;
    if (name === 'function_call') return isObject(value);
    if (name !== 'tool_calls' || !Array.isArray(value)) return false;
    return value.every(
      (call) => call === null || (isObject(call) && !(isObject(call.function) && isObject(call.custom))),
    );
  });
}

function isObjectOrNull(value: unknown): value is Json | null | undefined {
  return value == null || isObject(value);
}

function addSlots(holder: Json, path: JsonPath, choice: number, slots: TextSlot[]): void {
  const add = (
    value: unknown,
    at: JsonPath,
    name: string,
    kind?: Pick<TextSlot, 'isJson' | 'isReadOnly' | 'call' | 'run'>,
  ) => {
    if (typeof value !== 'string' || value === '') return;
    const known = name === 'content' ? CONTENT_CHANNELS[choice] : undefined;
    slots.push({ channel: known ?? `choices[${choice}].${name}`, text: value, path: [...path, ...at], ...kind });
  };
  add(holder.content, ['content'], 'content');
  add(holder.refusal, ['refusal'], 'refusal');
  for (const name of REASONING_MEMBERS) add(holder[name], [name], name, READ_ONLY);
  if (Array.isArray(holder.content)) {
    const run = `choices[${choice}].content`;
    holder.content.forEach((part: unknown, at) => {
      // The text of a delta continues the previous one, whatever its index.
      const name = path.at(-1) === 'delta' ? 'content' : `content[${at}]`;
      if (isObject(part)) add(part.text, ['content', at, 'text'], name, { run });
    });
  }
  if (isObject(holder.function_call)) {
    add(holder.function_call.arguments, ['function_call', 'arguments'], 'function_call.arguments', JSON_CALL);
  }
  if (isObject(holder.audio)) add(holder.audio.transcript, ['audio', 'transcript'], 'audio.transcript');
  if (!Array.isArray(holder.tool_calls)) return;
  holder.tool_calls.forEach((call: unknown, at) => {
    if (!isObject(call)) return;
    const name = `tool_calls[${indexName(indexIn(call, at))}]`;
    const path = ['tool_calls', at] as const;
    if (isObject(call.function)) {
      add(call.function.arguments, [...path, 'function', 'arguments'], `${name}.arguments`, JSON_CALL);
    }
    if (isObject(call.custom)) {
      add(call.custom.input, [...path, 'custom', 'input'], `${name}.input`, CALL);
    }
  });
}

/** Names the other texts of a piece by the choices that they belong to. Clients join the strings of a delta. */
function describeIn(choices: readonly unknown[]): (path: JsonPath) => UnlistedPlace {
  return (path) => {
    const [top, at, holder, ...rest] = path;
    if (top !== 'choices' || typeof at !== 'number') return { name: placeName(path) };
    const choice = choices[at];
    const index = indexIn(choice, at);
    const isDelta = holder === 'delta';
    if (!isDelta && holder !== 'message') return { name: `choices[${index}].${placeName(path.slice(2))}` };
    const isReadOnly = isReasoning(rest);
    const name = `choices[${index}].${placeInMessage(rest, choice, holder)}`;
    const call = CALLS.has(rest[0]) ? 'client' : undefined;
    return { name, isReadOnly, call, isJoined: isDelta && (rest.length === 1 || isReadOnly) };
  };
}

/** Whether a text in a message is the model's reasoning in a list: OpenRouter's `reasoning_details`, or Mistral's `thinking` parts. */
function isReasoning(path: JsonPath): boolean {
  const [list, , member] = path;
  return (list === 'reasoning_details' && REASONED.has(path.at(-1))) || (list === 'content' && member === 'thinking');
}

/** Streamed calls continue in later chunks by their index. */
function placeInMessage(path: JsonPath, choice: unknown, holder: string): string {
  const [list, at, ...rest] = path;
  if (list !== 'tool_calls' || typeof at !== 'number' || rest.length === 0) return placeName(path);
  const calls = (choice as Record<string, { tool_calls: unknown[] }>)[holder]?.tool_calls;
  return `tool_calls[${indexName(indexIn(calls?.[at], at))}].${placeName(rest)}`;
}
