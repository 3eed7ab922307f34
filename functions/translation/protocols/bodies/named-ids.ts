import { toParam } from '../../../kernel/errors/index.ts';
import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import { finish, type Steps } from '../../../kernel/tasks/index.ts';
import type { NamedId } from '../protocol.ts';
import { areSettings, isNamingName, MAPS, OWN } from './named-resources.ts';
import { isReference, type NameTraits, traitsOf } from './reference-names.ts';
import { Places } from './request-places.ts';

/**
 * Where parsed JSON has ids of resources stored at the provider. Members that no list names are recognized by their name and value, since
 * providers add such members faster than any list: an unknown reference is treated as an id.
 */
export interface IdRules {
  /** Where callers and tools choose the names. */
  readonly places: Places;
  /** Members whose string or list of strings is an id, with the resource type. */
  readonly members: Readonly<Record<string, string>>;
  /** Published members that look like references: places, or `*.name` for any place. They name nothing that is kept, or are read elsewhere. */
  readonly harmless: string;
  /** Members that only cite an id, and other members whose names callers choose. */
  readonly free?: ReadonlySet<string>;
  /** Members whose own strings are values that callers name. An object in them can still hold an id. */
  readonly maps?: ReadonlySet<string>;
  /** Normalizes a member name for the rules. */
  readonly nameOf?: (name: string) => string;
  /** The id in a member's text; undefined if it has none. */
  readonly idOf?: (text: string, name: string) => string | undefined;
}

/** Resources that OpenAI's APIs and compatible servers name by id at any place. */
export const OPENAI_IDS = {
  file_id: 'File',
  file_ids: 'File',
  container_id: 'Container',
  vector_store_ids: 'Vector store',
} as const;
/** Search results and citations only cite ids; callers choose the names in a shell's environment and in headers; log probabilities are text. */
export const FREE_MEMBERS = new Set(['annotations', 'citations', 'results', 'env', 'headers', 'logprobs']);

/** Members of any API that identify the caller's own users, calls, traces and cache entries, or the position in a text. */
const HARMLESS = `*.user *.user_id *.end_user_id *.customer_id *.safety_identifier *.request_id *.client_request_id *.correlation_id *.trace_id
  *.span_id *.parent_span_id *.idempotency_key *.tool_call_id *.tool_use_id *.call_id *.prompt_cache_key *.cache_salt *.$ref *.$id
  *.$schema *.eos_token *.bos_token *.stop_tokens *.bad_words *.x_handles *.included_x_handles *.excluded_x_handles
  *.allowed_x_handles *.data_collection *.prompt_cache_isolation_key *.end_user_tenant_id *.litellm_session_id *.litellm_trace_id`;

/** The ids in a body of an OpenAI API. @param harmless as in `IdRules` */
export function openAiIds(places: Places, harmless = ''): (value: unknown) => Steps<NamedId[]> {
  const rules: IdRules = { places, members: OPENAI_IDS, harmless, free: FREE_MEMBERS };
  return (value) => namedIn(value, rules);
}

/** These values take about a millisecond, and up to four where each has another name. */
const STEP_VALUES = 256;

/** The ids in a value, each with its path. In steps: 250,000 values take half a second where their names are long. */
export function* namedIn(value: unknown, rules: IdRules): Steps<NamedId[]> {
  const reading: Reading = { rules, harmless: harmlessOf(rules), named: [] };
  if (typeof value !== 'object' || value === null) return reading.named;
  const path: (string | number)[] = [];
  const top: Holder = { place: '', name: '', traits: traitsOf(''), inState: false, inFree: false };
  const open: Open[] = [openOf(value, top, rules)];
  for (let count = 1, last = open[0]; last !== undefined; last = open.at(-1), count += 1) {
    if (count % STEP_VALUES === 0) yield;
    const below = next(last, path, reading);
    if (below === undefined) continue;
    if (below === 'end') {
      open.pop();
      path.pop();
    } else open.push(below);
  }
  return reading.named;
}

/** The same of one event or part of a response. */
export function namedInPart(value: unknown, rules: IdRules): NamedId[] {
  return finish(namedIn(value, rules));
}

