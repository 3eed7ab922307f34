import { type ConfigFile, readConfigFile } from '../admin/config-file.ts';
import { ALL_ROUTES, expiryOf, Names, NO_RATE_LIMIT, toBudget } from './imported-keys.ts';
import { ImportedProviders, vertexAddress } from './imported-providers.ts';
import { isMembers, listOf, type Members, membersOf, numberOf, textOf, textsOf } from './members.ts';
import { type Imported, Report } from './report.ts';

/** Portkey's names of providers that have another one here: https://portkey.ai/docs/integrations/llms */
const NAMES = new Map(
  Object.entries({
    'azure-openai': 'azure',
    'azure-ai': 'foundry',
    'fireworks-ai': 'fireworks',
    google: 'gemini',
    'mistral-ai': 'mistral',
    'perplexity-ai': 'perplexity',
    'together-ai': 'together',
    'vertex-ai': 'vertex',
    'workers-ai': 'cloudflare',
    'x-ai': 'xai',
  }),
);
const MAX_TARGETS = 16;
const MAX_FALLBACKS = 8;
const MAX_ATTEMPTS = 5;
const MAX_DEPTH = 4;
/** Members of a target that are read. */
const READ = [
  ...['provider', 'virtualKey', 'apiKey', 'customHost', 'vertexProjectId', 'vertexRegion'],
  ...['overrideParams', 'weight', 'retry', 'requestTimeout'],
];
const STRATEGY = ['strategy', 'targets'];
const UNITS = new Map(Object.entries({ rps: 'second', rpm: 'minute', rph: 'hour', rpd: 'day' }));
const RESETS = new Map(Object.entries({ daily: '1d', weekly: '7d', monthly: '1mo' }));

interface Target {
  readonly provider: string;
  readonly model: string;
  readonly weight: number | undefined;
}

/**
 * Turns Portkey's configs, and the response of its `GET /api-keys`, into a file of ours. Values of keys are never read into it.
 * @param config one config, a response of `GET /configs/{slug}`, an object of configs by name, or a list of `{slug, config}`
 * @throws ConfigError if the result is no valid file, with the places
 */
export function importPortkey(config: unknown, exports: readonly unknown[] = []): Imported {
  const report = new Report();
  const providers = new ImportedProviders(report);
  const routes = configsOf(config).flatMap(([name, one]) => toRoute(name, one, providers, report) ?? []);
  const keyNames = new Names();
  const listed = exports.flatMap((content) => (Array.isArray(content) ? content : listOf(membersOf(content).data)));
  const keys = listed.filter(isMembers).map((key) => toKey(key, keyNames, report));
  const parts = { routes, ...providers.entries, keys };
  const file = Object.fromEntries(Object.entries(parts).filter(([, part]) => part.length > 0)) as Partial<ConfigFile>;
  readConfigFile(file);
  return { file, notes: report.notes, steps: report.steps };
}

/** Each config with its name. */
function configsOf(content: unknown): (readonly [name: string, config: Members])[] {
  if (Array.isArray(content)) return content.flatMap(configsOf);
  const all = membersOf(content);
  if (isMembers(all.data)) return configsOf(all.data);
  if (isMembers(all.config)) return [[textOf(all.slug) ?? textOf(all.name) ?? 'default', all.config]];
  const isConfig = ['strategy', 'targets', 'provider', 'virtual_key', 'virtualKey'].some((name) => name in all);
  if (isConfig) return [[textOf(all.slug) ?? textOf(all.name) ?? 'default', all]];
  return Object.entries(all).flatMap(([name, one]) => (isMembers(one) ? [[name, one] as const] : []));
}

