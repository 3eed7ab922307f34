import { matchesGlob } from '../../functions/kernel/model/index.ts';
import { DEFAULT_ROUTES } from '../../functions/translation/index.ts';
import { ImportedProviders, type ProviderFile } from './imported-providers.ts';
import { LitellmProviders, splitModel } from './litellm-providers.ts';
import { isMembers, listOf, type Members, membersOf, numberOf, textOf, textsOf } from './members.ts';
import type { Report } from './report.ts';

const MAX_TARGETS = 16;
const MAX_FALLBACKS = 8;
const MAX_ATTEMPTS = 5;
const TOKENS_OF_A_PRICE = 1_000_000;
/** Members of `litellm_params` that are read, or that change nothing here. */
const READ = new Set(
  [
    'model custom_llm_provider api_base base_url api_key api_version aws_region_name vertex_project vertex_location order weight rpm tpm',
    'max_parallel_requests timeout stream_timeout drop_params',
  ]
    .join(' ')
    .split(' '),
);
const OURS_OF_PRICES = {
  input: 'input_cost_per_token',
  output: 'output_cost_per_token',
  cachedInput: 'cache_read_input_token_cost',
  cacheWriteInput: 'cache_creation_input_token_cost',
} as const;
const CHOICES: ReadonlyMap<string, 'latency' | 'cost'> = new Map([
  ['latency-based-routing', 'latency'],
  ['cost-based-routing', 'cost'],
]);

interface Deployment {
  readonly group: string;
  readonly provider: string;
  /** undefined: the requested name. */
  readonly model: string | undefined;
  readonly weight: number | undefined;
  readonly order: number;
  readonly maxConcurrent: number | undefined;
  readonly timeoutMs: number | undefined;
}

type Target = { readonly provider: string; readonly model?: string; readonly maxConcurrent?: number };

export interface ImportedModels extends ProviderFile {
  readonly routes: Members[];
  readonly prices: Record<string, Record<string, number>>;
  /** Names of models by access group. */
  readonly accessGroups: ReadonlyMap<string, readonly string[]>;
}

/** Reads `model_list`, and what `router_settings` and `litellm_settings` say of routes: https://docs.litellm.ai/docs/proxy/config_settings */
export function importModels(
  config: Members,
  report: Report,
  env: Readonly<Record<string, string | undefined>>,
): ImportedModels {
  const collected = new ImportedProviders(report);
  const providers = new LitellmProviders(collected, report, env);
  const prices: Record<string, Record<string, number>> = {};
  const accessGroups = new Map<string, string[]>();
  const deployments = listOf(config.model_list).flatMap((entry, at) => {
    const { model_name: name, litellm_params: params, model_info: info } = membersOf(entry);
    const group = textOf(name);
    const model = textOf(membersOf(params).model);
    const place = `model_list[${at}]${group === undefined ? '' : ` (${group})`}`;
    if (group === undefined || model === undefined) {
      report.skipped(place, 'it has no model_name, or no litellm_params.model.');
      return [];
    }
    for (const access of textsOf(membersOf(info).access_groups))
      accessGroups.set(access, [...(accessGroups.get(access) ?? []), group]);
    const deployment = readDeployment(group, model, membersOf(params), place, providers, report);
    if (deployment === undefined) return [];
    const price = readPrice({ ...membersOf(info), ...membersOf(params) });
    if (price !== undefined && deployment.model !== undefined)
      prices[`${deployment.provider}/${deployment.model}`] = price;
    return [deployment];
  });
  return { ...collected.entries, routes: toRoutes(deployments, config, report), prices, accessGroups };
}

