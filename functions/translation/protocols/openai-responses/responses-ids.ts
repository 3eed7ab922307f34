import { isObject } from '../../../kernel/json/index.ts';
import { responseOfItem } from './responses-items.ts';
import { typeOfItem } from './responses-names.ts';

/** Files that code wrote belong to the key; files of a vector store belong to its owner and are only cited. */
const WRITTEN = new Set<unknown>(['container_file_citation', 'file_path']);

/** Items that a request contains whole; their id is only a name. */
const HELD_WHOLE = new Set(['message', 'function_call', 'custom_tool_call']);

/** Whether the provider may know an item of this type by its id alone: an image it made, reasoning, a reference. */
function isKnownById(type: string): boolean {
  return !HELD_WHOLE.has(type) && !type.endsWith('_output');
}

/** The ids in a response. */
export interface ResponseIds {
  /** The response id; undefined if the response is not stored. */
  readonly response: string | undefined;
  /** Ids of its items, and of containers and files in them. */
  readonly items: readonly string[];
}

/** The ids in a response. For one that is not stored, only ids that come back in the next request. */
export function idsOfResponse(response: Readonly<Record<string, unknown>>, isStored: boolean): ResponseIds {
  const items = Array.isArray(response.output) ? response.output.flatMap((item) => idsOfItem(item, isStored)) : [];
  const { id } = response;
  return { response: isStored && typeof id === 'string' && id !== '' ? id : undefined, items: [...new Set(items)] };
}

/** The ids in one item. */
export function idsOfItem(item: unknown, isStored: boolean): string[] {
  if (!isObject(item)) return [];
  const { id, type, content, container_id, environment } = item;
  const isNamed = typeof type === 'string' && (isStored || isKnownById(type)) && !isPlainReasoning(item);
  const within = isObject(environment) ? environment.container_id : undefined;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const annotations = parts.flatMap((part) =>
    Array.isArray(part.annotations) ? part.annotations.filter(isObject) : [],
  );
  const written = annotations.filter((annotation) => WRITTEN.has(annotation.type));
  const all = [
    isNamed ? id : undefined,
    container_id,
    within,
    ...written.flatMap((annotation) => [annotation.file_id, annotation.container_id]),
  ];
  return all.filter((one): one is string => typeof one === 'string' && one !== '');
}

/** Whether the item's id is looked up; an id of another key is never forwarded. */
export function isLookedUp(item: Readonly<Record<string, unknown>>): boolean {
  return typeof item.id === 'string' && item.id !== '' && isKnownById(typeOf(item)) && !isPlainReasoning(item);
}

/**
 * Whether an item is reasoning of another provider's model, which a translated response has as text. OpenAI's own is encrypted or stored.
 */
export function isPlainReasoning(item: Readonly<Record<string, unknown>>): boolean {
  const { type, id, content, encrypted_content: encrypted } = item;
  if (type !== 'reasoning' || (encrypted != null && encrypted !== '')) return false;
  const isOurs = typeof id === 'string' && responseOfItem(id) !== undefined;
  return isOurs || (Array.isArray(content) && content.length > 0);
}

function typeOf(item: Readonly<Record<string, unknown>>): string {
  return typeof item.type === 'string' || item.type == null ? typeOfItem(item as { type?: string | null }) : '';
}
