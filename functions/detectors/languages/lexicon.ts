import { isSentenceEnd } from '../../core/inspect/rules/sentence-matcher.ts';
import { PlainWordReader, type PlainWords, WORD_NUMBERS, wordNumbers } from '../../core/inspect/views/plain-words.ts';
import { codeUnits } from '../../core/pattern-engine/index.ts';
import {
  BEGINNING,
  eachSlot,
  FIRST_CHARACTERS,
  FIRST_LETTERS,
  type LexiconData,
  mix,
  nextHash,
  type PackedPhrases,
  phrasesOfLine,
  SLOTS,
  slotOf,
  TAG,
  WHOLE,
} from './lexicon-data.ts';
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

interface Stem {
  readonly text: string;
  readonly ending: number;
}

/** A word of a passage: its number, and where it begins and ends. */
interface Word {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Whether a phrase may begin with it. */
  readonly isHead: boolean;
}

interface Entry<Kind> {
  readonly lang: string;
  readonly kind: Kind;
  readonly head: Stem;
  readonly rest: readonly Stem[];
}

/** Hebrew and Arabic letters. */
const FIRST_PREFIXED = 0x590;
const LAST_PREFIXED = 0x6ff;
/** Thai, Chinese and Japanese; and others, of which no table is in a script without spaces. */
const FIRST_UNSPACED = 0xe00;
const LAST_UNSPACED = 0x9fff;
const CHARACTERS_A_WORD = 3;

type Tell<Kind extends string> = (lang: string, hit: Hit<Kind>) => void;

/** Reads the passages in which words are looked for again, apart from the text that they are of, whose words are remembered. */
const passageWords = new PlainWordReader();

/** The words of several languages, looked up in one pass. */
export class Lexicon<Kind extends string> {
  private readonly spaced: Phrases<Kind>;
  private readonly unspaced: Phrases<Kind>;
  /** By first code unit. */
  private readonly prefixes: ReadonlyMap<number, LexiconData['prefixes']>;

  /** The words of all that is given; prefixes are those of the first. */
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

  /** Tells of each that begins in a passage of the folded view, given its plain words, also of one within a longer one. */
  eachIn(passage: string, plain: PlainWords, tell: (kind: Kind, start: number) => void): void {
    this.each(unified(passage), plain, (_, { kind, start }) => tell(kind, start));
  }

  /** `tell` reads no other text's code units, which share an array. */
  private each(text: string, plain: PlainWords, tell: Tell<Kind>): void {
    const units = codeUnits(text);
    for (const word of this.candidates(units, text.length, plain)) {
      if (word.isHead) this.tellAt(text, units, word, word.start, undefined, tell);
      this.tellApart(text, units, word, tell);
    }
  }

  /**
   * The words that something may begin with or within. Of nearly all plain words it is remembered that nothing does; one loop over
   * what is between them.
   */
  private candidates(
    units: Uint16Array,
    length: number,
    { starts, ends, numbers, first, end, offset }: PlainWords,
  ): Word[] {
    const words: Word[] = [];
    this.spaced.forgetOld();
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

  /** Tells what begins within a word of a script that writes words together. */
  private tellApart(text: string, units: Uint16Array, word: Word, tell: Tell<Kind>): void {
    const first = units[word.start] as number;
    if (isPrefixed(first)) {
      for (const [lang, prefix] of this.prefixes.get(first) ?? []) {
        if (text.startsWith(prefix, word.start)) this.tellAt(text, units, word, word.start + prefix.length, lang, tell);
      }
    } else if (isUnspaced(first)) this.tellWithin(text, word.start, word.end, tell);
  }

  /** Tells the phrases that begin with a word, read from an offset within it on, in one language or in any. */
  private tellAt(
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

  /** Tells what begins anywhere in a run of letters, which words of a script without spaces may. */
  private tellWithin(text: string, from: number, to: number, tell: Tell<Kind>): void {
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

const ANY = -1;
/** What is known of a plain word: nothing yet, that no phrase begins with it, that one may. */
const NO_HEAD = 1;
const HEAD = 2;

/** Phrases by their first letters, each group read when it is first asked for: most texts use few of them. */
class Phrases<Kind extends string> {
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

  /** Forgets words whose numbers stand for others now. */
  forgetOld(): void {
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

function isPrefixed(unit: number): boolean {
  return unit >= FIRST_PREFIXED && unit <= LAST_PREFIXED;
}

function isUnspaced(unit: number): boolean {
  return unit >= FIRST_UNSPACED && unit <= LAST_UNSPACED;
}

function bitOf(unit: number): number {
  return 1 << (unit & 31);
}

function stemOf(word: string): Stem {
  const [text, ending = '0'] = word.split('*') as [string, string?];
  return { text, ending: Number(ending) };
}

function isFormOf(units: Uint16Array, start: number, end: number, { text, ending }: Stem): boolean {
  const behind = end - start - text.length;
  if (behind < 0 || behind > ending) return false;
  // From its end: forms of one stem, which share a slot, differ there.
  for (let at = text.length - 1; at >= 0; at--) if (units[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** Where a phrase ends that goes on with these words from an offset on, given by `nextWord`; -1 where others stand there. */
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

/** Where the next word of the same sentence begins; -1 where there is none. */
function nextWord(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isOfWord(unit)) return at;
    if (isSentenceEnd(unit)) return -1;
  }
  return -1;
}

const OF_WORD = /[\p{L}\p{M}\p{N}]/u;
/** By code unit: 1 for letters, marks and digits, 2 for all else, 0 for what has not been asked yet. */
const KINDS = new Uint8Array(0x10000);

function isOfWord(unit: number): boolean {
  const kind = KINDS[unit] as number;
  return kind === 0 ? askWhetherOfWord(unit) : kind === 1;
}

function askWhetherOfWord(unit: number): boolean {
  KINDS[unit] = OF_WORD.test(String.fromCharCode(unit)) ? 1 : 2;
  return KINDS[unit] === 1;
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
