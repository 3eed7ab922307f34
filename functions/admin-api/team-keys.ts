import type { KeyStore } from '../control/keys/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { ApiKey, Team } from '../kernel/model/index.ts';
import type { AdminDeps } from './admin-deps.ts';

const KEYS_AT_ONCE = 100;

/** A key of the team that is not revoked; undefined if there is none. */
export async function someKeyOf(teamId: string, keys: Pick<KeyStore, 'list'>): Promise<ApiKey | undefined> {
  for await (const key of keysOf(teamId, keys)) return key;
  return undefined;
}

async function* keysOf(teamId: string, keys: Pick<KeyStore, 'list'>): AsyncGenerator<ApiKey> {
  let cursor: string | undefined;
  do {
    const page = await keys.list(KEYS_AT_ONCE, cursor);
    for (const { key } of page.keys) if (key.teamId === teamId && key.state !== 'revoked') yield key;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

type TeamKey = Pick<ApiKey, 'teamId'>;

/**
 * Checks a new or changed key against its team. @param before the stored key; undefined for a new one
 * @throws GatewayError `invalid_value` for a team that does not exist; `conflict` for one that has as many keys as it may have
 */
export async function checkTeam(
  before: Pick<ApiKey, 'id' | 'teamId'> | undefined,
  after: TeamKey,
  deps: AdminDeps,
): Promise<void> {
  const team = await teamOfKey(after, deps);
  if (team !== undefined && team.id !== before?.teamId) await requireRoom(team, deps);
}

/** The team of a key; undefined if it has none. @throws GatewayError `invalid_value` if it does not exist */
async function teamOfKey({ teamId }: TeamKey, { teams }: Pick<AdminDeps, 'teams'>): Promise<Team | undefined> {
  if (teamId == null) return undefined;
  const team = (await teams.current()).settings.teams.find(({ id }) => id === teamId);
  if (team === undefined) throw new GatewayError('invalid_value', 'There is no such team.', { param: 'teamId' });
  return team;
}

async function requireRoom({ id, maxKeys }: Team, { keys }: AdminDeps): Promise<void> {
  if (maxKeys === null) return;
  let count = 0;
  for await (const _ of keysOf(id, keys)) {
    count += 1;
    if (count < maxKeys) continue;
    const message = `The team has ${maxKeys} keys, the most that it may have. Revoke one first.`;
    throw new GatewayError('conflict', message, { param: 'teamId' });
  }
}
