import { isSentenceEnd } from '../../core/inspect/sentences/sentence-end.ts';
import { unified } from './word-table.ts';

/** A word or phrase of a table in a passage. */
export interface Hit<Kind extends string> {
  readonly kind: Kind;
  /** Where it stands and where it ends, counted in words; in a script without spaces three characters count as one. */
  readonly first: number;
  readonly last: number;
  /** The same in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** What stands in a passage, by language, in order. */
export type Hits<Kind extends string> = ReadonlyMap<string, readonly Hit<Kind>[]>;

/** Words of several languages as `npm run tables` writes them, so that a function need not fold them. */
export interface LexiconData {
  /**
   * Phrases by their first letters: `ign|de drop ignorier,ignoriere|es drop ignora`. A number behind a star says how many
   * letters may follow.
   */
  readonly spaced: readonly string[];
  /** The same for scripts that part no words. */
  readonly unspaced: readonly string[];
  /** What a language writes together with the word that follows. */
  readonly prefixes: readonly (readonly [lang: string, prefix: string])[];
}

interface Stem {
  readonly text: string;
  readonly ending: number;
}

interface Entry<Kind> {
  readonly lang: string;
  readonly kind: Kind;
  readonly head: Stem;
  readonly rest: readonly Stem[];
}

/** How many of its first letters a phrase is found by; one that begins with a shorter word is found by that. */
export const FIRST_LETTERS = 5;

/** The same in scripts that part no words. */
export const FIRST_CHARACTERS = 2;

/** Hebrew and Arabic letters. */
const FIRST_PREFIXED = 0x590;
const LAST_PREFIXED = 0x6ff;
/** Thai, Chinese and Japanese; and others, of which no table is in a script without spaces. */
const FIRST_UNSPACED = 0xe00;
const LAST_UNSPACED = 0x9fff;
const CHARACTERS_A_WORD = 3;

type Tell<Kind extends string> = (lang: string, hit: Hit<Kind>) => void;

/** The words of several languages, looked up in one pass. */
export class Lexicon<Kind extends string> {
  readonly #spaced: Phrases<Kind>;
  readonly #unspaced: Phrases<Kind>;
  /** By first code unit. */
  readonly #prefixes: ReadonlyMap<number, LexiconData['prefixes']>;

  constructor({ spaced, unspaced, prefixes }: LexiconData) {
    this.#spaced = new Phrases(spaced, true);
    this.#unspaced = new Phrases(unspaced, false);
    this.#prefixes = Map.groupBy(prefixes, ([, prefix]) => prefix.charCodeAt(0));
  }

