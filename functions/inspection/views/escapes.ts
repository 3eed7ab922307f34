// biome-ignore-all lint/suspicious/noControlCharactersInRegex: escape sequences start with one.
/**
 * An escaped character in JSON and programs: `\u0041`, a pair of these, `\u{41}`, `\U00000041`, `\x41`, `\/`. JSON text within JSON doubles
 * the backslashes.
 */
const ESCAPE =
  /\\{1,8}(?:(\/)|u\{([\da-fA-F]{1,6})\}|u([dD][89abAB][\da-fA-F]{2})\\{1,8}u([dD][c-fC-F][\da-fA-F]{2})|u([\da-fA-F]{4})|U(00[\da-fA-F]{6})|x([\da-fA-F]{2}))/y;
/** A terminal's control sequence for colour or the cursor, which is not shown: `ESC [ 0 m`, with ESC as such or as an escape. */
const SEQUENCE = /(?:(?:\x1b|\\{1,8}(?:u001[bB]|x1[bB]))\[|\x9b)[0-?]{0,24}[ -/]{0,2}[@-~]/y;
/** The start of an escape or sequence, up to the end of the text. */
const UNFINISHED =
  /^\\{1,8}(?:u(?:\{[\da-fA-F]{0,6}|[\da-fA-F]{0,3}|[dD][89abAB][\da-fA-F]{2}(?:\\{1,8}(?:u(?:[dD](?:[c-fC-F][\da-fA-F]?)?)?)?)?)?|U(?:00?[\da-fA-F]{0,5})?|x[\da-fA-F]?)?$|^(?:(?:\x1b|\\{1,8}(?:u001[bB]|x1[bB]))(?:\[|$)|\x9b)[0-?]{0,24}[ -/]{0,2}$/;
/** The longest of these. */
const MAX_UNFINISHED = 8 + 5 + 1 + 24 + 2;
const LETTER = /^[a-z]$/i;

/** A character in a URL, escaped once or more often: one of ASCII, or the bytes of another. */
const PERCENT =
  /%(?:25){0,4}([0-7][\da-f])|%(?:[cd][\da-f]|e[\da-f]%[89ab][\da-f]|f[0-4](?:%[89ab][\da-f]){2})%[89ab][\da-f]/iy;
/** A character reference of HTML, escaped once or more often. */
const REFERENCE = /&(?:amp;){0,4}(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8})(?=;));?/iy;
/** Without angle brackets: escaped ones are no markup. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', tab: '\t', newline: '\n' },
    ...{ shy: '', zwj: '', zwnj: '', lrm: '', rlm: '' },
    ...{ amp: '&', quot: '"', apos: "'", excl: '!', num: '#', dollar: '$', percnt: '%', lpar: '(', rpar: ')' },
    ...{ ast: '*', plus: '+', comma: ',', hyphen: '-', dash: '-', period: '.', sol: '/', colon: ':', semi: ';' },
    ...{
      equals: '=',
      quest: '?',
      commat: '@',
      lsqb: '[',
      bsol: '\\',
      rsqb: ']',
      lowbar: '_',
      lbrace: '{',
      verbar: '|',
    },
    rbrace: '}',
  }),
);
/** Spells ASCII text that is not shown. */
const TAGS = /\udb40[\udc20-\udc7e]/y;
const UNFINISHED_MARK =
  /^(?:\udb40|%(?:[\da-f]?|(?:25){1,4}[\da-f]?|[cdef][\da-f](?:%[89ab][\da-f]){0,2}(?:%[89ab]?)?)|&(?:a|am|amp|(?:amp;){1,4}(?:a|am|amp)?)?(?:#(?:\d{0,7}|x[\da-f]{0,6})|[a-z]{0,8})?)$/i;
const MAX_UNFINISHED_MARK = 1 + 4 * 4 + 3 + 9;
/** Text before a `+` that decides whether it is in the query of an address. */
export const QUERY_UNITS = 96;
const QUERY_NAME = /[?&][\w.[\]-]{1,32}$/;
const OUTSIDE_OF_QUERY = /[\s"'<>()]/;

export interface Escape {
  /** Empty if nothing is shown. */
  readonly character: string;
  readonly end: number;
}

/** A syntax of escapes to resolve. Each escape is found by its possible first characters. */
export interface EscapeSyntax {
  readonly starts: readonly string[];
  readonly start: RegExp;
  /** The escape at such a character, with at least QUERY_UNITS of text before it, if there is as much; undefined if there is none. */
  readonly read: (text: string, at: number, before: string) => Escape | undefined;
  /** Whether the text from here on may be the start of an escape: more text decides. */
  readonly isUnfinished: (text: string, at: number) => boolean;
}

/** Escapes of JSON and programs, which every reading resolves. */
export const PROGRAM_ESCAPES: EscapeSyntax = {
  starts: ['\\', '\x1b', '\x9b'],
  start: /[\\\x1b\x9b]/g,
  read: wholeEscapeAt,
  isUnfinished: (text, at) => text.length - at <= MAX_UNFINISHED && UNFINISHED.test(text.slice(at)),
};

/** Also escapes of URLs and HTML, which only the second reading resolves: rules for addresses and markup need them unresolved. */
export const ALL_ESCAPES: EscapeSyntax = {
  starts: [...PROGRAM_ESCAPES.starts, '%', '&', '\udb40', '+'],
  start: /[\\\x1b\x9b%&\udb40+]/g,
  read: (text, at, before) => markAt(text, at, before) ?? wholeEscapeAt(text, at),
  isUnfinished: (text, at) => PROGRAM_ESCAPES.isUnfinished(text, at) || isUnfinishedMark(text, at),
};

const MARK = /%(?:25){0,4}[0-7c-f][\da-f]|&(?:#|[a-z]{2,8};)|\udb40[\udc20-\udc7e]|\+/i;

const MARK_START = /[%&\udb40+]/g;

/** Whether a text contains, or ends with the start of, an escape that only the second reading resolves. `before` is text before it. */
export function mayHoldWebEscapes(text: string, before: () => string): boolean {
  MARK_START.lastIndex = 0;
  for (let match = MARK_START.exec(text); match !== null; match = MARK_START.exec(text)) {
    const at = match.index;
    const near =
      at < QUERY_UNITS ? (before() + text.slice(0, at)).slice(-QUERY_UNITS) : text.slice(at - QUERY_UNITS, at);
    if (markAt(text, at, near) !== undefined || isUnfinishedMark(text, at)) return true;
  }
  return false;
}

function isUnfinishedMark(text: string, at: number): boolean {
  return text.length - at <= MAX_UNFINISHED_MARK && UNFINISHED_MARK.test(text.slice(at));
}

/** Whether a text contains an escape that only the second reading resolves. */
export function holdsWebEscapes(text: string): boolean {
  return MARK.test(text);
}

function markAt(text: string, at: number, before: string): Escape | undefined {
  switch (text[at]) {
    case '%':
      return percentAt(text, at);
    case '&':
      return referenceAt(text, at);
    case '+':
      return isInQuery(before) ? { character: ' ', end: at + 1 } : undefined;
    default:
      TAGS.lastIndex = at;
      return TAGS.test(text) ? { character: '', end: TAGS.lastIndex } : undefined;
  }
}

function percentAt(text: string, at: number): Escape | undefined {
  PERCENT.lastIndex = at;
  const match = PERCENT.exec(text);
  if (match === null) return undefined;
  const [all, byte] = match;
  const end = PERCENT.lastIndex;
  if (byte !== undefined) return { character: String.fromCharCode(hex(byte)), end };
  const character = Buffer.from(all.replaceAll('%', ''), 'hex').toString();
  return character.includes('\ufffd') ? undefined : { character, end };
}

function referenceAt(text: string, at: number): Escape | undefined {
  REFERENCE.lastIndex = at;
  const match = REFERENCE.exec(text);
  if (match === null) return undefined;
  const end = REFERENCE.lastIndex;
  const [, decimal, hexadecimal, name] = match;
  if (name !== undefined) {
    const character = NAMED.get(name.toLowerCase());
    return character === undefined ? undefined : { character, end };
  }
  const codePoint = decimal === undefined ? hex(hexadecimal) : Number(decimal);
  if (codePoint > 0x10ffff) return undefined;
  const character = String.fromCodePoint(codePoint);
  return character === '<' || character === '>' ? undefined : { character, end };
}

/** Whether the text that ends here is within the value of a query: `?q=Project`. */
function isInQuery(before: string): boolean {
  const value = before.lastIndexOf('=');
  return value > 0 && !OUTSIDE_OF_QUERY.test(before.slice(value)) && QUERY_NAME.test(before.slice(0, value));
}

function wholeEscapeAt(text: string, at: number): Escape | undefined {
  SEQUENCE.lastIndex = at;
  if (SEQUENCE.test(text)) return { character: '', end: SEQUENCE.lastIndex };
  ESCAPE.lastIndex = at;
  const match = ESCAPE.exec(text);
  if (match === null) return undefined;
  const [, slash, braced, high, low, unit, long, byte] = match;
  const end = ESCAPE.lastIndex;
  if (slash !== undefined) return { character: slash, end };
  if (high !== undefined) return { character: String.fromCharCode(hex(high), hex(low)), end };
  const codePoint = hex(braced ?? unit ?? long ?? byte);
  return codePoint > 0x10ffff ? undefined : { character: String.fromCodePoint(codePoint), end };
}

/** Whether an escape hides an ASCII letter. Other letters have no other form in ASCII JSON. */
export function hidesLetters(raw: string, { start, read }: EscapeSyntax): boolean {
  start.lastIndex = 0;
  for (let match = start.exec(raw); match !== null; match = start.exec(raw)) {
    const found = read(raw, match.index, '');
    if (found === undefined) continue;
    if (LETTER.test(found.character)) return true;
    start.lastIndex = found.end;
  }
  return false;
}

function hex(digits = ''): number {
  return Number.parseInt(digits, 16);
}
