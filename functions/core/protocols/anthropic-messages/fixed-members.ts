import type { JsonPath } from '../../json/json-splice.ts';

/** Names and switches that the API fixes, in requests and answers. */
const FIXED = new Set(['type', 'id', 'tool_use_id', 'media_type', 'ttl']);
/** Base64, addresses and signatures in content blocks: no text, however long. By the types of object whose member it is; all where none is named. */
const OPAQUE: Readonly<Record<string, ReadonlySet<unknown> | undefined>> = {
  data: new Set(['base64', 'redacted_thinking']),
  url: new Set(['url']),
  file_id: undefined,
  signature: undefined,
  encrypted_content: undefined,
  encrypted_index: undefined,
  encrypted_stdout: undefined,
};
/** What callers and models fill as they like: no name in it means anything to the API. */
const FREE = new Set<string | number>(['input', 'input_examples']);

/** Whether a member's string, which holds no space, is none that anybody reads as text; `path` leads to its object. */
export function isFixedMember(name: string, path: JsonPath): boolean {
  return FIXED.has(name) && !isFree(path);
}

/** The same in a content block, where opaque data stands as well. */
export function isFixedInBlock(name: string, path: JsonPath, object: object): boolean {
  if (isFree(path)) return false;
  if (FIXED.has(name)) return true;
  if (!Object.hasOwn(OPAQUE, name)) return false;
  return OPAQUE[name]?.has((object as { type?: unknown }).type) ?? true;
}

/** Whether a path leads into what callers and models fill as they like. */
export function isFree(path: JsonPath): boolean {
  return path.some((step) => FREE.has(step));
}
