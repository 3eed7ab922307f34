import { unescaped } from '../../kernel/json/index.ts';

interface Reader {
  read(text: string): void;
  isInAddress(): boolean;
}

const STRING_SIGN = /["\\]/g;
/** An escape of JSON; `\u0041` is the longest. */
const ESCAPE = /^\\(?:u[\da-fA-F]{4}|[^u])/;
const ESCAPE_UNITS = 6;
const NAME_UNITS = 64;

/**
 * Reads the strings of a JSON text that arrives in pieces, each with a new reader, and what is outside of them as one text: clients repair
 * arguments such as `{'url': 'https://host'}`.
 */
export class JsonTextReader implements Reader {
  private readonly open: (name?: string) => Reader;
  /** The start of the last string, and the last name of a member. */
  private string = '';
  private name = '';
  /** Text of the open string that its reader takes next, in one piece: it may consist of escapes. */
  private next = '';
  /** The reader of the string that is open; it is opened with its first character. */
  private reader: Reader | undefined;
  private isInString = false;
  /** An unfinished escape. */
  private waiting = '';
  /** The reader of what is outside of strings. */
  private readonly outside: Reader;

  /** `open` takes the name of the member whose value the string is, or of an earlier one; none for text outside of strings. */
  constructor(open: (name?: string) => Reader) {
    this.open = open;
    this.outside = open();
  }

  read(piece: string): void {
    const text = this.waiting + piece;
    this.waiting = '';
    let at = 0;
    while (at < text.length) at = this.isInString ? this.readString(text, at) : this.readOutside(text, at);
    if (this.next === '') return;
    this.reader ??= this.open(this.name);
    this.reader.read(this.next);
    this.next = '';
  }

  isInAddress(): boolean {
    return this.reader?.isInAddress() === true || this.outside.isInAddress();
  }

  private readOutside(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    const outside = text.slice(at, end);
    if (outside.includes(':')) this.name = this.string;
    if (quote < 0) {
      this.outside.read(outside);
      return end;
    }
    // The quote may belong to an attribute.
    this.outside.read(`${outside}"`);
    this.string = '';
    this.isInString = true;
    return quote + 1;
  }

  private readString(text: string, at: number): number {
    STRING_SIGN.lastIndex = at;
    const end = STRING_SIGN.exec(text)?.index ?? text.length;
    if (end > at) this.take(text.slice(at, end));
    if (text[end] === '"') {
      this.isInString = false;
      this.reader = undefined;
      this.next = '';
      return end + 1;
    }
    return end === text.length ? end : this.readEscape(text, end);
  }

  private readEscape(text: string, at: number): number {
    const read = ESCAPE.exec(text.slice(at, at + ESCAPE_UNITS))?.[0];
    if (read !== undefined) this.take(unescaped(read));
    else if (text.length - at < ESCAPE_UNITS) this.waiting = text.slice(at);
    else this.take('\\');
    return this.waiting === '' ? at + (read?.length ?? 1) : text.length;
  }

  private take(text: string): void {
    if (this.string.length < NAME_UNITS) this.string += text.slice(0, NAME_UNITS);
    this.next += text;
  }
}
