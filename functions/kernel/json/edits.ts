import { keyOf, stringEnd } from './json-structure.ts';

export type JsonPath = readonly (string | number)[];

/** A change to a JSON text that leaves all other bytes unchanged. */
export type JsonEdit =
  /** Replaces the value at `path` with `json`; does nothing if there is none. */
  | { readonly kind: 'replace'; readonly path: JsonPath; readonly json: string }
  /** Replaces the name of the member at `path` with `json`, a string. */
  | { readonly kind: 'rename'; readonly path: JsonPath; readonly json: string }
  /** Removes the member at `path` and its comma. */
  | { readonly kind: 'remove'; readonly path: JsonPath }
  /** Adds a member at the end of the object at `path`; its key must not be there yet. */
  | { readonly kind: 'insert'; readonly path: JsonPath; readonly key: string; readonly json: string }
  /** Adds an element at the start of the array at `path`, which must not be empty. */
  | { readonly kind: 'prepend'; readonly path: JsonPath; readonly json: string }
  /** Appends text to the string at `path`, whose escapes stay unchanged. */
  | { readonly kind: 'append'; readonly path: JsonPath; readonly text: string };

/** The edits that set a member of the object at `path` to this number; empty if it has that value. */
export function setNumber(object: object, path: JsonPath, key: string, value: number): JsonEdit[] {
  if (!Object.hasOwn(object, key)) return [{ kind: 'insert', path, key, json: String(value) }];
  if ((object as Record<string, unknown>)[key] === value) return [];
  return [{ kind: 'replace', path: [...path, key], json: String(value) }];
}

