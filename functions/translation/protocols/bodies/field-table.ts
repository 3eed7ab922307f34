import { isObject } from '../../../kernel/json/index.ts';
import type { CacheHint, JsonFormat, Meaning, OtherField, Thinking } from '../../../kernel/model/index.ts';

/**
 * A field's fate in a translation. `read`: a member of `ChatRequest`. `reasoning`: one that some models take. `no_effect`: nothing is lost
 * without it.
 */
export type FieldFate = 'read' | 'reasoning' | 'no_effect' | Meaning;

/** The fields of one kind of object by their fate, as space-separated names. */
export type FieldLists = Readonly<Partial<Record<FieldFate, string>>>;

/** The fields of one kind of object, by name. */
export type Fields = ReadonlyMap<string, FieldFate>;

/** Builds the tables of a protocol: by kind of object, then by name. */
export function fieldTable<Kind extends string>(
  kinds: Readonly<Record<Kind, FieldLists>>,
): Readonly<Record<Kind, Fields>> {
  const tables = Object.entries<FieldLists>(kinds).map(([kind, lists]) => {
    const named = Object.entries(lists).flatMap(([fate, names]) =>
      names.split(' ').map((name): [string, FieldFate] => [name, fate as FieldFate]),
    );
    return [kind, new Map(named)] as const;
  });
  return Object.fromEntries(tables) as Readonly<Record<string, Fields>> as Record<Kind, Fields>;
}

/** Fields by name whose value is the default, as responses contain them and clients send them back. */
export type Defaults = Readonly<Record<string, (value: unknown) => boolean>>;

/**
 * Adds the fields of the object at `path` for which `ChatRequest` has no member. null and default values are left out. A field that is not in
 * the table is a hint: clients add such fields faster than any table, and a dropped field is reported.
 */
export function noteOthers(
  object: object,
  fields: Fields,
  path: string,
  others: OtherField[],
  defaults: Defaults = {},
): void {
  for (const [name, value] of Object.entries(object)) {
    const meaning = fields.get(name) ?? 'hint';
    if (meaning === 'read' || meaning === 'reasoning' || meaning === 'no_effect' || value == null) continue;
    if (Object.hasOwn(defaults, name) && defaults[name]?.(value)) continue;
    const field = { path: path === '' ? name : `${path}.${name}`, meaning, value };
    const isMalformed = name === 'cache_control' && !isCacheControl(value);
    others.push(isMalformed ? { ...field, meaning: 'essential', instead: CACHE_CONTROL } : field);
  }
}

const CACHE_CONTROL = 'it must be `{"type": "ephemeral"}`, with a `ttl` of `5m` or `1h` if it has one';

/** Anthropic refuses any other, so nothing else may pass as one. */
function isCacheControl(value: unknown): value is CacheHint {
  return isObject(value) && value.type === 'ephemeral' && [undefined, null, '5m', '1h'].includes(value.ttl as string);
}

/** The cache hint of an object with Anthropic's `cache_control`, which many servers of OpenAI's protocol take too. */
export function cacheOf(holder: object): { cache?: CacheHint } {
  const { cache_control: hint } = holder as { readonly cache_control?: unknown };
  if (!isCacheControl(hint)) return {};
  return { cache: hint.ttl ? { ttl: hint.ttl } : {} };
}

/** A choice of tools by name, and whether one must be called. */
export interface AllowedTools {
  readonly mode: 'auto' | 'required';
  readonly names: ReadonlySet<string>;
}

/**
 * OpenAI's choice of several tools. Other APIs get these tools and no more. undefined if it is malformed, or names a tool that is not among the
 * request's.
 */
export function allowedToolsOf(
  { mode, tools }: Readonly<Record<string, unknown>>,
  known: readonly { readonly name: string }[],
): AllowedTools | undefined {
  if ((mode !== 'auto' && mode !== 'required') || !Array.isArray(tools) || tools.length === 0) return undefined;
  const all = new Set<unknown>(known.map(({ name }) => name));
  const names = tools.filter(isObject).map((tool) => {
    const { function: called = tool.custom } = tool;
    return (isObject(called) ? called : tool).name;
  });
  const isKnown = names.length === tools.length && names.every((name) => all.has(name));
  return isKnown ? { mode, names: new Set(names as string[]) } : undefined;
}

/** The members of a JSON format that all APIs name alike; those of another type are left out. */
export function jsonFormatOf({ schema, name, description, strict }: Readonly<Record<string, unknown>>): JsonFormat {
  return {
    ...(isObject(schema) && { schema }),
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

/** Anthropic's `thinking`; an unknown type leaves it to the model. */
export function toThinking({ type, budget_tokens: budget }: Readonly<Record<string, unknown>>): Thinking {
  if (type === 'disabled') return { off: true };
  return type === 'enabled' && typeof budget === 'number' ? { budget } : {};
}
