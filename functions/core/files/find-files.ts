import type { RequestDocument } from '../form/request-document.ts';
import { isObject } from '../json/is-object.ts';
import type { JsonPath } from '../json/json-splice.ts';
import { charsetIn, decodeFile, type EncodedFile } from './encoded-file.ts';

/** A string that carries a file, or names one that is elsewhere. */
export interface FoundFile {
  readonly path: JsonPath;
  /** Decoded when it is asked for; undefined where nothing came with the request: an id or an address. */
  readonly decode: () => EncodedFile | undefined;
  /** Says itself that it is a file. */
  readonly isDataUrl: boolean;
  /** As a data URL or a member beside it declares it, in lower case; undefined where nothing does. */
  readonly mediaType?: string | undefined;
  /** Cannot be changed where it is: a part of a form. */
  readonly isFixed?: true;
}

/** Members in which the APIs carry base64, data URLs and addresses of files. */
const CARRIERS = new Set('data url file_data fileData image_url imageUrl b64_json partial_image_b64 result'.split(' '));
/** Members that name files. */
const REFERENCES = new Set(['file_id', 'fileId', 'file_url', 'fileUrl', 'file_uri', 'fileUri']);
/** Members beside a file that declare its media type. */
const MEDIA_TYPES = ['mimeType', 'mime_type', 'media_type'] as const;
const DATA_URL = /^\s*data:([^;,]*)/i;

/** Every file of a request, whatever its API: one that an unknown part carries too. */
export function filesOf({ value, form }: RequestDocument): FoundFile[] {
  if (form === undefined) return filesIn(value);
  return form.parts
    .filter(({ isOpaque }) => isOpaque)
    .map(({ path, file, content }) => {
      const bytes = form.bytes.subarray(content.start, content.end);
      const decode = () =>
        file === undefined
          ? decodeFile(Buffer.from(bytes).toString('latin1'))
          : { bytes, charset: charsetIn(file.type), encode: (text: string) => text };
      return { path, decode, isDataUrl: file === undefined, mediaType: file?.type?.toLowerCase(), isFixed: true };
    });
}

/** Every string of a JSON value that carries or names a file. */
export function filesIn(value: unknown): FoundFile[] {
  const found: FoundFile[] = [];
  collect(value, {}, [], found);
  return found;
}

/** `path` is changed on the way and copied only for what is found. */
function collect(value: unknown, holder: object, path: (string | number)[], found: FoundFile[]): void {
  if (typeof value === 'string') {
    const file = fileIn(value, String(path.at(-1)), holder);
    if (file !== undefined) found.push({ path: [...path], ...file });
  } else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item: unknown = value[at];
      if (typeof item === 'object' || (typeof item === 'string' && mayBeDataUrl(item))) {
        path.push(at);
        collect(item, value, path, found);
        path.pop();
      }
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const item = value[name];
      if (typeof item === 'object' || typeof item === 'string') {
        path.push(name);
        collect(item, value, path, found);
        path.pop();
      }
    }
  }
}

function fileIn(value: string, name: string, holder: object): Omit<FoundFile, 'path'> | undefined {
  const url = mayBeDataUrl(value) ? DATA_URL.exec(value.slice(0, 128)) : null;
  const isDataUrl = url !== null;
  if (isDataUrl || (CARRIERS.has(name) && value !== '')) {
    const mediaType = url?.[1]?.toLowerCase() ?? declaredIn(holder);
    return { isDataUrl, mediaType, decode: () => decodeFile(value, isDataUrl ? undefined : mediaType) };
  }
  return REFERENCES.has(name) ? { isDataUrl, decode: () => undefined } : undefined;
}

/** Most strings begin otherwise. */
function mayBeDataUrl(value: string): boolean {
  return /^[\sd]/i.test(value);
}

function declaredIn(holder: object): string | undefined {
  const name = MEDIA_TYPES.find((one) => one in holder);
  const declared = name && (holder as Readonly<Record<string, unknown>>)[name];
  return typeof declared === 'string' ? declared.toLowerCase() : undefined;
}
