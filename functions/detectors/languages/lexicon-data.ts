import { CodeReader, digitsOf } from '../../core/pattern-engine/index.ts';

/** Words of several languages as `npm run generate tables` writes them, so that a function need not fold them, and reads as little as can be. */
export interface LexiconData {
  /** What the codes of `lines` stand for. */
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
export interface PackedPhrases {
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
  /** As in a line of PackedPhrases, its letters as they are. */
  readonly phrase: string;
}

/** How many of its first letters a phrase is found by; one that begins with a shorter word is found by that. */
export const FIRST_LETTERS = 5;

/** The same in scripts that part no words. */
export const FIRST_CHARACTERS = 2;

/** A power of two, some times as many as there are beginnings. */
export const SLOTS = 1 << 15;
/** What a slot holds: phrases that begin with just these letters; phrases, of which these are the first letters. */
export const WHOLE = 1;
export const BEGINNING = 2;
/** And a part of the hash that the slot's number does not tell, 0 for any: else a tenth of all beginnings would be taken for one. */
export const TAG = 0xfc;

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

/** Tells each slot of packed phrases, in order, and what it holds. */
export function eachSlot({ slots }: PackedPhrases, tell: (slot: number, holds: number) => void): void {
  const reader = new CodeReader(slots);
  for (let slot = 0; !reader.isAtEnd; ) {
    slot += reader.next();
    tell(slot, reader.next());
  }
}

/** The phrases of a line. */
export function phrasesOfLine(line: string, { langs, kinds, letters }: LexiconData): WrittenPhrase[] {
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
