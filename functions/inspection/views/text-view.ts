import { codeUnits, textOf } from '../pattern-engine/index.ts';
import { toExact, toFolded } from './characters.ts';
import { ALL_ESCAPES, type EscapeSyntax, PROGRAM_ESCAPES, QUERY_UNITS } from './escapes.ts';
import { PositionMap } from './text-offsets.ts';
import type { View } from './view.ts';

/** In the table of characters: not known. */
const UNKNOWN = 0xffff;

/** 1 for the control characters of ASCII that are no spaces. */
const IS_CONTROL = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  unit < 0x09 || (unit > 0x0d && unit < 0x20) || unit === 0x7f ? 1 : 0,
);

/** The last text that was asked about: each reader of a text asks. */
let asked = '';
let isAskedPlain = true;

/** Whether a text is ASCII without control characters: views show it unchanged or in lower case, with the same offsets. */
export function isPlainAscii(text: string): boolean {
  if (text !== asked) {
    isAskedPlain = readsPlain(text);
    asked = text;
  }
  return isAskedPlain;
}

function readsPlain(text: string): boolean {
  // Other characters take more bytes than units; counting bytes takes a fifth of the time of a loop.
  if (Buffer.byteLength(text) !== text.length) return false;
  const units = codeUnits(text);
  let controls = 0;
  for (let at = 0; at < text.length; at++) controls |= IS_CONTROL[units[at] as number] as number;
  return controls === 0;
}

/**
 * Converts a text that arrives in pieces to a view. Each character is read independently, so that any split of the text gives the same view;
 * only half of a surrogate pair and the start of an escape wait for the next piece.
 */
export class TextView {
  readonly positions = new PositionMap();
  private readonly table: CharacterTable | undefined;
  private readonly lowers: boolean;
  private readonly escapes: EscapeSyntax;
  /** The waiting text. */
  private half = '';
  /** The end of the text read so far. */
  private before = '';

  /** `isSecond`: whether escapes of URLs and HTML are resolved, too. */
  constructor(view: View, isSecond = false) {
    this.escapes = isSecond ? ALL_ESCAPES : PROGRAM_ESCAPES;
    this.table = view === 'raw' ? undefined : TABLES[view];
    this.lowers = view === 'folded';
  }

  /** The view's text for this piece. */
  push(piece: string): string {
    return this.read(this.half + piece, false);
  }

  /** The rest of the view: half of a surrogate pair, or of an escape. */
  end(): string {
    return this.half === '' ? '' : this.read(this.half, true);
  }

  private read(text: string, last: boolean): string {
    this.half = '';
    const shown =
      this.table === undefined || !this.escapes.starts.some((start) => text.includes(start))
        ? this.show(text, last)
        : this.unescape(text, last, this.table);
    if (this.escapes === ALL_ESCAPES)
      this.before = (this.before + text.slice(0, text.length - this.half.length)).slice(-QUERY_UNITS);
    return shown;
  }

  private unescape(text: string, last: boolean, table: CharacterTable): string {
    const { start, read, isUnfinished } = this.escapes;
    let shown = '';
    let from = 0;
    start.lastIndex = 0;
    for (let match = start.exec(text); match !== null; match = start.exec(text)) {
      const at = match.index;
      if (!last && isUnfinished(text, at)) {
        shown += this.show(text.slice(from, at), true);
        this.half = text.slice(at);
        return shown;
      }
      const before = at < QUERY_UNITS ? this.before + text.slice(0, at) : text.slice(0, at);
      const found = read(text, at, before.slice(-QUERY_UNITS));
      if (found === undefined) continue;
      shown += this.show(text.slice(from, at), true);
      const character = found.character === '' ? '' : table.readRare(found.character.codePointAt(0) as number);
      this.positions.addAtom(found.end - at, character.length);
      shown += character;
      from = found.end;
      start.lastIndex = from;
    }
    return shown + this.show(text.slice(from), last);
  }

  private show(text: string, last: boolean): string {
    if (this.table === undefined || isPlainAscii(text)) {
      this.positions.addLinear(text.length);
      return this.lowers ? text.toLowerCase() : text;
    }
    if (last || !endsInHalf(text)) return this.table.read(text, this.positions);
    this.half = text.slice(-1);
    return this.table.read(text.slice(0, -1), this.positions);
  }
}

