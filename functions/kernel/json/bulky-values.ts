import type { Steps } from '../tasks/index.ts';
import { checkStructure, JsonOverBounds, PARSE_BOUNDS, SMALL_CHARS, type StructureReader } from './json-structure.ts';

/** Several pictures in a chat. JSON.parse copies long strings: 1 ms for a million characters. */
const MAX_PARSED_CHARS = 40_000_000;

/** Base64, in either alphabet. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BASE64_URL = /^[\w-]*={0,2}$/;

/**
 * Places of lists of numbers and of base64 that are no text, such as `data[].embedding`, and how such base64 begins. They are not parsed where
 * they are long: JSON.parse takes 150 ms for 40 MB of numbers, and a walk 400 ms.
 */
export type BulkyPlaces = ReadonlyMap<string, RegExp>;

/** A shorter string is parsed. */
const MIN_BULKY_CHARS = 1_024;
const NUMBERS = /[\d+\-.eE,\s]*/y;
/** A longer list of numbers counts them. */
const MAX_LIST_CHARS = 1_000_000;
/** These take about a millisecond. */
const STEP_CHARS = 500_000;
const HEAD_CHARS = 64;

interface Bulk {
  readonly start: number;
  readonly end: number;
}

/**
 * Checks a response in steps.
 * @returns its JSON without bulky values: what is parsed and inspected
 * @throws RangeError, SyntaxError
 */
export function* withoutBulk(text: string, places: BulkyPlaces | undefined): Steps<string> {
  if (text.length <= SMALL_CHARS) return text;
  if (places === undefined) {
    boundParsed(text);
    yield* checkStructure(text, PARSE_BOUNDS);
    return text;
  }
  const bulky = new BulkyValues(text, places);
  yield* checkStructure(text, PARSE_BOUNDS, bulky);
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of bulky.found) {
    if (text[end] === '"' && !(yield* isAllBase64(text, start, end))) continue;
    kept.push(text.slice(from, start));
    from = end;
  }
  const parsed = kept.join('') + text.slice(from);
  boundParsed(parsed);
  return parsed;
}

class BulkyValues implements StructureReader {
  readonly found: Bulk[] = [];
  private readonly json: string;
  private readonly places: BulkyPlaces;

  constructor(json: string, places: BulkyPlaces) {
    this.json = json;
    this.places = places;
  }

  text(start: number, end: number, place: () => string): void {
    if (end - start < MIN_BULKY_CHARS) return;
    const head = this.places.get(place());
    if (head?.test(this.json.slice(start, start + HEAD_CHARS))) this.found.push({ start, end });
  }

  list(start: number, place: () => string): number {
    NUMBERS.lastIndex = start;
    // The place is that of the list's elements.
    if (!this.places.has(place().slice(0, -2)) || !NUMBERS.test(this.json)) return start;
    const end = NUMBERS.lastIndex;
    if (this.json[end] !== ']' || end - start > MAX_LIST_CHARS) return start;
    this.found.push({ start, end });
    return end;
  }
}

/** @throws RangeError for a text that is too long to parse */
export function boundParsed(text: string): void {
  if (text.length > MAX_PARSED_CHARS)
    throw new JsonOverBounds(`holds more than ${MAX_PARSED_CHARS} characters that are inspected`);
}

function* isAllBase64(text: string, start: number, end: number): Steps<boolean> {
  for (let at = start; at < end; at += STEP_CHARS) {
    if (!isBase64(text.slice(at, Math.min(end, at + STEP_CHARS)))) return false;
    yield;
  }
  return true;
}

/** Whether all of a text is in the alphabet of Base64, or in that of URLs. */
export function isBase64(text: string): boolean {
  return BASE64.test(text) || BASE64_URL.test(text);
}
