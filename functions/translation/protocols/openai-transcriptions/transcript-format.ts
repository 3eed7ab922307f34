import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { ResponsePiece, SecurityInfo, TextSlot } from '../../../kernel/model/index.ts';
import { fromOpenAiTokenUsage } from '../bodies/provider-usage.ts';
import { readResponseJson } from '../bodies/response-json.ts';
import {
  kindName,
  MAX_TEXTS,
  placeName,
  placesOf,
  type UnlistedText,
  unlistedTexts,
} from '../bodies/response-places.ts';
import { oneLine } from '../bodies/stream-framing.ts';
import { UntranslatedFormat } from '../bodies/untranslated-format.ts';
import type { StreamFraming } from '../protocol.ts';

type Json = Record<string, unknown>;

export const TRANSCRIPT_FRAMING: StreamFraming = { event: (json) => `data: ${oneLine(json)}\n\n`, end: '' };

/** Lists that repeat the text, and their names. */
const REPEATING: Readonly<Record<string, string>> = { '.segments[].text': 'segments', '.words[].word': 'words' };
/** Where a transcript, whole or event, has no text. */
const PLACES = placesOf({
  '': { id: 'type id segment_id task segments[].id segments[].type usage.type', logprobs: 'logprobs' },
});

const DELTA = 'transcript.text.delta';
const SEGMENT = 'transcript.text.segment';
const DONE = 'transcript.text.done';

/**
 * Transcripts in JSON: `json`, `verbose_json`, `diarized_json` and stream events. `svc` is at the top of a whole response, and of the event
 * that ends a stream. Segments and words are read as running texts, so that rules also match across two of them.
 */
export class TranscriptFormat extends UntranslatedFormat {
  ended = false;
  private hasDeltas = false;
  /** Tokens came that differ from the text. */
  private hasOwnTokens = false;
  private events = 0;
  /** The event that last had a text, by place. */
  private readonly lastOf = new Map<string, number>();
  /** The text sent so far. */
  private left = '';

  readPiece(read: string): ResponsePiece {
    const { json, body } = readResponseJson(read);
    if (typeof body.type === 'string') return this.eventPiece(json, body);
    const slots = wholeSlots(body);
    return {
      ...pieceOf(json, body, slots),
      ends: true,
      fault: typeof body.text === 'string' ? undefined : 'no transcript',
      write: (texts) => writeWhole(body, slots, texts),
    };
  }

  cutWhole(json: string, empty: boolean): string {
    const { text, segments, logprobs: _, words: __, ...rest } = JSON.parse(json) as Json;
    const kept = Array.isArray(segments) && {
      segments: empty ? [] : listOf(segments).filter((each) => each.text !== ''),
    };
    if (!empty) return JSON.stringify({ text, ...kept, ...rest });
    // Nothing was redacted in it either.
    return JSON.stringify({ text: '', ...kept, task: rest.task, duration: rest.duration, usage: rest.usage });
  }

  override received({ json }: ResponsePiece): void {
    this.hasDeltas ||= json.includes(DELTA);
  }

  release({ json, ends, slots }: ResponsePiece, cut: boolean, svc: () => SecurityInfo): string | undefined {
    for (const { channel, text } of slots) if (channel === 'text') this.left += text;
    if (!ends) return json;
    if (cut) return undefined;
    this.ended = true;
    return this.withSecurity(json, svc());
  }

  blockedEnd(svc: SecurityInfo): string[] {
    return [JSON.stringify({ type: DONE, text: this.left, svc })];
  }

  /** Events of an unknown type pass too, with all texts inspected. */
  private eventPiece(json: string, body: Json): ResponsePiece {
    const { type } = body;
    this.events += 1;
    const texts = this.hasOwnTokens ? unlistedTexts(body, PLACES) : unsaidTexts(body);
    this.hasOwnTokens ||= texts.some(({ token }) => token !== undefined);
    const slots = texts.map((one): TextSlot => {
      const place = `${kindName(type)}${shapeOf(one.token?.of ?? one.path)}`;
      return toSlot(one, this.eventSlot(one.isName ? `${place} (name)` : place, one.text));
    });
    const isDone = type === DONE;
    return {
      ...pieceOf(json, body, slots),
      divisible: type === DELTA && slots.length === 1 && body.logprobs == null,
      ends: isDone,
      ...(isDone && { closes: ['text', 'segments'] }),
      fault: body.error != null || type === 'error' ? 'error instead of an event' : undefined,
    };
  }

