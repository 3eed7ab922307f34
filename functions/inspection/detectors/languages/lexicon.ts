import { isSentenceEnd } from '../../matching/index.ts';
import { codeUnits } from '../../pattern-engine/index.ts';
import { PlainWordReader, type PlainWords } from '../../views/index.ts';
import {
  FIRST_CHARACTERS,
  FIRST_LETTERS,
  isOfWord,
  type LexiconData,
  mix,
  nextHash,
  Phrases,
  type Stem,
  slotOf,
} from './packed-phrases.ts';
import { unified } from './word-table.ts';

/** A word or phrase of a table in a passage. */
export interface Hit<Kind extends string> {
  readonly kind: Kind;
  /** Start and end in words; without spaces, three characters count as one word. */
  readonly first: number;
  readonly last: number;
  /** The same in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** The table words of a passage by language, in order. */
export type Hits<Kind extends string> = ReadonlyMap<string, readonly Hit<Kind>[]>;

/** A word of a passage: its number, and where it begins and ends. */
interface Word {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Whether a phrase may begin with it. */
  readonly isHead: boolean;
}

/** Hebrew and Arabic letters. */
const FIRST_PREFIXED = 0x590;
const LAST_PREFIXED = 0x6ff;

/** Thai, Chinese and Japanese, and scripts without spaces that have no table. */
const FIRST_UNSPACED = 0xe00;
const LAST_UNSPACED = 0x9fff;
const CHARACTERS_A_WORD = 3;

type Tell<Kind extends string> = (lang: string, hit: Hit<Kind>) => void;

/** Reads passages a second time, separately from their text, whose words are cached. */
const passageWords = new PlainWordReader();

/** The words of several languages, looked up in one pass. */
export class Lexicon<Kind extends string> {
  private readonly spaced: Phrases<Kind>;
  private readonly unspaced: Phrases<Kind>;
  /** By first code unit. */
  private readonly prefixes: ReadonlyMap<number, LexiconData['prefixes']>;

  /** Combines the words of all tables; prefixes are those of the first. */
  constructor(...data: readonly [LexiconData, ...LexiconData[]]) {
    this.spaced = new Phrases(data, 'spaced');
    this.unspaced = new Phrases(data, 'unspaced');
    this.prefixes = Map.groupBy(data[0].prefixes, ([, prefix]) => prefix.charCodeAt(0));
  }

  /** The words in a passage of the folded view; one within a longer one does not count. */
  find(passage: string): Hits<Kind> {
    const found = new Map<string, Hit<Kind>[]>();
    const text = unified(passage);
    this.each(text, passageWords.of(text), (lang, hit) => {
      const hits = found.get(lang);
      if (hits === undefined) found.set(lang, [hit]);
      else hits.push(hit);
    });
    for (const [lang, hits] of found) found.set(lang, outermost(hits));
    return found;
  }

  /** Calls `tell` for each phrase that begins in a passage of the folded view, also for one within a longer one. */
  eachIn(passage: string, plain: PlainWords, tell: (kind: Kind, start: number) => void): void {
    this.each(unified(passage), plain, (_, { kind, start }) => tell(kind, start));
  }

  /** `tell` must not read other texts: code units share an array. */
  private each(text: string, plain: PlainWords, tell: Tell<Kind>): void {
    const units = codeUnits(text);
    for (const word of this.candidates(units, text.length, plain)) {
      if (word.isHead) this.reportAt(text, units, word, word.start, undefined, tell);
      this.reportApart(text, units, word, tell);
    }
  }

  /**
   * Calls back for each word at or within which a phrase may begin. Most plain words are cached as having none; one loop covers
   * the characters between them.
   */
  private candidates(
    units: Uint16Array,
    length: number,
    { starts, ends, numbers, first, end, offset }: PlainWords,
  ): Word[] {
    const words: Word[] = [];
    this.spaced.evictOld();
    let count = 0;
    let plain = first;
    let nextPlain = plain < end ? (starts[plain] as number) - offset : length;
    for (let at = 0; at < length; at++) {
      const start = at;
      if (at === nextPlain) {
        at = (ends[plain] as number) - offset;
        const isHead = this.spaced.mayBeginWith(numbers[plain] as number, units, start, at, length);
        if (isHead) words.push({ at: count, start, end: at, isHead });
        plain += 1;
        nextPlain = plain < end ? (starts[plain] as number) - offset : length;
      } else {
        const unit = units[at] as number;
        if (!isOfWord(unit)) continue;
        at++;
        while (at < length && isOfWord(units[at] as number)) at++;
        const isHead = this.spaced.mayBeginAt(units, start, at, length);
        if (isHead || isPrefixed(unit) || isUnspaced(unit)) words.push({ at: count, start, end: at, isHead });
      }
      count += 1;
    }
    return words;
  }