/** The route of a config: clients name it as the model. Undefined if it has no target that can be called. */
function toRoute(name: string, given: Members, providers: ImportedProviders, report: Report): Members | undefined {
  const place = `config ${name}`;
  const [first = [], ...later] = groupsOf(camelCased(given), place, providers, report);
  const fallbacks = later.flat();
  if (first.length === 0) return undefined;
  if (first.length > MAX_TARGETS) report.skipped(place, `a route has at most ${MAX_TARGETS} targets.`);
  if (fallbacks.length > MAX_FALLBACKS) report.skipped(place, `a route has at most ${MAX_FALLBACKS} fallbacks.`);
  const { retry, requestTimeout } = camelCased(given);
  const attempts = numberOf(membersOf(retry).attempts);
  const timeoutMs = numberOf(requestTimeout);
  const isWeighted = first.some(({ weight = 0 }) => weight > 0) && first.length > 1;
  return {
    models: name,
    targets: first.slice(0, MAX_TARGETS).map(({ provider, model, weight = 1 }) => ({
      ...{ provider, model },
      ...(isWeighted && { weight: Math.min(Math.max(weight, 0), 1_000_000) }),
    })),
    ...(fallbacks.length > 0 && {
      fallbacks: fallbacks.slice(0, MAX_FALLBACKS).map(({ provider, model }) => ({ provider, model })),
    }),
    ...(attempts !== undefined && { attempts: Math.min(Math.max(Math.trunc(attempts), 0) + 1, MAX_ATTEMPTS) }),
    ...(timeoutMs !== undefined && { timeoutMs: Math.min(Math.max(Math.round(timeoutMs), 100), 900_000) }),
  };
}

/** Targets in the order in which they are tried; those of one group share the requests. */
function groupsOf(
  config: Members,
  place: string,
  providers: ImportedProviders,
  report: Report,
  depth = 0,
): readonly (readonly Target[])[] {
  const targets = listOf(config.targets).map(camelCased);
  const mode = textOf(membersOf(config.strategy).mode) ?? (targets.length > 1 ? 'loadbalance' : 'single');
  if (depth > MAX_DEPTH || (mode !== 'single' && mode !== 'loadbalance' && mode !== 'fallback')) {
    report.skipped(place, 'conditions of a strategy have no counterpart.');
    return [];
  }
  if (depth === 0) reportRest(config, place, [...READ, ...STRATEGY], report);
  if (membersOf(config.strategy).on_status_codes !== undefined)
    report.adjusted(place, 'fallbacks serve failures, timeouts and 429 here, and not other status codes.');
  if (targets.length === 0) {
    const target = toTarget(config, place, providers, report);
    return target === undefined ? [] : [[target]];
  }
  const groups = targets.map((target, at) => {
    const own = `${place}.targets[${at}]`;
    if (listOf(target.targets).length > 0) return groupsOf(target, own, providers, report, depth + 1);
    reportRest(target, own, READ, report);
    const one = toTarget(target, own, providers, report);
    return one === undefined ? [] : [[one]];
  });
  if (mode === 'fallback') return groups.flat();
  // What a target of a shared group falls back to, all of them do.
  return [groups.flatMap(([first = []]) => first), ...groups.flatMap(([, ...later]) => later)];
}

function reportRest(members: Members, place: string, read: readonly string[], report: Report): void {
  for (const name of Object.keys(members).filter((one) => !read.includes(one)))
    report.skipped(`${place}.${name}`, 'has no counterpart at a route. Requests are inspected by the policy.');
}