/** @returns undefined if no route is needed for it, or none is possible; the report says so */
function readDeployment(
  group: string,
  named: string,
  params: Members,
  place: string,
  providers: LitellmProviders,
  report: Report,
): Deployment | undefined {
  const [given, rest] = splitModel(named, params.custom_llm_provider);
  const prefix = given ?? providerByName(named) ?? (params.api_base === undefined ? undefined : 'openai');
  if (named === '*' || (group.includes('*') && named === group && prefix === splitModel(group, undefined)[0])) {
    const called = named === '*' ? undefined : providers.of(prefix ?? '', rest, params, place);
    // Names with a provider are called here without a route.
    if (named === '*' || called === prefix) return undefined;
    if (called !== undefined)
      report.skipped(place, `the provider is called ${called} here: clients ask for ${called}/<model>.`);
    return undefined;
  }
  if (prefix === undefined) {
    report.skipped(place, `the provider of the model is not named.`);
    return undefined;
  }
  // `bedrock/converse/MODEL` and the like say how LiteLLM calls it.
  const model = rest.replace(/^(?:converse|invoke|converse_like|responses|chat)\//, '');
  if (model.includes('*') && model !== group) {
    report.skipped(place, 'a pattern that changes the name of the model has no counterpart.');
    return undefined;
  }
  const provider = providers.of(prefix, model, params, place);
  if (provider === undefined) return undefined;
  for (const name of ['rpm', 'tpm'])
    if (params[name] !== undefined)
      report.adjusted(
        `${place}.${name}`,
        'limits of a deployment are only weights here. Keys and teams have limits, and a target has maxConcurrent.',
      );
  for (const name of Object.keys(params).filter(
    (one) => !READ.has(one) && !Object.values<string>(OURS_OF_PRICES).includes(one),
  ))
    report.skipped(`${place}.${name}`, 'parameters of a deployment are set by the client here, or by the provider.');
  const seconds = numberOf(params.stream_timeout) ?? numberOf(params.timeout);
  return {
    group,
    provider,
    model: model.includes('*') ? undefined : model,
    weight: numberOf(params.weight) ?? numberOf(params.rpm) ?? numberOf(params.tpm),
    order: numberOf(params.order) ?? Number.POSITIVE_INFINITY,
    maxConcurrent: wholeOf(params.max_parallel_requests),
    timeoutMs: seconds === undefined ? undefined : toMilliseconds(seconds),
  };
}

/** The provider that a name without a prefix means. */
function providerByName(model: string): string | undefined {
  return DEFAULT_ROUTES.find(({ models }) => matchesGlob(models, model))?.targets[0]?.provider;
}

function readPrice(members: Members): Record<string, number> | undefined {
  const prices = Object.entries(OURS_OF_PRICES).flatMap(([name, theirs]) => {
    const usd = numberOf(members[theirs]);
    return usd === undefined ? [] : [[name, Number((usd * TOKENS_OF_A_PRICE).toPrecision(12))] as const];
  });
  const price = Object.fromEntries(prices);
  return price.input === undefined || price.output === undefined ? undefined : price;
}

function toRoutes(deployments: readonly Deployment[], config: Members, report: Report): Members[] {
  const router = membersOf(config.router_settings);
  const settings = membersOf(config.litellm_settings);
  const strategy = textOf(router.routing_strategy) ?? 'simple-shuffle';
  const choose = CHOICES.get(strategy);
  if (choose === undefined && strategy !== 'simple-shuffle')
    report.adjusted(
      'router_settings.routing_strategy',
      'targets are chosen by weight, by latency or by cost here: by weight.',
    );
  const retries = numberOf(router.num_retries) ?? numberOf(settings.num_retries);
  const seconds = numberOf(router.stream_timeout) ?? numberOf(router.timeout) ?? numberOf(settings.request_timeout);
  const groups = [...new Set(deployments.map(({ group }) => group))];
  const targetsOf = (group: string) =>
    deployments.filter((one) => one.group === group).sort((a, b) => a.order - b.order);
  const fallbacksOf = readFallbacks(router, settings, report);

  const routeOf = (models: string, group: string): Members => {
    const all = targetsOf(group);
    const first = all.filter(({ order }) => order === all[0]?.order);
    const later = [
      ...all.slice(first.length),
      ...fallbacksOf(group)
        .filter((name) => name !== group)
        .flatMap(targetsOf),
    ];
    const place = `model_list (${models})`;
    if (first.length > MAX_TARGETS) report.skipped(place, `a route has at most ${MAX_TARGETS} targets.`);
    if (later.length > MAX_FALLBACKS) report.skipped(place, `a route has at most ${MAX_FALLBACKS} fallbacks.`);
    const timeouts = all.flatMap(({ timeoutMs }) => timeoutMs ?? []);
    const timeoutMs =
      timeouts.length > 0 ? Math.max(...timeouts) : seconds === undefined ? undefined : toMilliseconds(seconds);
    const isWeighted =
      first.some(({ weight = 0 }) => weight > 0) && new Set(first.map(({ weight }) => weight)).size > 1;
    const targets = first
      .slice(0, MAX_TARGETS)
      .map((one) => ({ ...toTarget(one), ...(isWeighted && { weight: Math.min(one.weight ?? 0, 1_000_000) }) }));
    const fallbacks = later.slice(0, MAX_FALLBACKS).map(toTarget);
    return {
      models,
      targets,
      ...(fallbacks.length > 0 && { fallbacks }),
      ...(choose !== undefined && targets.length > 1 && { choose }),
      ...(retries !== undefined && { attempts: Math.min(Math.max(Math.trunc(retries), 0) + 1, MAX_ATTEMPTS) }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
  };
  const aliases = Object.entries(membersOf(router.model_group_alias)).flatMap(([alias, value]) => {
    const group = textOf(isMembers(value) ? value.model : value);
    if (group !== undefined && groups.includes(group)) return [routeOf(alias, group)];
    report.skipped(`router_settings.model_group_alias (${alias})`, 'it names no imported model.');
    return [];
  });
  const routes = [...groups.map((group) => routeOf(group, group)), ...aliases];
  // The first match decides.
  const isPattern = ({ models }: Members) => String(models).includes('*');
  return [...routes.filter((one) => !isPattern(one)), ...routes.filter(isPattern)];
}

/** The groups that serve if one fails: its own, or else the default ones. */
function readFallbacks(router: Members, settings: Members, report: Report): (group: string) => readonly string[] {
  const given = new Map<string, readonly string[]>();
  const lists = { 'router_settings.fallbacks': router.fallbacks, 'litellm_settings.fallbacks': settings.fallbacks };
  for (const [place, list] of Object.entries(lists)) {
    for (const [at, entry] of listOf(list).entries()) {
      for (const [group, names] of Object.entries(membersOf(entry))) {
        const texts = textsOf(names);
        given.set(group, texts);
        if (texts.length < listOf(names).length)
          report.skipped(`${place}[${at}]`, 'only names of models are fallbacks here.');
      }
    }
  }
  const others = textsOf(router.default_fallbacks ?? settings.default_fallbacks);
  return (group) => given.get(group) ?? given.get('*') ?? others;
}

function toTarget({ provider, model, maxConcurrent }: Deployment): Target {
  return { provider, ...(model !== undefined && { model }), ...(maxConcurrent !== undefined && { maxConcurrent }) };
}

function wholeOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined || number < 1 ? undefined : Math.min(Math.trunc(number), 100_000);
}

/** Within what a route may have. */
function toMilliseconds(seconds: number): number {
  return Math.min(Math.max(Math.round(seconds * 1_000), 100), 900_000);
}
