import { createHash } from 'node:crypto';
import { fold, indexOfWhole } from './folded.ts';
import { partAt } from './part-at.ts';
import { partsOf, type ResultPart } from './result-parts.ts';
import { SpelledText } from './spelled.ts';
import type { TextModels } from './text-models.ts';

/** The least and the most that a text scores. */
export const NO_ORDER = -2;
export const MOST_ORDER = 5;

const NUMBER = /\d+/;
const NUMBERS = /\d+/g;

/** A part of a third party's text. */
export interface SourcePart extends Omit<ResultPart, 'text'> {
  readonly folded: string;
}

/** What is put between parts: folding leaves it where it is, and few texts have it. */
const BORDER = '~`~';

/** The folded texts of parts: many short ones are folded together, which is several times faster. */
function foldAll(parts: readonly ResultPart[]): string[] {
  const folded = fold(parts.map(({ text }) => text).join(BORDER)).split(BORDER);
  return folded.length === parts.length ? folded : parts.map(({ text }) => fold(text));
}

/** Parts as one text, which is searched as a whole. */
export class PartTexts {
  readonly text: string;
  readonly parts: readonly SourcePart[];
  /** Where each part starts in the text. */
  private readonly starts: readonly number[];
  private spelled: SpelledText | undefined;
  private numbers: ReadonlySet<string> | undefined;

  constructor(parts: readonly ResultPart[]) {
    const folded = foldAll(parts);
    const starts: number[] = [];
    let length = 0;
    for (const { length: own } of folded) {
      starts.push(length);
      length += own + 1;
    }
    this.text = folded.join('\n');
    this.starts = starts;
    this.parts = parts.map(({ path, isProse, start = 0 }, index) => ({
      path,
      isProse,
      start,
      folded: folded[index] as string,
    }));
  }

  /** The first place of a form in each part that has it. `mayBePart`: within a word too. */
  *find(form: string, mayBePart: boolean): Generator<{ readonly part: SourcePart; readonly at: number }> {
    if (form === '' || (!mayBePart && this.lacksNumberOf(form))) return;
    for (let from = 0; ; ) {
      const at = mayBePart ? this.text.indexOf(form, from) : indexOfWhole(this.text, form, from);
      if (at < 0) return;
      const index = partAt(this.starts, at);
      yield { part: this.parts[index] as SourcePart, at: at - (this.starts[index] as number) };
      from = this.starts[index + 1] ?? this.text.length;
    }
  }

  /** Whether no whole word has the first number of a form. An amount is looked for in a dozen forms, and most texts have few numbers. */
  private lacksNumberOf(form: string): boolean {
    const number = NUMBER.exec(form)?.[0];
    if (number === undefined) return false;
    this.numbers ??= new Set(this.text.match(NUMBERS));
    return !this.numbers.has(number);
  }

  /** The first place of a value by its letters and digits, however they are split or spelled. */
  findSpelled(value: string): { readonly part: SourcePart; readonly at: number } | undefined {
    this.spelled ??= new SpelledText(this.text);
    const at = this.spelled.find(value);
    if (at < 0) return undefined;
    const index = partAt(this.starts, at);
    return { part: this.parts[index] as SourcePart, at: at - (this.starts[index] as number) };
  }
}

const SENTENCES = /[^.!?;。！？；\n]+[.!?;。！？；]*/g;
/** The sentences of a folded text. */
export function sentencesOf(folded: string): readonly string[] {
  return folded.match(SENTENCES) ?? [];
}

/** Sentences of about so many characters are scored together. */
const SCORED = 1000;

/** What is read in a text by a third party. */
export class ParsedSource {
  readonly fields: PartTexts;
  readonly prose: PartTexts;
  private sentences: Int32Array | undefined;
  private scored: { readonly by: TextModels; readonly orders: number } | undefined;

