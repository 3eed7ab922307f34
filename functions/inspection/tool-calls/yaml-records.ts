/** What YAML says: a text, a list, or a record. */
export type YamlNode = string | readonly YamlNode[] | { readonly [name: string]: YamlNode };

/** Names as programs write them. A sentence with a colon has others. */
const NAME = /^(?:([A-Za-z_][\w-]{0,63})|'([^']{1,64})'|"([^"\\]{1,64})"):(?:\s+(\S.*))?$/;
const BLOCK = /^[|>][+-]?$/;
const ITEM = /^-(?:\s+(.*))?$/;
const MAX_DEPTH = 8;

/** A text is something else than records. */
class NotRecords extends Error {}

/**
 * Reads a text that is YAML as programs write it: records, or a list of records, and nothing else. Undefined for all other texts: comments,
 * anchors, lists of plain sentences, or one line that fits nowhere. A program quotes a text that has a line like `to: kim@post.example`.
 */
export function readYamlRecords(text: string): YamlNode | undefined {
  if (!/^(?:- )?[\w'"-]{1,66}:(?: |\n)/.test(text)) return undefined;
  try {
    const node = new YamlReader(text.split('\n')).readAll();
    return (Array.isArray(node) ? node : [node]).every(isRecord) ? node : undefined;
  } catch (error) {
    if (error instanceof NotRecords) return undefined;
    throw error;
  }
}

function isRecord(node: YamlNode): boolean {
  return typeof node === 'object' && !Array.isArray(node) && Object.keys(node).length > 1;
}

class YamlReader {
  private readonly lines: string[];
  private at = 0;

  constructor(lines: string[]) {
    this.lines = lines;
  }

  readAll(): YamlNode {
    const node = this.block(0, 0);
    this.skipBlank();
    if (this.at < this.lines.length) throw new NotRecords();
    return node;
  }

  private skipBlank(): void {
    while (this.at < this.lines.length && (this.lines[this.at] as string).trim() === '') this.at++;
  }

  /** The next line with a text if it starts at this column, without its indent. */
  private lineAt(indent: number): string | undefined {
    this.skipBlank();
    const line = this.lines[this.at];
    return line !== undefined && indentOf(line) === indent ? line.trim() : undefined;
  }

  private block(indent: number, depth: number): YamlNode {
    if (depth > MAX_DEPTH) throw new NotRecords();
    const line = this.lineAt(indent);
    if (line === undefined) throw new NotRecords();
    return ITEM.test(line) ? this.list(indent, depth) : this.record(indent, depth);
  }

  private list(indent: number, depth: number): YamlNode[] {
    const items: YamlNode[] = [];
    for (let line = this.lineAt(indent); line !== undefined; line = this.lineAt(indent)) {
      const item = ITEM.exec(line);
      if (item === null) break;
      const [, text] = item;
      if (text === undefined) throw new NotRecords();
      if (NAME.test(text) || ITEM.test(text)) {
        const inner = (this.lines[this.at] as string).length - text.length;
        this.lines[this.at] = `${' '.repeat(inner)}${text}`;
        items.push(this.block(indentOf(this.lines[this.at] as string), depth + 1));
      } else items.push(this.scalar(text, indent));
    }
    return items;
  }

  private record(indent: number, depth: number): YamlNode {
    const record: Record<string, YamlNode> = Object.create(null);
    for (let line = this.lineAt(indent); line !== undefined; line = this.lineAt(indent)) {
      const [, plain, single, double, text] = NAME.exec(line) ?? [];
      const name = plain ?? single ?? double;
      if (name === undefined || name in record) throw new NotRecords();
      record[name] = text === undefined ? this.nested(indent, depth) : this.scalar(text, indent);
    }
    return record;
  }

  /** What follows a name that has no text beside it. */
  private nested(indent: number, depth: number): YamlNode {
    this.at++;
    this.skipBlank();
    const line = this.lines[this.at] ?? '';
    const inner = indentOf(line);
    const isList = inner === indent && ITEM.test(line.trim());
    return inner > indent || isList ? this.block(inner, depth + 1) : '';
  }

  private scalar(start: string, indent: number): string {
    this.at++;
    if (BLOCK.test(start)) return this.continued([], indent).join('\n');
    const quote = start.charAt(0);
    if (quote === "'" || quote === '"') return this.quoted(start, quote, indent);
    if (/^[#&*!%@`|>]/.test(start)) throw new NotRecords();
    const lines = this.continued([start], indent);
    if (lines.some((line) => /:\s|:$| #/.test(line))) throw new NotRecords();
    return unfolded(lines).trimEnd();
  }

  /** Takes the lines that are further in than the name or item that they belong to. */
  private continued(lines: string[], indent: number): string[] {
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at] as string;
      if (line.trim() !== '' && indentOf(line) <= indent) break;
      lines.push(line.trim());
    }
    return lines;
  }

  private quoted(start: string, quote: string, indent: number): string {
    const lines = [start];
    let quotes = quotesIn(start, quote);
    while (quotes % 2 === 1) {
      const line = this.lines[this.at++];
      if (line === undefined || (line.trim() !== '' && indentOf(line) <= indent)) throw new NotRecords();
      lines.push(line.trim());
      quotes += quotesIn(line, quote);
    }
    const text = unfolded(lines, quote === '"');
    if (!text.endsWith(quote) || text.length < 2) throw new NotRecords();
    const inner = text.slice(1, -1);
    if (quote === "'") return inner.replaceAll("''", "'");
    if (quotes !== 2) throw new NotRecords();
    return unescaped(inner);
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Quotation marks that no backslash escapes. */
function quotesIn(line: string, quote: string): number {
  let count = 0;
  for (let at = 0; at < line.length; at++) {
    if (quote === '"' && line.charAt(at) === '\\') at++;
    else if (line.charAt(at) === quote) count++;
  }
  return count;
}

/** Lines as one text: a break is a space, an empty line a break. In double quotes a backslash joins two lines. */
function unfolded(lines: readonly string[], mayJoin = false): string {
  let text = '';
  for (const line of lines) {
    if (line === '') text += '\n';
    else if (mayJoin && text.endsWith('\\')) text = text.slice(0, -1) + line.replace(/^\\(?= )/, '');
    else text += text === '' || text.endsWith('\n') ? line : ` ${line}`;
  }
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', _: ' ', N: '\n', L: '\n', P: '\n' };

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gi, (_, x, u, long, one: string) => {
    const code = Number.parseInt(x ?? u ?? long ?? '', 16);
    if (Number.isNaN(code)) return ESCAPES[one] ?? one;
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
