import { readYamlRecords } from './yaml-records.ts';

/** A leaf of a tool result: a whole field of a parsed structure, or prose in which a third party may have written anything. */
export interface ResultPart {
  /** Where in the result, such as `.items[0].subject`; empty for a text that has no structure. */
  readonly path: string;
  readonly text: string;
  readonly isProse: boolean;
  /** Where prose starts in its field, or in a result without structure; absent: at its start. */
  readonly start?: number;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu;
const MAX_DEPTH = 64;

/** Values that data or money may go to: addresses, links, accounts, telephone numbers. No dates. */
const DESTINATION =
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?:\/\/|www\.)\S+|\b[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){2,}(?: ?[a-z0-9]{1,4})?\b|\b(?!\d{4}-\d\d-\d\d)\d(?:[ -]?\d){6,}\b/gi;
const MAY_SAY_WHERE = /[\d@]|:\/\/|www\./i;
/** A value with its label, and the name of a person with their address. */
const LABELLED = /^[^:：]{1,32}[:：](?!\/\/)|<[^<>]*>$/u;
/** Programs that fetch, install or change; those that are English words too count with what they do. */
const PROGRAM =
  /(?:npx|npm|pnpm|uvx?|pipx?|pip3|curl|wget|git|docker|kubectl|sudo|apt|apt-get|dnf|yum|apk) +[^ ]|(?:yarn|bun|gem|brew|cargo|poetry|composer|conda|go) +(?:add|dlx|install|require|run|x)\b/;
/** A command after other words, where no command or setting begins the text. */
const SAYS_COMMAND = new RegExp(`^(?!\\w+=|\\W*(?:${PROGRAM.source})).*[\\p{L}\\p{N},] (?:${PROGRAM.source})`, 'u');
const WORDS = /\p{L}{2,}/gu;
/** Letters of a script without spaces that make a word. */
const UNSPACED_WORD = 2;

/** A destination among other words: `Pay 50 EUR to FR76...` is as good an order as a longer text. */
function saysWhere(text: string): boolean {
  if (!MAY_SAY_WHERE.test(text)) return false;
  const rest = text.replace(DESTINATION, ' ');
  if (rest === text || LABELLED.test(text)) return false;
  const words = (rest.match(WORDS) ?? []).map((word) =>
    Math.max(1, Math.floor((word.match(UNSPACED)?.length ?? 0) / UNSPACED_WORD)),
  );
  return words.reduce((sum, count) => sum + count, 0) >= 2;
}

/** Several sentences, lines or many words, or a destination or a command among other words: a text that may contain an order. */
export function isProse(text: string): boolean {
  const trimmed = text.trim();
  if (/\n/.test(trimmed) || /[.!?;:]\s+\S/.test(trimmed) || /[。！？；]/.test(trimmed)) return true;
  if (trimmed.length > 60 && /\s/.test(trimmed)) return true;
  if (trimmed.split(/\s+/).length > 8) return true;
  if (trimmed.length > 16 && (trimmed.match(UNSPACED)?.length ?? 0) > 16) return true;
  return saysWhere(trimmed) || SAYS_COMMAND.test(trimmed);
}