  private eventSlot(place: string, text: string): Omit<TextSlot, 'path' | 'text'> {
    if (place === `${DELTA}.delta`) return { channel: 'text', isThirdParty: true };
    const again = this.hasDeltas && ({ repeats: true } as const);
    if (place === `${SEGMENT}.text`) return { channel: 'segments', lead: leadTo(text), isThirdParty: true, ...again };
    if (place === `${DONE}.text`) return { channel: 'text.done', isThirdParty: true, ...again };
    // Clients may join the texts of one place over many events.
    return { run: place, channel: `${place} (${this.events})`, lead: this.leads(place, text) };
  }

  /** A space is added only before the first text of a place in an event. */
  private leads(place: string, text: string): string {
    const isFirst = this.lastOf.get(place) !== this.events;
    this.lastOf.set(place, this.events);
    return isFirst ? '' : leadTo(text);
  }
}

function pieceOf(json: string, body: Json, slots: TextSlot[]): ResponsePiece {
  const echoes = body.logprobs == null ? [] : [['logprobs']];
  return {
    json,
    slots,
    echoes,
    divisible: false,
    ends: false,
    usage: fromOpenAiTokenUsage(body.usage),
    fault: undefined,
  };
}

/** Every text of a whole transcript. Texts in the same place of each list item are one running text. */
function wholeSlots(body: Json): TextSlot[] {
  const slots = unsaidTexts(body).map((one): TextSlot => {
    const shape = shapeOf(one.token?.of ?? one.path);
    if (shape === '.text' && !one.isName) return toSlot(one, { channel: 'text', isThirdParty: true });
    const repeating = one.isName ? undefined : REPEATING[shape];
    const channel = repeating ?? `${shape.slice(1)}${one.isName ? ' (name)' : ''}`;
    return toSlot(one, { channel, lead: leadTo(one.text), ...(repeating !== undefined && { repeats: true }) });
  });
  // The text that others repeat comes first: a block keeps what is before it.
  return slots.sort((a, b) => Number(b.channel === 'text') - Number(a.channel === 'text'));
}

function unsaidTexts(body: Json): UnlistedText[] {
  return unlistedTexts(body, PLACES).filter(({ isInspected }) => !isInspected);
}

function toSlot({ path, text, isName, token }: UnlistedText, slot: Omit<TextSlot, 'path' | 'text'>): TextSlot {
  return { ...slot, path, text, ...(isName && { isName }), ...(token && { lead: token.lead }) };
}

/** Such as `.segments[].text`. */
function shapeOf(path: JsonPath): string {
  return `.${placeName(path)}`.replace(/\[\d+\]/g, '[]');
}

/** Whisper writes a space between segments; newer models do not. */
function leadTo(text: unknown): string {
  return typeof text === 'string' && /^\s/.test(text) ? '' : ' ';
}

/**
 * If a text changed, everything that repeats it in another form is removed: the tokens of its segment, and all words and probabilities.
 * Segments are removed if nothing was redacted in them.
 */
function writeWhole(original: Json, slots: readonly TextSlot[], texts: readonly string[]): string {
  const body = structuredClone(original);
  const changed = new Set<string>();
  // Paths use the original names, so names change last.
  const inOrder = [...slots.entries()].sort(([, a], [, b]) => Number(a.isName ?? false) - Number(b.isName ?? false));
  for (const [at, { path, text, channel, isName }] of inOrder) {
    const now = texts[at] as string;
    if (now === text) continue;
    const holder = path.slice(0, -1).reduce<Json | undefined>((at, step) => at?.[step] as Json | undefined, body);
    if (holder === undefined) continue;
    const name = path.at(-1) as string;
    const value = isName ? holder[name] : now;
    if (isName) delete holder[name];
    holder[isName ? now : name] = value;
    if (Array.isArray(holder.tokens)) holder.tokens = [];
    changed.add(path[0] === 'logprobs' ? 'logprobs' : channel);
  }
  if (changed.has('text') || changed.has('segments')) if (body.words != null) body.words = null;
  if (changed.size > 0 && body.logprobs != null) body.logprobs = null;
  if (changed.has('text') && !changed.has('segments') && Array.isArray(body.segments)) body.segments = [];
  return JSON.stringify(body);
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map((item) => (isObject(item) ? item : {})) : [];
}

