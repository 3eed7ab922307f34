import type { PatternMatch, PatternMatcher, PatternStream } from '../pattern-engine/index.ts';
import { type PlainWords, plainWords } from '../views/index.ts';
import type { SentenceCues, WordFinder } from './rule.ts';

/** A longer sentence is cut, so that unsettled text is bounded as for patterns. */
const LONGEST_SENTENCE = 8192;
/** The longest match: text farther from a word has little to do with it, and checks stay fast. */
const LONGEST_MATCH = 240;

/**
 * Finds sentences by words. A match starts with such a word and ends with the sentence or at a maximum length; matches of the same cues do not
 * overlap. Cues are numbered in the order of the argument.
 */
export class SentenceMatcher implements PatternMatcher {
  private readonly finders: readonly Finder[];

  constructor(cues: readonly SentenceCues[]) {
    const numbered = cues.map(({ words, kinds }, number) => ({ words, kinds, number }));
    this.finders = [...Map.groupBy(numbered, ({ words }) => words)].map(([words, sought]) => ({ words, sought }));
  }

  stream(): PatternStream {
    return new SentenceStream(this.finders);
  }

  watch(): PatternStream {
    return this.stream();
  }
}

/** Cues that are searched among the words of one finder. */
interface Finder {
  readonly words: WordFinder;
  readonly sought: readonly { readonly kinds: ReadonlySet<string>; readonly number: number }[];
}

class SentenceStream implements PatternStream {
  private readonly finders: readonly Finder[];
  /** The unfinished sentence and its offset. */
  private open = '';
  private openAt = 0;
  private isClosed = false;

  constructor(finders: readonly Finder[]) {
    this.finders = finders;
  }

  get settled(): number {
    return this.openAt;
  }

  get length(): number {
    return this.openAt + this.open.length;
  }

  push(text: string): PatternMatch[] {
    return this.read(text, false);
  }

  end(text = ''): PatternMatch[] {
    const matches = this.read(text, true);
    this.isClosed = true;
    return matches;
  }

  private read(text: string, isLast: boolean): PatternMatch[] {
    if (this.isClosed) throw new Error('the stream has ended');
    const held = this.open + text;
    const matches: PatternMatch[] = [];
    // Other readers of a text that arrives in one piece use its words too.
    if (isLast && this.openAt === 0 && held.length > 0) plainWords(held);
    let from = 0;
    for (;;) {
      const to = this.endOfWhole(held, from, isLast);
      if (to === from) break;
      this.match(held.slice(from, to), plainWords(held, from, to), this.openAt + from, matches);
      from = to;
    }
    this.open = held.slice(from);
    this.openAt += from;
    return matches;
  }

  /** The end of the last complete sentence from an index on, within a maximum length. */
  private endOfWhole(held: string, from: number, isLast: boolean): number {
    const most = from + LONGEST_SENTENCE;
    if (isLast && held.length <= most) return held.length;
    let to = Math.min(held.length, most);
    while (to > from && !isSentenceEnd(held.charCodeAt(to - 1))) to -= 1;
    return to === from && held.length >= most ? most : to;
  }

  private match(sentences: string, plain: PlainWords, offset: number, matches: PatternMatch[]): void {
    for (const { words, sought } of this.finders) {
      const coveredTo = new Map<number, number>();
      words.eachIn(sentences, plain, (kind, start) => {
        for (const { kinds, number } of sought) {
          if (!kinds.has(kind) || start < (coveredTo.get(number) ?? 0)) continue;
          const end = endOfMatch(sentences, start);
          coveredTo.set(number, end);
          matches.push({ pattern: number, start: offset + start, end: offset + end });
        }
      });
    }
  }
}

function endOfMatch(text: string, start: number): number {
  const most = Math.min(text.length, start + LONGEST_MATCH);
  let end = start;
  while (end < most && !isSentenceEnd(text.charCodeAt(end))) end += 1;
  return end;
}

const ENDS = new Set(Array.from('.!?\n。！？।؟۔', (character) => character.charCodeAt(0)));

/** Whether a code unit ends a sentence, in any script. */
export function isSentenceEnd(unit: number): boolean {
  return ENDS.has(unit);
}