  /** @param isProse whether it has no fields */
  constructor(text: string, isProse = false) {
    const parts = isProse ? [{ path: '', text, isProse }] : partsOf(text);
    this.fields = new PartTexts(parts.filter(({ isProse }) => !isProse));
    this.prose = new PartTexts(parts.filter(({ isProse }) => isProse));
  }

  /** The sentence of the prose that has most of these pieces of text; none if that is fewer than `atLeast`. */
  mostRepeating(all: readonly string[], atLeast = 0): { readonly count: number; readonly text: string } {
    const { text } = this.prose;
    const pieces = all.filter((piece) => text.includes(piece));
    if (pieces.length < atLeast) return { count: 0, text: '' };
    this.sentences ??= Int32Array.from(text.matchAll(SENTENCES), ({ index }) => index);
    const starts = this.sentences;
    const counts = new Int32Array(starts.length);
    let best = 0;
    for (const letters of pieces) {
      let last = -1;
      for (let at = text.indexOf(letters), sentence = 0; at >= 0; at = text.indexOf(letters, at + 1)) {
        while (sentence + 1 < starts.length && (starts[sentence + 1] as number) <= at) sentence++;
        if (sentence === last) continue;
        last = sentence;
        counts[sentence] = (counts[sentence] as number) + 1;
        if ((counts[sentence] as number) > (counts[best] as number)) best = sentence;
      }
    }
    return { count: counts[best] ?? 0, text: text.slice(starts[best], starts[best + 1]) };
  }

  /** How much the prose makes its reader act (log odds). */
  orders(models: TextModels): number {
    if (this.scored?.by !== models) {
      const scores = this.prose.parts.flatMap(({ folded }) => piecesOf(folded).map((piece) => models.orders(piece)));
      this.scored = { by: models, orders: Math.min(MOST_ORDER, Math.max(NO_ORDER, ...scores)) };
    }
    return this.scored.orders;
  }
}

/** A text in pieces of whole sentences. */
function piecesOf(folded: string): string[] {
  if (folded.length <= SCORED) return [folded];
  const pieces: string[] = [];
  for (const sentence of sentencesOf(folded)) {
    const last = pieces.at(-1);
    if (last === undefined || last.length + sentence.length > SCORED) pieces.push(sentence.slice(0, SCORED));
    else pieces[pieces.length - 1] = last + sentence;
  }
  return pieces;
}

/** Most of what is kept, and about what a character of a source takes: folded, in parts, in sentences. */
const MOST_BYTES = 16 * 1024 * 1024;
const BYTES_A_CHARACTER = 8;

/**
 * Parsed texts of the conversations that were read last: a conversation is sent again with each turn. The key is a digest of the text and of
 * all that was said before it, so that neither what is kept nor how long reading takes shows a client what others have sent.
 */
export class SourceCache {
  /** Least recently used first. */
  private readonly known = new Map<string, { readonly source: ParsedSource; readonly bytes: number }>();
  private readonly mostBytes: number;
  private bytes = 0;

  constructor(mostBytes = MOST_BYTES) {
    this.mostBytes = mostBytes;
  }

  read(key: string, text: string, isProse = false): ParsedSource {
    const known = this.known.get(key);
    this.known.delete(key);
    const entry = known ?? { source: new ParsedSource(text, isProse), bytes: text.length * BYTES_A_CHARACTER };
    this.known.set(key, entry);
    if (known === undefined) this.bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.known) {
      if (this.bytes <= this.mostBytes || oldest === key) break;
      this.known.delete(oldest);
      this.bytes -= bytes;
    }
    return entry.source;
  }
}

export const SOURCE_CACHE = new SourceCache();

/** A digest of a turn and of the digest of those before it. */
export function digestAfter(before: string, ...turn: readonly string[]): string {
  const digest = createHash('sha256').update(before);
  // As UTF-16: texts that differ in half a character only have different bytes.
  for (const text of turn) digest.update(`${text.length} `).update(Buffer.from(text, 'utf16le'));
  return digest.digest('base64');
}
