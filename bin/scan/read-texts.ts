import { createReadStream } from 'node:fs';
import { isObject } from '../../functions/kernel/json/index.ts';
import { jsonFault } from '../file-errors.ts';
import type { Conversation } from './conversation.ts';
import type { Source } from './find-sources.ts';
import { conversationsIn, ofMessages } from './read-conversation.ts';
import { readCsv } from './read-csv.ts';
import { decodeChunks, type Line, MAX_TEXT_UNITS, readLines, readWhole } from './read-lines.ts';

/** A text or a conversation of an input. */
export type Subject =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'conversation'; readonly conversation: Conversation };

/** Where an item starts in its input; lines count from 1. */
export interface Position {
  readonly file: string;
  /** Undefined for a text that is a whole file. */
  readonly line: number | undefined;
  /** Whether the characters of the text follow each other in the file, so that a finding has a line and a column. */
  readonly isVerbatim: boolean;
}

export interface Item {
  readonly position: Position;
  readonly id: string | number;
  readonly subject: Subject;
}

/** What cannot be read: `position: reason`, without any of the text. */
export interface Fault {
  readonly fault: string;
}

interface Reading {
  readonly source: Source;
  readonly field: string | undefined;
}

type Items = AsyncGenerator<Item | Fault>;

const FIELDS = ['text', 'input', 'messages', 'contents'] as const;
const NO_CONTENT = 'spans without "gen_ai.input.messages": the instrumentation does not record content';
const TOO_LONG = `longer than ${MAX_TEXT_UNITS / 1024 / 1024} Mi characters`;

/** Reads an input in pieces. `onBytes` receives the number of bytes of each. */
export async function* readTexts(
  source: Source,
  field: string | undefined,
  stdin: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Items {
  const chunks = source.path === undefined ? stdin : createReadStream(source.path);
  const pieces = decodeChunks(counted(chunks, onBytes));
  const reading = { source, field };
  if (source.format === 'csv') yield* csvItems(reading, pieces);
  else if (source.format === 'json') yield* jsonItems(reading, pieces);
  else if (source.format === 'text') yield* wholeItem(reading, await readWhole(pieces));
  else if (source.format === undefined) yield* detectedItems(reading, readLines(pieces));
  else yield* lineItems(reading, readLines(pieces), source.format);
}

async function* counted(chunks: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void) {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* lineItems(reading: Reading, lines: AsyncIterable<Line>, format: 'jsonl' | 'lines'): Items {
  for await (const { number, text } of lines) {
    if (text === undefined) yield faultAt(reading, number, TOO_LONG);
    else if (text.trim() !== '') {
      if (format === 'jsonl') yield* jsonLine(reading, number, text);
      else yield plainLine(reading, number, text);
    }
  }
}

/** Standard input: JSONL if its first line with text is a JSON object, else lines. */
async function* detectedItems(reading: Reading, lines: AsyncGenerator<Line>): Items {
  const start: Line[] = [];
  let isJson = false;
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    start.push(next.value);
    if (next.value.text?.trim() === '') continue;
    isJson = isObject(parseJson(next.value.text ?? ''));
    break;
  }
  const all = (async function* () {
    yield* start;
    yield* lines;
  })();
  yield* lineItems(reading, all, isJson ? 'jsonl' : 'lines');
}

function plainLine({ source }: Reading, line: number, text: string): Item {
  const position = { file: source.name, line, isVerbatim: true };
  return { position, id: `${source.name}:${line}`, subject: { kind: 'text', text } };
}

function jsonLine(reading: Reading, line: number, json: string): (Item | Fault)[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return [{ fault: jsonFault(reading.source.name, error, line) }];
  }
  return recordItems(reading, line, value);
}

async function* wholeItem({ source: { name } }: Reading, text: string | undefined): Items {
  if (text === undefined) yield { fault: `${name}: ${TOO_LONG}; --input-format lines reads it line by line` };
  else if (text !== '') {
    yield { position: { file: name, line: undefined, isVerbatim: true }, id: name, subject: { kind: 'text', text } };
  }
}

/** A conversation, or an array of records, of conversations or of strings; any other JSON is one text. */
async function* jsonItems(reading: Reading, pieces: AsyncIterable<string>): Items {
  const text = await readWhole(pieces);
  const value = text === undefined ? undefined : parseJson(text);
  if (reading.field === undefined && conversationsIn(value) !== undefined) {
    yield* recordItems(reading, 1, value);
    return;
  }
  const isList =
    Array.isArray(value) && value.length > 0 && value.every((one) => isString(one) || isRecord(reading, one));
  if (!isList) {
    yield* wholeItem(reading, text);
    return;
  }
  let line = 1;
  let counted = 0;
  const starts = elementStarts(text as string);
  for (const [at, one] of value.entries()) {
    for (; counted < (starts[at] as number); counted += 1) if (text?.[counted] === '\n') line += 1;
    yield* recordItems(reading, line, isString(one) ? { text: one } : one, at);
  }
}

