import cues from './cues.json' with { type: 'json' };
import { fold } from './folded.ts';
import verbs from './verbs.json' with { type: 'json' };

/** Words by group and language. `word$` is a whole word, others are the start of one, or occur anywhere in scripts without spaces. */
type Table = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Arabic}\p{sc=Devanagari}]/u;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const NOT_A_WORD = /[^\p{L}\p{M}\p{N}]/u;
/** In names of tools, ä is often written ae. */
const UMLAUT = /[äöü]/;
const UMLAUTS = /[äöü]/g;
const SHORTEST_STEM = 3;
const LONGEST_STEM = 24;
const LONGEST_PART = 8;
/** Words whose groups are remembered: few words make up most of any text. */
const MAX_KNOWN = 20_000;

/** Finds which groups of words a text uses. A set of groups is a number: one bit for each, in the order of the table. */
export class WordGroups<Group extends string> {
  private readonly table: Readonly<Record<Group, Table[string]>>;
  private readonly names: readonly Group[];
  private readonly stems = new Map<string, number>();
  private readonly whole = new Map<string, number>();
  private readonly anywhere = new Map<string, number>();
  /** By their first word. */
  private readonly phrases = new Map<string, (readonly [phrase: string, bit: number])[]>();
  private readonly known = new Map<string, number>();
  private isRead = false;

  constructor(table: Readonly<Record<Group, Table[string]>>) {
    this.table = table;
    this.names = Object.keys(table) as Group[];
  }

  /** Reads the words, which takes some 10 ms: only once a text is looked at. */
  private read(): void {
    this.isRead = true;
    for (const group of this.names)
      for (const words of Object.values(this.table[group]))
        for (const word of words) {
          this.add(word, this.bit(group));
          if (UMLAUT.test(word))
            this.add(
              word.replace(UMLAUTS, (letter) => `${letter.normalize('NFD').charAt(0)}e`),
              this.bit(group),
            );
        }
  }

  private add(word: string, bit: number): void {
    const folded = fold(word.replace(/\$$/, '')).trim();
    if (!UNSPACED.test(folded) && NOT_A_WORD.test(folded)) {
      const [first = ''] = folded.match(WORD) ?? [];
      const others = this.phrases.get(first) ?? [];
      this.phrases.set(first, [...others, [folded, bit]]);
      return;
    }
    const words = UNSPACED.test(folded) ? this.anywhere : word.endsWith('$') ? this.whole : this.stems;
    words.set(folded, (words.get(folded) ?? 0) | bit);
  }

  /** The set of a single group. */
  bit(group: Group): number {
    return 1 << this.names.indexOf(group);
  }

  /** The first group of a set in the order of the table. */
  first(set: number): Group | undefined {
    return this.names.find((name) => (set & this.bit(name)) !== 0);
  }

  /** The groups in a folded text. */
  in(folded: string): number {
    if (!this.isRead) this.read();
    let set = 0;
    for (const { 0: word, index } of folded.matchAll(WORD)) {
      set |= this.ofWord(word);
      for (const [phrase, bit] of this.phrases.get(word) ?? []) if (folded.startsWith(phrase, index)) set |= bit;
    }
    return set;
  }

  /** The groups of a folded word. */
  ofWord(word: string): number {
    if (!this.isRead) this.read();
    const known = this.known.get(word);
    if (known !== undefined) return known;
    const set = this.lookUp(word);
    if (this.known.size < MAX_KNOWN && word.length <= LONGEST_STEM) this.known.set(word, set);
    return set;
  }

  private lookUp(word: string): number {
    let set = this.whole.get(word) ?? 0;
    for (let end = SHORTEST_STEM; end <= Math.min(word.length, LONGEST_STEM); end++)
      set |= this.stems.get(word.slice(0, end)) ?? 0;
    if (!UNSPACED.test(word)) return set;
    for (let at = 0; at < word.length; at++)
      for (let end = at + 1; end <= Math.min(word.length, at + LONGEST_PART); end++)
        set |= this.anywhere.get(word.slice(at, end)) ?? 0;
    return set;
  }
}

/** What calls do, by the verbs with which people ask for it and name tools. */
export const VERBS = new WordGroups(verbs);
/** Words by which people say what kind of value they mean, that it is in a text, and that the reader has to act. */
export const CUES = new WordGroups(cues);

export type Verb = keyof typeof verbs;
export type Cue = keyof typeof cues;
