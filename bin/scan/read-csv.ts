import { MAX_TEXT_UNITS } from './read-lines.ts';

/** A record of RFC 4180 and the line that it starts on. `cells` is undefined for one longer than the limit. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[] | undefined;
  /** The file ends inside quotes. */
  readonly isOpen?: true;
}

const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Reads CSV in pieces: quotes with any text in them, doubled quotes, `\n`, `\r\n`. The delimiter is the most frequent of comma, semicolon
 * and tab in the first line. Empty lines are left out.
 */
export async function* readCsv(pieces: AsyncIterable<string>, maxUnits = MAX_TEXT_UNITS): AsyncGenerator<CsvRow> {
  let parser: CsvParser | undefined;
  let start = '';
  for await (const piece of pieces) {
    if (parser !== undefined) {
      yield* parser.read(piece);
      continue;
    }
    start += piece;
    if (!start.includes('\n') && start.length <= maxUnits) continue;
    parser = new CsvParser(delimiterOf(start), maxUnits);
    yield* parser.read(start);
  }
  if (parser === undefined) {
    parser = new CsvParser(delimiterOf(start), maxUnits);
    yield* parser.read(start);
  }
  yield* parser.end();
}

function delimiterOf(start: string): string {
  const [first = ''] = start.split('\n', 1);
  const plain = first.replace(/"[^"]*"?/g, '');
  const counts = DELIMITERS.map((delimiter) => plain.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string;
}

/** `quoted`: inside quotes; `closing`: after a quote in quotes, which ends them unless a second follows. */
type CsvState = 'start' | 'plain' | 'quoted' | 'closing';

class CsvParser {
  private readonly delimiter: string;
  private readonly maxUnits: number;
  private readonly plainEnd: RegExp;
  private state: CsvState = 'start';
  private cell = '';
  private cells: string[] = [];
  private length = 0;
  private line = 1;
  private rowLine = 1;
  private isRowEnd = false;
  /** Whether a cell of the row is quoted: a line with nothing but `""` is no empty line. */
  private isQuoted = false;

  constructor(delimiter: string, maxUnits: number) {
    this.delimiter = delimiter;
    this.maxUnits = maxUnits;
    this.plainEnd = new RegExp(`[${delimiter}\n]`, 'g');
  }

  *read(piece: string): Generator<CsvRow> {
    for (let at = 0; at < piece.length; ) {
      if (this.state === 'quoted') at = this.readQuoted(piece, at);
      else if (this.state === 'plain') at = this.readPlain(piece, at);
      else at = this.readMark(piece, at);
      if (this.isRowEnd) yield* this.takeRow();
    }
  }

  *end(): Generator<CsvRow> {
    if (this.state === 'quoted') {
      yield { line: this.rowLine, cells: undefined, isOpen: true };
      return;
    }
    this.endCell();
    yield* this.takeRow();
  }

  private readQuoted(piece: string, from: number): number {
    const quote = piece.indexOf('"', from);
    const end = quote < 0 ? piece.length : quote;
    const text = piece.slice(from, end);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.line += 1;
    this.add(text);
    if (quote < 0) return end;
    this.state = 'closing';
    return end + 1;
  }

  private readPlain(piece: string, from: number): number {
    this.plainEnd.lastIndex = from;
    const end = this.plainEnd.exec(piece)?.index ?? piece.length;
    this.add(piece.slice(from, end));
    return end < piece.length ? this.endAt(piece[end] as string, end) : end;
  }

  /** The character at the start of a cell, or after a quote. */
  private readMark(piece: string, at: number): number {
    const mark = piece[at] as string;
    if (mark === '"') {
      if (this.state === 'closing') this.add('"');
      this.state = 'quoted';
      this.isQuoted = true;
      return at + 1;
    }
    if (mark === this.delimiter || mark === '\n') return this.endAt(mark, at);
    this.state = 'plain';
    return at;
  }

  private endAt(mark: string, at: number): number {
    // In quotes a carriage return is text; before a line end it is not.
    this.endCell(mark === '\n');
    this.isRowEnd = mark === '\n';
    if (this.isRowEnd) this.line += 1;
    return at + 1;
  }

  private endCell(isLast = true): void {
    this.cells.push(isLast && this.state === 'plain' ? this.cell.replace(/\r$/, '') : this.cell);
    this.cell = '';
    this.state = 'start';
  }

  private add(text: string): void {
    this.length += text.length;
    if (this.length <= this.maxUnits) this.cell += text;
    else {
      this.cell = '';
      this.cells = [];
    }
  }

  private *takeRow(): Generator<CsvRow> {
    const { cells, rowLine, length, isQuoted } = this;
    this.cells = [];
    this.isQuoted = false;
    this.length = 0;
    this.isRowEnd = false;
    this.rowLine = this.line;
    if (length > this.maxUnits) yield { line: rowLine, cells: undefined };
    else if (cells.length > 1 || cells[0] !== '' || isQuoted) yield { line: rowLine, cells };
  }
}