/** The parts of a result. Only a parsed structure makes a field, so that prose cannot forge one. */
export function partsOf(result: string): ResultPart[] {
  const text = result.trim();
  const tree = /^[[{"]/.test(text) ? parsed(text) : readYamlRecords(text);
  if (typeof tree === 'string') return textParts(tree, 0);
  if (tree === undefined) return textParts(text, result.indexOf(text));
  const parts: ResultPart[] = [];
  addParts(tree, '', 0, parts);
  return parts;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function addParts(node: unknown, path: string, depth: number, parts: ResultPart[]): void {
  if (depth > MAX_DEPTH || node === null || node === undefined || typeof node === 'boolean') return;
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) addParts(item, `${path}[${index}]`, depth + 1, parts);
  } else if (typeof node === 'object') {
    for (const [name, item] of Object.entries(node)) addParts(item, `${path}.${name}`, depth + 1, parts);
  } else if (typeof node === 'string') {
    const inner = /^\s*[[{]/.test(node) ? parsed(node) : undefined;
    if (inner !== null && typeof inner === 'object') addParts(inner, path, depth + 1, parts);
    else if (isProse(node)) addBlocks(node.split('\n'), path, 0, parts);
    else parts.push({ path, text: node, isProse: false });
  } else parts.push({ path, text: String(node), isProse: false });
}

const LONGEST_NAME = 32;

/** A line "Name: value" of the head of a mail or of a listing. */
function headerOf(line: string): readonly [name: string, value: string] | undefined {
  const colon = line.search(/[:：]/);
  if (colon < 0) return undefined;
  const name = line
    .slice(0, colon)
    .replace(/^\s*[-*]?\s*/, '')
    .trimEnd();
  const value = line.slice(colon + 1).trim();
  const isName = name.length < LONGEST_NAME && /^\p{L}[\p{L}\p{N} _./-]*$/u.test(name);
  return isName && value !== '' ? [name, value] : undefined;
}

/**
 * A whole result without a structure that a parser knows: header lines at its start and cells of a table are fields. In a string of a
 * result they are not: a third party may have written all of it.
 */
function textParts(text: string, start: number): ResultPart[] {
  if (!isProse(text)) return [{ path: '', text, isProse: false }];
  const lines = text.split('\n');
  const parts: ResultPart[] = [];
  let at = 0;
  // Headers come before all prose; a line of the same form in prose is prose.
  for (; at < lines.length; at++) {
    const [name, value = ''] = headerOf(lines[at] as string) ?? [];
    if (name === undefined || isProse(value)) break;
    parts.push({ path: `.${name}`, text: value, isProse: false });
  }
  const separator = separatorOf(lines[at]);
  if (separator !== undefined) {
    const columns = (lines[at] as string).split(separator).length;
    for (let row = 0; at < lines.length; at++, row++) {
      const cells = (lines[at] as string).split(separator);
      if (cells.length !== columns) break;
      for (const [column, cell] of cells.entries()) {
        parts.push({ path: `[${row}][${column}]`, text: cell.trim(), isProse: isProse(cell) });
      }
    }
  }
  addBlocks(lines.slice(at), '', start + lengthOf(lines.slice(0, at)), parts);
  return parts;
}

/** Rows that make a table or a list of labels. */
const FEWEST_ROWS = 3;

/** A line that goes on in the next: a long one without an end, before a small letter. */
const GOES_ON = /[^.!?:;。！？：；|]$/u;
const SMALL = /^\s*\p{Ll}/u;
const SHORTEST_WRAPPED = 50;

/**
 * Adds lines of prose, each with those that it goes on in, and each row of the tables and lists of labels between them. Who wrote one line
 * often did not write the next: the entries of a tool's listing, a mail and its footer.
 */
function addBlocks(lines: readonly string[], path: string, start: number, parts: ResultPart[]): void {
  let from = start;
  for (let at = 0; at < lines.length; ) {
    const form = formOf(lines[at] as string);
    let end = at + 1;
    while (form !== undefined && end < lines.length && formOf(lines[end] as string) === form) end++;
    const isListed = form !== undefined && end - at >= FEWEST_ROWS;
    if (!isListed)
      for (end = at + 1; end < lines.length && goesOn(lines[end - 1] as string, lines[end] as string); end++);
    for (const text of isListed ? lines.slice(at, end) : [lines.slice(at, end).join('\n')]) {
      if (text.trim() !== '') parts.push({ path, text, isProse: true, start: from });
      from += text.length + 1;
    }
    at = end;
  }
}

function goesOn(line: string, next: string): boolean {
  const written = line.trimEnd();
  return written.length >= SHORTEST_WRAPPED && GOES_ON.test(written) && SMALL.test(next);
}

/** The characters of lines, with the ends of lines. */
function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + 1, 0);
}

/** What kind of row a line may be: one with a label, or the separator and number of its cells. */
function formOf(line: string): string | undefined {
  const separator = separatorOf(line);
  if (separator !== undefined) return `${separator}${line.split(separator).length}`;
  const value = headerOf(line)?.[1];
  return value === undefined || isProse(value) ? undefined : ':';
}

function separatorOf(line: string | undefined): string | undefined {
  if (line === undefined) return undefined;
  const separator = ['|', '\t', ';', ','].find((sign) => {
    const first = line.indexOf(sign);
    return first >= 0 && line.indexOf(sign, first + 1) >= 0;
  });
  return separator === undefined || /[.!?。]\s/.test(line) ? undefined : separator;
}