interface Place {
  /** Offset of the member's key, or of the value itself in an array and at the top. */
  readonly keyStart: number;
  readonly start: number;
  readonly end: number;
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with the edits made. `text` must be valid JSON; edits must not overlap. */
export function spliceJson(text: string, edits: readonly JsonEdit[]): string {
  // What is added to an object depends on what is left of it.
  const kept = makeCuts(
    text,
    edits.filter((edit) => edit.kind === 'remove'),
  );
  return makeCuts(
    kept,
    edits.filter((edit) => edit.kind !== 'remove'),
  );
}

function makeCuts(text: string, edits: readonly JsonEdit[]): string {
  if (edits.length === 0) return text;
  const places = locate(
    text,
    edits.map(({ path }) => path),
  );
  const cuts = edits.flatMap((edit, at) => toCut(text, edit, places[at])).sort((a, b) => a.start - b.start);
  let out = '';
  let from = 0;
  for (const cut of withoutOverlap(text, cuts)) {
    out += text.slice(from, cut.start) + cut.text;
    from = cut.end;
  }
  return out + text.slice(from);
}

function toCut(text: string, edit: JsonEdit, place: Place | undefined): Cut[] {
  if (!place) return [];
  if (edit.kind === 'replace') return [{ start: place.start, end: place.end, text: edit.json }];
  if (edit.kind === 'rename') {
    return [{ start: place.keyStart, end: stringEnd(text, place.keyStart), text: edit.json }];
  }
  if (edit.kind === 'remove') return [withComma(text, place)];
  if (edit.kind === 'prepend') return [insertion(place.start + 1, `${edit.json},`)];
  if (edit.kind === 'append') return [insertion(place.end - 1, JSON.stringify(edit.text).slice(1, -1))];
  const close = place.end - 1;
  const lead = isEmptyObject(text, place) ? '' : ',';
  return [insertion(close, `${lead}${JSON.stringify(edit.key)}:${edit.json}`)];
}

function insertion(at: number, text: string): Cut {
  return { start: at, end: at, text };
}

/** A member's range widened by one neighbouring comma. */
function withComma(text: string, place: Place): Cut {
  const after = skipSpace(text, place.end);
  if (text[after] === ',') return { start: place.keyStart, end: skipSpace(text, after + 1), text: '' };
  return { start: withCommaBefore(text, place.keyStart), end: place.end, text: '' };
}

/** The offset of the comma before a member; the member's if it is the first. */
function withCommaBefore(text: string, keyStart: number): number {
  let before = keyStart - 1;
  while (isSpace(text.charCodeAt(before))) before -= 1;
  return text[before] === ',' ? before : keyStart;
}

/** Neighbours that are removed up to the end of their object share the comma before the first of them. */
function withoutOverlap(text: string, cuts: readonly Cut[]): Cut[] {
  const apart: Cut[] = [];
  for (let cut of cuts) {
    for (let last = apart.at(-1); last !== undefined && cut.start < last.end; last = apart.at(-1)) {
      apart.pop();
      cut = { ...cut, start: withCommaBefore(text, last.start) };
    }
    apart.push(cut);
  }
  return apart;
}

function isEmptyObject(text: string, place: Place): boolean {
  return skipSpace(text, place.start + 1) === place.end - 1;
}

/** A value on the path to wanted places. */
interface Step {
  isWanted: boolean;
  place: Place | undefined;
  /** By key or index. */
  readonly below: Map<string | number, Step>;
}

/** The ranges of the values at the paths, found in one pass; undefined for an absent value. */
function locate(text: string, paths: readonly JsonPath[]): (Place | undefined)[] {
  const start = skipSpace(text, 0);
  const top: Step = { ...newStep(), place: { keyStart: start, start, end: text.trimEnd().length } };
  const steps = paths.map((path) => path.reduce(stepBelow, top));
  for (const step of steps) step.isWanted = true;
  const search = { text, left: new Set(steps.filter((step) => step !== top)).size };
  if (search.left > 0) findBelow(search, top, start);
  return steps.map(({ place }) => place);
}

function newStep(): Step {
  return { isWanted: false, place: undefined, below: new Map() };
}

function stepBelow(step: Step, key: string | number): Step {
  const known = step.below.get(key);
  if (known !== undefined) return known;
  const made = newStep();
  step.below.set(key, made);
  return made;
}

interface Search {
  readonly text: string;
  /** Places not found yet; reading stops when there are none. */
  left: number;
}

/** Finds wanted places within the value at `start`. @returns the offset after it, unless all were found before */
function findBelow(search: Search, { below }: Step, start: number): number {
  const { text } = search;
  const isObject = text[start] === '{';
  if ((!isObject && text[start] !== '[') || below.size === 0) return valueEnd(text, start);
  let at = skipSpace(text, start + 1);
  for (let index = 0; text[at] !== '}' && text[at] !== ']'; index += 1) {
    const keyStart = at;
    const keyEnd = isObject ? stringEnd(text, at) : at;
    const valueStart = isObject ? skipSpace(text, skipSpace(text, keyEnd) + 1) : at;
    const step = below.get(isObject ? keyOf(text.slice(keyStart, keyEnd)) : index);
    const end = step === undefined ? valueEnd(text, valueStart) : findBelow(search, step, valueStart);
    if (search.left === 0) return end;
    if (step?.isWanted) {
      step.place = { keyStart, start: valueStart, end };
      search.left -= 1;
      if (search.left === 0) return end;
    }
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return at + 1;
}

/** The offset after the value that starts at `start`. */
function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === 0x22) return stringEnd(text, start);
  if (first !== 0x7b && first !== 0x5b) {
    let end = start;
    while (end < text.length && !isDelimiter(text.charCodeAt(end))) end += 1;
    return end;
  }
  let depth = 0;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = stringEnd(text, i) - 1;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isDelimiter(code: number): boolean {
  return isSpace(code) || code === 0x2c || code === 0x7d || code === 0x5d;
}

/** A change to a text: a half-open range and its replacement. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits in order and without overlap; one that starts within an earlier one widens that one. */
export function mergeEdits(edits: readonly TextEdit[]): TextEdit[] {
  const merged: TextEdit[] = [];
  for (const edit of [...edits].sort(compareEdits)) {
    const last = merged[merged.length - 1];
    if (last && edit.start < last.end) merged[merged.length - 1] = { ...last, end: Math.max(last.end, edit.end) };
    else merged.push(edit);
  }
  return merged;
}

function compareEdits(a: TextEdit, b: TextEdit): number {
  return a.start - b.start || b.end - a.end || (a.text < b.text ? -1 : 1);
}

/** The part [start, end) of a text with the edits made; `text` begins at `start`. A replacement is placed where its range begins. */
export function renderEdits(text: string, start: number, edits: readonly TextEdit[]): string {
  const end = start + text.length;
  let out = '';
  let at = start;
  for (const edit of edits) {
    if (edit.end <= at || edit.start >= end) continue;
    if (edit.start >= at) out += text.slice(at - start, edit.start - start) + edit.text;
    at = Math.min(edit.end, end);
  }
  return out + text.slice(at - start);
}
