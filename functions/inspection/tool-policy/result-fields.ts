import { isObject } from '../../kernel/json/index.ts';
import { matchesGlob } from '../../kernel/model/index.ts';
import { readExactJson } from '../tool-calls/index.ts';
import { type PathStep, readPath } from './call-arguments.ts';
import { compared } from './compared-value.ts';
import { SaidText } from './said-text.ts';

/** The fields that `field:TOOL.PATH` names. */
export interface FieldSource {
  readonly name: string;
  readonly tool: string;
  readonly path: readonly PathStep[];
}

/** Reads `get_invoice.bank.iban`: the tool's glob ends at the first dot. */
export function readFieldSource(text: string): FieldSource {
  const dot = text.indexOf('.');
  return {
    name: text,
    tool: text.slice(0, dot),
    path: readPath(text.slice(dot + 1)),
  };
}

interface Result {
  readonly tool: string;
  readonly text: string;
  /** The arguments of the call that produced it. */
  readonly madeBy: readonly string[];
  /** Parsed when a rule looks at it. */
  value?: unknown;
  isParsed: boolean;
}

/** Fields of one source that are compared, the latest results first. */
const MAX_FIELDS = 20_000;

/** The results of tools in a conversation. Only parsed JSON has fields, so that no prose can forge one. A field that repeats an argument of
 * its call is none. */
export class ResultFields {
  private readonly results: Result[] = [];
  /** By the source as the policy writes it. */
  private readonly keys = new Map<string, ReadonlySet<string>>();

  add(tool: string, text: string, madeBy: readonly string[] = []): void {
    this.results.push({ tool, text, madeBy, isParsed: false });
    this.keys.clear();
  }

  /** The compared forms of all whole fields of a source. */
  keysOf(source: FieldSource): ReadonlySet<string> {
    let keys = this.keys.get(source.name);
    if (keys === undefined) {
      const reading = new FieldReading(source.path);
      for (const result of this.results.toReversed()) {
        if (matchesGlob(source.tool, result.tool)) reading.readResult(result);
      }
      keys = reading.keys;
      this.keys.set(source.name, keys);
    }
    return keys;
  }
}

function parse(result: Result): unknown {
  if (!result.isParsed) result.value = readExactJson(result.text);
  result.isParsed = true;
  return result.value;
}

/** The values of arguments as one text, without the signs of JSON. */
function readableArguments(text: string): string {
  const values: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node === 'object' && node !== null) for (const member of Object.values(node)) visit(member);
    else values.push(String(node));
  };
  visit(readExactJson(text) ?? text);
  return values.join('\n');
}

class FieldReading {
  readonly keys = new Set<string>();
  private readonly path: readonly PathStep[];
  private left = MAX_FIELDS;
  /** The arguments of the call of the result that is read. */
  private asked: SaidText | undefined;

  constructor(path: readonly PathStep[]) {
    this.path = path;
  }

  readResult(result: Result): void {
    this.asked = undefined;
    const args = result.madeBy.filter((text) => text.trim() !== '' && text.trim() !== '{}');
    if (args.length > 0) {
      this.asked = new SaidText();
      for (const text of args) this.asked.add(readableArguments(text));
    }
    this.read(parse(result), 0);
  }

  private read(node: unknown, depth: number): void {
    const step = this.path[depth];
    if (this.left <= 0) return;
    if (step === undefined) this.take(node);
    else if (step === '**') this.readAnywhere(node, depth);
    else if (typeof node === 'string') {
      // MCP servers send JSON in the text of a JSON object.
      const inner = readExactJson(node);
      if (typeof inner === 'object') this.read(inner, depth);
    } else if (step === '*') {
      if (Array.isArray(node)) for (const item of node) this.read(item, depth + 1);
    } else if (isObject(node) && Object.hasOwn(node, step.name)) this.read(node[step.name], depth + 1);
  }

  /** Reads the rest of the path here and below. JSON within a text has no fields here: a third party may have written any text. */
  private readAnywhere(node: unknown, depth: number): void {
    this.left -= 1;
    if (this.left <= 0) return;
    const isLeaf = typeof node !== 'object' || node === null;
    if (!isLeaf || depth + 1 === this.path.length) this.read(node, depth + 1);
    if (!isLeaf) for (const item of Object.values(node)) this.readAnywhere(item, depth);
  }

  private take(node: unknown): void {
    if (typeof node !== 'string' && typeof node !== 'number') return;
    this.left -= 1;
    const value = compared(node);
    // A lookup repeats what it was asked, also where a third party had that first.
    if (this.asked?.has(value)) return;
    for (const key of value.keys) if (key !== '') this.keys.add(key);
  }
}