  /** The words in a passage of the folded view; one within a longer one does not count. */
  find(passage: string): Hits<Kind> {
    const found = new Map<string, Hit<Kind>[]>();
    this.#each(unified(passage), (lang, hit) => {
      const hits = found.get(lang);
      if (hits === undefined) found.set(lang, [hit]);
      else hits.push(hit);
    });
    for (const [lang, hits] of found) found.set(lang, outermost(hits));
    return found;
  }

  /** Tells of each that begins in a passage of the folded view, also of one within a longer one. */
  eachIn(passage: string, tell: (kind: Kind, start: number) => void): void {
    this.#each(unified(passage), (_, { kind, start }) => tell(kind, start));
  }

  #each(text: string, tell: Tell<Kind>): void {
    const words = wordsIn(text);
    for (let at = 0; at < words.length / 2; at++) {
      const start = words[2 * at] as number;
      this.#tellAt(text, words, at, start, undefined, tell);
      const first = text.charCodeAt(start);
      if (first < FIRST_PREFIXED) continue;
      if (first <= LAST_PREFIXED) {
        for (const [lang, prefix] of this.#prefixes.get(first) ?? []) {
          if (text.startsWith(prefix, start)) this.#tellAt(text, words, at, start + prefix.length, lang, tell);
        }
      } else if (first >= FIRST_UNSPACED && first <= LAST_UNSPACED) {
        this.#tellWithin(text, start, words[2 * at + 1] as number, tell);
      }
    }
  }

  /** Tells the phrases that begin with a word, read from an offset within it on, in one language or in any. */
  #tellAt(
    text: string,
    words: readonly number[],
    at: number,
    from: number,
    only: string | undefined,
    tell: Tell<Kind>,
  ): void {
    const end = words[2 * at + 1] as number;
    const letters = Math.min(FIRST_LETTERS, end - from);
    let hash = 0;
    for (let known = 1; known <= letters; known++) {
      hash = nextHash(hash, text.charCodeAt(from + known - 1));
      const slot = slotOf(hash, known);
      if (!this.#spaced.mayBegin(slot, end - from === known)) continue;
      for (const { lang, kind, head, rest } of this.#spaced.in(slot)) {
        if (!isFormOf(text, from, end, head) || (only !== undefined && lang !== only)) continue;
        if (!goesOn(text, words, at + 1, rest)) continue;
        const last = at + 1 + rest.length;
        tell(lang, { kind, first: at, last, start: words[2 * at] as number, end: words[2 * last - 1] as number });
      }
    }
  }

  /** Tells what begins anywhere in a run of letters, which words of a script without spaces may. */
  #tellWithin(text: string, from: number, to: number, tell: Tell<Kind>): void {
    for (let start = from; start < to; start++) {
      let hash = 0;
      for (let known = 1; known <= FIRST_CHARACTERS && start + known <= to; known++) {
        hash = nextHash(hash, text.charCodeAt(start + known - 1));
        const slot = slotOf(hash, known);
        if (known === 1 && !this.#unspaced.mayBegin(slot, false)) break;
        if (!this.#unspaced.mayBegin(slot, true)) continue;
        for (const { lang, kind, head } of this.#unspaced.in(slot)) {
          if (!text.startsWith(head.text, start)) continue;
          const end = start + head.text.length;
          tell(lang, { kind, first: start / CHARACTERS_A_WORD, last: end / CHARACTERS_A_WORD, start, end });
        }
      }
    }
  }
}

/** A power of two, some times as many as there are beginnings. */
const SLOTS = 1 << 15;
/** What a slot holds: phrases that begin with just these letters; phrases, of which these are the first letters. */
const WHOLE = 1;
const BEGINNING = 2;

/** Phrases by their first letters, each group read when it is first asked for: most texts use few of them. */
class Phrases<Kind extends string> {
  readonly #holds = new Uint8Array(SLOTS);
  /** Lines as written, those of several beginnings maybe in one slot. */
  readonly #lines = new Map<number, string[]>();
  readonly #entries = new Map<number, readonly Entry<Kind>[]>();
  readonly #isSpaced: boolean;

  constructor(lines: readonly string[], isSpaced: boolean) {
    this.#isSpaced = isSpaced;
    for (const line of lines) this.#add(line);
  }

  #add(line: string): void {
    const letters = line.indexOf('|');
    let hash = 0;
    for (let at = 0; at < letters; at++) {
      hash = nextHash(hash, line.charCodeAt(at));
      if (at === 0 && !this.#isSpaced) this.#mark(slotOf(hash, 1), BEGINNING);
    }
    const slot = slotOf(hash, letters);
    const others = this.#lines.get(slot);
    if (others === undefined) this.#lines.set(slot, [line]);
    else others.push(line);
    this.#mark(slot, this.#isSpaced && (letters === FIRST_LETTERS || line.includes('*')) ? WHOLE | BEGINNING : WHOLE);
  }

  #mark(slot: number, holds: number): void {
    this.#holds[slot] = (this.#holds[slot] as number) | holds;
  }

  /** Whether something in the slot may begin there, given whether the letters are a whole word. */
  mayBegin(slot: number, isWhole: boolean): boolean {
    return ((this.#holds[slot] as number) & (isWhole ? WHOLE : BEGINNING)) !== 0;
  }

  in(slot: number): readonly Entry<Kind>[] {
    let entries = this.#entries.get(slot);
    if (entries === undefined) {
      const parts = (this.#lines.get(slot) ?? []).flatMap((line) => line.split('|').slice(1));
      entries = parts.flatMap((part) => this.#read(part));
      this.#entries.set(slot, entries);
    }
    return entries;
  }

  #read(part: string): Entry<Kind>[] {
    const [lang, kind] = part.split(' ', 2) as [string, Kind];
    const phrases = part.slice(lang.length + kind.length + 2).split(',');
    return phrases.map((phrase) => {
      const [head, ...rest] = (this.#isSpaced ? phrase.split(' ') : [phrase]).map(stemOf);
      return { lang, kind, head: head as Stem, rest };
    });
  }
}

function nextHash(hash: number, unit: number): number {
  return Math.imul(hash, 0x01000193) ^ unit;
}

function slotOf(hash: number, letters: number): number {
  const mixed = Math.imul(hash ^ letters, 0x9e3779b1);
  return (mixed >>> 16) & (SLOTS - 1);
}

function stemOf(word: string): Stem {
  const [text, ending = '0'] = word.split('*') as [string, string?];
  return { text, ending: Number(ending) };
}

function isFormOf(text: string, start: number, end: number, stem: Stem): boolean {
  const behind = end - start - stem.text.length;
  return behind >= 0 && behind <= stem.ending && text.startsWith(stem.text, start);
}

function goesOn(text: string, words: readonly number[], from: number, stems: readonly Stem[]): boolean {
  if (2 * (from + stems.length) > words.length) return false;
  for (let at = 0; at < stems.length; at++) {
    const word = 2 * (from + at);
    for (let gap = words[word - 1] as number; gap < (words[word] as number); gap++) {
      if (isSentenceEnd(text.charCodeAt(gap))) return false;
    }
    if (!isFormOf(text, words[word] as number, words[word + 1] as number, stems[at] as Stem)) return false;
  }
  return true;
}

/** Where words begin and end, by turns. */
function wordsIn(text: string): number[] {
  const edges: number[] = [];
  let isWithin = false;
  for (let at = 0; at < text.length; at++) {
    if (isOfWord(text.charCodeAt(at)) === isWithin) continue;
    edges.push(at);
    isWithin = !isWithin;
  }
  if (isWithin) edges.push(text.length);
  return edges;
}

const OF_WORD = /[\p{L}\p{M}\p{N}]/u;
/** By code unit: 1 for letters, marks and digits, 2 for all else, 0 for what has not been asked yet. */
const KINDS = new Uint8Array(0x10000);

function isOfWord(unit: number): boolean {
  if (KINDS[unit] === 0) KINDS[unit] = OF_WORD.test(String.fromCharCode(unit)) ? 1 : 2;
  return KINDS[unit] === 1;
}

function outermost<Kind extends string>(hits: readonly Hit<Kind>[]): Hit<Kind>[] {
  const sorted = [...hits].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Hit<Kind>[] = [];
  let reached: Hit<Kind> | undefined;
  for (const hit of sorted) {
    const isSmaller = reached !== undefined && hit.end - hit.start < reached.end - reached.start;
    if (isSmaller && hit.end <= (reached as Hit<Kind>).end) continue;
    kept.push(hit);
    if (reached === undefined || hit.end > reached.end) reached = hit;
  }
  return kept;
}