/** The offsets of the elements of a valid JSON array. */
function elementStarts(json: string): number[] {
  const starts: number[] = [];
  let depth = 0;
  let isNext = false;
  for (let at = 0; at < json.length; at += 1) {
    const mark = json[at] as string;
    if (/\s/.test(mark)) continue;
    if (isNext && mark !== ']') starts.push(at);
    isNext = false;
    if (mark === '"') at = endOfString(json, at);
    else if (mark === '[' || mark === '{') {
      depth += 1;
      isNext = depth === 1;
    } else if (mark === ']' || mark === '}') depth -= 1;
    else if (mark === ',') isNext = depth === 1;
  }
  return starts;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

async function* csvItems(reading: Reading, pieces: AsyncIterable<string>): Items {
  let columns: { readonly text: number; readonly id: number } | undefined;
  for await (const { line, cells, isOpen } of readCsv(pieces)) {
    if (cells === undefined) yield faultAt(reading, line, isOpen ? 'a quote without its end' : TOO_LONG);
    else if (columns === undefined) {
      columns = columnsOf(cells, reading.field);
      if (columns.text >= 0) continue;
      const wanted = reading.field === undefined ? '"text" or "input" (name one with --field)' : `"${reading.field}"`;
      yield faultAt(reading, line, `no column ${wanted}`);
      return;
    } else yield csvItem(reading, line, cells, columns);
  }
}

function columnsOf(header: readonly string[], field: string | undefined) {
  const names = header.map((name) => name.trim());
  const wanted = field === undefined ? ['text', 'input'] : [field];
  const exact = wanted.map((name) => names.indexOf(name)).find((at) => at >= 0);
  const lower = names.map((name) => name.toLowerCase());
  const text = exact ?? wanted.map((name) => lower.indexOf(name.toLowerCase())).find((at) => at >= 0) ?? -1;
  return { text, id: lower.indexOf('id') };
}

function csvItem(
  reading: Reading,
  line: number,
  cells: readonly string[],
  columns: { readonly text: number; readonly id: number },
): Item | Fault {
  const text = cells[columns.text];
  if (text === undefined) return faultAt(reading, line, 'a row without the column of the text');
  return itemOf(reading, line, cells[columns.id] || undefined, { kind: 'text', text });
}

function isRecord({ field }: Reading, value: unknown): boolean {
  if (field === undefined && conversationsIn(value) !== undefined) return true;
  return isObject(value) && fieldOf(value, field) !== undefined;
}

/** The items of a JSON object or a list of messages: several for spans. `index`: its place in an array, for its position. */
function recordItems(reading: Reading, line: number, value: unknown, index?: number): (Item | Fault)[] {
  if (!isObject(value) && conversationsIn(value) === undefined) return [faultAt(reading, line, 'not a JSON object')];
  const subjects = subjectsIn(reading, value as object);
  if (isString(subjects)) return [faultAt(reading, line, subjects)];
  const { id } = value as { readonly id?: unknown };
  const own = isString(id) || typeof id === 'number' ? id : undefined;
  return subjects.map((subject) => itemOf(reading, line, own, subject, index));
}

/** The subjects of a record, or what is wrong with it. */
function subjectsIn({ field }: Reading, record: object): Subject[] | string {
  const found = fieldOf(record, field);
  // Text comes first, as in a record with a text and the messages around it.
  if (isString(found?.value) && !(found.name === 'input' && Array.isArray(memberOf(record, 'output')))) {
    return [{ kind: 'text', text: found.value }];
  }
  const conversations = field === undefined ? conversationsIn(record) : undefined;
  if (conversations?.length === 0) return NO_CONTENT;
  if (conversations !== undefined) return conversations.map((conversation) => ({ kind: 'conversation', conversation }));
  if (found === undefined)
    return `no field ${field === undefined ? '"text", "input", "messages" or "contents"' : `"${field}"`}`;
  const conversation = ofMessages({ messages: found.value, tools: memberOf(record, 'tools') });
  if (conversation === undefined) return `no text and no list of messages in "${found.name}"`;
  return [{ kind: 'conversation', conversation }];
}

function itemOf(
  { source: { name } }: Reading,
  line: number,
  id: string | number | undefined,
  subject: Subject,
  index?: number,
): Item {
  const own = index === undefined ? `${name}:${line}` : `${name}[${index}]`;
  return { position: { file: name, line, isVerbatim: false }, id: id ?? own, subject };
}

function fieldOf(record: object, field: string | undefined): { name: string; value: unknown } | undefined {
  if (field !== undefined) {
    const value = memberOf(record, field) ?? field.split('.').reduce<unknown>(memberOf, record);
    return value === undefined || value === null ? undefined : { name: field, value };
  }
  const name = FIELDS.find((one) => memberOf(record, one) !== undefined && memberOf(record, one) !== null);
  return name && { name, value: memberOf(record, name) };
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Undefined for invalid JSON. An error of the parser would quote the text. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function faultAt({ source }: Reading, line: number, reason: string): Fault {
  return { fault: `${source.name}:${line}: ${reason}` };
}
