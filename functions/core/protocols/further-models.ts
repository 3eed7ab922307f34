import { isObject } from '../json/is-object.ts';
import type { JsonPath } from '../json/json-splice.ts';
import { toParam } from './first-fault.ts';
import type { Places } from './places.ts';
import type { FurtherModel } from './protocol.ts';

/**
 * Members that name models, their letters alone: `model`, `allowed_models`, `modelName`, `context_window_fallbacks`, `lora_path`.
 * Known by their end, since gateways, routers and servers of models each have their own.
 */
const NAMING =
  /(?:models?|deployments?|adapters?|loras?)(?:names?|ids?|lists?|groups?|paths?)?$|fallbacks?(?:dict|lists?)?$|^presets?$|^agent(?:id|reference)?$/;
const PRESET = /^presets?$/;
/** Of these only tools are read: what a conversation says is no model that is called. */
const CONVERSATION = new Set(['messages', 'input', 'contents']);
/** Ours: no provider sees them. */
const OWN = new Set(['moderation', 'svc']);
/** What they hold is named by the caller; many servers take schemas in fields of their own. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'patternProperties']);

/** OpenRouter's plugins and tools that call no model: https://openrouter.ai/docs/guides/features/server-tools */
const MODELLESS = new Set(
  `web web_search web_fetch datetime apply_patch file-parser moderation response-healing context-compression auto-router
    pareto-router`.split(/\s+/),
);
const OPENROUTER_TOOL = /^openrouter:(.+)$/;
/** Settings at OpenRouter that may name any model: `openai/gpt-4o@preset/mine`. */
const PRESET_IN_NAME = '@preset/';

/**
 * The models that a request names besides its own, at any depth. Free JSON, schemas and conversations are left out.
 * @param ownField the member that names the request's own model
 */
export function furtherModels(body: unknown, places: Places, ownField = 'model'): FurtherModel[] {
  return isObject(body) ? [...fallbackRoute(body), ...modelsIn(body, [], '', { places, ownField })] : [];
}

interface Reading {
  readonly places: Places;
  readonly ownField: string;
}

function modelsIn(value: unknown, path: JsonPath, place: string, reading: Reading): FurtherModel[] {
  const { places, ownField } = reading;
  if (Array.isArray(value))
    return value.flatMap((one, at) => modelsIn(one, [...path, at], places.under(place, at), reading));
  if (!isObject(value)) return [];
  const inMembers = Object.entries(value).flatMap(([name, item]) => {
    const at = [...path, name];
    const below = places.under(place, name);
    if (path.length === 0 && name === ownField) return presetOf(item, at);
    if (path.length === 0 && CONVERSATION.has(name)) return modelsOfTools(item, at, below, reading);
    if (path.length === 0 && OWN.has(name)) return [];
    if (MAPS.has(name) || (places.modeAt(below, 'api', name) !== 'api' && !areSettings(name, value))) return [];
    return isNaming(name) ? namedBy(item, at, below, reading) : modelsIn(item, at, below, reading);
  });
  return [...implied(value, path), ...inMembers];
}

/** Of a conversation: each of its items may bring tools. */
function modelsOfTools(items: unknown, path: JsonPath, place: string, reading: Reading): FurtherModel[] {
  if (!Array.isArray(items)) return [];
  const { places } = reading;
  return items.flatMap((item, at) => {
    if (!isObject(item) || item.tools === undefined) return [];
    return modelsIn(item.tools, [...path, at, 'tools'], places.under(places.under(place, at), 'tools'), reading);
  });
}

/** What a member that names models holds: a name, several, or a map from models to others. */
function namedBy(value: unknown, path: JsonPath, place: string, reading: Reading): FurtherModel[] {
  const { places } = reading;
  if (typeof value === 'string') return value === '' ? [] : [toModel(value, path), ...presetOf(value, path)];
  if (Array.isArray(value))
    return value.flatMap((one, at) => namedBy(one, [...path, at], places.under(place, at), reading));
  if (!isObject(value)) return [];
  if (Object.keys(value).some(isNaming)) return modelsIn(value, path, place, reading);
  return Object.entries(value).flatMap(([name, item]) =>
    namedBy(item, [...path, name], places.under(place, name), reading),
  );
}

function toModel(written: string, path: JsonPath): FurtherModel {
  const isPreset = PRESET.test(lettersOf(String(path.at(-1)))) && !written.startsWith('@');
  const name = isPreset ? `@preset/${written}` : written;
  return { name, param: toParam(path), adds: path.includes('tools') || path.includes('plugins') };
}

function presetOf(name: unknown, path: JsonPath): FurtherModel[] {
  const start = typeof name === 'string' ? name.indexOf(PRESET_IN_NAME) : 0;
  return start > 0 ? [{ name: String(name).slice(start), param: toParam(path), adds: false }] : [];
}

/** Tools and plugins that call models which the request need not name, by the name that they have as a model. */
function implied({ type, id }: Readonly<Record<string, unknown>>, path: JsonPath): FurtherModel[] {
  const tool = typeof type === 'string' ? OPENROUTER_TOOL.exec(type)?.[1] : undefined;
  const plugin = path.at(-2) === 'plugins' && typeof id === 'string' ? id : undefined;
  const name = tool ?? plugin;
  if (name === undefined || MODELLESS.has(name)) return [];
  return [{ name: `openrouter/${name}`, param: toParam([...path, tool ? 'type' : 'id']), adds: true }];
}

/** OpenRouter then chooses what it goes on to. */
function fallbackRoute({ route, models }: Readonly<Record<string, unknown>>): FurtherModel[] {
  return route === 'fallback' && models == null ? [{ name: 'openrouter/auto', param: 'route', adds: false }] : [];
}

/** Whether `parameters` are those of a provider's tool: a function's are a schema. */
function areSettings(name: string, { type }: Readonly<Record<string, unknown>>): boolean {
  return name === 'parameters' && typeof type === 'string' && type !== 'function';
}

function isNaming(name: string): boolean {
  return NAMING.test(lettersOf(name));
}

/** Some parsers take a member by any case, and letters that fold to ASCII. */
function lettersOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
