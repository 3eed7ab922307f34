import type * as z from 'zod';
import type { ResponseOf, teamOperations } from '../../contract/index.ts';
import { changedFields } from '../../control/audit/index.ts';
import { checkPolicy, checkToolTests } from '../../inspection/index.ts';
import { randomHex } from '../../kernel/crypto/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { AuditFact } from '../../kernel/model/index.ts';
import { MAX_TEAMS, type Team, type TeamsDocument } from '../../kernel/teams/index.ts';
import type { AuthorizedCaller } from '../access.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { changeDocument, type DocumentKind } from '../documents.ts';
import { teamUsageOf } from '../key-usage.ts';
import type { Handlers } from '../operation-routes.ts';
import { someKeyOf } from '../team-keys.ts';

const TEAMS: Omit<DocumentKind<TeamsDocument, never>, 'toView' | 'schema'> = {
  name: 'teams',
  hasChanged: 'The teams have changed',
  store: ({ teams }) => teams,
};
const ID_DIGITS = 32;

type View = ResponseOf<'getTeam'>;
type Change = (document: TeamsDocument) => TeamsDocument;

/** Teams and what bounds their keys; each change is in the audit log. */
export const TEAM_HANDLERS: Handlers<typeof teamOperations, AdminDeps> = {
  async listTeams(_, deps) {
    const { teams } = (await deps.teams.current()).settings;
    const ids = await credentialIds(deps);
    return { object: 'list', data: teams.map((team) => toView(team, ids)), nextCursor: null };
  },
  createTeam: {
    check: checkTeamPolicy,
    async handle({ body, caller }, deps) {
      await checkToolTests(body.policy, ['policy']);
      const createdAt = new Date(deps.clock.now()).toISOString();
      const created: Team = { ...body, id: `team_${randomHex(ID_DIGITS)}`, createdAt };
      const add = ({ teams }: TeamsDocument) => {
        if (teams.length < MAX_TEAMS) return { teams: [...teams, created] };
        throw new GatewayError('conflict', `There are ${MAX_TEAMS} teams already. Delete one first.`);
      };
      await change(created.id, 'team.created', add, caller, deps);
      return viewOf(created, deps);
    },
  },
  getTeam: async ({ params: { id } }, deps) => viewOf(find((await deps.teams.current()).settings, id), deps),
  async getTeamUsage({ params: { id } }, deps) {
    return teamUsageOf(find((await deps.teams.current()).settings, id), deps);
  },
  updateTeam: {
    check: checkTeamPolicy,
    async handle({ params: { id }, body, caller }, deps) {
      await checkToolTests(body.policy, ['policy']);
      const replace = (document: TeamsDocument) => {
        find(document, id);
        // An absent field is not in the parsed changes, so it stays unchanged.
        const changed = (team: Team): Team => ({ ...team, ...(body as Partial<Team>) });
        return { teams: document.teams.map((team) => (team.id === id ? changed(team) : team)) };
      };
      return viewOf(find(await change(id, 'team.updated', replace, caller, deps), id), deps);
    },
  },
  async deleteTeam({ params: { id }, caller }, deps) {
    find((await deps.teams.current()).settings, id);
    await refuseUsed(id, deps);
    const remove = (document: TeamsDocument) => {
      find(document, id);
      return { teams: document.teams.filter((team) => team.id !== id) };
    };
    await change(id, 'team.deleted', remove, caller, deps);
    return { object: 'team.deletion', id, deleted: true };
  },
};

function checkTeamPolicy({ policy }: { readonly policy?: Team['policy'] | undefined }, context: z.RefinementCtx): void {
  checkPolicy(policy, context, ['policy']);
}

/** A deleted team and one that never was are the same. @throws GatewayError `not_found` */
function find({ teams }: TeamsDocument, id: string): Team {
  const found = teams.find((team) => team.id === id);
  if (found === undefined) throw new GatewayError('not_found', 'There is no such team.');
  return found;
}

async function change(
  id: string,
  action: AuditFact['action'],
  make: Change,
  caller: AuthorizedCaller,
  deps: AdminDeps,
): Promise<TeamsDocument> {
  const target = { type: 'team', id } as const;
  const shown = ({ teams }: TeamsDocument) => teams.find((team) => team.id === id);
  const factOf = (before: TeamsDocument, after: TeamsDocument) => {
    const [was, is] = [shown(before), shown(after)];
    if (was === undefined || is === undefined)
      return {
        action,
        target,
        teams: [id],
        before: was === undefined ? null : { ...was },
        after: is === undefined ? null : { ...is },
      };
    return { action, target, teams: [id], ...changedFields(was, is) };
  };
  return (await changeDocument(TEAMS, make, { headers: {}, caller, factOf }, deps)).settings;
}

/** The ids of each team's credentials. */
async function credentialIds({ credentials }: AdminDeps): Promise<ReadonlyMap<string | null, string[]>> {
  const all = (await credentials.current()).settings.credentials;
  return new Map([...Map.groupBy(all, ({ teamId }) => teamId)].map(([id, some]) => [id, some.map((one) => one.id)]));
}

async function viewOf(team: Team, deps: AdminDeps): Promise<View> {
  return toView(team, await credentialIds(deps));
}

function toView(team: Team, ids: ReadonlyMap<string | null, string[]>): View {
  return { object: 'team', ...team, credentials: ids.get(team.id) ?? [] };
}

/** @throws GatewayError `conflict` if a key that is not revoked, or a credential, belongs to the team */
async function refuseUsed(id: string, deps: AdminDeps): Promise<void> {
  const [credential] = (await credentialIds(deps)).get(id) ?? [];
  if (credential !== undefined) {
    throw new GatewayError('conflict', `The credential ${credential} belongs to this team. Delete it first.`);
  }
  const key = await someKeyOf(id, deps.keys);
  if (key === undefined) return;
  throw new GatewayError('conflict', `The key ${key.id} belongs to this team. Revoke it, or change its team, first.`);
}
