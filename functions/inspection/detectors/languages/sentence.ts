import { isSentenceEnd, type MatchContext, type SentenceCues, type WordFinder } from '../../matching/index.ts';
import data from './lexicon.generated.json' with { type: 'json' };
import { type Hit, type Hits, Lexicon } from './lexicon.ts';
import type { LexiconData } from './packed-phrases.ts';
import type { Grammar, Kind } from './word-table.ts';

/** Highest score of a quoted and of a reported attack, as in English (match-context.ts). */
const MOST_QUOTED = 0.45;
const MOST_TOLD = 0.4;

const PUNCTUATION = /[,;:،؛、，；：]/;
const QUOTATION = /["「」『』《》]/;
const ANY_QUOTE = /["'`「」『』《》]/;
const QUOTES = new Set('"\'`');
const OPENING = new Set('「『《');
const CLOSING = new Set('」』》');
const LETTER = /[\p{L}\p{M}]/u;
const SPEECH_BEFORE = /[\p{L}\p{M},]$/u;
/** Third-party text has values of JSON and YAML after a colon. */
const SPEECH_BEFORE_OF_USER = /[\p{L}\p{M},、:：]$/u;

/** Words with more words between them are unrelated. */
export const FARTHEST = 8;

/** Words examined together: more than a sentence has, unless it was made long to cost time. */
const MOST_TOGETHER = 32;

export const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  Object.entries(data.grammars as Readonly<Record<string, Grammar>>),
);

export type Word = Hit<Kind>;
/** The words of a sentence, each list in order. Most kinds are absent, and every pair of words reads some of them. */
export type WordsByKind = ReadonlyMap<Kind, readonly Word[]>;
export const NO_WORDS: readonly Word[] = [];

/** Created with the first text; the others with the first candidate. */
let cueWords: Lexicon<Kind> | undefined;
let words: Lexicon<Kind> | undefined;
let aboutWords: Lexicon<'about'> | undefined;

const CUES: WordFinder = {
  eachIn: (passage, plain, tell) => {
    cueWords ??= new Lexicon(data.cues as unknown as LexiconData);
    cueWords.eachIn(passage, plain, tell);
  },
};

/** Words that make candidates: of these kinds, in the languages in which they are cues. */
export function cuesFor(...kinds: Kind[]): SentenceCues {
  return { words: CUES, kinds: new Set(kinds) };
}

/** A candidate with the text before it in the same sentence, its words looked up. */
export class Sentence {
  readonly text: string;
  readonly words: Hits<Kind>;
  private firstAbout: number | undefined;
  private quoted: Uint8Array | undefined;
  private quotation: boolean | undefined;
  private readonly isUsers: boolean;

  constructor(match: string, { before, isThirdParty }: MatchContext) {
    this.isUsers = isThirdParty !== true;
    words ??= new Lexicon(data.cues as unknown as LexiconData, data.others as unknown as LexiconData);
    this.text = sentenceBefore(before) + match;
    this.words = words.find(this.text);
  }

  /** Whether it contains a quotation mark. */
  get hasQuotation(): boolean {
    this.quotation ??= QUOTATION.test(this.text);
    return this.quotation;
  }

  /** Highest possible score of a match at an offset, which may be quoted or an example. */
  mostOf(offset: number): number {
    this.quoted ??= quotedIn(this.text, this.isUsers ? SPEECH_BEFORE_OF_USER : SPEECH_BEFORE);
    this.firstAbout ??= firstAbout(this.text);
    const isSaidByOthers = this.quoted[offset] === 1;
    if (this.firstAbout < (isSaidByOthers ? Number.POSITIVE_INFINITY : offset)) return MOST_TOLD;
    return isSaidByOthers ? MOST_QUOTED : 1;
  }
}

/** What one language finds in a sentence, or in a stretch of a long one. */
export class SentenceWords {
  readonly sentence: Sentence;
  readonly grammar: Grammar;
  /** In order. */
  readonly words: readonly Word[];
  private grouped: WordsByKind | undefined;

  constructor(sentence: Sentence, grammar: Grammar, words: readonly Word[]) {
    this.sentence = sentence;
    this.grammar = grammar;
    this.words = words;
  }

  get order(): Grammar['order'] {
    return this.grammar.order;
  }

  get byKind(): WordsByKind {
    this.grouped ??= Map.groupBy(this.words, ({ kind }) => kind);
    return this.grouped;
  }
}

/** A verb and a word that may be its object. */
export interface Clause {
  readonly verb: Word;
  readonly object: Word;
  readonly of: SentenceWords;
}

/** The text before in the same sentence; a line may also end as written in JSON. */
function sentenceBefore(before: string): string {
  let from = before.length;
  while (from > 0 && !isSentenceEnd(before.charCodeAt(from - 1))) from -= 1;
  return before.slice(from).split('\\n').at(-1) ?? '';
}

/**
 * The highest score that a language gives a match of the folded view; undefined if none does. Not above
 * `highest`: once it is reached, no other language is read.
 */
export function scoreByLanguage(
  match: string,
  context: MatchContext,
  highest: number,
  score: (of: SentenceWords) => number,
): number | undefined {
  const sentence = new Sentence(match, context);
  let best = 0;
  for (const [lang, hits] of sentence.words) {
    const grammar = GRAMMARS.get(lang) as Grammar;
    for (const near of stretchesOf(hits)) {
      best = Math.max(best, score(new SentenceWords(sentence, grammar, near)));
      if (best >= highest) return best;
    }
  }
  return best > 0 ? best : undefined;
}

/** Words in stretches that overlap by half, so that neighbours are together in one. */
function stretchesOf<Word>(hits: readonly Word[]): readonly (readonly Word[])[] {
  if (hits.length <= MOST_TOGETHER) return [hits];
  const stretches: (readonly Word[])[] = [];
  for (let from = 0; from === 0 || from + MOST_TOGETHER / 2 < hits.length; from += MOST_TOGETHER / 2) {
    stretches.push(hits.slice(from, from + MOST_TOGETHER));
  }
  return stretches;
}

/** Number of words between two places; 0 if they touch or overlap. */
export function wordsBetween(a: Hit<string>, b: Hit<string>): number {
  return Math.max(0, a.first - b.last, b.first - a.last);
}

export function isBefore(a: Hit<string>, b: Hit<string>): boolean {
  return a.end <= b.start;
}

export function overlap(a: Hit<string>, b: Hit<string>): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Whether a word of this kind is between the two. */
export function isParted(a: Word, b: Word, kind: Kind, words: WordsByKind): boolean {
  const hits = words.get(kind);
  if (hits === undefined) return false;
  const [one, other] = inOrder(a, b);
  return hits.some((hit) => isBefore(one, hit) && isBefore(hit, other));
}

export function inOrder(a: Word, b: Word): readonly [Word, Word] {
  return isBefore(a, b) ? [a, b] : [b, a];
}

/** Whether exactly one of them is quoted. */
export function isQuotationBetween(first: Hit<string>, second: Hit<string>, sentence: Sentence): boolean {
  return sentence.hasQuotation && QUOTATION.test(sentence.text.slice(first.end, second.start));
}

export function isPunctuationBetween(first: Hit<string>, second: Hit<string>, { text }: Sentence): boolean {
  return PUNCTUATION.test(text.slice(first.end, second.start));
}

/** Whether the verb is negated: directly before it, or after it in some languages. */
export function isNegated(verb: Hit<Kind>, hits: readonly Hit<Kind>[], sentence: Sentence): boolean {
  return hits.some((hit) => {
    if (hit.kind !== 'not' || (hit.start >= verb.start && hit.end <= verb.end)) return false;
    const [one, other] = hit.start < verb.start ? [hit, verb] : [verb, hit];
    return wordsBetween(one, other) <= (one === hit ? 1 : 0) && !isPunctuationBetween(one, other, sentence);
  });
}

/** Where a text first mentions attacks or words; beyond its end if it does not. */
function firstAbout(text: string): number {
  aboutWords ??= new Lexicon(data.about as unknown as LexiconData);
  const starts = [...aboutWords.find(text).values()].map(([first]) => first?.start ?? text.length);
  return Math.min(Number.POSITIVE_INFINITY, ...starts);
}

const NOTHING_QUOTED = new Uint8Array(0);

/** 1 for each code unit within quotation marks that words introduce. */
function quotedIn(text: string, speechBefore: RegExp): Uint8Array {
  if (!ANY_QUOTE.test(text)) return NOTHING_QUOTED;
  const quoted = new Uint8Array(text.length);
  let open: number | undefined;
  const close = (at: number) => {
    if (open !== undefined && speechBefore.test(text.slice(Math.max(0, open - 2), open).trimEnd()))
      quoted.fill(1, open + 1, at);
    open = undefined;
  };
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (OPENING.has(character)) open = i;
    else if (CLOSING.has(character)) close(i);
    else if (QUOTES.has(character) && !isApostrophe(text, i)) {
      if (open === undefined) open = i;
      else close(i);
    }
  }
  close(text.length);
  return quoted;
}

function isApostrophe(text: string, at: number): boolean {
  return text.charAt(at) === "'" && LETTER.test(text.charAt(at - 1)) && LETTER.test(text.charAt(at + 1));
}
