import { FILE_SCHEME, isDisguised, otherHost, SCRIPT_SCHEME } from './other-host.ts';

/** Text before a sign that is read again. */
const LEAD_UNITS = 64;
const SIGN_UNITS = 8;
const SIGN = /\\?:[/\\]?|[/\\]{2}|\\(?:[\da-f]{6}|[\da-f]{1,5}(?=[^\da-f])|[g-z])/gi;
const SCHEME = /[a-z][a-z\d+.-]{0,31}$/i;
const IN_PATH = /[\w.~%/\\-]$/;
/** Marks the start of a value. */
const VALUE_START = '\ufffe';
/** What precedes an address in a list or a program: `srcset`, `content`, `style`, `onclick`. */
const BEFORE_ADDRESS = /[\ufffe\ufffc\0- "'`(=,;|<>]$/;
const ONLY_START = /^\ufffe[\0- ]*$/;
const QUOTED = /["'`\ufffc]$/;
/** Attributes that are read by people, where an address ends like one in text. */
const TEXT_ATTRIBUTE = /(?:^|[\t-\r "'/])(?:alt|title|label|placeholder|abbr|aria-[a-z]{1,24})$/i;
/** Attributes whose value the page that a frame or a link loads can read. */
const TOLD_ATTRIBUTE = /(?:^|[\t-\r "'/])(?:target|formtarget|csp)$/i;
const NAME_ATTRIBUTE = /(?:^|[\t-\r "'/])name$/i;
const FRAME = /^(?:iframe|frame|object|embed)$/;
const NAME_UNITS = 32;
/** Elements whose content is text up to their end tag, and of these the ones that are programs. */
const RAW = /^(?:script|style|title|textarea|xmp|iframe|noembed|noframes|plaintext)$/;
const PROGRAM = /^(?:script|style)$/;
/** Longer than `</textarea`. */
const RAW_END_UNITS = 12;
const TAG_SIGN = /[=>]/g;
/** After it `=` begins a name. */
const NO_NAME = /(?:^|\/)[\t-\r ]*$/;
const CLOSE = />/g;
const NAME_END = /[\t-\r />]/g;
const NO_SPACE = /[^\t-\r ]/g;
const ENDS = { '"': /"/g, "'": /'/g, '': /[\t-\r >]/g } as const;
/** A browser drops them from addresses. */
const DROPPED = /[\t\n\r]/g;
const LETTER = /[a-z]/i;
/** Text of a comment that `>` ends: `<!-->`, `<!--->`, `-->`, `--!>`. */
const COMMENT_END = /^-?$|--!?$/;
const COMMENT_UNITS = 4;

type Mode = 'text' | 'open' | 'close' | 'markup' | 'comment' | 'bogus' | 'name' | 'tag' | 'equals' | 'value' | 'raw';

/**
 * Finds addresses in HTML: within the value of an attribute, and in scripts and style sheets. All that follows one there belongs to it. Text is
 * read as the HTML standard says (https://html.spec.whatwg.org/multipage/parsing.html#tokenization), with its comments and elements of text.
 */
export class TagReader {
  private mode: Mode = 'text';
  /** Name of the tag, or of the element whose text is read. */
  private name = '';
  private isEndTag = false;
  /** The end of the text of a comment, or what follows `<!`. */
  private comment = '';
  /** The end of the text before `=`. */
  private attribute = '';
  private mark: keyof typeof ENDS = '';
  private isText = false;
  private isTold = false;
  /** The end of the value, and the offset in it from which signs are to be found. */
  private tail = '';
  private from = 0;
  private isFound = false;
  private isAfterTick = false;
  private last = '';
  /** Whether a `<base>` has made relative addresses lead to another host. */
  hasOtherBase = false;

  read(text: string): void {
    let at = 0;
    while (at < text.length) at = this.step(text, at);
    this.last = text.at(-1) ?? this.last;
  }

  /** With `hasOtherBase`, relative addresses lead to another host, too. */
  isInAddress(hasOtherBase: boolean): boolean {
    if (this.mode === 'raw') return PROGRAM.test(this.name) && (this.isFound || hasOtherBase);
    // Without quotes a value begins with the first character after the spaces.
    if (this.mode === 'equals') return this.isToldAttribute() || (hasOtherBase && !this.isTextAttribute());
    return this.mode === 'value' && (this.isTold || (!this.isText && (this.isFound || hasOtherBase)));
  }

  private isTextAttribute(): boolean {
    return TEXT_ATTRIBUTE.test(this.attribute.trimEnd());
  }

  private isToldAttribute(): boolean {
    const attribute = this.attribute.trimEnd();
    return TOLD_ATTRIBUTE.test(attribute) || (FRAME.test(this.name) && NAME_ATTRIBUTE.test(attribute));
  }

  /** Reads on from an offset; returns the next one. */
  private step(text: string, at: number): number {
    switch (this.mode) {
      case 'text':
        return this.readText(text, at);
      case 'open':
        return this.readOpen(text[at] as string, at);
      case 'close':
        return this.readClose(text[at] as string, at);
      case 'markup':
        return this.readMarkup(text[at] as string, at);
      case 'comment':
        return this.readComment(text, at);
      case 'bogus':
        return this.readBogus(text, at);
      case 'name':
        return this.readName(text, at);
      case 'tag':
        return this.readTag(text, at);
      case 'equals':
        return this.readEquals(text, at);
      case 'value':
        return this.readValue(text, at);
      case 'raw':
        return this.readRaw(text, at);
    }
  }

  private goOn(mode: Mode, at: number): number {
    this.mode = mode;
    return at;
  }

  private readText(text: string, at: number): number {
    const open = text.indexOf('<', at);
    if (open < 0) return text.length;
    this.isAfterTick = (open === 0 ? this.last : text[open - 1]) === '`';
    return this.goOn('open', open + 1);
  }

  private readOpen(first: string, at: number): number {
    if (LETTER.test(first)) return this.startTag(at);
    // Text about a comment names its start in a code span.
    if (this.isAfterTick) return this.goOn('text', at);
    this.comment = '';
    if (first === '!') return this.goOn('markup', at + 1);
    if (first === '/') return this.goOn('close', at + 1);
    return this.goOn(first === '?' ? 'bogus' : 'text', at);
  }

  private readClose(first: string, at: number): number {
    if (LETTER.test(first)) return this.startTag(at, true);
    return this.goOn('bogus', at);
  }

  /** `<!` begins a comment, or else what ends at the next `>`. */
  private readMarkup(first: string, at: number): number {
    if (first !== '-') return this.goOn('bogus', at);
    const isComment = this.comment === '-';
    this.comment = isComment ? '' : '-';
    return this.goOn(isComment ? 'comment' : 'markup', at + 1);
  }

  private readComment(text: string, at: number): number {
    const end = indexOf(CLOSE, text, at);
    this.comment = (this.comment + text.slice(Math.max(at, end - COMMENT_UNITS), end)).slice(-COMMENT_UNITS);
    if (end === text.length) return end;
    if (COMMENT_END.test(this.comment)) return this.goOn('text', end + 1);
    this.comment += '>';
    return end + 1;
  }

  private readBogus(text: string, at: number): number {
    const end = indexOf(CLOSE, text, at);
    return end === text.length ? end : this.goOn('text', end + 1);
  }

  private startTag(at: number, isEndTag = false): number {
    this.name = '';
    this.isEndTag = isEndTag;
    return this.goOn('name', at);
  }

  /** A tag begins, whatever the text before it was. */
  restart(isAfterTick: boolean): void {
    this.isAfterTick = isAfterTick;
    this.startTag(0);
  }

  private readName(text: string, at: number): number {
    const end = indexOf(NAME_END, text, at);
    this.name = (this.name + text.slice(at, Math.min(end, at + NAME_UNITS))).slice(0, NAME_UNITS).toLowerCase();
    this.attribute = '';
    return end === text.length ? end : this.goOn('tag', end);
  }

  private readTag(text: string, at: number): number {
    const end = indexOf(TAG_SIGN, text, at);
    this.attribute = (this.attribute + text.slice(Math.max(at, end - NAME_UNITS), end)).slice(-NAME_UNITS);
    if (text[end] === '>') return this.closeTag(end + 1);
    if (end === text.length) return end;
    if (!NO_NAME.test(this.attribute)) return this.goOn('equals', end + 1);
    this.attribute += '=';
    return end + 1;
  }

  private closeTag(at: number): number {
    // Text about `<script>` names it in a code span.
    const isRaw = RAW.test(this.name) && !this.isEndTag && !this.isAfterTick;
    if (isRaw) this.startValue();
    return this.goOn(isRaw ? 'raw' : 'text', at);
  }

  private readEquals(text: string, at: number): number {
    const start = indexOf(NO_SPACE, text, at);
    const first = text[start];
    if (first === undefined) return start;
    if (first === '>') return this.closeTag(start + 1);
    this.mark = first === '"' || first === "'" ? first : '';
    this.isText = this.isTextAttribute();
    this.isTold = this.isToldAttribute();
    this.startValue();
    return this.goOn('value', start + this.mark.length);
  }

  private readValue(text: string, at: number): number {
    const end = indexOf(ENDS[this.mark], text, at);
    const part = text.slice(at, end);
    this.search(part.replace(DROPPED, ''));
    if (end === text.length) return end;
    if (this.name === 'base' && this.isFound) this.hasOtherBase = true;
    this.attribute = '';
    return this.goOn('tag', end + this.mark.length);
  }

  private readRaw(text: string, at: number): number {
    const seam = this.tail.slice(-RAW_END_UNITS);
    const endTag = new RegExp(`</${this.name}(?=[\\t-\\r />])`, 'gi');
    const end = this.name === 'plaintext' ? text.length : endOf(endTag, seam, text, at);
    const isOver = end < text.length - at;
    this.search(text.slice(at, isOver ? at + Math.max(0, end) : text.length));
    if (!isOver) return text.length;
    this.isEndTag = true;
    this.attribute = '';
    return this.goOn('tag', Math.max(at, at + end + '</'.length + this.name.length));
  }

  private startValue(): void {
    this.tail = VALUE_START;
    this.from = 0;
    this.isFound = false;
  }

  /** Finds the start of an address in the next part of a value. */
  private search(part: string): void {
    const text = this.tail + part;
    if (!this.isFound) {
      SIGN.lastIndex = this.from;
      for (let match = SIGN.exec(text); match !== null && !this.isFound; match = SIGN.exec(text)) {
        this.isFound = this.isStart(match[0], text.slice(Math.max(0, match.index - LEAD_UNITS), match.index));
        SIGN.lastIndex = match.index + 1;
      }
    }
    const kept = Math.max(0, text.length - LEAD_UNITS);
    this.tail = text.slice(kept);
    this.from = Math.max(0, text.length - SIGN_UNITS - kept);
  }

  /** Whether a sign starts an address to another host. */
  private isStart(sign: string, before: string): boolean {
    if (sign.includes(':')) {
      const scheme = SCHEME.exec(before)?.[0] ?? '';
      if (scheme === '') return false;
      const lead = before.slice(0, -scheme.length);
      if (SCRIPT_SCHEME.test(scheme) && ONLY_START.test(lead)) return true;
      const slash = sign.endsWith(':') ? '' : sign.at(-1);
      if (slash === '' && !BEFORE_ADDRESS.test(lead)) return false;
      return otherHost(`${scheme}:${slash}x`) !== undefined;
    }
    if (/^\\\w/.test(sign)) return /style\s*$/i.test(this.attribute) && isDisguised(sign);
    // Elsewhere in a script two slashes start a comment.
    if (this.mode === 'raw') return QUOTED.test(before);
    return sign === '//' ? !IN_PATH.test(before) : BEFORE_ADDRESS.test(before.replace(FILE_SCHEME, ''));
  }
}

/** The distance of a match from `at`, of which a part may be in the seam before it. */
function endOf(sought: RegExp, seam: string, text: string, at: number): number {
  const around = seam + text.slice(at, at + RAW_END_UNITS);
  const first = indexOf(sought, around, 0);
  return first < around.length ? first - seam.length : indexOf(sought, text, at) - at;
}

/** The offset of the next match; the text's length if there is none. */
function indexOf(sought: RegExp, text: string, from: number): number {
  sought.lastIndex = from;
  return sought.exec(text)?.index ?? text.length;
}