/** The text of each character in a view, computed on first use: a page of 256 at a time, rare ones one by one. */
class CharacterTable {
  /** By code unit; UNKNOWN if the text is not one unit, or not computed yet. */
  private readonly table = new Uint16Array(0x10000).fill(UNKNOWN);
  private readonly isFilled = new Uint8Array(0x100);
  private readonly rare = new Map<number, string>();
  private readonly readOne: (character: string) => string;

  constructor(readOne: (character: string) => string) {
    this.readOne = readOne;
  }

  read(text: string, positions: PositionMap): string {
    const { table } = this;
    const { length } = text;
    const units = codeUnits(text);
    let shown = roomFor(length);
    let filled = 0;
    let highest = 0;
    let linearFrom = 0;
    for (let at = 0; at < length; ) {
      const unit = units[at] as number;
      const read = table[unit] as number;
      if (read !== UNKNOWN) {
        shown[filled++] = read;
        highest |= read;
        at++;
        continue;
      }
      if (this.isFilled[unit >> 8] === 0) {
        this.fillPage(unit >> 8);
        continue;
      }
      const codePoint = text.codePointAt(at) ?? unit;
      const characters = this.readRare(codePoint);
      positions.addLinear(at - linearFrom);
      linearFrom = at + (codePoint > 0xffff ? 2 : 1);
      positions.addAtom(linearFrom - at, characters.length);
      at = linearFrom;
      shown = roomFor(filled + characters.length + length - at, filled);
      for (let index = 0; index < characters.length; index++) {
        const character = characters.charCodeAt(index);
        shown[filled++] = character;
        highest |= character;
      }
    }
    positions.addLinear(length - linearFrom);
    return textOf(shown, filled, highest <= 0xff);
  }

  /** The text of one character. */
  readRare(codePoint: number): string {
    let read = this.rare.get(codePoint);
    if (read === undefined) {
      read = this.readOne(String.fromCodePoint(codePoint));
      this.rare.set(codePoint, read);
    }
    return read;
  }

  private fillPage(high: number): void {
    this.isFilled[high] = 1;
    if (high >= 0xd8 && high <= 0xdf) return;
    for (let unit = high << 8; unit < (high + 1) << 8; unit++) {
      const read = this.readOne(String.fromCharCode(unit));
      if (read.length === 1) this.table[unit] = read.charCodeAt(0);
    }
  }
}

/** Whether the last unit is the first half of a surrogate pair. */
function endsInHalf(text: string): boolean {
  return (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
}

const FIRST_ROOM = 4096;
/** Larger arrays are not kept. */
const MAX_KEPT = 1 << 20;
let room = new Uint16Array(FIRST_ROOM);
let lent = room;

/** Returns an array for so many units; its first `filled` units are those of the last returned array. */
function roomFor(units: number, filled = 0): Uint16Array {
  if (filled === 0) lent = room;
  if (units <= lent.length) return lent;
  const larger = new Uint16Array(2 ** Math.ceil(Math.log2(units)));
  larger.set(lent.subarray(0, filled));
  lent = larger;
  if (larger.length <= MAX_KEPT) room = larger;
  return larger;
}

const TABLES = { exact: new CharacterTable(toExact), folded: new CharacterTable(toFolded) };

interface Shown {
  readonly view: TextView;
  /** The view's text for the piece; undefined until first needed. */
  text: string | undefined;
}

/** The views of a text that arrives in pieces: each view is built once for all its readers. */
export class TextViews {
  private readonly views = new Map<View, Shown>();
  private piece = '';
  private last = false;
  private readonly isSecond: boolean;

  /** `isSecond` as in TextView. */
  constructor(isSecond = false) {
    this.isSecond = isSecond;
  }

  /** The views of a whole text. */
  static of(text: string): TextViews {
    const views = new TextViews();
    views.next(text, true);
    return views;
  }

  /** Takes the next piece; `last` marks the end of the text. A reader of a view must read each piece. */
  next(piece: string, last: boolean): void {
    this.piece = piece;
    this.last = last;
    for (const shown of this.views.values()) shown.text = undefined;
  }

  /** The view's text for the piece. */
  shown(view: View): string {
    const shown = this.of(view);
    shown.text ??= shown.view.push(this.piece) + (this.last ? shown.view.end() : '');
    return shown.text;
  }

  /** The map from a view's text to the raw text. */
  positions(view: View): PositionMap {
    return this.of(view).view.positions;
  }

  private of(view: View): Shown {
    let shown = this.views.get(view);
    if (shown === undefined) {
      shown = { view: new TextView(view, this.isSecond), text: undefined };
      this.views.set(view, shown);
    }
    return shown;
  }
}
