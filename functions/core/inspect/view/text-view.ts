import type { View } from '../rule.ts';
import { PositionMap } from './position-map.ts';
import { toExact, toFolded } from './read-character.ts';

const BEYOND_ASCII = /[\u0080-\uffff]/;
/** In a page of the table: not one unit for one unit, ask `rare`. */
const RARE = 0xffff;
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;

/** The text asked about last, since each view of a text asks the same. */
let asked = '';
let askedIsAscii = true;

/** Such a text is shown as it is, or in lower case, and every offset stays. */
export function isAscii(text: string): boolean {
  if (text !== asked) {
    askedIsAscii = !BEYOND_ASCII.test(text);
    asked = text;
  }
  return askedIsAscii;
}

/**
 * Reads a text that arrives in pieces as a view shows it. Each character is read for itself, so that any split of the
 * text gives the same view; only half of a surrogate pair waits for the next piece.
 */
export class TextView {
  readonly positions = new PositionMap();
  private readonly table: CharacterTable | undefined;
  private readonly lowers: boolean;
  private half = '';

  constructor(view: View) {
    this.table = view === 'raw' ? undefined : TABLES[view];
    this.lowers = view === 'folded';
  }

  /** The view's text for this piece. */
  push(piece: string): string {
    const text = this.half + piece;
    this.half = '';
    if (this.table === undefined || isAscii(text)) {
      this.positions.addLinear(text.length);
      return this.lowers ? text.toLowerCase() : text;
    }
    if (!HIGH_SURROGATE_AT_END.test(text)) return this.table.read(text, this.positions);
    this.half = text.slice(-1);
    return this.table.read(text.slice(0, -1), this.positions);
  }

  /** The rest of the view: half of a surrogate pair that was never completed. */
  end(): string {
    const rest = this.half;
    this.half = '';
    return rest === '' || this.table === undefined ? rest : this.table.read(rest, this.positions);
  }
}

/** What each character reads as, worked out when it is first seen: a page of 256 at a time, the rest one by one. */
class CharacterTable {
  private readonly pages: (Uint16Array | undefined)[] = [];
  private readonly rare = new Map<number, string>();
  private readonly readOne: (character: string) => string;

  constructor(readOne: (character: string) => string) {
    this.readOne = readOne;
  }

  read(text: string, positions: PositionMap): string {
    let shown = '';
    let filled = 0;
    let linear = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const page = this.pages[unit >> 8] ?? this.fillPage(unit >> 8);
      const read = page[unit & 0xff] ?? RARE;
      if (read !== RARE) {
        scratch[filled++] = read;
        linear++;
      } else {
        positions.addLinear(linear);
        linear = 0;
        const codePoint = text.codePointAt(at) ?? unit;
        const width = codePoint > 0xffff ? 2 : 1;
        const characters = this.readRare(codePoint);
        positions.addAtom(width, characters.length);
        for (let index = 0; index < characters.length; index++) scratch[filled++] = characters.charCodeAt(index);
        at += width - 1;
      }
      if (filled > SCRATCH_UNITS) {
        shown += flush(filled);
        filled = 0;
      }
    }
    positions.addLinear(linear);
    return shown + flush(filled);
  }

  private readRare(codePoint: number): string {
    let read = this.rare.get(codePoint);
    if (read === undefined) {
      read = this.readOne(String.fromCodePoint(codePoint));
      this.rare.set(codePoint, read);
    }
    return read;
  }

  private fillPage(high: number): Uint16Array {
    const page = new Uint16Array(256).fill(RARE);
    const surrogates = high >= 0xd8 && high <= 0xdf;
    for (let low = 0; low < 256 && !surrogates; low++) {
      const read = this.readOne(String.fromCharCode((high << 8) | low));
      if (read.length === 1) page[low] = read.charCodeAt(0);
    }
    this.pages[high] = page;
    return page;
  }
}

const SCRATCH_UNITS = 4096;
/** One character becomes at most 18 units, so a full scratch still takes one more. */
const scratch = new Uint16Array(SCRATCH_UNITS + 64);

function flush(filled: number): string {
  return String.fromCharCode.apply(null, scratch.subarray(0, filled) as unknown as number[]);
}

const TABLES = { exact: new CharacterTable(toExact), folded: new CharacterTable(toFolded) };
