import { isEscaped } from '../../kernel/json/index.ts';
import { MIN_KEY_CHARS, REDACTED_KEY } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { TextView } from '../views/index.ts';
import { SYMBOLS, Trie, type Word } from './key-trie.ts';

/** A shorter key, or one without digits, may be words (`lm-studio`): only its exact spelling is the key. */
const MIN_RANDOM_CHARS = 16;
/** These characters of a key stay: text that might begin a key waits only from the next one on, so that nearly no text waits. */
const KEPT_CHARS = 2;
/** Other characters between two of a key's; more of them end a match. */
const MAX_GAP = 16;
const BACKSLASH = 0x5c;
/** Behind a backslash such a letter may be a line break or the like: `\\n`. */
const MAY_BE_ESCAPED: ReadonlySet<number> = new Set(Array.from('0abefnrtv', (letter) => letter.charCodeAt(0)));

const NO_SYMBOL = 255;
/** The symbol of each ASCII character of a folded text: its letters and digits. */
const SYMBOL_OF = Uint8Array.from({ length: 128 }, (_, code) => {
  const at = '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(String.fromCharCode(code));
  return at < 0 ? NO_SYMBOL : at;
});
/** May begin an escape, or is read otherwise than it is written. */
const NEEDS_VIEW = /[^\x20-\x7e\t\r\n]|[\\%&+]/;

/** An ASCII character that JSON need not escape. */
const ESCAPED = /\\(?:u00[2-7][\da-f]|\/)/i;
const ESCAPE_CHARS = 6;
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
/** These take about a millisecond. */
const STEP_CHARS = 65_536;

/** A range of a text that belongs to a key. */
export interface KeyRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the operator's keys for providers in a text: in any case, with spaces, marks or invisible characters between, with escapes, backwards,
 * and in Base64 or hexadecimal. All spellings are one automaton (Aho and Corasick): one step for each letter or digit.
 */
export class ProviderKeys {
  private readonly keys: readonly string[];
  private readonly next: Int32Array;
  private readonly depths: Int32Array;
  private readonly found: readonly (readonly Word[] | undefined)[];
  private readonly isLongest: readonly boolean[];
  /** The keys as JSON may write them, and as it must; the length of the longest such text. */
  private readonly spellings: RegExp;
  private readonly plain: RegExp;
  private readonly longest: number;

  constructor(keys: Iterable<string>) {
    this.keys = [...new Set(keys)].filter((key) => key.length >= MIN_KEY_CHARS);
    this.spellings = new RegExp(this.keys.map((key) => Array.from(key, inJson).join('')).join('|'), 'g');
    this.plain = new RegExp(this.keys.map(plainInJson).join('|'), 'g');
    this.longest = Math.max(0, ...this.keys.map(({ length }) => length)) * ESCAPE_CHARS;
    const trie = new Trie(this.keys.flatMap(wordsOf));
    ({ next: this.next, depths: this.depths, found: this.found, isLongest: this.isLongest } = trie.link());
  }

  step(state: number, symbol: number): number {
    return this.next[state * SYMBOLS + symbol] as number;
  }

  /** How many of the letters before a state may begin a spelling. */
  depth(state: number): number {
    return this.depths[state] as number;
  }

  /** The spellings that end at a state. */
  wordsAt(state: number): readonly Word[] | undefined {
    return this.found[state];
  }

  /** The state after the letters of a state were read: a spelling that no longer one continues has ended. */
  after(state: number): number {
    return this.isLongest[state] ? 0 : state;
  }

