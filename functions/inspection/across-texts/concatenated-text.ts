import type { Surface } from '../../kernel/model/index.ts';
import { closingTagStart, openingTagEnd } from '../views/index.ts';

const SPACE = /\s/;

/** A piece of a request's text in a joined text. */
export interface ConcatenatedPart {
  /** Index of the request's text. */
  readonly source: number;
  readonly text: string;
  /** Its offset in that text. */
  readonly from: number;
  readonly length: number;
  /** Its offset in the joined text. */
  readonly start: number;
  /** What is before it, unless it is the first one. */
  readonly separator: string;
}

/** Several texts of a request joined into one, to find what was split across them. */
export interface ConcatenatedText {
  readonly text: string;
  readonly surface: Surface;
  readonly parts: readonly ConcatenatedPart[];
}

/** A range of one of the joined texts. */
export interface PlaceInText {
  readonly source: number;
  readonly start: number;
  readonly end: number;
}

/** Builds a joined text piece by piece. */
export class ConcatenatedTextBuilder {
  private readonly surface: Surface;
  private readonly parts: ConcatenatedPart[] = [];
  private text = '';
  /** Pieces of an earlier text. */
  private repeated = 0;

  constructor(surface: Surface) {
    this.surface = surface;
  }

  /** Adds `text.slice(from, to)` of a source, with `separator` before all but the first. */
  add(source: number, text: string, from: number, to: number, separator: string): void {
    if (this.parts.length > 0) this.text += separator;
    this.parts.push({ source, text, from, length: to - from, start: this.text.length, separator });
    this.text += text.slice(from, to);
  }

  get length(): number {
    return this.text.length;
  }

  /** A builder that begins with the last `units` of this text. */
  withEnd(units: number): ConcatenatedTextBuilder {
    const end = new ConcatenatedTextBuilder(this.surface);
    const from = Math.max(0, this.text.length - units);
    for (const part of this.parts) {
      const cut = Math.max(0, from - part.start);
      if (cut > 0 && cut >= part.length) continue;
      const piece = { ...part, from: part.from + cut, length: part.length - cut, start: part.start + cut - from };
      // A slice of the joined text would copy all of it first.
      const { separator, text } = part;
      end.text += separator.slice(separator.length - (piece.start - end.text.length));
      end.text += text.slice(piece.from, piece.from + piece.length);
      end.parts.push(piece);
    }
    end.repeated = end.parts.length;
    return end;
  }

  /** undefined for fewer than two pieces, or none but repeated ones, since it would contain nothing new. */
  build(): ConcatenatedText | undefined {
    const { text, surface, parts } = this;
    return parts.length < 2 || parts.length === this.repeated ? undefined : { text, surface, parts };
  }
}

/** The ranges of the texts that a range of the joined text covers, in order; never empty ones. */
export function placesIn({ parts }: ConcatenatedText, start: number, end: number): PlaceInText[] {
  const places: PlaceInText[] = [];
  for (let at = indexAt(parts, start); at < parts.length; at++) {
    const part = parts[at] as ConcatenatedPart;
    if (part.start >= end) break;
    const from = Math.max(0, start - part.start);
    const to = Math.min(part.length, end - part.start);
    if (from < to) places.push({ source: part.source, start: part.from + from, end: part.from + to });
  }
  return places;
}

/** Whether an offset is within the first `units` characters after a join. */
export function isJustAfterBoundary({ parts }: ConcatenatedText, offset: number, units: number): boolean {
  const at = indexAt(parts, offset);
  return at > 0 && offset - (parts[at] as ConcatenatedPart).start < units;
}

/** Whether at each boundary, besides the separator, one of the pieces has white space. */
export function hasSpaceAtBoundaries({ parts }: ConcatenatedText): boolean {
  return parts.slice(1).every((part, at) => {
    const { text, from, length } = parts[at] as ConcatenatedPart;
    return SPACE.test(text[from + length - 1] ?? '') || SPACE.test(part.text[part.from] ?? '');
  });
}

/** Whether a range touches all but one of its pieces only in the tags that enclose them. */
export function spansMarkupOnly({ text, parts }: ConcatenatedText, start: number, end: number): boolean {
  const touched = parts.slice(indexAt(parts, start), indexAt(parts, end - 1) + 1);
  const inWords = touched.filter((part, at) => {
    const own = text.slice(part.start, part.start + part.length);
    const [from, to] = [start - part.start, end - part.start];
    if (at === 0) return from < closingTagStart(own);
    return at < touched.length - 1 || to > openingTagEnd(own);
  });
  return inWords.length < 2;
}

/** The part at an offset, by binary search; a separator belongs to the part before it. */
function indexAt(parts: readonly ConcatenatedPart[], offset: number): number {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((parts[middle] as ConcatenatedPart).start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
