import { GatewayError } from './errors.ts';
import type { JsonPath } from './json-splice.ts';

/** Bytes from `start` up to `end` of a form. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file of a form. Its bytes are never looked at. */
export interface FormFile {
  /** As the part's head names it: `filename`, `filename*` or both, each decoded, with the range of what is written there. */
  readonly names: Readonly<Record<string, ByteRange & { readonly text: string }>>;
  /** The type that the part declares. */
  readonly type: string | undefined;
}

/** A part of a form, and where it stands in the body. */
export interface FormPart {
  readonly name: string;
  /** From its delimiter to the next one: what is taken out with it. */
  readonly whole: ByteRange;
  readonly content: ByteRange;
  /** Lines of its head that are not sent on: nothing inspects them. */
  readonly unsent: readonly ByteRange[];
  /** undefined for a field. */
  readonly file: FormFile | undefined;
  /** What a field says, a data URL without its data; empty for a file. */
  readonly text: string;
  /** Whether its bytes are a file's, which the text does not show: a file, or a data URL. */
  readonly isOpaque: boolean;
  /** Where its value is in the JSON that says what the form does. */
  readonly path: JsonPath;
}

/** A body of `multipart/form-data` (RFC 7578), as it was sent. */
export interface Form {
  readonly bytes: Uint8Array;
  readonly boundary: string;
  /** In order. */
  readonly parts: readonly FormPart[];
}

/** The 400 of a form that is none, or that two readers might read differently; it names the part where one is to blame. */
export function formFault(what: string, name?: string): GatewayError {
  if (name === undefined) return new GatewayError('invalid_value', `The multipart body ${what}.`);
  const param = name.length <= 120 ? name : `${name.slice(0, 120)}…`;
  return new GatewayError('invalid_value', `The part '${param}' of the multipart body ${what}.`, { param });
}
