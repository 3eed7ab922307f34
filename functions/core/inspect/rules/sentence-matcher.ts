import type { PatternMatch, PatternMatcher, PatternStream } from '../../pattern-engine/index.ts';
import type { SentenceCues, WordFinder } from '../rule.ts';
import { type PlainWords, plainWords } from '../views/plain-words.ts';

/** A sentence is cut where it is longer, so that no more of a text is ever unsettled: as long as the matches of patterns. */
const LONGEST_SENTENCE = 8192;
/** A match is as long at most: text farther from a word has little to do with it, and checks stay fast. */
const LONGEST_MATCH = 240;

/**
 * Finds sentences by words that they hold. A match begins with such a word and reaches to the end of the sentence, unless that
 * is far; those of the same cues do not overlap. Cues are numbered in the order given.
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

/** Cues that are looked for among the same words. */
interface Finder {
  readonly words: WordFinder;
  readonly sought: readonly { readonly kinds: ReadonlySet<string>; readonly number: number }[];
}

class SentenceStream implements PatternStream {
  private readonly finders: readonly Finder[];
  /** What has been seen of a sentence that has not ended yet, and its offset. */
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
    // Others read the words of a text that comes whole.
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

  /** Where the last sentence ends that is whole, of those that begin at an index and are not too long together. */
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

/** Whether a sentence ends with a code unit, in any script: what follows is another one. */
export function isSentenceEnd(unit: number): boolean {
  return ENDS.has(unit);
}