  /** Calls back for phrases within a word of a script that writes words together. */
  private reportApart(text: string, units: Uint16Array, word: Word, tell: Tell<Kind>): void {
    const first = units[word.start] as number;
    if (isPrefixed(first)) {
      for (const [lang, prefix] of this.prefixes.get(first) ?? []) {
        if (text.startsWith(prefix, word.start))
          this.reportAt(text, units, word, word.start + prefix.length, lang, tell);
      }
    } else if (isUnspaced(first)) this.reportWithin(text, word.start, word.end, tell);
  }

  /** Calls back for phrases that begin with a word, read from an offset within it, in one language or in any. */
  private reportAt(
    text: string,
    units: Uint16Array,
    word: Word,
    from: number,
    only: string | undefined,
    tell: Tell<Kind>,
  ): void {
    const { at, start, end } = word;
    let next: number | undefined;
    const letters = Math.min(FIRST_LETTERS, end - from);
    let hash = 0;
    for (let known = 1; known <= letters; known++) {
      hash = nextHash(hash, units[from + known - 1] as number);
      const mixed = mix(hash, known);
      if (!this.spaced.mayBegin(mixed, end - from === known)) continue;
      for (const { lang, kind, head, rest } of this.spaced.in(slotOf(mixed))) {
        if (!isFormOf(units, from, end, head) || (only !== undefined && lang !== only)) continue;
        if (rest.length > 0) next ??= nextWord(text, end);
        const endOfRest = next === undefined || rest.length === 0 ? end : endOfPhrase(text, next, rest);
        if (endOfRest >= 0) tell(lang, { kind, first: at, last: at + 1 + rest.length, start, end: endOfRest });
      }
    }
  }

  /** Calls back for phrases anywhere in a run of letters of a script without spaces. */
  private reportWithin(text: string, from: number, to: number, tell: Tell<Kind>): void {
    for (let start = from; start < to; start++) {
      let hash = 0;
      for (let known = 1; known <= FIRST_CHARACTERS && start + known <= to; known++) {
        hash = nextHash(hash, text.charCodeAt(start + known - 1));
        const mixed = mix(hash, known);
        if (known === 1 && !this.unspaced.mayBegin(mixed, false)) break;
        if (!this.unspaced.mayBegin(mixed, true)) continue;
        for (const { lang, kind, head } of this.unspaced.in(slotOf(mixed))) {
          if (!text.startsWith(head.text, start)) continue;
          const end = start + head.text.length;
          tell(lang, { kind, first: start / CHARACTERS_A_WORD, last: end / CHARACTERS_A_WORD, start, end });
        }
      }
    }
  }
}

function isPrefixed(unit: number): boolean {
  return unit >= FIRST_PREFIXED && unit <= LAST_PREFIXED;
}

function isUnspaced(unit: number): boolean {
  return unit >= FIRST_UNSPACED && unit <= LAST_UNSPACED;
}

function isFormOf(units: Uint16Array, start: number, end: number, { text, ending }: Stem): boolean {
  const behind = end - start - text.length;
  if (behind < 0 || behind > ending) return false;
  // From the end: forms of one stem share a slot and differ there.
  for (let at = text.length - 1; at >= 0; at--) if (units[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** The end of a phrase that continues with these words from an offset, by `nextWord`; -1 if other words follow. */
function endOfPhrase(text: string, from: number, stems: readonly Stem[]): number {
  let start = from;
  let end = from;
  for (const stem of stems) {
    if (start < 0 || !text.startsWith(stem.text, start)) return -1;
    end = start + stem.text.length;
    const most = end + stem.ending;
    while (end < text.length && isOfWord(text.charCodeAt(end))) if (++end > most) return -1;
    start = nextWord(text, end);
  }
  return end;
}

/** The start of the next word in the same sentence; -1 if there is none. */
function nextWord(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isOfWord(unit)) return at;
    if (isSentenceEnd(unit)) return -1;
  }
  return -1;
}

function outermost<Kind extends string>(hits: Hit<Kind>[]): Hit<Kind>[] {
  if (hits.length < 2) return hits;
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
