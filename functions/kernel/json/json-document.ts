import { GatewayError } from '../errors/index.ts';
import { finish, type Steps } from '../tasks/index.ts';
import {
  checkStructure,
  type JsonBounds,
  JsonOverBounds,
  keyOf,
  type StructureReader,
  stringEnd,
} from './json-structure.ts';

/** A parsed JSON text without duplicate keys and with bounded depth. `text` is exactly what was sent. */
export interface JsonDocument {
  readonly text: string;
  readonly value: unknown;
}

/** The bounds of a request. */
const REQUEST_BOUNDS: JsonBounds = {
  depth: 64,
  // JSON.parse takes up to 30 ms, with 100,000 different short strings. A turn of an agent, with its call and result, has some 40: 5,000 turns in 6 MiB have 200,000.
  nodes: 250_000,
  // An embeddings request may have 300,000 tokens.
  values: 400_000,
  names: 16_384,
  plainChars: Number.POSITIVE_INFINITY,
};

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
  try {
    yield* checkStructure(text, REQUEST_BOUNDS, new DistinctNames());
  } catch (error) {
    if (error instanceof JsonOverBounds) throw new GatewayError('invalid_json', `The request body ${error.message}.`);
    throw error instanceof SyntaxError ? notJson() : error;
  }
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

/** Refuses a duplicate name in an object. */
class DistinctNames implements StructureReader {
  /** By depth; a list's stays empty. */
  private readonly names: Set<string>[] = [];

  open(depth: number): void {
    this.names[depth] = new Set();
  }

  name(literal: string, depth: number): void {
    const names = this.names[depth] as Set<string>;
    const name = keyOf(literal);
    if (names.has(name)) {
      const shown = name.length <= 64 ? ` ${JSON.stringify(name)}` : '';
      throw new GatewayError('invalid_json', `The request body has a duplicate key${shown}.`);
    }
    names.add(name);
  }
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
