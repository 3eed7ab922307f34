import { toFolded } from '../views/index.ts';
import { isLetter } from './leet.ts';
import { type Reading, ReadingBuilder } from './reading.ts';

/** The longest escape, `&#x0001f600;` or a named entity. */
const MAX_ESCAPE = 16;
/** Escapes of programs and of HTML are certain; `%` and `=` have other uses, so two are required. */
const CERTAIN = 2;
const DOUBTFUL = 1;
const ENOUGH = 2;
/** Units to either side that are replaced with an escape in a word. */
const MAX_WORD = 24;
const SPACE = 0x20;
/** Text kept around the escapes, so that they are inspected in their sentence. */
const MARGIN = 256;
const PERCENT = 0x25;
const EQUALS = 0x3d;
const MARK = /[\\&%=]/;
const IS_MARK = tableOf('\\&%=');
const IS_HEX = tableOf('0123456789abcdef');

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
/** Letters that differ from ASCII only by an accent or a style. */
const STYLED_ENTITY =
  /^([a-z])(?:acute|grave|circ|tilde|uml|caron|breve|macr|ogon|cedil|dot|ring|slash|strok|scr|fr|opf)$/;
const ESCAPE =
  /^(?:\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([0-7]{3})|\\([nrtbfv0])|\\(["'/\\])|&#x([0-9a-f]{1,6});?|&#([0-9]{1,7});?|&([a-z]{2,14});|%([0-9a-f]{2})|=([0-9a-f]{2})|=(\r?\n))/;

interface Escape {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly certainty: number;
}

/** A passage of folded text with its escapes resolved one by one; undefined if there are none. */
export function unescaped(text: string, units: Uint16Array): Reading | undefined {
  if (!MARK.test(text)) return undefined;
  const escapes: Escape[] = [];
  let certainty = 0;
  for (let at = nextMark(units, 0, text.length); at < text.length; ) {
    const found = escapeAt(text, units, at);
    if (found !== undefined) {
      escapes.push(found);
      if (isSignificant(found, units)) certainty += found.certainty;
    }
    at = nextMark(units, found?.end ?? at + 1, text.length);
  }
  return certainty >= ENOUGH ? write(units, text.length, escapes) : undefined;
}

function nextMark(units: Uint16Array, from: number, length: number): number {
  let at = from;
  while (at < length && IS_MARK[units[at] as number] !== 1) at++;
  return at;
}

function write(units: Uint16Array, length: number, escapes: readonly Escape[]): Reading {
  const reading = new ReadingBuilder();
  const first = Math.max(0, (escapes[0]?.start ?? 0) - MARGIN);
  const last = Math.min(length, (escapes.at(-1)?.end ?? length) + MARGIN);
  let at = first;
  for (const found of escapes) {
    reading.copy(units, at, found.start);
    if (isSignificant(found, units)) {
      reading.sign();
      reading.replace(...wordAround(units, found.start, found.end, length));
    }
    const isWrapped = found.text === '\n' && isLetter(units[found.end] ?? 0);
    for (let unit = 0; unit < found.text.length; unit++) {
      // A single line end between words counts as a space; an empty line separates them.
      reading.put(isWrapped ? SPACE : found.text.charCodeAt(unit), found.start, found.end);
    }
    at = found.end;
  }
  reading.copy(units, at, last);
  return reading.build('escapes', ['escapes'], 'encoded', MARGIN);
}

function escapeAt(text: string, units: Uint16Array, at: number): Escape | undefined {
  // Most `%` and `=` are no escapes: the next unit decides.
  const isPercent = units[at] === PERCENT || units[at] === EQUALS;
  if (isPercent && IS_HEX[units[at + 1] ?? 0] !== 1 && units[at + 1] !== 0x0a && units[at + 1] !== 0x0d)
    return undefined;
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
  return shown === undefined ? undefined : { start: at, end: at + whole.length, text: shown, certainty };
}

function characterOf(codePoint: number): string | undefined {
  const isText = codePoint <= 0x10ffff && (codePoint >= 0x20 || codePoint === 0x0a || codePoint === 0x09);
  return isText ? toFolded(String.fromCodePoint(codePoint)) : undefined;
}

/** Whether the escape hides a letter, or splits a word or a phrase. */
function isSignificant({ text, start, end }: Escape, units: Uint16Array): boolean {
  const first = text.charCodeAt(0);
  return isLetter(first) || (isLetter(units[start - 1] ?? 0) && isLetter(units[end] ?? 0));
}

/** The visible characters around a range, up to MAX_WORD units to either side. */
function wordAround(units: Uint16Array, start: number, end: number, length: number): [number, number] {
  let from = start;
  let to = end;
  while (from > 0 && start - from < MAX_WORD && (units[from - 1] as number) > 0x20) from--;
  while (to < length && to - end < MAX_WORD && (units[to] as number) > 0x20) to++;
  return [from, to];
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
