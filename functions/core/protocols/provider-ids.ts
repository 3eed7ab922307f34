import { isObject } from '../base/json.ts';
import type { NamedId } from './protocol.ts';

/** Where ids of what a provider keeps are in parsed JSON. */
export interface IdRules {
  /** Members whose string, or list of strings, is an id: by name, what it is the id of. */
  readonly members: Readonly<Record<string, string>>;
  /** Members below which callers, tools and models choose the names, and those that only cite an id. */
  readonly free: ReadonlySet<string>;
  /** Members whose own strings are values that callers name: an object in them can hold an id all the same. */
  readonly maps?: ReadonlySet<string>;
  /** The name by which the rules know a member. */
  readonly nameOf?: (name: string) => string;
  /** The id in a member's text; undefined where the text is none. */
  readonly idOf?: (text: string, name: string) => string | undefined;
}

/** What OpenAI's APIs, and servers that follow them, name by id in whatever place. */
export const OPENAI_IDS = {
  file_id: 'File',
  file_ids: 'File',
  container_id: 'Container',
  vector_store_ids: 'Vector store',
} as const;
/** Names that callers choose (`metadata`, schemas, arguments of calls), and citations. */
export const OPENAI_FREE = [
  'metadata',
  'parameters',
  'schema',
  'input_schema',
  'arguments',
  'annotations',
  'citations',
];

const COMMON: IdRules = { members: OPENAI_IDS, free: new Set(OPENAI_FREE) };

/** The ids in a body of OpenAI's APIs that have no place of their own for one. */
export function namedInOpenAi(value: unknown): NamedId[] {
  return namedIn(value, COMMON);
}

/** The ids in a value, each with its place. @param under the member that holds the value */
export function namedIn(value: unknown, rules: IdRules, path = '', under = ''): NamedId[] {
  const named: NamedId[] = [];
  collect(value, rules, path, under, named);
  return named;
}

/** An id that stands in a place of its own; none where the value is no text. */
export function namedAt(id: unknown, what: string, param: string): NamedId[] {
  return typeof id === 'string' && id !== '' ? [{ id, what, param }] : [];
}

function collect(value: unknown, rules: IdRules, path: string, under: string, named: NamedId[]): void {
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item: unknown = value[at];
      if (typeof item === 'object') collect(item, rules, `${path}[${at}]`, under, named);
    }
    return;
  }
  if (!isObject(value)) return;
  const { members, free, maps, nameOf, idOf } = rules;
  for (const written of Object.keys(value)) {
    const item = value[written];
    const name = nameOf?.(written) ?? written;
    const what = Object.hasOwn(members, name) && !maps?.has(under) ? members[name] : undefined;
    if ((what === undefined && typeof item !== 'object') || free.has(name)) continue;
    const param = path === '' ? written : `${path}.${written}`;
    for (const text of what === undefined ? [] : textsOf(item)) {
      named.push(...namedAt(idOf === undefined ? text : idOf(text, name), what as string, param));
    }
    if (typeof item === 'object') collect(item, rules, param, name, named);
  }
}

function textsOf(item: unknown): string[] {
  return (Array.isArray(item) ? item : [item]).filter((one) => typeof one === 'string');
}
