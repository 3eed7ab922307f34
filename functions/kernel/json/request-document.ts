import { createHash } from 'node:crypto';
import { finish, type Steps } from '../tasks/index.ts';
import { type JsonEdit, spliceJson } from './edits.ts';
import { type ByteRange, type Form, type FormPart, readForm } from './form.ts';
import { type JsonDocument, readJsonDocument, readJsonSteps } from './json-document.ts';

/**
 * A request's body. A form is represented by the equivalent JSON object, in which a file has its names, type and size but no
 * bytes: `{"file":{"filename":"a.wav","type":"audio/wav","bytes":32044},"model":"whisper-1"}`.
 */
export interface RequestDocument extends JsonDocument {
  /** The form that was sent; undefined if the body was JSON. */
  readonly form?: Form;
}

/** @throws GatewayError `invalid_value` */
export function readFormDocument(bytes: Uint8Array, boundary: string): RequestDocument {
  const form = readForm(bytes, boundary);
  const members = [...Map.groupBy(form.parts, ({ path }) => path[0] as string)].map(([name, parts]) => {
    const values = parts.map((part) => JSON.stringify(saidBy(part)));
    return `${JSON.stringify(name)}:${parts[0]?.path.length === 2 ? `[${values.join(',')}]` : values[0]}`;
  });
  return { ...readJsonDocument(`{${members.join(',')}}`), form };
}

function saidBy({ file, text, content }: FormPart): unknown {
  if (file === undefined) return text;
  const names = Object.entries(file.names).map(([parameter, { text: name }]) => [parameter, name]);
  return { ...Object.fromEntries(names), ...(file.type && { type: file.type }), bytes: content.end - content.start };
}

/** The body with edits to its JSON. */
export function editDocument(document: RequestDocument, edits: readonly JsonEdit[]): RequestDocument {
  return finish(editSteps(document, edits));
}

/** The same in steps. */
export function* editSteps(document: RequestDocument, edits: readonly JsonEdit[]): Steps<RequestDocument> {
  if (edits.length === 0) return document;
  const text = spliceJson(document.text, edits);
  yield;
  const edited = yield* readJsonSteps(text);
  return document.form === undefined ? edited : { ...edited, form: document.form };
}

/** A text that is equal for equivalent bodies: clients choose a new boundary each time they send a form. */
export function identityOf({ text, form }: RequestDocument): string {
  if (form === undefined) return text;
  const hashes = form.parts
    .filter(({ isOpaque }) => isOpaque)
    .map(({ content }) => createHash('sha256').update(form.bytes.subarray(content.start, content.end)).digest('hex'));
  return JSON.stringify([text, ...hashes]);
}

/** A replacement of bytes of a form. */
interface ByteEdit extends ByteRange {
  readonly text: string;
}

/**
 * The form that matches the document: the caller's bytes, except changed and added fields, changed file names, removed fields and header
 * lines that are not forwarded. Keeps its boundary.
 */
export function writeForm(
  { form, value }: RequestDocument,
  { fields = {}, without = [] }: { fields?: Readonly<Record<string, string>>; without?: readonly string[] },
): Uint8Array {
  if (form === undefined) throw new Error('the body was not a form');
  const all = { ...(value as object), ...fields };
  const added = Object.entries(fields).filter(([name]) => !form.parts.some((part) => part.name === name));
  const edits = form.parts.flatMap((part): ByteEdit[] => {
    if (without.includes(part.name)) return [{ ...part.whole, text: '' }];
    const now = part.path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], all);
    const said =
      part.file === undefined ? contentEdit(part, now as string) : nameEdits(part, now as Record<string, string>);
    return [...part.unsent.map((line) => ({ ...line, text: '' })), ...said].sort((a, b) => a.start - b.start);
  });
  if (added.length > 0) edits.unshift({ start: 0, end: 0, text: added.map((field) => newPart(form, field)).join('') });
  return edits.length === 0 ? form.bytes : spliced(form.bytes, edits);
}

function newPart({ boundary }: Form, [name, text]: readonly [string, string]): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
}

function contentEdit({ text, content }: FormPart, now: string): ByteEdit[] {
  return now === text ? [] : [{ ...content, text: now }];
}

function nameEdits({ file }: FormPart, now: Readonly<Record<string, string>>): ByteEdit[] {
  return Object.entries(file?.names ?? {}).flatMap(([parameter, { text, start, end }]) => {
    const name = now[parameter] as string;
    if (name === text) return [];
    const written = parameter === 'filename*' ? `utf-8''${encodeURIComponent(name)}` : quoted(name);
    return [{ start, end, text: written }];
  });
}

/** As browsers write it: https://html.spec.whatwg.org/#multipart-form-data */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;
}

function spliced(bytes: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { start, end, text } of edits) {
    pieces.push(bytes.subarray(from, start), Buffer.from(text));
    from = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(from)]);
}
