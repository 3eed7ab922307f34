import type { analyticsOperations, Summary } from '../../contract/index.ts';
import {
  findSessions,
  listRequests,
  listSessions,
  listThreats,
  readThreatId,
  seriesOf,
  summarize,
  toThreats,
} from '../../control/analytics/index.ts';
import { overrideAt } from '../../control/override/index.ts';
import { MAX_NAMED } from '../../control/spend/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { arrivalOf, isRequestId } from '../../kernel/http/index.ts';
import type { AuthorizedCaller } from '../access.ts';
import type { AnalyticsDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';
import {
  intervalOf,
  listRange,
  readListCursor,
  readSessionCursor,
  toAggregateQuery,
  toListResponse,
  writeCursor,
} from './query.ts';
import { noThreat } from './records.ts';
import { getSpend } from './spend.ts';
import { listTools } from './tools.ts';

const NO_OVERRIDE = { mode: 'none', until: null } as const;

/** Reads for the permission `analytics`. */
export const ANALYTICS_HANDLERS: Handlers<typeof analyticsOperations, AnalyticsDeps> = {
  async getSummary({ query, caller }, deps) {
    const summary = await summarize(toAggregateQuery(ofTeam(query, caller), deps.clock.now()), deps.aggregates);
    return query.groupBy === 'keyId' ? withNames(summary, deps) : summary;
  },
  async getTimeseries({ query, caller }, deps) {
    const asked = toAggregateQuery(ofTeam(query, caller), deps.clock.now());
    return seriesOf(asked, intervalOf(query, asked), deps.aggregates);
  },
  getSpend: ({ query, caller }, deps) => getSpend(ofTeam(query, caller), caller, deps),
  async getStatus(_, { override, policies, clock }) {
    const [{ settings }, policy] = await Promise.all([override.current(), policies.current()]);
    const { mode, until } = overrideAt(settings, clock.now()) ?? NO_OVERRIDE;
    const { rollout } = policy.settings;
    return {
      object: 'status',
      override: { mode, until },
      rollout: rollout === undefined ? null : { percent: rollout.percent, since: policy.createdAt },
    };
  },
  async listKeyNames({ query }, deps) {
    const [teamIds, keyIds] = [query.ids.filter(isTeamId), query.ids.filter((id) => !isTeamId(id))];
    const keys = await deps.keys.getMany(keyIds);
    const teams = teamIds.length === 0 ? [] : (await deps.teams.current()).settings.teams;
    const named = teams.filter(({ id }) => teamIds.includes(id));
    return {
      object: 'list',
      data: [
        ...keys.map(({ key: { id, name } }) => ({ object: 'key.name' as const, id, name })),
        ...named.map(({ id, name }) => ({ object: 'team.name' as const, id, name })),
      ],
    };
  },
  async listThreats({ query: { limit, cursor, ...filter } }, deps) {
    const after = readListCursor(cursor);
    const page = await listThreats({ ...filter, ...listRange(filter) }, limit, after, deps.records);
    return toListResponse(page, (threat) => threat);
  },
  /** With its rule. */
  async getThreat({ params }, deps) {
    const position = readThreatId(params.id);
    const stored = position && (await deps.records.read(position));
    const threat = stored && toThreats(stored)[position.finding];
    if (threat === undefined) throw noThreat();
    const { message = null, owasp = null, atlas = null } = (await deps.engine()).ruleOf(threat.rule) ?? {};
    return { ...threat, message, owasp, atlas };
  },
  async listRequests({ query: { limit, cursor, ...filter } }, deps) {
    const after = readListCursor(cursor);
    const page = await listRequests({ ...filter, ...listRange(filter) }, limit, after, deps.records);
    return toListResponse(page, (record) => ({ object: 'request' as const, ...record }));
  },
  /** Its findings with their marks. `time` finds records whose ids contain no time. */
  async getRequest({ params: { id }, query: { time = arrivalOf(id) } }, deps) {
    const stored =
      time !== undefined && isRequestId(id)
        ? await deps.records.read({ time: new Date(time).toISOString(), id })
        : undefined;
    if (stored === undefined)
      throw new GatewayError(
        'not_found',
        'There is no record of this request. It has expired, or it had no valid key: such requests are not recorded.',
      );
    return { object: 'request', ...stored.record, findings: toThreats(stored) };
  },
  /** Sessions that began in a range, latest first. */
  async listSessions({ query: { limit, cursor, ...filter } }, deps) {
    const after = readSessionCursor(cursor);
    const page = await listSessions({ ...filter, ...listRange(filter) }, limit, after, deps.aggregates);
    const nextCursor = page.next === undefined ? null : writeCursor([page.next]);
    return { object: 'list', data: page.items, nextCursor };
  },
  async getSession({ params, query: { keyId } }, deps) {
    const named = await findSessions(params.id, deps.aggregates);
    const found = named.filter((session) => keyId === undefined || session.keyId === keyId);
    if (found.length > 1) {
      throw new GatewayError('invalid_value', "Several keys have a session with this name: send 'keyId'.", {
        param: 'keyId',
      });
    }
    const [session] = found;
    if (session === undefined) throw new GatewayError('not_found', 'There is no such session.');
    return session;
  },
  listTools: ({ query }, deps) => listTools(query, deps),
};

function isTeamId(id: string): boolean {
  return id.startsWith('team_');
}

/** Totals of the team that the caller is limited to. */
function ofTeam<Query extends { readonly teamId?: string | undefined }>(
  query: Query,
  { teamId }: AuthorizedCaller,
): Query {
  return { ...query, teamId: query.teamId ?? teamId };
}

/** Adds key names: readers of totals do not know keys by id, and have no permission to list them. */
async function withNames({ groups = [], ...summary }: Summary, { keys }: AnalyticsDeps): Promise<Summary> {
  const ids = groups.slice(0, MAX_NAMED).flatMap(({ group }) => group ?? []);
  const names = new Map<string | null, string>();
  for (const { key } of await keys.getMany(ids)) names.set(key.id, key.name);
  const labelled = groups.map((one, at) => (at < MAX_NAMED ? { ...one, label: names.get(one.group) ?? null } : one));
  return { ...summary, groups: labelled };
}