/** A line without speech: the cue number, the cue times, the WebVTT header, or an empty line. */
const FRAME = /^(?:\d{1,6}|(?:\d{1,4}:)?\d{2}:\d{2}[.,]\d{3} --> (?:\d{1,4}:)?\d{2}:\d{2}[.,]\d{3}|WEBVTT|[ \t]*)$/;

/** Subtitle tags without text. */
const TAG = /(<\/?(?:[biuc]|ruby|rt|c\.[a-z]{1,16})>|<(?:\d{1,4}:)?\d{2}:\d{2}\.\d{3}>|\{\\an\d\})/;

/** A subtitle has some eight: a transcript of three hours has some 30,000. */
const MAX_PARTS = 60_000;

/** A line with its line end. */
const LINE = /[^\r\n]*(?:\r\n|[\r\n]|$)/g;

/**
 * Transcripts as text: `text`, `srt` and `vtt`. Lines of speech are read as one running text, with and without a space between subtitles,
 * so that rules also match across two of them. The format has no place for `svc`: headers report it.
 */
export class PlainTranscriptFormat extends UntranslatedFormat {
  readonly ended = true;
  readonly isPlain = true;

  readPiece(body: string): ResponsePiece {
    const parts: Part[] = [];
    for (const [line] of body.matchAll(LINE)) {
      parts.push(...partsOf(line));
      if (parts.length > MAX_PARTS) throw new RangeError(`more than ${MAX_PARTS} parts of a transcript`);
    }
    const speech = parts.filter(({ isSpeech }) => isSpeech);
    if (speech.length > MAX_TEXTS / 2) throw new RangeError(`more than ${MAX_TEXTS / 2} lines of speech`);
    const slots = speech.flatMap(({ text, begins }): TextSlot[] => [
      { channel: 'text', text, path: [], lead: begins ? ' ' : '', isThirdParty: true },
      { channel: 'text (joined)', text, path: [], repeats: true },
    ]);
    const write = (texts: readonly string[]) => {
      let at = 0;
      const next = (text: string) => merged(text, texts[at++] as string, texts[at++] as string);
      return parts.map(({ text, isSpeech }) => (isSpeech ? next(text) : text)).join('');
    };
    const none = { echoes: [], divisible: false, ends: true, usage: undefined, fault: undefined };
    return { json: body, slots, write, ...none };
  }

  override withSecurity(body: string): string {
    return body;
  }

  cutWhole(body: string, empty: boolean): string {
    return empty ? '' : body;
  }

  release({ json }: ResponsePiece): string {
    return json;
  }

  blockedEnd(): never {
    throw new Error('text is never streamed');
  }
}

interface Part {
  readonly text: string;
  readonly isSpeech: boolean;
  /** The part is the first of its line. */
  readonly begins: boolean;
}

/** The speech of a line, between its tags, and the text around it. */
function partsOf(line: string): Part[] {
  const text = line.trimEnd();
  const end = { text: line.slice(text.length), isSpeech: false, begins: false };
  if (FRAME.test(text)) return [{ text, isSpeech: false, begins: false }, end];
  const parts = text.split(TAG).map((part, at) => ({ text: part, isSpeech: at % 2 === 0 && part !== '' }));
  const first = parts.findIndex(({ isSpeech }) => isSpeech);
  return [...parts.map((part, at) => ({ ...part, begins: at === first })), end];
}

/** Merges two redacted versions of a text: what both changed is removed. */
function merged(original: string, one: string, other: string): string {
  if (one === original || one === other) return other;
  // A block ends the response within the first reading, before the second one.
  if (other === original || (other === '' && original.startsWith(one))) return one;
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return `${one.slice(0, start)}[REDACTED]${end === 0 ? '' : one.slice(-end)}`;
}