/** The id in a known place; none if the value is not text. */
export function namedAt(id: unknown, what: string, param: string): NamedId[] {
  return typeof id === 'string' && id !== '' ? [{ id, what, param }] : [];
}

/** Ids of calls, items and events within a response, and those that the APIs' readers take. */
const IN_RESPONSES = `*.item_id *.response_id *.generation_id *.file_id *.file_ids *.container_id *.container *.previous_response_id
  *.caller_id *.tool_id *.tab_id *.download_id *.vector_store_ids *.skill_id *.connector_id *.fileUri *.token *.tokens *.previous_message_id
  *.cachedContent *.responseId *.store *.prompt_cache_retention *.skills *.state_changes *.approval_request_id *.segment_id`;
/** Content that the model or the caller writes. */
const WRITTEN = new Set([
  ...FREE_MEMBERS,
  ...`metadata input arguments args parsed response_format tools functionResponse groundingMetadata citationMetadata urlContextMetadata`.split(
    ' ',
  ),
]);
const RESPONSE_RULES: IdRules = { places: new Places({}), members: {}, harmless: IN_RESPONSES, free: WRITTEN };

/** The ids in members of a response that no list names. An `id` counts only in an object of state: `thread.id`. */
export function unknownIdsIn(body: unknown): string[] {
  const found = namedInPart(body, RESPONSE_RULES);
  return found.length === 0 ? [] : [...new Set(found.map(({ id }) => id))];
}

