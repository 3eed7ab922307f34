import { finish, type Steps } from '../tasks/index.ts';

/** The most that a JSON text may hold: these bound the time of JSON.parse and of walks over its value, which cannot pause. */
export interface JsonBounds {
  readonly depth: number;
  /** Strings (also names), objects and arrays. */
  readonly nodes: number;
  /** Values, including numbers, except the first of each list and object. */
  readonly values: number;
  /** Different names: JSON.parse takes ten times as long for one as for a name that it knows. */
  readonly names: number;
  /** Characters outside of strings. */
  readonly plainChars: number;
}

/** The bounds of texts that are not requests, such as a response or one event of a stream. JSON.parse takes 20 ms at most, and so does a walk. */
export const PARSE_BOUNDS: JsonBounds = {
  // Reading, editing and writing recurse, and the next request allows 64 levels at most.
  depth: 128,
  // 1,000 tokens with 20 alternatives each have 170,000, a transcript of three hours with the times of its words 150,000.
  nodes: 250_000,
  values: 400_000,
  names: 16_384,
  plainChars: 8_000_000,
};

/** A number with an exponent or more characters takes up to twenty times as long to read and write. */
const FAST_NUMBER_CHARS = 16;
/** Log probabilities of 1,000 tokens with 20 alternatives each have 21,000. */
const MAX_SLOW_NUMBERS = 50_000;

/** JSON.parse looks up strings up to this length in a table of all strings of the process, ten times as long as it copies one. */
const SHORT_TEXT_CHARS = 10;
const ESCAPE_CHARS = 6;
/** Different ones. Log probabilities of 1,000 tokens with 20 alternatives each have 21,000. */
const MAX_SHORT_TEXTS = 100_000;

/** A shorter text holds too little to take long, however it is nested. */
export const SMALL_CHARS = 32_768;

/** A text exceeds a bound: `holds more than 80000 values`. */
export class JsonOverBounds extends RangeError {}

/** A list or object that is open where the text is read. */
interface Open {
  readonly isObject: boolean;
  /** The literal of the name whose value is read. */
  name: string;
}

/** What else is read while the structure is checked. */
export interface StructureReader {
  /** A name, in the innermost of `depth` lists and objects. May throw. */
  name?(literal: string, depth: number): void;
  open?(depth: number): void;
  /** A string value, between its quotation marks. */
  text?(start: number, end: number, place: () => string): void;
  /** A list, after its bracket. @returns the offset at which to go on: what is skipped is not counted */
  list?(start: number, place: () => string): number;
}

/** These take a fraction of a millisecond. */
const STEP_CHARS = 16_384;

/**
 * Walks the structure of a text that may not be JSON; skips strings. What else is wrong is left to JSON.parse.
 * @throws JsonOverBounds; SyntaxError for a string without an end
 */
export function* checkStructure(text: string, bounds: JsonBounds, reader: StructureReader = {}): Steps<void> {
  const structure = new Structure(text, bounds, reader);
  for (let at = 0; at < text.length; yield) {
    const end = Math.min(text.length, at + STEP_CHARS);
    while (at < end) {
      const code = text.charCodeAt(at);
      // Most characters are those of numbers, names and white space.
      if (code < 0x22 || (code > 0x2c && code < 0x5b)) at += 1;
      else at = structure.read(at, code);
    }
    structure.checkPlain(at);
  }
}

/** Checks a text before it is parsed. @throws RangeError if that takes too long, SyntaxError */
export function boundJson(text: string, bounds = PARSE_BOUNDS): void {
  if (text.length > SMALL_CHARS) finish(checkStructure(text, bounds));
}

class Structure {
  private readonly text: string;
  private readonly bounds: JsonBounds;
  private readonly reader: StructureReader;
  private readonly open: Open[] = [];
  private readonly names = new Set<string>();
  private readonly shortTexts = new Set<string>();
  /** In an object, a string before a colon is a name: set after `{` and after `,`. */
  private expectsName = false;
  private nodes = 0;
  private slowNumbers = 0;
  private values = 0;
  /** Characters of strings, and of lists that are left out. */
  private notPlain = 0;

  constructor(text: string, bounds: JsonBounds, reader: StructureReader) {
    this.text = text;
    this.bounds = bounds;
    this.reader = reader;
  }

