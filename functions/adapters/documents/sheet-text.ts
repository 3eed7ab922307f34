import { overChars } from './document-limits.ts';
import { attributeOf, scanXml, type XmlHandler } from './xml-scanner.ts';
import { type PartText, XmlReader } from './xml-text.ts';

/** The strings of a workbook, which its cells name by number. */
export class SharedStrings {
  private readonly strings: string[] = [];
  private readonly used = new Set<number>();
  /** Pronunciations, which a cell does not show. */
  private phonetic = '';

  /** @returns why a parser may read others */
  add(xml: string, maxChars: number): string | undefined {
    const reader = new StringsReader(maxChars, (string) => this.strings.push(string));
    const unread = scanXml(xml, reader);
    this.phonetic += reader.phonetic;
    return reader.isFull ? overChars(maxChars) : unread;
  }

  /** The string of a cell; its number if there is none. */
  valueOf(index: string): string {
    const value = this.strings[Number(index)];
    if (value === undefined) return index;
    this.used.add(Number(index));
    return value;
  }

  /** What no cell shows. */
  get rest(): string {
    return [...this.strings.filter((_, at) => !this.used.has(at)), this.phonetic].join('\n');
  }
}

class StringsReader implements XmlHandler {
  phonetic = '';
  private readonly take: (string: string) => void;
  private left: number;
  private string = '';
  private isText = false;
  private isPhonetic = false;

  constructor(maxChars: number, take: (string: string) => void) {
    this.left = maxChars;
    this.take = take;
  }

  get isFull(): boolean {
    return this.left < 0;
  }

  open(name: string, _: string, isEmpty: boolean): void {
    if (name === 'rPh') this.isPhonetic = !isEmpty;
    this.isText = name === 't' && !isEmpty;
  }

  close(name: string): void {
    this.isText = false;
    if (name === 'rPh') this.isPhonetic = false;
    if (name === 'si') this.end();
  }

  text(text: string): void {
    if (!this.isText) return;
    this.left -= text.length;
    if (this.isPhonetic) this.phonetic += `${text}\n`;
    else this.string += text;
  }

  private end(): void {
    this.left -= 1;
    this.take(this.string);
    this.string = '';
  }
}

interface Cell {
  readonly row: number;
  readonly column: number;
  text: string;
}

/** The text of a worksheet: its cells in the order of rows and columns, hidden ones too, then all other text. */
export function textOfSheet(xml: string, strings: SharedStrings, maxChars: number): PartText {
  const reader = new SheetReader(strings, maxChars);
  const unread = scanXml(xml, reader);
  return reader.end(unread);
}

class SheetReader implements XmlHandler {
  private readonly strings: SharedStrings;
  /** Reads what is outside of cells, and formulas. */
  private readonly other: XmlReader;
  private readonly cells: Cell[] = [];
  private cell: Cell | undefined;
  private isShared = false;
  private isSorted = true;
  private isPhonetic = false;
  private inFormula = false;
  private row = 0;
  private column = 0;

  constructor(strings: SharedStrings, maxChars: number) {
    this.strings = strings;
    this.other = new XmlReader(maxChars);
  }

  get isFull(): boolean {
    return this.other.isFull;
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    if (name === 'row') this.beginRow(attributes);
    else if (name === 'c' && !isEmpty) this.beginCell(attributes);
    else if (name === 'rPh') this.isPhonetic = !isEmpty;
    else if (this.cell === undefined || name === 'f') {
      this.inFormula = name === 'f' && !isEmpty;
      this.other.open(name, attributes, isEmpty);
    }
  }

  close(name: string): void {
    if (name === 'rPh') this.isPhonetic = false;
    if (this.cell === undefined || this.inFormula) this.other.close(name);
    if (name === 'f') this.inFormula = false;
    if (name === 'c') this.endCell();
  }

  text(text: string): void {
    if (this.inFormula) this.other.text(textOfFormula(text));
    else if (this.cell === undefined || this.isPhonetic) this.other.text(text);
    else if (!/^\s*$/.test(text) || !text.includes('\n')) {
      const value = this.isShared ? this.strings.valueOf(text.trim()) : text;
      this.other.spend(value);
      this.cell.text += value;
    }
  }

  end(unread: string | undefined): PartText {
    this.endCell();
    const { cells } = this;
    if (!this.isSorted) cells.sort((one, other) => one.row - other.row || one.column - other.column);
    let text = '';
    for (const [at, cell] of cells.entries()) {
      const before = cells[at - 1];
      text += `${before === undefined ? '' : before.row === cell.row ? '\t' : '\n'}${cell.text}`;
    }
    const other = this.other.end(unread);
    return { ...other, text: [text, other.text].filter((part) => part !== '').join('\n') };
  }

  private beginRow(attributes: string): void {
    this.row = Number(attributeOf(attributes, 'r')) || this.row + 1;
    this.column = 0;
  }

  private beginCell(attributes: string): void {
    const [, letters, digits] = /^([A-Za-z]{1,3})(\d{1,7})$/.exec(attributeOf(attributes, 'r') ?? '') ?? [];
    const row = digits === undefined ? this.row : Number(digits);
    const column = letters === undefined ? this.column + 1 : columnOf(letters);
    const last = this.cells.at(-1);
    if (last !== undefined && (row < last.row || (row === last.row && column <= last.column))) this.isSorted = false;
    [this.row, this.column] = [row, column];
    this.isShared = attributeOf(attributes, 't') === 's';
    this.cell = { row, column, text: '' };
  }

  private endCell(): void {
    if (this.cell !== undefined && this.cell.text !== '') this.cells.push(this.cell);
    this.cell = undefined;
    this.inFormula = false;
  }
}

/** A formula with its strings joined and without their quotation marks, as the cell shows them: text in quotation marks counts as a mention. */
function textOfFormula(formula: string): string {
  return formula.replace(/"\s*&\s*"/g, '').replaceAll('"', ' ');
}

/** `A` is 1, `AA` is 27. */
function columnOf(letters: string): number {
  return [...letters.toUpperCase()].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}