/** An object's own id. */
export function idOf({ id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether the body asks the provider to keep the exchange: it has a member of state, such as `thread` or `store`. */
export function keepsState(body: unknown): boolean {
  if (!isObject(body)) return false;
  return Object.entries(body).some(
    ([name, value]) =>
      value != null && value !== false && traitsOf(name).isState && !LABELS_OF_CALLER.has(anyPlace(name)),
  );
}

interface Reading {
  readonly rules: IdRules;
  readonly harmless: ReadonlySet<string>;
  readonly named: NamedId[];
}

/** The member that holds a value. */
interface Holder {
  readonly place: string;
  readonly name: string;
  readonly traits: NameTraits;
  /** In an object that names something that a provider keeps. */
  readonly inState: boolean;
  /** In an object whose members callers choose: only listed members count. */
  readonly inFree: boolean;
}

const LABELS_OF_CALLER = harmlessSet(HARMLESS);
const harmlessSets = new WeakMap<IdRules, ReadonlySet<string>>();

function harmlessSet(list: string): ReadonlySet<string> {
  const entries = list.trim().split(/\s+/);
  return new Set(entries.map((one) => (one.startsWith('*.') ? anyPlace(one.slice('*.'.length)) : one)));
}

function harmlessOf(rules: IdRules): ReadonlySet<string> {
  const known = harmlessSets.get(rules);
  if (known !== undefined) return known;
  const set = new Set([...LABELS_OF_CALLER, ...harmlessSet(rules.harmless)]);
  harmlessSets.set(rules, set);
  return set;
}

/** A list or object that is being read. */
interface Open {
  readonly value: object;
  /** Of an object. */
  readonly names: readonly string[] | undefined;
  readonly count: number;
  /** Of a list, what its items are held by. */
  readonly holder: Holder;
  at: number;
}

function openOf(value: object, holder: Holder, { places }: IdRules): Open {
  if (Array.isArray(value)) {
    const below = { ...holder, place: places.under(holder.place, 0) };
    return { value, names: undefined, count: value.length, holder: below, at: 0 };
  }
  const names = Object.keys(value);
  return { value, names, count: names.length, holder, at: 0 };
}

/** Reads the next value. `path` leads to it if it is returned to be read. @returns `end` after the last one */
function next(open: Open, path: (string | number)[], reading: Reading): Open | 'end' | undefined {
  if (open.at >= open.count) return 'end';
  const key = open.names === undefined ? open.at : (open.names[open.at] as string);
  open.at += 1;
  const item: unknown = (open.value as Readonly<Record<string | number, unknown>>)[key];
  if (item === null || (typeof key === 'string' && typeof item === 'boolean')) return undefined;
  if (typeof key === 'number' && typeof item !== 'object') {
    addValue(item, path, open.holder, undefined, reading);
    return undefined;
  }
  path.push(key);
  const holder =
    typeof key === 'number'
      ? open.holder
      : memberOf(key, open.value as Readonly<Record<string, unknown>>, path, open.holder, reading);
  if (holder !== undefined && typeof item === 'object') return openOf(item, holder, reading.rules);
  if (holder !== undefined) addValue(item, path, holder, open.value as Readonly<Record<string, unknown>>, reading);
  path.pop();
  return undefined;
}

/** A member that may have ids; undefined for others. */
function memberOf(
  name: string,
  object: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
  around: Holder,
  reading: Reading,
): Holder | undefined {
  const { places, free, maps, members, nameOf } = reading.rules;
  const item = object[name];
  const traits = traitsOf(name);
  // Almost all strings of a conversation.
  if (typeof item !== 'object' && traits.isKnown && !around.inState && !Object.hasOwn(members, name)) return undefined;
  if ((path.length === 1 && OWN.has(name)) || free?.has(nameOf?.(name) ?? name)) return undefined;
  const place = places.under(around.place, name);
  const isMap = maps?.has(name) === true;
  if (!isMap && places.modeAt(place, 'api', name) !== 'api' && !areSettings(name, object)) return undefined;
  if (MAPS.has(name) && isObject(item)) return undefined;
  const inState = around.inState || traits.isState;
  return {
    place,
    name,
    traits,
    inState: inState && !isHarmless(place, name, reading),
    inFree: around.inFree || traits.isFree,
  };
}

/** A string or number of a member, or of a list in it. @param object that has the member; undefined in a list */
function addValue(
  value: unknown,
  path: readonly (string | number)[],
  { place, name, traits, inState, inFree }: Holder,
  object: Readonly<Record<string, unknown>> | undefined,
  reading: Reading,
): void {
  const { members, maps, nameOf, idOf } = reading.rules;
  const read = nameOf?.(name) ?? name;
  if (maps?.has(String(path.at(-2)))) return;
  const what = Object.hasOwn(members, read) ? members[read] : undefined;
  if (what !== undefined) {
    if (typeof value !== 'string') return;
    reading.named.push(...namedAt(idOf === undefined ? value : idOf(value, read), what, toParam(path)));
    return;
  }
  if (inFree || isHarmless(place, name, reading) || isNamingName(name)) return;
  if (!inState && read === 'id' && (reading.rules === RESPONSE_RULES || isHeld(path, object))) return;
  const isUnknown =
    typeof value === 'string' ? isReference(value, traits, inState) : typeof value === 'number' && traits.isNumericId;
  if (!isUnknown) return;
  reading.named.push({ id: String(value).trim(), what: 'Reference', param: toParam(path), unknownAt: [...path] });
}

/** Names are compared as leniently as those of references. */
function isHarmless(place: string, name: string, { harmless }: Reading): boolean {
  return harmless.has(place) || harmless.has(anyPlace(name));
}

/** A name in the list of harmless members: `*.userid`. Names of JSON schema begin with `$`. */
function anyPlace(name: string): string {
  return name.startsWith('$') ? `*.${name}` : `*.${traitsOf(name).plain}`;
}

/** Conversations, and the members with the content of their messages, blocks and calls. */
const CONVERSATION = new Set<unknown>([
  'messages',
  'input',
  'contents',
  'content',
  'system',
  'systemInstruction',
  'documents',
]);
const CONTENT =
  `content text name input function custom functionCall summary data arguments args response code output result source
  tool_calls`.split(/\s+/);

/** Whether it is the `id` of an object of the conversation that the request contains whole: the id is only its name. */
function isHeld(path: JsonPath, object: Readonly<Record<string, unknown>> | undefined): boolean {
  if (object === undefined || !path.some((step) => CONVERSATION.has(step))) return false;
  return CONTENT.some((one) => object[one] != null && object[one] !== '');
}
