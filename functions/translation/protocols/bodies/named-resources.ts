import { toParam } from '../../../kernel/errors/index.ts';
import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { FurtherModel } from '../protocol.ts';
import { asReadLeniently } from './member-names.ts';
import type { Places } from './request-places.ts';

/**
 * Member names that name models, reduced to letters: `model`, `allowed_models`, `modelName`, `context_window_fallbacks`, `lora_path`.
 * Matched by their ending, since gateways, routers and model servers use different prefixes.
 */
const NAMING =
  /(?:models?|deployments?|adapters?|loras?)(?:names?|ids?|lists?|groups?|paths?)?$|fallbacks?(?:dict|lists?)?$|^presets?$|^agent(?:id|reference)?$/;
const PRESET = /^presets?$/;
/** Only tools are read in these: model names in a conversation are not called. */
const CONVERSATION = new Set(['messages', 'input', 'contents']);
/** Gateway fields: no provider receives them. */
export const OWN = new Set(['moderation', 'svc']);
/** The caller names the members of these; many servers accept schemas in custom fields. */
export const MAPS = new Set(['properties', '$defs', 'definitions', 'patternProperties']);

/** OpenRouter's plugins and tools that call no model: https://openrouter.ai/docs/guides/features/server-tools */
const MODELLESS = new Set(
  `web web_search web_fetch datetime apply_patch file-parser moderation response-healing context-compression auto-router
    pareto-router`.split(/\s+/),
);
const OPENROUTER_TOOL = /^openrouter:(.+)$/;
/** OpenRouter presets may name any model: `openai/gpt-4o@preset/mine`. */
const PRESET_IN_NAME = '@preset/';

/**
 * The models that a request names besides its own, at any depth. Free JSON, schemas and conversations are skipped. @param ownField the
 * member that names the request's own model
 */
export function furtherModels(body: unknown, places: Places, ownField = 'model'): FurtherModel[] {
  if (!isObject(body)) return [];
  const found = fallbackRoute(body);
  addModels(body, [], '', { places, ownField, found });
  return found;
}

interface Reading {
  readonly places: Places;
  readonly ownField: string;
  readonly found: FurtherModel[];
}

/** A path that is modified during the walk. */
type MutablePath = (string | number)[];

/** Calls `act` for each object, array and string of an array. */
function forItems(items: readonly unknown[], path: MutablePath, act: (item: unknown) => void): void {
  for (let at = 0; at < items.length; at += 1) {
    if (typeof items[at] !== 'object' && typeof items[at] !== 'string') continue;
    path.push(at);
    act(items[at]);
    path.pop();
  }
}

function addModels(value: unknown, path: MutablePath, place: string, reading: Reading): void {
  if (Array.isArray(value)) {
    const below = reading.places.under(place, 0);
    forItems(value, path, (item) => addModels(item, path, below, reading));
  } else if (isObject(value)) {
    addImplied(value, path, reading);
    for (const name of Object.keys(value)) {
      const item = value[name];
      if (typeof item !== 'object' && typeof item !== 'string') continue;
      path.push(name);
      addMember(name, value, path, place, reading);
      path.pop();
    }
  }
}

function addMember(
  name: string,
  holder: Readonly<Record<string, unknown>>,
  path: MutablePath,
  around: string,
  reading: Reading,
) {
  const { places, ownField } = reading;
  const item = holder[name];
  const isNaming = isNamingName(name);
  const isTop = path.length === 1;
  if (isTop && name === ownField) return addPreset(item, path, reading);
  // A string matters only in a member that names models.
  if ((typeof item === 'string' && !isNaming) || (isTop && OWN.has(name))) return;
  const place = places.under(around, name);
  if (isTop && CONVERSATION.has(name)) return addModelsOfTools(item, path, place, reading);
  if (MAPS.has(name) || (places.modeAt(place, 'api', name) !== 'api' && !areSettings(name, holder))) return;
  if (isNaming) addNamed(item, path, place, reading);
  else addModels(item, path, place, reading);
}

/** Items of a conversation may contain tools. */
function addModelsOfTools(items: unknown, path: MutablePath, place: string, reading: Reading): void {
  if (!Array.isArray(items)) return;
  const below = reading.places.under(reading.places.under(place, 0), 'tools');
  forItems(items, path, (item) => {
    if (!isObject(item) || item.tools === undefined) return;
    path.push('tools');
    addModels(item.tools, path, below, reading);
    path.pop();
  });
}

/** A member that names models holds a name, several names, or a map from models to others. */
function addNamed(value: unknown, path: MutablePath, place: string, reading: Reading): void {
  if (typeof value === 'string') {
    if (value === '') return;
    reading.found.push(toModel(value, path));
    addPreset(value, path, reading);
  } else if (Array.isArray(value)) {
    const below = reading.places.under(place, 0);
    forItems(value, path, (item) => addNamed(item, path, below, reading));
  } else if (isObject(value)) {
    const names = Object.keys(value);
    const isOfMembers = names.some(isNamingName);
    if (isOfMembers) addModels(value, path, place, reading);
    for (const name of isOfMembers ? [] : names) {
      path.push(name);
      addNamed(value[name], path, reading.places.under(place, name), reading);
      path.pop();
    }
  }
}

function toModel(written: string, path: JsonPath): FurtherModel {
  const isPreset = PRESET.test(lettersOf(String(path.at(-1)))) && !written.startsWith('@');
  const name = isPreset ? `@preset/${written}` : written;
  return { name, param: toParam(path), adds: path.includes('tools') || path.includes('plugins') };
}

function addPreset(name: unknown, path: JsonPath, { found }: Reading): void {
  const start = typeof name === 'string' ? name.indexOf(PRESET_IN_NAME) : 0;
  if (start > 0) found.push({ name: String(name).slice(start), param: toParam(path), adds: false });
}

/** Adds the models of tools and plugins that call models without naming one, under the name of the tool or plugin. */
function addImplied({ type, id }: Readonly<Record<string, unknown>>, path: JsonPath, { found }: Reading): void {
  const tool = typeof type === 'string' ? OPENROUTER_TOOL.exec(type)?.[1] : undefined;
  const plugin = path.at(-2) === 'plugins' && typeof id === 'string' ? id : undefined;
  const name = tool ?? plugin;
  if (name === undefined || MODELLESS.has(name)) return;
  found.push({ name: `openrouter/${name}`, param: toParam([...path, tool ? 'type' : 'id']), adds: true });
}

/** OpenRouter then chooses the fallback model itself. */
function fallbackRoute({ route, models }: Readonly<Record<string, unknown>>): FurtherModel[] {
  return route === 'fallback' && models == null ? [{ name: 'openrouter/auto', param: 'route', adds: false }] : [];
}

/** Whether `parameters` are settings of a provider's tool: those of a function are a schema. */
export function areSettings(name: string, { type }: Readonly<Record<string, unknown>>): boolean {
  return name === 'parameters' && typeof type === 'string' && type !== 'function';
}

/** Whether the member names models. */
export function isNamingName(name: string): boolean {
  return NAMING.test(lettersOf(name));
}

function lettersOf(name: string): string {
  return asReadLeniently(name).replace(/[^a-z]+/g, '');
}