function toTarget(target: Members, place: string, providers: ImportedProviders, report: Report): Target | undefined {
  const virtualKey = textOf(target.virtualKey);
  const given = textOf(target.provider)?.replace(/^@/, '');
  const named = given === undefined ? undefined : (NAMES.get(given) ?? given);
  const model = textOf(membersOf(target.overrideParams).model);
  if (named === undefined || model === undefined) {
    const reason =
      named === undefined
        ? 'its provider is not named: write it beside the virtual key.'
        : 'it calls the model that the client names: name one, or have clients name provider/model.';
    report.skipped(place, reason);
    return undefined;
  }
  for (const name of Object.keys(membersOf(target.overrideParams)).filter((one) => one !== 'model'))
    report.skipped(`${place}.override_params.${name}`, 'parameters are set by the client here.');
  const account = virtualKey ?? textOf(target.apiKey) ?? '';
  const keyName = virtualKey === undefined ? undefined : `the virtual key ${virtualKey}`;
  const ofVertex = vertexAddress(textOf(target.vertexProjectId), textOf(target.vertexRegion));
  const address = textOf(target.customHost) ?? (named === 'vertex' ? ofVertex : undefined);
  const provider = providers.of({ name: named, model, address, account, keyName, place });
  return provider === undefined ? undefined : { provider, model, weight: numberOf(target.weight) };
}

function toKey(key: Members, names: Names, report: Report): Members {
  const name = names.free(textOf(key.name) ?? 'Portkey key');
  const place = `key ${name}`;
  const limits = membersOf(key.usage_limits);
  const usd = numberOf(limits.credit_limit);
  const reset = textOf(limits.periodic_reset);
  const tags = Object.entries(membersOf(membersOf(key.defaults).metadata)).flatMap(([tag, value]) => {
    const isTag = /^[\w.-]{1,64}$/.test(tag) && typeof value === 'string' && /^[\x21-\x2b\x2d-\x7e]{1,64}$/.test(value);
    if (!isTag) report.skipped(`${place}.metadata`, 'names and values of tags have other characters here.');
    return isTag ? [[tag, value] as const] : [];
  });
  const rates = listOf(key.rate_limits).map(membersOf);
  const rateOf = (type: string) => {
    const { unit, value } = rates.find((rate) => rate.type === type) ?? {};
    const [period, count] = [UNITS.get(textOf(unit) ?? ''), numberOf(value)];
    return period === undefined || count === undefined || count < 1 ? undefined : { period, count: Math.trunc(count) };
  };
  const [requests, tokens] = [rateOf('requests'), rateOf('tokens')];
  // A limit that is not understood must not become none.
  const isUnclear = rates.length > [requests, tokens].filter((rate) => rate !== undefined).length;
  if (isUnclear) report.adjusted(place, 'a rate limit is not understood: the key is disabled.');
  if (requests === undefined && !isUnclear)
    report.adjusted(place, 'without a limit of requests: it has the highest limit, 100,000 a second.');
  if (textOf(membersOf(key.defaults).config_id) !== undefined)
    report.skipped(`${place}.config_id`, 'clients name the route as the model.');
  if (textOf(key.workspace_id) !== undefined) report.skipped(`${place}.workspace_id`, 'make teams of workspaces.');
  if (textsOf(key.scopes).length > 0) report.adjusted(`${place}.scopes`, 'the key may call models, and nothing else.');
  const isActive = key.status === undefined || key.status === 'active';
  const budget =
    usd === undefined || usd <= 0 ? undefined : toBudget(usd, RESETS.get(reset ?? '') ?? reset, 0, place, report);
  return {
    name,
    environment: 'Production',
    permissions: ALL_ROUTES,
    rateLimit: requests === undefined ? NO_RATE_LIMIT : { requests: requests.count, period: requests.period },
    maxConcurrent: null,
    ...(tokens !== undefined && { tokenLimit: { tokens: tokens.count, period: tokens.period } }),
    ...(budget !== undefined && { budget }),
    ...(tags.length > 0 && { tags: Object.fromEntries(tags) }),
    ...(expiryOf(key.expires_at) !== undefined && { expiresAt: expiryOf(key.expires_at) }),
    ...((!isActive || isUnclear || (usd !== undefined && usd <= 0)) && { state: 'disabled' }),
  };
}

/** Members of a config, which may be in snake case or in camel case. */
function camelCased(value: unknown): Members {
  const entries = Object.entries(membersOf(value));
  return Object.fromEntries(
    entries.map(([name, one]) => [name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), one]),
  );
}
