import { ALL_ROUTES, digestOf, expiryOf, Names, NO_RATE_LIMIT, toBudget, wholeOf } from './imported-keys.ts';
import { isMembers, listOf, type Members, membersOf, numberOf, textOf, textsOf } from './members.ts';
import type { Report } from './report.ts';

const ANY_MODEL = ['all-team-models', 'all-proxy-models', '*'];
const NO_MODEL = 'no-default-models';
/** Members of a key that LiteLLM copies from what it belongs to. */
const JOINED = /^(?:team|end_user|user|organization|project)_/;

export interface ImportedKeys {
  readonly teams: Members[];
  readonly keys: Members[];
}

/**
 * Reads what `GET /team/list` and `GET /key/list?return_full_object=true` return: https://docs.litellm.ai/docs/proxy/virtual_keys
 * @param exports contents of the files, whole or one page each
 */
export function importKeys(
  exports: readonly unknown[],
  accessGroups: ReadonlyMap<string, readonly string[]>,
  report: Report,
): ImportedKeys {
  const entries = exports.flatMap(entriesOf).filter(isMembers);
  const listed = entries.filter((one) => textOf(one.token) !== undefined);
  const listedTeams = entries.filter((one) => textOf(one.token) === undefined && textOf(one.team_id) !== undefined);
  const names = new Names();
  const teams = new Map(
    listedTeams.map((team) => {
      const id = String(team.team_id);
      return [id, toTeam(team, names.free(textOf(team.team_alias) ?? `LiteLLM ${id}`), accessGroups, report)] as const;
    }),
  );
  const keyNames = new Names();
  const keys = listed.map((key) => {
    const name = keyNames.free(textOf(key.key_alias) ?? `LiteLLM ${digestOf(String(key.token))}`);
    return toKey(key, name, teams, accessGroups, report);
  });
  return { teams: [...teams.values()], keys };
}

/** The keys or teams of a response. */
function entriesOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  const { keys, teams } = membersOf(content);
  return [...listOf(keys), ...listOf(teams)];
}

function toTeam(
  team: Members,
  name: string,
  accessGroups: ReadonlyMap<string, readonly string[]>,
  report: Report,
): Members {
  const place = `team ${name}`;
  const { isClosed, ...limits } = limitsOf(team, place, report);
  const { models, isNone } = modelsOf(team, accessGroups);
  const members = listOf(team.members_with_roles).flatMap((entry, at) => {
    const { user_email: email, role } = membersOf(entry);
    const address = textOf(email);
    if (address !== undefined) return [{ match: { email: [address] }, role: role === 'admin' ? 'owner' : 'member' }];
    report.skipped(
      `${place}.members_with_roles[${at}]`,
      'a member without an e-mail address. Name a claim of the issuer in its place.',
    );
    return [];
  });
  const rate = wholeOf(team.rpm_limit);
  return {
    name,
    ...(members.length > 0 && { members }),
    ...(rate !== undefined && rate > 0 && { rateLimit: { requests: rate, period: 'minute' } }),
    ...limits,
    ...(models.length > 0 && { allowedModels: models }),
    ...((team.blocked === true || isClosed || isNone) && { state: 'disabled' }),
  };
}

function toKey(
  key: Members,
  name: string,
  teams: ReadonlyMap<string, Members>,
  accessGroups: ReadonlyMap<string, readonly string[]>,
  report: Report,
): Members {
  const place = `key ${name}`;
  const { isClosed, ...limits } = limitsOf(key, place, report);
  const { models, isNone } = modelsOf(key, accessGroups);
  const rate = wholeOf(key.rpm_limit);
  if (rate === undefined)
    report.adjusted(place, 'without a limit of requests in LiteLLM: it has the highest limit, 100,000 a second.');
  const teamId = textOf(key.team_id);
  const team = teamId === undefined ? undefined : teams.get(teamId);
  if (teamId !== undefined && team === undefined)
    report.skipped(`${place}.team_id`, 'its team is in no export: add the response of /team/list.');
  const isRestricted = textsOf(key.allowed_routes).length > 0;
  if (isRestricted)
    report.skipped(`${place}.allowed_routes`, 'it is disabled: set permissions of the key, then enable it.');
  const hasUnreadableEnd = isSet(key.expires) && expiryOf(key.expires) === undefined;
  if (hasUnreadableEnd) report.skipped(`${place}.expires`, 'it is no time: the key is disabled.');
  for (const field of ['guardrails', 'model_max_budget', 'aliases', 'soft_budget'])
    if (isSet(key[field])) report.skipped(`${place}.${field}`, 'has no counterpart at a key.');
  for (const field of ['model_rpm_limit', 'model_tpm_limit'])
    if (isSet(membersOf(key.metadata)[field]))
      report.skipped(`${place}.metadata.${field}`, 'has no counterpart at a key.');
  for (const field of ['user_id', 'organization_id', 'org_id'])
    if (isSet(key[field])) report.skipped(`${place}.${field}`, 'limits and budgets of its owner are not imported.');
  return {
    name,
    ...importedSecretOf(key, place, report),
    environment: 'Production',
    permissions: ALL_ROUTES,
    rateLimit: rate === undefined ? NO_RATE_LIMIT : { requests: Math.max(rate, 1), period: 'minute' },
    maxConcurrent: null,
    ...limits,
    ...(models.length > 0 && { allowedModels: models }),
    ...(team !== undefined && { teamId: team.name }),
    ...(expiryOf(key.expires) !== undefined && { expiresAt: expiryOf(key.expires) }),
    ...((key.blocked === true ||
      isClosed ||
      isNone ||
      isRestricted ||
      hasUnreadableEnd ||
      rate === 0 ||
      (teamId !== undefined && team === undefined)) && { state: 'disabled' }),
  };
}