  /** Whether no spelling begins or ends in a text that follows none. Most text needs no more than this. */
  isAbsentIn(text: string): boolean {
    if (NEEDS_VIEW.test(text)) return false;
    let state = 0;
    let gap = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const symbol = SYMBOL_OF[code >= 0x41 && code <= 0x5a ? code + 0x20 : code] as number;
      if (symbol === NO_SYMBOL) {
        gap += 1;
        if (gap > MAX_GAP) state = 0;
        continue;
      }
      gap = 0;
      state = this.step(state, symbol);
      if (this.found[state] !== undefined) return false;
    }
    return state === 0;
  }

  /** Whether a whole text contains a key in one of its spellings. */
  isIn(text: string): boolean {
    return !this.isAbsentIn(text) && new KeyReader(this).read(text, true).length > 0;
  }

  /** A JSON text without unchanged keys, escaped or not, in any string: ids are read by nothing else. */
  *inJson(json: string): Steps<string> {
    if (this.keys.length === 0) return json;
    const spellings = ESCAPED.test(json) ? this.spellings : this.plain;
    const kept: string[] = [];
    let from = 0;
    for (let at = 0; at < json.length; at += STEP_CHARS, yield) {
      const text = json.slice(at, at + STEP_CHARS + this.longest);
      for (const { index, 0: spelling } of text.matchAll(spellings)) {
        const start = at + index;
        // What a backslash precedes is part of another escape.
        if (index >= STEP_CHARS || start < from || isEscaped(json, start)) continue;
        kept.push(json.slice(from, start), REDACTED_KEY);
        from = start + spelling.length;
      }
    }
    return from === 0 ? json : kept.join('') + json.slice(from);
  }

  /** The range at the start of a text that completes a key which began before it; undefined if there is none. */
  continuedIn(before: string, text: string): KeyRange | undefined {
    if (this.isAbsentIn(before)) return undefined;
    const reader = new KeyReader(this);
    reader.read(before, false);
    const from = before.length;
    let end = 0;
    for (let at = 0; at < text.length && reader.openFrom < from; at += 1) {
      for (const range of reader.read(text[at] as string, at === text.length - 1))
        end = Math.max(end, range.end - from);
    }
    return end > 0 ? { start: 0, end } : undefined;
  }
}

/** Whether a letter behind so many backslashes is one of a text: as written, as JSON reads it, and as JSON in JSON. */
const READINGS: readonly ((backslashes: number) => boolean)[] = [
  () => true,
  (backslashes) => backslashes % 2 === 0,
  (backslashes) => backslashes === 0,
];

/** Reads one text that arrives in pieces. Any split of it has the same ranges. */
export class KeyReader {
  private readonly view = new TextView('folded', true);
  /** One until a letter may be escaped, then one for each of READINGS until none of them is within a spelling. */
  private readings: Reading[];
  /** The backslashes at the end of the text. */
  private backslashes = 0;
  /** Length of the view's text. */
  private shown = 0;
  /** The text from `rawFrom` on: exact spellings are compared with it. */
  private raw = '';
  private rawFrom = 0;
  length = 0;

  constructor(keys: ProviderKeys) {
    this.readings = [new Reading(keys)];
  }

  /** The ranges of keys that end in this piece. */
  read(piece: string, last: boolean): KeyRange[] {
    this.raw += piece;
    this.length += piece.length;
    const text = last ? this.view.push(piece) + this.view.end() : this.view.push(piece);
    const ranges: KeyRange[] = [];
    for (let at = 0; at < text.length; at += 1) this.take(text.charCodeAt(at), this.shown + at, ranges);
    this.shown += text.length;
    if (this.open === undefined) this.readings.length = 1;
    const needed = this.openFrom;
    this.raw = this.raw.slice(needed - this.rawFrom);
    this.rawFrom = needed;
    this.view.positions.forget(this.open ?? this.shown);
    return ranges;
  }

  /** The offset before which nothing can become part of a key. */
  get settled(): number {
    // An escape that the view holds back is one of the characters that stay.
    const waiting = this.readings.flatMap(({ open }) => open[KEPT_CHARS] ?? []);
    if (waiting.length > 0) return this.rawStart(Math.min(...waiting));
    return this.readings.some(({ open }) => open.length === KEPT_CHARS) ? this.rawStart(this.shown) : this.length;
  }

  /** Whether more text is read as if this were its start. */
  get isIdle(): boolean {
    return this.openFrom === this.length;
  }

  /** The offset at which a spelling may have begun; the end of the text that was read if none may. */
  get openFrom(): number {
    return this.rawStart(this.open ?? this.shown);
  }

  /** The first letter in the view that may begin a spelling. */
  private get open(): number | undefined {
    if (this.readings.length === 1) return this.readings[0]?.open[0];
    const first = this.readings.flatMap(({ open }) => open[0] ?? []);
    return first.length === 0 ? undefined : Math.min(...first);
  }

