import { toFolded } from '../view/read-character.ts';
import { isLetter } from './leet.ts';
import { type Reading, ReadingBuilder } from './reading.ts';

/** The longest escape, `&#x0001f600;` or a named entity. */
const MAX_ESCAPE = 16;
/** Escapes of programs and of HTML speak for themselves; `%` and `=` have other uses, and count from two on. */
const CERTAIN = 2;
const DOUBTFUL = 1;
const ENOUGH = 2;
/** Of a word that holds an escape so much to either side is not to be read as it stands. */
const MAX_WORD = 24;
const SPACE = 0x20;
const MARKS = ['\\', '&', '%', '='] as const;

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: ' ', b: '', f: ' ', v: ' ', 0: '' };
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  hairsp: ' ',
  numsp: ' ',
  tab: ' ',
  newline: '\n',
  shy: '',
  zwj: '',
  zwnj: '',
  zerowidthspace: '',
  nobreak: '',
  excl: '!',
  quest: '?',
  period: '.',
  comma: ',',
  colon: ':',
  semi: ';',
  num: '#',
  dollar: '$',
  percnt: '%',
  ast: '*',
  plus: '+',
  equals: '=',
  sol: '/',
  bsol: '\\',
  commat: '@',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  verbar: '|',
  vert: '|',
  lpar: '(',
  rpar: ')',
  lbrack: '[',
  lsqb: '[',
  rbrack: ']',
  rsqb: ']',
  lbrace: '{',
  lcub: '{',
  rbrace: '}',
  rcub: '}',
  grave: '`',
  imath: 'i',
  inodot: 'i',
  jmath: 'j',
};
/** Letters that differ from ASCII by an accent or a style only. */
const STYLED_ENTITY =
  /^([a-z])(?:acute|grave|circ|tilde|uml|caron|breve|macr|ogon|cedil|dot|ring|slash|strok|scr|fr|opf)$/;
const ESCAPE =
  /^(?:\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([0-7]{3})|\\([nrtbfv0])|\\(["'/\\])|&#x([0-9a-f]{1,6});?|&#([0-9]{1,7});?|&([a-z]{2,14});|%([0-9a-f]{2})|=([0-9a-f]{2})|=(\r?\n))/;

interface Escape {
  readonly length: number;
  readonly text: string;
  readonly certainty: number;
}

/** A passage of folded text with its escapes undone, one by one as they stand in it; undefined where there are none. */
export function unescaped(text: string, units: Uint16Array): Reading | undefined {
  const marks = MARKS.filter((mark) => text.includes(mark)).map((mark) => mark.charCodeAt(0));
  if (marks.length === 0) return undefined;
  const reading = new ReadingBuilder();
  let certainty = 0;
  for (let at = 0; at < text.length; ) {
    const found = marks.includes(units[at] as number) ? escapeAt(text, at) : undefined;
    if (found === undefined) {
      reading.put(units[at] as number, at, at + 1);
      at++;
      continue;
    }
    const end = at + found.length;
    if (isTelling(found, units, at, end)) {
      reading.sign();
      certainty += found.certainty;
      reading.replace(...wordAround(units, at, end, text.length));
    }
    const isWrapped = found.text === '\n' && isLetter(units[end] ?? 0);
    for (let unit = 0; unit < found.text.length; unit++) {
      // One line end between words is a space to what reads them; an empty line parts them.
      reading.put(isWrapped ? SPACE : found.text.charCodeAt(unit), at, end);
    }
    at = end;
  }
  return certainty >= ENOUGH ? reading.build(['escapes'], 'encoded', 512) : undefined;
}

function escapeAt(text: string, at: number): Escape | undefined {
  const match = ESCAPE.exec(text.slice(at, at + MAX_ESCAPE));
  if (match === null) return undefined;
  const [whole, braced, unicode, hex, octal, control, quoted, entityHex, entityDecimal, name, percent, quopri] = match;
  const certainty = percent !== undefined || whole.startsWith('=') ? DOUBTFUL : CERTAIN;
  const digits = braced ?? unicode ?? hex ?? entityHex ?? percent ?? quopri;
  let shown: string | undefined;
  if (digits !== undefined) shown = characterOf(Number.parseInt(digits, 16));
  else if (octal !== undefined) shown = characterOf(Number.parseInt(octal, 8));
  else if (entityDecimal !== undefined) shown = characterOf(Number.parseInt(entityDecimal, 10));
  else if (name !== undefined) shown = ENTITIES[name] ?? STYLED_ENTITY.exec(name)?.[1];
  else shown = control === undefined ? (quoted ?? '') : CONTROLS[control];
  return shown === undefined ? undefined : { length: whole.length, text: shown, certainty };
}

function characterOf(codePoint: number): string | undefined {
  const isText = codePoint <= 0x10ffff && (codePoint >= 0x20 || codePoint === 0x0a || codePoint === 0x09);
  return isText ? toFolded(String.fromCodePoint(codePoint)) : undefined;
}

/** Whether the escape hides a letter, or stands where it breaks up a word or a phrase. */
function isTelling({ text }: Escape, units: Uint16Array, start: number, end: number): boolean {
  const first = text.charCodeAt(0);
  return isLetter(first) || (isLetter(units[start - 1] ?? 0) && isLetter(units[end] ?? 0));
}

/** The run of visible characters that a range stands in, as far as is worth looking. */
function wordAround(units: Uint16Array, start: number, end: number, length: number): [number, number] {
  let from = start;
  let to = end;
  while (from > 0 && start - from < MAX_WORD && (units[from - 1] as number) > 0x20) from--;
  while (to < length && to - end < MAX_WORD && (units[to] as number) > 0x20) to++;
  return [from, to];
}
