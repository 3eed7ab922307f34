// biome-ignore-all lint/suspicious/noControlCharactersInRegex: a terminal link begins and ends with one.
import { FILE_SCHEME, isDisguised, otherHost, SCRIPT_SCHEME } from './other-host.ts';

/** Text before a sign that is read again. */
const LEAD_UNITS = 128;
/** The longest sign is an escape of CSS and the character that ends it. */
const SIGN_UNITS = 8;
/**
 * What can start an address: the end of a scheme, with or without a slash, two slashes, GitHub's `www.`, a terminal's link, and escapes by
 * which CSS can spell these.
 */
const SIGN = /\\?:[/\\]?|[/\\]{2}|www\.|[\]\x9d]8;|\\(?:[\da-f]{6}|[\da-f]{1,5}(?=[^\da-f])|[g-z]|\r?\n)/gi;
const SCHEME = /[a-z][a-z\d+.-]{0,31}$/i;
/** After such a character two slashes are in a path. Some renderers link them behind any other mark. */
const IN_PATH = /[\w~/]$/;
/** Marks the start of a JSON string, as a quote that nothing ends. */
const STRING_START = '\uffff';
/** Names of arguments that are addresses. */
const NAMES_ADDRESS = /(?:ur[il]|href|src|link|address|endpoint|webhook|image)s?$/i;
/** What encloses an address, and so decides where it ends. A quote behind a word closes and does not open. */
const OPENER = /(?:(?:^|[\s=(,:[{>])(["'`])[\0- ]*|(["'`])|\][\t ]?\([\0- \s]*(<)[\0- \s]*|(<)|(\uffff)[\0- ]*)$/;
/** Attributes for people to read, where an address ends as in text. */
const TEXT_ATTRIBUTE = /\b(?:alt|title|label|placeholder|aria-[a-z]{1,24})[\t-\r ]*=[\t-\r ]*["'][\0- ]*$/i;
const ATTRIBUTE_QUOTE = /=[\t-\r ]*["'][\0- ]*$/;
/** For Markdown, a tag has a space before each attribute; else it is text. */
const UNQUOTED_ATTRIBUTE = /<[a-z][a-z\d-]*[\t-\r ](?:[^<>]*[\t-\r "'])?[a-z_:][\w.:-]*[\t-\r ]*=[\t-\r ]*$/i;
const DESTINATION = /\][\t ]?\([\0- \s]*$/;
/** An address in angle brackets, and one that is the destination of a link or of a reference. */
const AUTOLINK = /(?<!\\)(?:\\\\)*<$/;
const BRACKETED = /\](?:[\t ]?\(|:)[\0- \s>]*<$/;
const BRACKETS = /(?<!\\)[[\]]/g;
/** A link or image in a formula: https://docs.mathjax.org/en/latest/input/tex/extensions/html.html */
const FORMULA = /\\(?:href|url|includegraphics)[\0- ]*\{[\0- ]*$/;
/** A terminal's link: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda */
const TERMINAL_LINK = /8;$/;
const ESCAPE_CHARACTER = /\x1b[\0- ]*$/;
const CSS_FUNCTION = /\b(?:url|src|image|image-set)\([\0- ]*[^\s"'()<>]*$/i;
/**
 * Where a renderer takes what follows for an address, so that backslashes count as slashes. A line of a quotation begins with `>`. Many
 * renderers of Markdown skip every space of Unicode, and one before the parenthesis.
 */
const LINK =
  /(?:\](?:[\t ]?\(|:)(?:[\0- \s]*>)*|\\(?:href|url|includegraphics)[\0- ]*\{|\b(?:url|src|image|image-set)\(|@import|\b(?:src|srcset|href|poster|data|action|formaction|ping|background|cite|url)[\t-\r ]*=)[\0- \s]*["'<\uffff]?[\0- \s]*$/i;
/** What starts here starts like an address: a JSON string, an autolink of Markdown. */
const START = /(?:\uffff[\0- ]*|<)$/;
const CSS_ADDRESS = /(?:\b(?:url|src|image|image-set)\(|@import)[\0- ]*["']?[^\s"'()<>]*$/i;
/** A link whose address is not finished, at the end of a text. */
const OPEN_LINK = /(?:\]\(|\]:[\0- ]*|\b(?:url|src)\([\0- ]*["']?)[^\s<>]*$/i;
/** Text without one may be the end of a long link. */
const GAP = /[\s<>]/;

/** Where an address ends. GitHub's Markdown ends a plain one at a space or `<` only. */
const WORD_END = /[\t-\r <]/g;
const TEXT_END = /[\t-\r "'<]/g;
const SPACE = /[\t-\r ]/g;
/** For Markdown, a value without quotes has no such mark: else all of the tag is text. */
const ATTRIBUTE_END = /[\t-\r >"'=`]/g;
const AUTOLINK_END = /[\t-\r >]/g;
/** Python-Markdown and others take spaces, line breaks and a title that is not closed for a part of a destination. */
const PARENTHESIS = /(?<!\\)[()]|(?<=\n[\t\r ]{0,16})\n/g;
const BRACE = /(?<!\\)[{}]|(?<=\n[\t\r ]{0,16})\n/g;
const TERMINAL_END = /[\x07\x1b\x9c]/g;
/** A line break that CSS reads over is part of the address: an escaped one, or the one that ends an escape. */
const CSS_END = /(?<!\\(?:[\da-f]{1,6})?\r?)\n|\)/gi;
const NEVER = /(?!)/g;
/** A JSON string that starts with a line comment is a program. */
const LINE_END = /\n/g;
const BY_OPENER: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({ '"': /["\n]/g, "'": /['\n]/g, '`': /[`\n]/g, '<': /(?<!\\)>|\n/g, [STRING_START]: NEVER }),
);
const BY_ATTRIBUTE_QUOTE: ReadonlyMap<string, RegExp> = new Map(Object.entries({ '"': /"/g, "'": /'/g }));

/** Finds addresses in text, Markdown and CSS by what is right before them. */
export class LinkReader {
  /** The end of the text, and the offset in it from which signs are to be found. */
  private tail: string;
  private from = 0;
  /** What ends the address that is open. */
  private end: RegExp | undefined;
  /** Parentheses and braces within it that are not closed. */
  private depth = 0;
  /** Whether its sign is the end of what was read. */
  private isNew = false;

  /**
   * `name`: the text is a JSON string, in the member of this name. A program takes one that starts like an address for one, spaces included.
   */
  constructor(name?: string) {
    const lead = NAMES_ADDRESS.test(name ?? '') ? 'url=' : '';
    this.tail = name === undefined ? '' : lead + STRING_START;
  }

  read(piece: string): void {
    const text = this.tail + piece;
    let at = this.end === undefined ? this.from : this.tail.length;
    while (at < text.length) at = this.end === undefined ? this.findStart(text, at) : this.findEnd(text, at, this.end);
    const kept = Math.max(0, text.length - LEAD_UNITS);
    this.tail = text.slice(kept);
    this.from = Math.max(0, Math.max(this.from, text.length - SIGN_UNITS) - kept);
  }

  /** With `hasOtherBase`, relative addresses lead to another host, too. */
  isInAddress(hasOtherBase: boolean): boolean {
    return this.end !== undefined || (hasOtherBase && (OPEN_LINK.test(this.tail) || !GAP.test(this.tail)));
  }

  private findStart(text: string, from: number): number {
    SIGN.lastIndex = from;
    for (let match = SIGN.exec(text); match !== null; match = SIGN.exec(text)) {
      const [sign] = match;
      const before = text.slice(Math.max(0, match.index - LEAD_UNITS), match.index);
      const lead = leadOf(sign, before);
      if (lead !== undefined) {
        this.from = match.index + sign.length;
        this.end = endOf(lead, sign);
        this.depth = 0;
        // The space after an escape of CSS belongs to it.
        this.isNew = !isEscape(sign) && !TERMINAL_LINK.test(sign);
        return this.from;
      }
      SIGN.lastIndex = match.index + 1;
    }
    return text.length;
  }

  private findEnd(text: string, from: number, end: RegExp): number {
    // The rest of a sign that was cut.
    if (this.isNew && /[/\\]/.test(text[from] as string)) return from + 1;
    // No host begins with a space.
    const sought = this.isNew && text[from] === ' ' ? SPACE : end;
    this.isNew = false;
    sought.lastIndex = from;
    const match = sought.exec(text);
    if (match === null) return text.length;
    if (this.isNested(match[0])) return match.index + 1;
    if (end === ATTRIBUTE_END && /["'=`]/.test(match[0])) {
      this.end = WORD_END;
      return match.index;
    }
    this.end = undefined;
    this.from = match.index;
    return match.index;
  }

  /** Whether the mark opens or closes a parenthesis or brace within the address. */
  private isNested(mark: string): boolean {
    if (this.depth === 0 && !/[({]/.test(mark)) return false;
    if (!/[(){}]/.test(mark)) return false;
    this.depth += /[({]/.test(mark) ? 1 : -1;
    return true;
  }
}

/** The text before an address to another host that a sign starts; undefined if it starts none. */
function leadOf(sign: string, before: string): string | undefined {
  if (sign.includes(':')) {
    const scheme = SCHEME.exec(before)?.[0] ?? '';
    if (scheme === '') return undefined;
    const lead = before.slice(0, -scheme.length);
    if (!sign.endsWith(':')) return otherHost(`${scheme}:${sign.at(-1)}x`) && lead;
    const isOther = () => SCRIPT_SCHEME.test(scheme) || otherHost(`${scheme}:x`) !== undefined;
    return (LINK.test(lead) || START.test(lead)) && isOther() ? lead : undefined;
  }
  if (sign === '//') return IN_PATH.test(before) ? undefined : before;
  if (/^[/\\]{2}$/.test(sign)) {
    const lead = before.replace(FILE_SCHEME, '');
    return LINK.test(lead) ? lead : undefined;
  }
  if (TERMINAL_LINK.test(sign)) return sign.startsWith(']') && !ESCAPE_CHARACTER.test(before) ? undefined : before;
  if (isEscape(sign)) return CSS_ADDRESS.test(before) && isDisguised(sign) ? before : undefined;
  // Some renderers link `www.` within a word, too.
  return before;
}

function isEscape(sign: string): boolean {
  return /^\\[\w\r\n]/.test(sign);
}

function endOf(lead: string, sign: string): RegExp {
  if (isEscape(sign)) return CSS_END;
  if (TERMINAL_LINK.test(sign)) return TERMINAL_END;
  if (FORMULA.test(lead)) return BRACE;
  if (DESTINATION.test(lead)) return isOpenLink(lead) ? PARENTHESIS : WORD_END;
  if (CSS_FUNCTION.test(lead)) return CSS_END;
  const opener = OPENER.exec(lead)
    ?.slice(1)
    .find((mark) => mark !== undefined);
  if (TEXT_ATTRIBUTE.test(lead)) return TEXT_END;
  if (opener === STRING_START && !sign.includes(':') && !LINK.test(lead)) return LINE_END;
  if (opener === '<' && !BRACKETED.test(lead))
    return sign.includes(':') && AUTOLINK.test(lead) ? AUTOLINK_END : WORD_END;
  if (opener === undefined) return UNQUOTED_ATTRIBUTE.test(lead) ? ATTRIBUTE_END : WORD_END;
  const inAttribute = ATTRIBUTE_QUOTE.test(lead) ? BY_ATTRIBUTE_QUOTE.get(opener) : undefined;
  return inAttribute ?? BY_OPENER.get(opener) ?? WORD_END;
}

/** Whether a bracket opens the text of a link whose destination begins, or may do so before what is in sight. */
function isOpenLink(lead: string): boolean {
  let depth = 0;
  for (const [bracket] of [...lead.matchAll(BRACKETS)].reverse()) {
    depth += bracket === ']' ? 1 : -1;
    if (depth === 0) return true;
  }
  return lead.length >= LEAD_UNITS / 2;
}
