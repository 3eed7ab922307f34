import type { KeyStore } from '../control/keys/index.ts';
import { weakerThanTeam } from '../control/policy/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { ApiKey } from '../kernel/model/index.ts';
import type { Team } from '../kernel/teams/index.ts';
import type { AdminDeps } from './admin-deps.ts';

const KEYS_AT_ONCE = 100;

/** A key of the team that is not revoked; undefined if there is none. */
export async function someKeyOf(teamId: string, keys: Pick<KeyStore, 'list'>): Promise<ApiKey | undefined> {
  let cursor: string | undefined;
  do {
    const page = await keys.list(KEYS_AT_ONCE, cursor, teamId);
    const found = page.keys.find(({ key }) => key.state !== 'revoked');
    if (found !== undefined) return found.key;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return undefined;
}

type TeamKey = Pick<ApiKey, 'id' | 'teamId' | 'policy' | 'credentialId'>;

/**
 * Checks a new or changed key against its team. @param before the stored key; undefined for a new one
 * @throws GatewayError `invalid_value` for a team or credential that the key cannot have, and for a policy that is weaker than the team's;
 * `conflict` for a team that has as many keys as it may have
 */
export async function checkTeam(before: TeamKey | undefined, after: TeamKey, deps: AdminDeps): Promise<void> {
  await checkCredential(before, after, deps);
  const team = await teamOfKey(after, deps);
  if (team === undefined) return;
  const isNew = team.id !== before?.teamId;
  // What a key had when its team's policy changed is no obstacle to other changes: the stricter value holds.
  if (isNew || after.policy !== before?.policy) await checkPolicyOf(after, team, deps);
  // The last check, since it takes the place.
  if (isNew) await requirePlace(team, after.id, deps);
}

async function checkCredential(before: TeamKey | undefined, after: TeamKey, { credentials }: AdminDeps): Promise<void> {
  const { credentialId, teamId = null } = after;
  if (credentialId == null || (credentialId === before?.credentialId && teamId === (before.teamId ?? null))) return;
  const found = (await credentials.current()).settings.credentials.find(({ id }) => id === credentialId);
  // Another team's credential is as if it did not exist.
  if (found !== undefined && (found.teamId === null || found.teamId === teamId)) return;
  throw new GatewayError('invalid_value', 'There is no such credential.', { param: 'credentialId' });
}

async function checkPolicyOf({ policy }: TeamKey, team: Team, { policies }: AdminDeps): Promise<void> {
  const [field] = weakerThanTeam((await policies.current()).settings, policy, team.policy);
  if (field === undefined) return;
  const message = `'policy.${field}' is weaker than what the policy of the team sets.`;
  throw new GatewayError('invalid_value', message, { param: `policy.${field}` });
}

/** The team of a key; undefined if it has none. @throws GatewayError `invalid_value` if it does not exist */
export async function teamOfKey(
  { teamId }: Pick<ApiKey, 'teamId'>,
  { teams }: Pick<AdminDeps, 'teams'>,
): Promise<Team | undefined> {
  if (teamId == null) return undefined;
  const team = (await teams.current()).settings.teams.find(({ id }) => id === teamId);
  if (team === undefined) throw new GatewayError('invalid_value', 'There is no such team.', { param: 'teamId' });
  return team;
}

/** The policy of a key's team; undefined if it has none. */
export async function teamPolicyOf(
  key: Pick<ApiKey, 'teamId'> | undefined,
  { teams }: Pick<AdminDeps, 'teams'>,
): Promise<Team['policy'] | undefined> {
  if (key?.teamId == null) return undefined;
  return (await teams.current()).settings.teams.find(({ id }) => id === key.teamId)?.policy;
}

async function requirePlace({ id: teamId, maxKeys }: Team, keyId: string, { keys, clock }: AdminDeps): Promise<void> {
  if (maxKeys === null || (await keys.takePlace({ teamId, maxKeys, keyId, nowMs: clock.now() }))) return;
  const message = `The team has ${maxKeys} keys, the most that it may have. Revoke one first.`;
  throw new GatewayError('conflict', message, { param: 'teamId' });
}
