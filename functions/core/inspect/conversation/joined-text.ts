import type { Surface } from '../../model/threat.ts';

/** A piece of a request's text as it stands in a joined text. */
export interface JoinedPart {
  /** Which of the request's texts it comes from. */
  readonly source: number;
  /** Where it begins in that text. */
  readonly from: number;
  readonly length: number;
  /** Where it begins in the joined text. */
  readonly start: number;
}

/** Several texts of a request read as one, so that what was split among them shows. */
export interface JoinedText {
  readonly text: string;
  readonly surface: Surface;
  readonly parts: readonly JoinedPart[];
}

/** Where a finding in a joined text stands in the request: from its start on, as far as that text goes. */
export interface PlaceInJoined {
  readonly start: number;
  readonly end: number;
  /** The texts that it touches, in order; the first is the one in which it starts. */
  readonly sources: readonly number[];
}

/** Puts a joined text together, piece by piece. */
export class JoinedTextBuilder {
  private readonly surface: Surface;
  private readonly parts: JoinedPart[] = [];
  private text = '';

  constructor(surface: Surface) {
    this.surface = surface;
  }

  /** Adds `text.slice(from, to)` of a source, `separator` before it where it is not the first. */
  add(source: number, text: string, from: number, to: number, separator: string): void {
    if (this.parts.length > 0) this.text += separator;
    this.parts.push({ source, from, length: to - from, start: this.text.length });
    this.text += text.slice(from, to);
  }

  /** undefined where fewer than two pieces came together: nothing in it is new. */
  build(): JoinedText | undefined {
    const { text, surface, parts } = this;
    return parts.length < 2 ? undefined : { text, surface, parts };
  }
}

/** undefined for a range within one piece: it is found in that piece's own text. */
export function placeIn({ parts }: JoinedText, start: number, end: number): PlaceInJoined | undefined {
  const first = indexAt(parts, start);
  const last = indexAt(parts, end - 1);
  const part = parts[first];
  if (part === undefined || first === last) return undefined;
  return {
    start: part.from + (start - part.start),
    end: part.from + part.length,
    sources: parts.slice(first, last + 1).map(({ source }) => source),
  };
}

/** The piece that an offset stands in; a separator belongs to the piece before it. */
function indexAt(parts: readonly JoinedPart[], offset: number): number {
  return parts.findLastIndex(({ start }) => start <= offset);
}
