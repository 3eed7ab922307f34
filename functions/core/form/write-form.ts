import type { ByteRange, FormPart } from './form.ts';
import type { RequestDocument } from './request-document.ts';

/** What takes the place of bytes of a form. */
interface ByteEdit extends ByteRange {
  readonly text: string;
}

/**
 * The form that says what the document does now: the caller's own bytes, but for the fields and names of files that were
 * changed since it was read, the fields that are left out, and lines of heads that are not sent on. Still under its boundary.
 */
export function writeForm(
  { form, value }: RequestDocument,
  { fields = {}, without = [] }: { fields?: Readonly<Record<string, string>>; without?: readonly string[] },
): Uint8Array {
  if (form === undefined) throw new Error('the body was no form');
  const all = { ...(value as object), ...fields };
  const edits = form.parts.flatMap((part): ByteEdit[] => {
    if (without.includes(part.name)) return [{ ...part.whole, text: '' }];
    const now = part.path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], all);
    const said =
      part.file === undefined ? contentEdit(part, now as string) : nameEdits(part, now as Record<string, string>);
    return [...part.unsent.map((line) => ({ ...line, text: '' })), ...said].sort((a, b) => a.start - b.start);
  });
  return edits.length === 0 ? form.bytes : spliced(form.bytes, edits);
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
