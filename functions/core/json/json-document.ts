import { GatewayError } from '../errors.ts';

/** A JSON text that was read and checked: no duplicate keys, bounded depth. `text` is exactly what was sent. */
export interface JsonDocument {
  readonly text: string;
  readonly value: unknown;
}

export const MAX_JSON_DEPTH = 64;

/** From this many keys on, an object's keys are looked up in a set rather than a list. */
const KEYS_AS_SET = 12;

/**
 * Reads a request body. Two parsers may differ on which of two equal keys counts, so what was inspected might not be what
 * the provider reads: a duplicate key is an error here.
 * @throws GatewayError `invalid_json`
 */
export function readJsonDocument(text: string): JsonDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new GatewayError('invalid_json', 'The request body is not valid JSON.');
  }
  checkStructure(text);
  return { text, value };
}

interface OpenObject {
  list: string[];
  set: Set<string> | undefined;
}

/** Walks a text that JSON.parse accepted; only structure is looked at, strings are jumped over. */
function checkStructure(text: string): void {
  const open: (OpenObject | undefined)[] = [];
  // In an object, a string before a colon is a key; `expectKey` is set after `{` and after `,`.
  let expectKey = false;
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        const end = stringEnd(text, i);
        if (expectKey) {
          addKey(open[open.length - 1] as OpenObject, text.slice(i, end));
          expectKey = false;
        }
        i = end - 1;
        break;
      }
      case 0x7b:
        open.push({ list: [], set: undefined });
        checkDepth(open.length);
        expectKey = true;
        break;
      case 0x5b:
        open.push(undefined);
        checkDepth(open.length);
        expectKey = false;
        break;
      case 0x7d:
      case 0x5d:
        open.pop();
        expectKey = false;
        break;
      case 0x2c:
        expectKey = open[open.length - 1] !== undefined;
        break;
      default:
    }
  }
}

function checkDepth(depth: number): void {
  if (depth > MAX_JSON_DEPTH) {
    throw new GatewayError('invalid_json', `The request body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }
}

function addKey(object: OpenObject, literal: string): void {
  const key = keyOf(literal);
  const known = object.set ? object.set.has(key) : object.list.includes(key);
  if (known) {
    const shown = key.length <= 64 ? ` ${JSON.stringify(key)}` : '';
    throw new GatewayError('invalid_json', `The request body has a duplicate key${shown}.`);
  }
  if (object.set) object.set.add(key);
  else if (object.list.push(key) >= KEYS_AS_SET) object.set = new Set(object.list);
}

/** What a key's literal says: "a" and "\u0061" are the same key. */
export function keyOf(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

/** The offset just after the string that opens at `start`. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text.charCodeAt(first - 1) === 0x5c) first -= 1;
  return (quote - first) % 2 === 1;
}