  /** @returns the offset after what is at an offset: a character, a string or a list that is left out */
  read(at: number, code: number): number {
    switch (code) {
      case 0x22:
        return this.string(at);
      case 0x7b:
        this.begin(true);
        break;
      case 0x5b:
        this.begin(false);
        return this.list(at + 1);
      case 0x7d:
      case 0x5d:
        this.endValue(at);
        this.open.pop();
        this.expectsName = false;
        break;
      case 0x2c:
        this.endValue(at);
        this.expectsName = this.open[this.open.length - 1]?.isObject === true;
        this.values += 1;
        if (this.values > this.bounds.values) throw over(`${this.bounds.values} values`);
    }
    return at + 1;
  }

  checkPlain(at: number): void {
    const { plainChars } = this.bounds;
    if (at - this.notPlain > plainChars) throw over(`${plainChars} characters outside of strings`);
  }

  private string(at: number): number {
    const { text, open, reader } = this;
    const end = stringEnd(text, at);
    if (end <= at) throw new SyntaxError('a string without an end');
    this.addNode();
    this.notPlain += end - at;
    if (this.expectsName) {
      this.expectsName = false;
      const literal = text.slice(at, end);
      (open[open.length - 1] as Open).name = literal;
      this.names.add(literal);
      if (this.names.size > this.bounds.names) throw over(`${this.bounds.names} different names`);
      reader.name?.(literal, open.length);
    } else {
      this.countShort(at, end);
      reader.text?.(at + 1, end - 1, () => placeOf(open));
    }
    return end;
  }

  private begin(isObject: boolean): void {
    this.addNode();
    this.expectsName = isObject;
    this.open.push({ isObject, name: '' });
    const { depth } = this.bounds;
    if (this.open.length > depth) throw new JsonOverBounds(`is nested deeper than ${depth} levels`);
    this.reader.open?.(this.open.length);
  }

  /** @returns the offset at which to go on in a list */
  private list(start: number): number {
    const end = this.reader.list?.(start, () => placeOf(this.open)) ?? start;
    this.notPlain += end - start;
    return end;
  }

  private endValue(end: number): void {
    if (!isSlowNumber(this.text, end)) return;
    this.slowNumbers += 1;
    if (this.slowNumbers > MAX_SLOW_NUMBERS) throw over(`${MAX_SLOW_NUMBERS} long numbers`);
  }

  private countShort(start: number, end: number): void {
    const chars = end - start - 2;
    if (chars > SHORT_TEXT_CHARS * ESCAPE_CHARS) return;
    const literal = this.text.slice(start, end);
    if (chars > SHORT_TEXT_CHARS && !literal.includes('\\')) return;
    this.shortTexts.add(literal);
    if (this.shortTexts.size > MAX_SHORT_TEXTS) throw over(`${MAX_SHORT_TEXTS} different short strings`);
  }

  private addNode(): void {
    this.nodes += 1;
    if (this.nodes > this.bounds.nodes) throw over(`${this.bounds.nodes} strings, objects and arrays`);
  }
}

/** Whether the value that ends at an offset is a number that takes long. */
function isSlowNumber(text: string, end: number): boolean {
  let last = end - 1;
  while (text.charCodeAt(last) <= 0x20) last -= 1;
  if (!isDigit(text.charCodeAt(last))) return false;
  for (let at = last; at > last - FAST_NUMBER_CHARS; at -= 1) {
    const code = text.charCodeAt(at);
    if ((code | 0x20) === 0x65) return true;
    if (!isDigit(code) && code !== 0x2b && code !== 0x2d && code !== 0x2e) return false;
  }
  return true;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function over(what: string): JsonOverBounds {
  return new JsonOverBounds(`holds more than ${what}`);
}

/** The place of a value in the innermost of these: `data[].embedding`. */
function placeOf(open: readonly Open[]): string {
  return open.map(({ isObject, name }, at) => (isObject ? `${at === 0 ? '' : '.'}${keyOf(name)}` : '[]')).join('');
}

/** The name that a literal denotes: "a" and "\u0061" are the same. @throws SyntaxError for an invalid escape */
export function keyOf(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

/** The offset after the string that opens at `start`. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** Whether a backslash in a string escapes the character at an offset. */
export function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 0x5c) first -= 1;
  return (at - first) % 2 === 1;
}
