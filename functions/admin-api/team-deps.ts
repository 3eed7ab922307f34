import type { AggregateReader, AggregateRow, SessionList } from '../control/analytics/index.ts';
import type { KeyStore } from '../control/keys/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { AdminDeps, AnalyticsDeps } from './admin-deps.ts';

/** What has no data of other teams, or is only reached with ids from the stores of a team. */
const SHARED: ReadonlySet<string> = new Set<keyof AdminDeps>([
  ...(['onAudited', 'clock', 'hasher', 'authenticator', 'sessions', 'deployment', 'engine'] as const),
  ...([
    'policies',
    'override',
    'limits',
    'toolPins',
    'approvalSecrets',
    'onApprovalDecided',
    'importedSecrets',
    'views',
  ] as const),
]);

/**
 * What the handler of an operation gets for a caller with a role in a team: the same stores with the data of this team alone. Everything
 * else is refused, so that a handler cannot forget the team. An object of another team is as if it did not exist.
 */
export function teamDeps<Deps extends object>(deps: Deps, teamId: string): Deps {
  const stores: Readonly<Record<string, unknown>> = storesOf(deps as unknown as Deps & AllDeps, teamId);
  return new Proxy(deps, {
    get(target, name: string) {
      if (Object.hasOwn(stores, name)) return stores[name];
      if (SHARED.has(name)) return target[name as keyof Deps];
      throw refused('This is not available to a role in a team.');
    },
  });
}

type AllDeps = AdminDeps & AnalyticsDeps;
type Scoped =
  | 'audit'
  | 'identities'
  | 'identity'
  | 'keys'
  | 'teams'
  | 'credentials'
  | 'records'
  | 'captures'
  | 'approvals'
  | 'aggregates';

function storesOf(deps: AllDeps, teamId: string): Pick<AdminDeps, Scoped> {
  const { audit, identities, identity, teams, credentials, records, captures, approvals, aggregates } = deps;
  const isOfTeam = (one: { readonly teamId?: string | null | undefined }) => one.teamId === teamId;
  const ofTeam = <T extends { readonly teamId?: string | null | undefined }>(one: T | undefined) =>
    one !== undefined && isOfTeam(one) ? one : undefined;
  const readRecord: AdminDeps['records']['read'] = async (position) => {
    const stored = await records.read(position);
    return stored && isOfTeam(stored.record) ? stored : undefined;
  };
  return {
    audit: {
      append: (fact) => audit.append(fact),
      list: (limit, cursor) => audit.list(limit, cursor, teamId),
    },
    identities: {
      get: async (id) => ofTeam(await identities.get(id)),
      list: (limit, cursor) => identities.list(limit, cursor, teamId),
      setState: async (id, state) => (ofTeam(await identities.get(id)) ? identities.setState(id, state) : undefined),
    },
    // Only reached with the rule of an identity of the team.
    identity: { ...READ_ONLY, current: () => identity.current() },
    keys: keysOf(deps.keys, teamId),
    teams: {
      ...READ_ONLY,
      current: async () => {
        const current = await teams.current();
        return { ...current, settings: { teams: current.settings.teams.filter(({ id }) => id === teamId) } };
      },
    },
    credentials: {
      ...READ_ONLY,
      current: async () => {
        const current = await credentials.current();
        return { ...current, settings: { credentials: current.settings.credentials.filter(isOfTeam) } };
      },
    },
    records: {
      page: (query, ...rest) => records.page({ ...query, teamId }, ...rest),
      read: readRecord,
      mark: async (position, ...rest) => ((await readRecord(position)) ? records.mark(position, ...rest) : undefined),
    },
    captures: { read: async (id) => ofTeam(await captures.read(id)) },
    approvals: {
      get: async (id) => ofTeam(await approvals.get(id)),
      list: (query) => approvals.list({ ...query, teamId }),
      change: (read, ...rest) => (isOfTeam(read) ? approvals.change(read, ...rest) : Promise.resolve(false)),
    },
    aggregates: aggregatesOf(aggregates, teamId),
  };
}

/** The keys of a team. Its cursors are places of its keys alone. */
function keysOf(keys: KeyStore, teamId: string): KeyStore {
  const isOfTeam = (one: { readonly teamId?: string | null | undefined }) => one.teamId === teamId;
  return {
    find: async (hashes) => {
      const key = await keys.find(hashes);
      return key && isOfTeam(key) ? key : undefined;
    },
    get: async (id) => {
      const stored = await keys.get(id);
      return stored && isOfTeam(stored.key) ? stored : undefined;
    },
    getMany: async (ids) => (await keys.getMany(ids)).filter(({ key }) => isOfTeam(key)),
    list: (limit, cursor) => keys.list(limit, cursor, teamId),
    cursorAfter: (key) => keys.cursorAfter(key),
    takePlace: async (place) => {
      if (place.teamId !== teamId) throw refused('The key would be of another team.');
      return keys.takePlace(place);
    },
    create: async (key, event) => {
      if (!isOfTeam(key)) throw refused('The key would be of another team.');
      await keys.create(key, event);
    },
    replace: async (read, key, event) => {
      if (!isOfTeam(read.key) || !isOfTeam(key)) throw refused('The key would be of another team.');
      return keys.replace(read, key, event);
    },
  };
}

/** Totals of all requests, and of each end user of all teams. */
const OF_ALL_TEAMS = /^\w+#(?:sums|threats)#(?:all|endUsers#\d+)$/;

function aggregatesOf(aggregates: AggregateReader & SessionList, teamId: string): AggregateReader & SessionList {
  const own = ['hour', 'day'].flatMap((interval) =>
    ['sums', 'threats'].map((of) => `${interval}#${of}#team#${teamId}`),
  );
  return {
    range: async (pk, from, to) => {
      if (OF_ALL_TEAMS.test(pk))
        throw refused('These totals are of all teams. Those of a team are not counted by end user.');
      const rows = await aggregates.range(pk, from, to);
      return own.includes(pk) ? rows : rows.filter((row) => teamOfRow(row) === teamId);
    },
    listSessions: (query, ...rest) => aggregates.listSessions({ ...query, teamId }, ...rest),
  };
}

/** The team of a session, or of the requests of a cell. */
function teamOfRow({ value }: AggregateRow): string | undefined {
  const { teamId, labels } = value as { readonly teamId?: string; readonly labels?: { readonly teamId?: string } };
  return labels === undefined ? teamId : labels.teamId;
}

/** Documents of all teams are not written, and have no versions. */
const READ_ONLY = {
  replace: async () => refuse(),
  get: async () => refuse(),
  list: async () => refuse(),
};

function refuse(): never {
  throw refused('This is not available to a role in a team.');
}

function refused(message: string): GatewayError {
  return new GatewayError('insufficient_permissions', message);
}
