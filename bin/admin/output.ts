import { escapeUnseen } from '../../functions/kernel/json/index.ts';

export type Cell = string | number | boolean | null | undefined;

/** Control characters in names that callers chose must not reach a terminal. */
const STEERING = /[\p{Cc}\p{Bidi_Control}]/gu;
const CLEAR_LINE = '\r\u001b[2K';

export interface OutputOptions {
  readonly json: boolean;
  /** Width of the terminal; undefined where standard output is not one, so that nothing is cut. */
  readonly columns?: number | undefined;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Whether standard error is a terminal, which shows progress. */
  readonly showsProgress?: boolean;
}

/**
 * Output of a command: tables, or with --json one JSON object a line, on standard output. Messages go to standard error, so that
 * standard output contains only a new secret.
 */
export class Output {
  readonly json: boolean;
  private readonly options: OutputOptions;
  private isProgressShown = false;

  constructor(options: OutputOptions) {
    this.json = options.json;
    this.options = options;
  }

  /** A table with a row for each thing, or JSON lines. On a terminal the table fits its width. */
  list<T>(things: readonly T[], columns: Readonly<Record<string, (thing: T) => Cell>>): void {
    if (this.json) {
      this.objects(things);
      return;
    }
    const names = Object.keys(columns);
    const cells = names.map((name) => [name, ...things.map((thing) => shown(columns[name]?.(thing)))]);
    const { table, hidden } = fitted(cells, this.options.columns);
    for (const line of linesOf(table)) this.print(line);
    if (hidden.length > 0) this.say(`Not shown: ${hidden.join(', ')}. Widen the terminal, or use --json.`);
    if (things.length === 0) this.say('None.');
  }

  /** One thing, with a line for each member, or as JSON. */
  thing(thing: object): void {
    if (this.json) {
      this.objects([thing]);
      return;
    }
    const members = Object.entries(thing).filter(([name]) => name !== 'object');
    const width = Math.max(0, ...members.map(([name]) => name.length));
    for (const [name, value] of members) {
      const [first = '', ...rest] = wrapped(
        shown(value),
        (this.options.columns ?? Number.POSITIVE_INFINITY) - width - 2,
      );
      this.print(`${shown(name).padEnd(width)}  ${first}`);
      for (const line of rest) this.print(`${' '.repeat(width + 2)}${line}`);
    }
  }

  /** A line of the result; omitted with --json. */
  line(text: string): void {
    if (!this.json) this.print(clean(text));
  }

  /** JSON lines, with or without --json. */
  objects(things: readonly unknown[]): void {
    for (const thing of things) this.print(escapeUnseen(JSON.stringify(thing)));
  }

  /** A new secret, or with --json the whole created object. */
  secret(secret: string, thing: object, words: string): void {
    this.say(words);
    if (this.json) this.objects([thing]);
    else this.print(clean(secret));
  }

  /** Text for a program, such as a shell. */
  script(text: string): void {
    this.print(text);
  }

  /** A message on standard error. */
  say(text: string): void {
    this.endProgress();
    this.options.stderr(`${clean(text)}\n`);
  }

  /** Shows how far a long command is, on a terminal only. The next text replaces it. */
  progress(text: string): void {
    if (this.options.showsProgress !== true) return;
    this.isProgressShown = true;
    this.options.stderr(`${CLEAR_LINE}${clean(text)}`);
  }

  /** Removes the progress from the terminal. */
  endProgress(): void {
    if (this.isProgressShown) this.options.stderr(CLEAR_LINE);
    this.isProgressShown = false;
  }

  private print(line: string): void {
    this.endProgress();
    this.options.stdout(`${line}\n`);
  }
}

export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  return clean(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Without control characters. */
export function clean(text: string): string {
  return text.replace(STEERING, '\ufffd');
}

const GAP = 2;
/** A column of text is not made narrower. */
const NARROWEST = 12;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;
/** An id or a number is useless if it is cut. */
const WHOLE = /^(?:[a-z]+_\w{6,}|-?[\d.]+|-|\d{4}-\d\d-\d\d \d\d:\d\d)$/;

/** A column with its header. */
type Column = readonly string[];

/**
 * The columns in at most this width: times lose their seconds, then long text is cut, then the last columns are hidden. Without a width
 * they stay complete.
 */
function fitted(columns: readonly Column[], width = Number.POSITIVE_INFINITY) {
  if (totalWidth(columns) <= width) return { table: columns, hidden: [] };
  const table: Column[] = columns.map((column) => column.map((cell) => cell.replace(TIME, '$1 $2')));
  const hidden: string[] = [];
  const narrow = () => table.map((column) => (isText(column) ? cutTo(column, NARROWEST) : column));
  while (table.length > 1 && totalWidth(narrow()) > width) hidden.unshift(table.pop()?.[0] ?? '');
  for (let over = totalWidth(table) - width; over > 0; over = totalWidth(table) - width) {
    const widths = table.map((column) => (isText(column) ? widthOf(column) : 0));
    const widest = widths.indexOf(Math.max(...widths));
    const column = table[widest];
    if (column === undefined || (widths[widest] ?? 0) <= NARROWEST) break;
    table[widest] = cutTo(column, (widths[widest] ?? 0) - 1);
  }
  return { table, hidden };
}

function isText([header = '', ...cells]: Column): boolean {
  return (
    header.length <= NARROWEST &&
    cells.some((cell) => !WHOLE.test(cell)) &&
    !cells.some((cell) => /^[a-z]+_\w{16,}$/.test(cell))
  );
}

function totalWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + widthOf(column), (columns.length - 1) * GAP);
}

function widthOf(column: Column): number {
  return column.reduce((most, cell) => Math.max(most, displayWidth(cell)), 0);
}

function cutTo(column: Column, width: number): Column {
  return column.map((cell) => cut(cell, width));
}

function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

function linesOf(columns: readonly Column[]): string[] {
  const widths = columns.map(widthOf);
  const rows = columns[0] ?? [];
  return rows.map((_, row) =>
    columns
      .map((column, at) => padded(column[row] ?? '', widths[at] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Columns of a terminal: East Asian characters and emoji take two. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

function wrapped(text: string, width: number): string[] {
  if (width < 1 || displayWidth(text) <= width) return [text];
  const lines = [''];
  for (const character of text) {
    const last = lines.length - 1;
    if (displayWidth(`${lines[last]}${character}`) > width) lines.push(character);
    else lines[last] += character;
  }
  return lines;
}
