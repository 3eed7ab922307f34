import type { Surface } from '../../model/threat.ts';

/** A piece of a request's text as it stands in a reading. */
export interface ReadingPart {
  /** Which of the request's texts it comes from. */
  readonly source: number;
  /** Where it begins in that text. */
  readonly from: number;
  readonly length: number;
  /** Where it begins in the reading. */
  readonly start: number;
}

/** Several texts of a request read as one, so that what was split among them shows. */
export interface Reading {
  readonly text: string;
  readonly surface: Surface;
  readonly parts: readonly ReadingPart[];
}

/** Where a finding in a reading stands in the request: from its start on, as far as that text goes. */
export interface PlaceInReading {
  readonly source: number;
  readonly start: number;
  readonly end: number;
  /** The text in which it ends. */
  readonly lastSource: number;
}

/** Puts a reading together, piece by piece. */
export class ReadingBuilder {
  private readonly surface: Surface;
  private readonly parts: ReadingPart[] = [];
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
  build(): Reading | undefined {
    const { text, surface, parts } = this;
    return parts.length < 2 ? undefined : { text, surface, parts };
  }
}

/** undefined for a range within one piece: it is found in that piece's own text. */
export function placeIn({ parts }: Reading, start: number, end: number): PlaceInReading | undefined {
  const first = partAt(parts, start);
  const last = partAt(parts, end - 1);
  if (first === undefined || last === undefined || first === last) return undefined;
  const from = first.from + Math.max(0, start - first.start);
  return { source: first.source, start: from, end: first.from + first.length, lastSource: last.source };
}

/** The piece that an offset stands in; one between two pieces belongs to the one before it. */
function partAt(parts: readonly ReadingPart[], offset: number): ReadingPart | undefined {
  return parts.findLast(({ start }) => start <= offset);
}