/**
 * LiteLLM stores the SHA-256 of a key, and shows its last characters as `sk-...abcd`:
 * https://github.com/BerriAI/litellm/blob/main/litellm/proxy/_types.py (hash_token)
 */
function importedSecretOf({ token, key_name: shown }: Members, place: string, report: Report): Members {
  if (!/^[0-9a-f]{64}$/.test(String(token))) {
    report.adjusted(place, 'its hash is no SHA-256: it gets a new secret.');
    return {};
  }
  const [, last4 = ''] = /^sk-\.\.\.(.{1,4})$/.exec(textOf(shown) ?? '') ?? [];
  return { importedSecret: { sha256: token, last4 } };
}

/** Tokens, money and concurrency; `isClosed`: a limit of nothing, which no limit here is. */
function limitsOf(entry: Members, place: string, report: Report): Members & { readonly isClosed: boolean } {
  const shared = membersOf(entry.litellm_budget_table);
  const of = (name: string) => numberOf(entry[name]) ?? numberOf(shared[name]);
  const [perMinute, perDay] = [of('tpm_limit'), of('tpd_limit')];
  const [tokens, concurrent, usd] = [perMinute ?? perDay, of('max_parallel_requests'), of('max_budget')];
  const others = otherLimits(entry, perMinute !== undefined);
  for (const field of others)
    report.skipped(`${place}.${field}`, 'a limit that svc does not have here: it is disabled.');
  const duration = textOf(entry.budget_duration) ?? textOf(shared.budget_duration);
  return {
    isClosed: others.length > 0 || [tokens, perDay, concurrent, usd].some((limit) => limit !== undefined && limit <= 0),
    ...(tokens !== undefined &&
      tokens >= 1 && {
        tokenLimit: { tokens: Math.trunc(tokens), period: perMinute === undefined ? 'day' : 'minute' },
      }),
    ...(concurrent !== undefined && concurrent >= 1 && { maxConcurrent: Math.trunc(concurrent) }),
    ...(usd !== undefined && usd > 0 && { budget: toBudget(usd, duration, numberOf(entry.spend) ?? 0, place, report) }),
  };
}

/** Limits of LiteLLM that are set and have no counterpart, also those of later versions. Without them a client could do more than before. */
function otherLimits(entry: Members, hasPerMinute: boolean): string[] {
  const known = ['rpm_limit', 'tpm_limit', ...(hasPerMinute ? [] : ['tpd_limit'])];
  const isLimit = (name: string) => /_limits?$|^access_group_ids$/.test(name) && !JOINED.test(name);
  return Object.keys(entry).filter((name) => isLimit(name) && !known.includes(name) && isSet(entry[name]));
}

/** Names and patterns, with those of access groups. */
function modelsOf(entry: Members, accessGroups: ReadonlyMap<string, readonly string[]>) {
  const given = textsOf(entry.models);
  if (given.some((name) => ANY_MODEL.includes(name))) return { models: [], isNone: false };
  const models = given.filter((name) => name !== NO_MODEL).flatMap((name) => accessGroups.get(name) ?? [name]);
  return { models: [...new Set(models)], isNone: given.includes(NO_MODEL) && models.length === 0 };
}

function isSet(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
