import type { JsonPath } from '../../json/json-splice.ts';

/** Names and switches that the API fixes, in requests and answers. */
const FIXED = new Set(
  'type id call_id item_id status role object phase detail format mode ttl execution approval_request_id container_id caller_id created_by server_label namespace fingerprint obfuscation'.split(
    ' ',
  ),
);
/** Base64 and addresses of media: no text, however long. By the types of object whose member it is; all where none is named. */
const OPAQUE: Readonly<Record<string, ReadonlySet<unknown> | undefined>> = {
  delta: new Set(['response.audio.delta']),
  file_data: undefined,
  file_id: undefined,
  file_url: undefined,
  encrypted_content: undefined,
  image_url: undefined,
  partial_image_b64: undefined,
  result: new Set(['image_generation_call']),
  url: new Set(['image']),
};
/** What callers, tools and models fill as they like: no name in it means anything to the API. */
const FREE = new Set<string | number>(['arguments', 'attributes', 'variables', 'metadata']);

/** Whether a member's string, which holds no space, is none that anybody reads as text; `path` leads to its object. */
export function isFixedInItem(name: string, path: JsonPath, object: object): boolean {
  if (path.some((step) => FREE.has(step))) return false;
  if (FIXED.has(name)) return true;
  // The data of an audio is told by what stands beside it.
  if (name === 'data') return 'format' in object;
  if (!Object.hasOwn(OPAQUE, name)) return false;
  return OPAQUE[name]?.has((object as { type?: unknown }).type) ?? true;
}

/** The same in what the calling application defines: credentials of its servers of tools are for them alone. */
export function isFixedInDefinition(name: string, path: JsonPath): boolean {
  return FIXED.has(name) || name === 'authorization' || path.at(-1) === 'headers';
}

/** The same in an answer, where the names of called tools are not read. */
export function isFixedInAnswer(name: string, path: JsonPath, object: object): boolean {
  return isFixedInItem(name, path, object) || (name === 'name' && isFixedInItem('id', path, object));
}
