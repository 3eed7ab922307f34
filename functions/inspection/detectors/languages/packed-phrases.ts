import { CodeReader, digitsOf } from '../../pattern-engine/index.ts';
import { WORD_NUMBERS, wordNumbers } from '../../views/index.ts';

/** Words of several languages as `npm run generate tables` writes them, so that a function need not fold them, and reads as little as can be. */
export interface LexiconData {
  /** Meaning of the codes in `lines`. */
  readonly langs: readonly string[];
  readonly kinds: readonly string[];
  readonly letters: string;
  readonly spaced: PackedPhrases;
  /** Of scripts that part no words. */
  readonly unspaced: PackedPhrases;
  /** What a language writes together with the word that follows. */
  readonly prefixes: readonly (readonly [lang: string, prefix: string])[];
}

/** Phrases by their first letters. */
interface PackedPhrases {
  /** Of each slot that holds something, in order, the distance from the one before and what it holds (`digitsOf`). */
  readonly slots: string;
  /**
   * A line for each of these: parts between bars, each the code of a language, that of a kind, and phrases between commas,
   * `ABignorier*3,ignoriere nicht`. A number behind a star says how many letters may follow.
   */
  readonly lines: string;
}

/** A phrase as `npm run generate tables` has it. */
export interface WrittenPhrase {
  readonly lang: string;
  readonly kind: string;
  /** As in a line of PackedPhrases, letters unchanged. */
  readonly phrase: string;
}

/** How many of its first letters a phrase is found by; one that begins with a shorter word is found by that. */
export const FIRST_LETTERS = 5;

/** The same in scripts that part no words. */
export const FIRST_CHARACTERS = 2;

/** A power of two, some times as many as there are beginnings. */
const SLOTS = 1 << 15;
/** What a slot holds: phrases that begin with just these letters; phrases, of which these are the first letters. */
const WHOLE = 1;
const BEGINNING = 2;
/** A part of the hash beyond the slot's number, 0 for any: otherwise a tenth of all beginnings would match. */
const TAG = 0xfc;

/** One more letter of a beginning. */
export function nextHash(hash: number, unit: number): number {
  return Math.imul(hash, 0x01000193) ^ unit;
}

