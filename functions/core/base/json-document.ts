import { GatewayError } from './errors.ts';
import { finish, type Steps } from './steps.ts';

/** A parsed JSON text without duplicate keys and with bounded depth. `text` is exactly what was sent. */
export interface JsonDocument {
  readonly text: string;
  readonly value: unknown;
}

export const MAX_JSON_DEPTH = 64;

/**
 * Strings (also names), objects and arrays of a request. JSON.parse and a walk over so many cannot pause and take up to 30 ms each.
 * The largest agent requests, 2,048 messages with calls and 512 tools, have some 60,000.
 */
export const MAX_JSON_NODES = 80_000;
/** Values of a request, including numbers: an embeddings request may have 300,000 tokens. */
export const MAX_JSON_VALUES = 400_000;

/** These take about a millisecond. */
const STEP_TOKENS = 4096;

/**
 * Parses a request body. A duplicate key is an error: parsers differ on which one counts, so the provider could read another value
 * than was inspected.
 * @throws GatewayError `invalid_json`
 */
export function readJsonDocument(text: string): JsonDocument {
  return finish(readJsonSteps(text));
}

/** The same in steps. The limits that bound JSON.parse's time are checked first. */
export function* readJsonSteps(text: string): Steps<JsonDocument> {
  yield* checkStructure(text);
  return { text, value: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(jsonPlace((error as SyntaxError).message));
  }
}

/** Where the text of an error of JSON.parse ends: other messages quote the text. */
const PLACE = / JSON at position \d+ \(line (\d+) column (\d+)\)$/;

interface JsonPlace {
  /** Both count from 1. */
  readonly line: string;
  readonly column: string;
}

/** Where a text is not JSON, by the message of JSON.parse, without any of the text; undefined if the message does not say. */
export function jsonPlace(message: string): JsonPlace | undefined {
  const [, line, column] = PLACE.exec(message) ?? [];
  return line === undefined || column === undefined ? undefined : { line, column };
}

function notJson(place?: JsonPlace): GatewayError {
  const at = place === undefined ? '' : ` (line ${place.line}, column ${place.column})`;
  return new GatewayError('invalid_json', `The request body is not valid JSON${at}.`);
}

/** Walks the structure of a text that may not be JSON; skips strings. */
function* checkStructure(text: string): Steps<void> {
  // The keys of each open object; undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  // In an object, a string before a colon is a key; `expectKey` is set after `{` and after `,`.
  let expectKey = false;
  let nodes = 0;
  let values = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    switch (code) {
      case 0x22: {
        const end = stringEnd(text, i);
        if (end <= i) throw notJson();
        if (expectKey) {
          addKey(open[open.length - 1] as Set<string>, text.slice(i, end));
          expectKey = false;
        }
        nodes += 1;
        i = end - 1;
        break;
      }
      case 0x7b:
      case 0x5b:
        expectKey = code === 0x7b;
        open.push(expectKey ? new Set() : undefined);
        if (open.length > MAX_JSON_DEPTH) throw over(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
        nodes += 1;
        break;
      case 0x7d:
      case 0x5d:
        open.pop();
        expectKey = false;
        continue;
      case 0x2c:
        expectKey = open[open.length - 1] !== undefined;
        values += 1;
        break;
      default:
        continue;
    }
    if (nodes > MAX_JSON_NODES) throw over(`holds more than ${MAX_JSON_NODES} strings, objects and arrays`);
    if (values > MAX_JSON_VALUES) throw over(`holds more than ${MAX_JSON_VALUES} values`);
    if ((nodes + values) % STEP_TOKENS === 0) yield;
  }
}

function over(what: string): GatewayError {
  return new GatewayError('invalid_json', `The request body ${what}.`);
}

function addKey(keys: Set<string>, literal: string): void {
  const key = keyOf(literal);
  if (keys.has(key)) {
    const shown = key.length <= 64 ? ` ${JSON.stringify(key)}` : '';
    throw new GatewayError('invalid_json', `The request body has a duplicate key${shown}.`);
  }
  keys.add(key);
}

/** The key that a literal denotes: "a" and "\u0061" are the same key. */
export function keyOf(literal: string): string {
  return literal.includes('\\') ? (parse(literal) as string) : literal.slice(1, -1);
}

/** The offset after the string that opens at `start`. */
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

/**
 * The number of members of all objects in a JSON value.
 * @throws RangeError for a value nested deeper than `maxDepth`
 */
export function countMembers(value: unknown, maxDepth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (maxDepth === 0) throw new RangeError('JSON is nested too deep');
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countMembers(item, maxDepth - 1);
    return count;
  }
  for (const name in value) {
    count += 1;
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object') count += countMembers(member, maxDepth - 1);
  }
  return count;
}

/** Whether an object of a JSON text repeats a member, given the number of `members` of its parsed value. */
export function hasDuplicateMembers(text: string, members: number): boolean {
  // Each member has one colon. Colons within strings are counted only if the sums differ.
  return countColons(text) !== members && countColonsOutsideStrings(text) !== members;
}

function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

function countColonsOutsideStrings(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at) - 1;
    else if (code === 0x3a) count += 1;
  }
  return count;
}
