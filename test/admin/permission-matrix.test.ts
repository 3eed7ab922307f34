import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { playgroundOperations } from '../../functions/admin-api/routes/playground.ts';
import { OPERATIONS, type Operation } from '../../functions/contract/index.ts';
import { type Call, startTwoTeams, type TeamData } from '../support/two-teams.ts';

/** What each permission is for, written out beside the code that enforces it. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  admin: ['admin', 'security', 'operator', 'analytics', 'approvals'],
  security: ['security', 'analytics', 'approvals'],
  operator: ['operator', 'analytics'],
  analytics: ['analytics'],
  approvals: ['approvals'],
  chat_completions: [],
};
const ROLES: Readonly<Record<string, readonly string[]>> = {
  owner: ['owner', 'member', 'viewer'],
  member: ['member', 'viewer'],
  viewer: ['viewer'],
};
const ACCESS = [...Object.keys(PERMISSIONS), 'records', 'session', 'none'];
const SCOPES = ['deployment', 'owner', 'member', 'viewer'];
const all: readonly (readonly [string, Operation])[] = Object.entries({ ...OPERATIONS, ...playgroundOperations });
const guarded = all.filter(([, { access }]) => access !== 'session' && access !== 'none');

interface Caller {
  readonly name: string;
  readonly call: Call;
  /** For all data. */
  readonly permissions: readonly string[];
  /** For the data of the team. */
  readonly ofTeam: readonly string[];
  readonly role?: string;
}

let teams: Awaited<ReturnType<typeof startTwoTeams>>;
let own: TeamData;
let other: TeamData;
let callers: readonly Caller[];

beforeAll(async () => {
  teams = await startTwoTeams();
  [own, other] = [await teams.newTeam('shop'), await teams.newTeam('search')];
  const person = async (name: string, claims: object) => ({ name, call: (await teams.signIn({ ...claims })) as Call });
  const withRole = (role: string, group: string, permission: string) =>
    person(role, { groups: [group] }).then((one) => ({
      ...one,
      permissions: PERMISSIONS[permission] ?? [],
      ofTeam: [],
    }));
  const inTeam = (role: string) =>
    person(`the team's ${role}`, { email: `${role}@shop.example` }).then((one) => ({
      ...{ ...one, permissions: [], ofTeam: [], role },
    }));
  const withKey = async (permission: string, teamId?: string) => {
    const { key } = await teams.newKey({ permissions: [permission], ...(teamId && { teamId }) });
    const granted = PERMISSIONS[permission] ?? [];
    const isOfTeam = teamId !== undefined && ['analytics', 'approvals'].includes(permission);
    const rights = { permissions: isOfTeam ? [] : granted, ofTeam: isOfTeam ? granted : [] };
    return { name: `a key with ${permission}${teamId ? ' of a team' : ''}`, call: teams.withKey(key), ...rights };
  };
  callers = [
    await withRole('admin', 'platform', 'admin'),
    await withRole('security', 'security', 'security'),
    await withRole('operator', 'operators', 'operator'),
    await withRole('viewer', 'everybody', 'analytics'),
    ...[await inTeam('owner'), await inTeam('member'), await inTeam('viewer')],
    ...(await Promise.all(Object.keys(PERMISSIONS).map((permission) => withKey(permission)))),
    ...(await Promise.all(
      ['security', 'analytics', 'approvals', 'chat_completions'].map((one) => withKey(one, own.id)),
    )),
    { name: 'a request without a key', call: teams.withKey(''), permissions: [], ofTeam: [] },
  ];
});
afterAll(() => teams.stop());

function neededFor({ access }: Operation): readonly string[] {
  return access === 'records' ? ['analytics', 'security'] : [access];
}

/** Whose data a caller may use; undefined: none. */
function expected(caller: Caller, operation: Operation): 'all' | 'team' | undefined {
  const needed = neededFor(operation);
  if (needed.every((one) => caller.permissions.includes(one))) return 'all';
  if (operation.scope === 'deployment') return undefined;
  const isByRole = caller.role !== undefined && (ROLES[caller.role] ?? []).includes(operation.scope);
  return isByRole || needed.every((one) => caller.ofTeam.includes(one)) ? 'team' : undefined;
}

/** The path with the id of an object of a team, or of none. */
function pathOf({ path }: Operation, team: TeamData | undefined): string {
  const ids: Readonly<Record<string, string | undefined>> = {
    keys: team?.keyId,
    identities: team?.identityId,
    teams: team?.id,
    approvals: team?.approvalId,
    requests: team?.requestId,
    threats: team?.threatId,
    sessions: team?.sessionId,
  };
  return path.replaceAll(/([\w-]+)\/\{\w+\}/g, (_, resource) => `${resource}/${ids[resource] ?? 'none'}`);
}

const queryOf: Readonly<Record<string, string>> = { listKeyNames: '?ids=key_1' };

describe('each operation', () => {
  test('declares who may call it', () => {
    const undeclared = all.filter(([, { access, scope }]) => !ACCESS.includes(access) || !SCOPES.includes(scope));
    expect(undeclared.map(([id]) => id)).toEqual([]);
  });

  test.each(guarded)('%s serves the permissions and roles that it declares, and no others', async (id, operation) => {
    for (const caller of callers) {
      const { method } = operation;
      const body = operation.body === undefined ? undefined : { none: 1 };
      const { status } = await caller.call(method, `${pathOf(operation, undefined)}${queryOf[id] ?? ''}`, body);
      const isRefused = [401, 403].includes(status);
      expect([caller.name, isRefused]).toEqual([caller.name, expected(caller, operation) === undefined]);
      expect(status).toBeLessThan(500);
    }
  });

  const withObjects = guarded.filter(([, { scope, path }]) => scope !== 'deployment' && path.includes('{'));
  test.each(withObjects)('%s finds objects of the own team, and no others', async (_, operation) => {
    const isRead = operation.method === 'GET';
    for (const caller of callers.filter((one) => expected(one, operation) === 'team')) {
      const body = operation.body === undefined ? undefined : operation.body.isOptional ? {} : bodyOf(operation);
      const { status, json } = await caller.call(operation.method, pathOf(operation, other), body);
      expect([caller.name, status, json.error.code]).toEqual([caller.name, 404, 'not_found']);
      if (isRead) expect((await caller.call('GET', pathOf(operation, own))).status).toBe(200);
    }
  });
});

function bodyOf({ body }: Operation): unknown {
  return Object.values(body?.examples ?? {})[0]?.value;
}