/** A hash of so many letters, spread over all bits. */
export function mix(hash: number, letters: number): number {
  const mixed = Math.imul(hash ^ letters, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

export function slotOf(mixed: number): number {
  return (mixed >>> 16) & (SLOTS - 1);
}

/** What codes are made of: one for a language or a kind, two for a letter beyond ASCII, the first of them a capital, which no folded text has. */
const CODES = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const CAPITALS = 26;
const CODED_LETTER = /[A-Z]./g;

/** @throws RangeError where there are more languages, kinds or letters than codes, or a phrase holds what parts phrases */
export function packLexicon(
  spaced: readonly WrittenPhrase[],
  unspaced: readonly WrittenPhrase[],
  prefixes: LexiconData['prefixes'],
): LexiconData {
  const all = [...spaced, ...unspaced];
  const langs = distinct(all.map(({ lang }) => lang));
  const kinds = distinct(all.map(({ kind }) => kind));
  const letters = distinct(all.flatMap(({ phrase }) => phrase.match(/[^ -~]/g) ?? [])).sort();
  if (langs.length > CODES.length || kinds.length > CODES.length || letters.length > CAPITALS * CODES.length) {
    throw new RangeError('more languages, kinds or letters than codes');
  }
  const bad = all.find(({ phrase }) => /[|,A-Z\n]/.test(phrase));
  if (bad !== undefined) throw new RangeError(`a phrase may not hold what parts phrases: ${bad.phrase}`);
  const packed = (phrases: readonly WrittenPhrase[], isSpaced: boolean) =>
    packPhrases(phrases, isSpaced, ({ lang, kind }) => codeOf(langs, lang) + codeOf(kinds, kind), letters);
  return {
    langs,
    kinds,
    letters: letters.join(''),
    spaced: packed(spaced, true),
    unspaced: packed(unspaced, false),
    prefixes,
  };
}

function packPhrases(
  phrases: readonly WrittenPhrase[],
  isSpaced: boolean,
  codeOf: (phrase: WrittenPhrase) => string,
  letters: readonly string[],
): PackedPhrases {
  const holds = new Map<number, number>();
  const lines = new Map<number, WrittenPhrase[]>();
  const mark = (mixed: number, held: number) => {
    const known = holds.get(slotOf(mixed));
    const tag = known === undefined || (known & TAG) === (mixed & TAG) ? mixed & TAG : 0;
    holds.set(slotOf(mixed), tag | ((known ?? 0) & ~TAG) | held);
  };
  for (const [beginning, same] of Map.groupBy(phrases, ({ phrase }) => beginningOf(phrase, isSpaced))) {
    let hash = 0;
    for (let at = 0; at < beginning.length; at++) hash = nextHash(hash, beginning.charCodeAt(at));
    if (!isSpaced) mark(mix(nextHash(0, beginning.charCodeAt(0)), 1), BEGINNING);
    const mixed = mix(hash, beginning.length);
    const goesOn = isSpaced && (beginning.length === FIRST_LETTERS || same.some(({ phrase }) => phrase.includes('*')));
    mark(mixed, goesOn ? WHOLE | BEGINNING : WHOLE);
    lines.set(slotOf(mixed), [...(lines.get(slotOf(mixed)) ?? []), ...same]);
  }
  const slots = [...holds.keys()].sort((a, b) => a - b);
  return {
    slots: slots
      .map((slot, at) => digitsOf(slot - (slots[at - 1] ?? 0)) + digitsOf(holds.get(slot) as number))
      .join(''),
    lines: slots.map((slot) => lineOf(lines.get(slot) ?? [], codeOf, letters)).join('\n'),
  };
}

function lineOf(
  phrases: readonly WrittenPhrase[],
  codeOf: (phrase: WrittenPhrase) => string,
  letters: readonly string[],
): string {
  const parts = [...Map.groupBy(phrases, codeOf)];
  return parts.map(([code, same]) => code + same.map(({ phrase }) => coded(phrase, letters)).join()).join('|');
}

function beginningOf(phrase: string, isSpaced: boolean): string {
  return (/^[^ *]+/.exec(phrase)?.[0] ?? '').slice(0, isSpaced ? FIRST_LETTERS : FIRST_CHARACTERS);
}

function coded(phrase: string, letters: readonly string[]): string {
  return phrase.replace(/[^ -~]/g, (letter) => {
    const number = letters.indexOf(letter);
    return CODES.charAt(Math.floor(number / CODES.length)) + CODES.charAt(number % CODES.length);
  });
}

function codeOf(names: readonly string[], name: string): string {
  return CODES.charAt(names.indexOf(name));
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

/** Calls back for each slot of packed phrases, in order, with its content. */
function eachSlot({ slots }: PackedPhrases, tell: (slot: number, holds: number) => void): void {
  const reader = new CodeReader(slots);
  for (let slot = 0; !reader.isAtEnd; ) {
    slot += reader.next();
    tell(slot, reader.next());
  }
}

/** The phrases of a line. */
function phrasesOfLine(line: string, { langs, kinds, letters }: LexiconData): WrittenPhrase[] {
  if (line === '') return [];
  return line.split('|').flatMap((part) => {
    const lang = langs[CODES.indexOf(part.charAt(0))] as string;
    const kind = kinds[CODES.indexOf(part.charAt(1))] as string;
    const phrases = part
      .slice(2)
      .replace(CODED_LETTER, (code) =>
        letters.charAt(CODES.length * CODES.indexOf(code.charAt(0)) + CODES.indexOf(code.charAt(1))),
      );
    return phrases.split(',').map((phrase) => ({ lang, kind, phrase }));
  });
}

export interface Stem {
  readonly text: string;
  readonly ending: number;
}

interface Entry<Kind> {
  readonly lang: string;
  readonly kind: Kind;
  readonly head: Stem;
  readonly rest: readonly Stem[];
}

const ANY = -1;

/** What is known of a plain word: nothing yet, that no phrase begins with it, that one may. */
const NO_HEAD = 1;
const HEAD = 2;

/** Phrases by their first letters, each group read when it is first asked for: most texts use few of them. */
export class Phrases<Kind extends string> {
  private readonly holds = new Uint8Array(SLOTS);
  private readonly sources: readonly PhraseSource[];
  private readonly entries = new Map<number, readonly Entry<Kind>[]>();
  /** A bit for each letter that the word behind those of a slot may begin with, ANY where none need follow; 0 for a slot that was not read yet. */
  private readonly seconds = new Int32Array(SLOTS);
  /** By number, what is known of a plain word. Few words make up most of any text. */
  private readonly heads = new Uint8Array(WORD_NUMBERS);
  /** By number of one with which a phrase may begin, as in `seconds`. */
  private readonly behind = new Int32Array(WORD_NUMBERS);
  private generation = wordNumbers.generation;

  constructor(data: readonly LexiconData[], part: 'spaced' | 'unspaced') {
    this.sources = data.map((one) => new PhraseSource(one, one[part], part === 'spaced'));
    for (const one of data) eachSlot(one[part], (slot, holds) => this.mark(slot, holds));
  }

  private mark(slot: number, holds: number): void {
    const known = this.holds[slot] as number;
    const tag = known === 0 || (known & TAG) === (holds & TAG) ? holds & TAG : 0;
    this.holds[slot] = tag | (known & ~TAG) | (holds & ~TAG);
  }

  /** Whether something may begin with letters, given their mixed hash and whether they are a whole word. */
  mayBegin(mixed: number, isWhole: boolean): boolean {
    const held = this.holds[slotOf(mixed)] as number;
    if ((held & (isWhole ? WHOLE : BEGINNING)) === 0) return false;
    return (held & TAG) === 0 || (held & TAG) === (mixed & TAG);
  }

  /** Removes words whose numbers were reused. */
  evictOld(): void {
    if (this.generation === wordNumbers.generation) return;
    this.heads.fill(0);
    this.generation = wordNumbers.generation;
  }

  /** `mayBeginAt` of a plain word with this number. */
  mayBeginWith(number: number, units: Uint16Array, start: number, end: number, length: number): boolean {
    const known = this.heads[number] as number;
    if (known === NO_HEAD) return false;
    if (known === HEAD) return mayGoOn(this.behind[number] as number, units, end, length);
    const seconds = this.secondsBehind(units, start, end);
    this.heads[number] = seconds === 0 ? NO_HEAD : HEAD;
    this.behind[number] = seconds;
    return mayGoOn(seconds, units, end, length);
  }

  /**
   * Whether a phrase may begin with a word, given the words behind it: most words that may begin one are small words of English
   * too.
   */
  mayBeginAt(units: Uint16Array, start: number, end: number, length: number): boolean {
    return mayGoOn(this.secondsBehind(units, start, end), units, end, length);
  }

  /** As in `seconds`, of all phrases that may begin with a word; 0 where none does. */
  private secondsBehind(units: Uint16Array, start: number, end: number): number {
    const letters = Math.min(FIRST_LETTERS, end - start);
    let hash = 0;
    let seconds = 0;
    for (let known = 1; known <= letters; known++) {
      hash = nextHash(hash, units[start + known - 1] as number);
      const mixed = mix(hash, known);
      if (this.mayBegin(mixed, end - start === known)) seconds |= this.secondsOf(slotOf(mixed));
    }
    return seconds;
  }

  private secondsOf(slot: number): number {
    if (this.seconds[slot] === 0) {
      const bits = this.in(slot).map(({ rest: [next] }) => (next === undefined ? ANY : bitOf(next.text.charCodeAt(0))));
      this.seconds[slot] = bits.reduce((all, bit) => all | bit, 0);
    }
    return this.seconds[slot] as number;
  }

  in(slot: number): readonly Entry<Kind>[] {
    let entries = this.entries.get(slot);
    if (entries === undefined) {
      entries = this.sources.flatMap((source) => source.in<Kind>(slot));
      this.entries.set(slot, entries);
    }
    return entries;
  }
}

/** Whether what follows begins with one of these letters, as in `seconds`. */
function mayGoOn(seconds: number, units: Uint16Array, end: number, length: number): boolean {
  if (seconds === ANY || seconds === 0) return seconds === ANY;
  let next = end;
  while (next < length && !isOfWord(units[next] as number)) next++;
  return next < length && (seconds & bitOf(units[next] as number)) !== 0;
}

/** The phrases of one file. */
class PhraseSource {
  private readonly data: LexiconData;
  private readonly phrases: PackedPhrases;
  private readonly isSpaced: boolean;
  /** By slot, once a slot was asked for. */
  private lines: ReadonlyMap<number, string> | undefined;

  constructor(data: LexiconData, phrases: PackedPhrases, isSpaced: boolean) {
    this.data = data;
    this.phrases = phrases;
    this.isSpaced = isSpaced;
  }

  in<Kind extends string>(slot: number): Entry<Kind>[] {
    this.lines ??= this.readLines();
    return phrasesOfLine(this.lines.get(slot) ?? '', this.data).map(({ lang, kind, phrase }) => {
      const [head, ...rest] = (this.isSpaced ? phrase.split(' ') : [phrase]).map(stemOf);
      return { lang, kind: kind as Kind, head: head as Stem, rest };
    });
  }

  private readLines(): ReadonlyMap<number, string> {
    const lines = this.phrases.lines.split('\n');
    const bySlot = new Map<number, string>();
    eachSlot(this.phrases, (slot) => bySlot.set(slot, lines[bySlot.size] as string));
    return bySlot;
  }
}

function bitOf(unit: number): number {
  return 1 << (unit & 31);
}

function stemOf(word: string): Stem {
  const [text, ending = '0'] = word.split('*') as [string, string?];
  return { text, ending: Number(ending) };
}

const OF_WORD = /[\p{L}\p{M}\p{N}]/u;

/** By code unit: 1 for letters, marks and digits, 2 for all else, 0 for what has not been asked yet. */
const KINDS = new Uint8Array(0x10000);

export function isOfWord(unit: number): boolean {
  const kind = KINDS[unit] as number;
  return kind === 0 ? askWhetherOfWord(unit) : kind === 1;
}

function askWhetherOfWord(unit: number): boolean {
  KINDS[unit] = OF_WORD.test(String.fromCharCode(unit)) ? 1 : 2;
  return KINDS[unit] === 1;
}