  private take(code: number, at: number, ranges: KeyRange[]): void {
    const { backslashes } = this;
    this.backslashes = code === BACKSLASH ? backslashes + 1 : 0;
    const isEscape = backslashes > 0 && MAY_BE_ESCAPED.has(code);
    if (isEscape && this.readings.length === 1) {
      const [written] = this.readings as [Reading];
      this.readings = READINGS.map(() => written.copy());
    }
    for (let index = 0; index < this.readings.length; index += 1) {
      if (isEscape && READINGS[index]?.(backslashes) === false) continue;
      const reading = this.readings[index] as Reading;
      const words = reading.take(code, at);
      if (words === undefined) continue;
      const found = ranges.length;
      for (const word of words) this.addRange(reading, word, ranges);
      if (ranges.length > found) reading.end();
    }
  }

  private addRange({ open }: Reading, { letters, exact }: Word, ranges: KeyRange[]): void {
    const first = open.length - letters.length;
    const end = this.view.positions.rawEnd((open.at(-1) as number) + 1);
    if (exact !== undefined) {
      const begun = this.rawStart(open[first] as number);
      if (this.raw.slice(begun - this.rawFrom, end - this.rawFrom) !== exact) return;
    }
    ranges.push({ start: this.rawStart(open[first + KEPT_CHARS] as number), end });
  }

  private rawStart(viewOffset: number): number {
    // What the view holds back, the start of an escape, is not read yet.
    return this.view.positions.rawStart(viewOffset);
  }
}

/** How far the letters of a text, read in one way, may be a spelling. */
class Reading {
  private readonly keys: ProviderKeys;
  private state = 0;
  private gap = 0;
  /** Offsets in the view of the letters that may begin a spelling. */
  readonly open: number[] = [];

  constructor(keys: ProviderKeys) {
    this.keys = keys;
  }

  copy(): Reading {
    const copy = new Reading(this.keys);
    copy.state = this.state;
    copy.gap = this.gap;
    copy.open.push(...this.open);
    return copy;
  }

  /** Takes a character; returns the spellings that end there. */
  take(code: number, at: number): readonly Word[] | undefined {
    const symbol = code < 128 ? (SYMBOL_OF[code] as number) : NO_SYMBOL;
    if (symbol === NO_SYMBOL) {
      this.gap += 1;
      if (this.gap > MAX_GAP) this.moveTo(0);
      return undefined;
    }
    this.gap = 0;
    this.open.push(at);
    this.moveTo(this.keys.step(this.state, symbol));
    return this.keys.wordsAt(this.state);
  }

  /** Goes on behind spellings that were found. */
  end(): void {
    this.moveTo(this.keys.after(this.state));
  }

  private moveTo(state: number): void {
    this.state = state;
    const closed = this.open.length - this.keys.depth(state);
    if (closed > 0) this.open.splice(0, closed);
  }
}

/** A pattern of a text as a JSON string writes it without need to escape. */
function plainInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1).replace(SPECIAL, '\\$&');
}

/** A pattern of the ways in which a JSON string can write a character. */
function inJson(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const digits = code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:${plainInJson(character)}|\\\\u${digits}${character === '/' ? '|\\\\/' : ''})`;
}

/** The spellings of a key that are searched for. */
function wordsOf(key: string): Word[] {
  const letters = lettersOf(key);
  if (letters.length < MIN_RANDOM_CHARS || !/\d/.test(key))
    return letters.length > KEPT_CHARS ? [{ letters, exact: trimmed(key) }] : [];
  const bytes = Buffer.from(key);
  const encoded = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const texts = [...encoded, bytes.toString('hex')].map(lettersOf);
  return [letters, letters.toReversed(), ...texts].map((one) => ({ letters: one, exact: undefined }));
}

function lettersOf(text: string): number[] {
  const view = new TextView('folded');
  const folded = view.push(text) + view.end();
  return Array.from(folded, (letter) => SYMBOL_OF[letter.charCodeAt(0)] ?? NO_SYMBOL).filter(
    (one) => one !== NO_SYMBOL,
  );
}

/** The key from its first to its last letter or digit. */
function trimmed(key: string): string {
  return key.replace(/^[^a-z\d]+|[^a-z\d]+$/gi, '');
}

/** The characters of a Base64 text that only these bytes determine, if they begin at this offset in a group of three. */
function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}
