import { createHash } from 'node:crypto';
import { type JsonDocument, readJsonDocument, readJsonSteps } from '../json/json-document.ts';
import { type JsonEdit, spliceJson } from '../json/json-splice.ts';
import { finish, type Steps } from '../scheduling/steps.ts';
import type { Form, FormPart } from './form.ts';
import { readForm } from './read-form.ts';

/**
 * A request's body. One that was a form is worked with as the JSON object that says the same, in which a file has its names, type
 * and size and no bytes: `{"file":{"filename":"a.wav","type":"audio/wav","bytes":32044},"model":"whisper-1"}`.
 */
export interface RequestDocument extends JsonDocument {
  /** The form that it was sent as; undefined where it was JSON. */
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

/** The body with changes to what it says. */
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

/** A text that two bodies share only where they say the same: clients draw a new boundary each time that they send a form. */
export function identityOf({ text, form }: RequestDocument): string {
  if (form === undefined) return text;
  const hashes = form.parts
    .filter(({ isOpaque }) => isOpaque)
    .map(({ content }) => createHash('sha256').update(form.bytes.subarray(content.start, content.end)).digest('hex'));
  return JSON.stringify([text, ...hashes]);
}
