import { isObject } from '../../base/json.ts';
import { type IdRules, namedAt, namedIn, OPENAI_FREE, OPENAI_IDS } from '../bodies/named-resources.ts';
import type { NamedId } from '../protocol.ts';
import { typeOfItem } from './responses-schema.ts';

const RULES: IdRules = {
  members: {
    ...OPENAI_IDS,
    // `"container": "cntr_..."`; what makes a new one is an object.
    container: 'Container',
    skill_id: 'Skill',
    tunnel_id: 'Tunnel',
    approval_request_id: 'Approval request',
  },
  // What a search found is cited; a shell's environment and headers have names that callers choose.
  free: new Set([...OPENAI_FREE, 'results', 'env', 'headers']),
  maps: new Set(['variables']),
};

/** Files that code wrote are the key's; those of a vector store are its owner's, and only cited. */
const WRITTEN = new Set<unknown>(['container_file_citation', 'file_path']);

/** Items that a request holds whole; an id in one of them is only its name. */
const HELD_WHOLE = new Set(['message', 'function_call', 'custom_tool_call']);

/** Whether the provider may know an item of this type by its id alone: an image that it made, what it thought, a reference. */
function isKnownById(type: string): boolean {
  return !HELD_WHOLE.has(type) && !type.endsWith('_output');
}

/** What an answer gives by ids. */
export interface ResponseIds {
  /** Of the response; undefined where nobody keeps it. */
  readonly response: string | undefined;
  /** Of its items, and of containers and files that they tell of. */
  readonly items: readonly string[];
}

/** The ids in a response. Of one that is not stored those are left that come back in the next request all the same. */
export function idsOfResponse(response: Readonly<Record<string, unknown>>, isStored: boolean): ResponseIds {
  const items = Array.isArray(response.output) ? response.output.flatMap((item) => idsOfItem(item, isStored)) : [];
  const [id] = namedAt(isStored ? response.id : undefined, '', '');
  return { response: id?.id, items: [...new Set(items)] };
}

/** The same of one item. */
export function idsOfItem(item: unknown, isStored: boolean): string[] {
  if (!isObject(item)) return [];
  const { id, type, content, container_id, environment } = item;
  const isNamed = typeof type === 'string' && (isStored || isKnownById(type));
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

/** The ids by which a request names what its provider keeps: an earlier response, a conversation, items, files, containers. */
export function namedIds(value: unknown): NamedId[] {
  if (!isObject(value)) return [];
  const { previous_response_id: previous, conversation, prompt, input } = value;
  const items = Array.isArray(input) ? input.filter(isObject) : [];
  return [
    ...namedAt(previous, 'Previous response', 'previous_response_id').map((one) => ({
      ...one,
      continues: true as const,
    })),
    ...namedAt(conversation, 'Conversation', 'conversation'),
    ...(isObject(conversation) ? namedAt(conversation.id, 'Conversation', 'conversation.id') : []),
    ...(isObject(prompt) ? namedAt(prompt.id, 'Prompt', 'prompt.id') : []),
    ...items.flatMap((item, at) => (isLookedUp(item) ? namedAt(item.id, 'Item', `input[${at}].id`) : [])),
    ...namedIn(value, RULES),
  ];
}

/** Whether the id of an item is looked up: no other key's is forwarded. */
export function isLookedUp(item: Readonly<Record<string, unknown>>): boolean {
  return typeof item.id === 'string' && item.id !== '' && isKnownById(typeOf(item));
}

function typeOf(item: Readonly<Record<string, unknown>>): string {
  return typeof item.type === 'string' || item.type == null ? typeOfItem(item as { type?: string | null }) : '';
}
