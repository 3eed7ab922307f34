import { createHash } from 'node:crypto';
import type { ApiKey, DeploymentPolicy, PolicyDocument } from '../../kernel/model/index.ts';

type Rollout = NonNullable<PolicyDocument['rollout']>;

const HUNDREDTHS = 10_000;

/** The policy in force, without a roll-out. */
export function policyInForce({ rollout: _, ...policy }: PolicyDocument): DeploymentPolicy {
  return policy;
}

/**
 * Whether a roll-out takes the requests of a session, by the key and a hash of both: a session keeps its policy, also while the percentage
 * rises. `session` is the request's own id where there is none.
 */
export function takesSession(rollout: Omit<Rollout, 'policy' | 'watch'>, key: ApiKey, session: string): boolean {
  const { percent, keyIds, tags = {}, environments } = rollout;
  if (keyIds !== undefined && !keyIds.includes(key.id)) return false;
  if (environments !== undefined && !environments.some((name) => name === key.environment)) return false;
  if (Object.entries(tags).some(([name, value]) => !Object.hasOwn(key.tags, name) || key.tags[name] !== value))
    return false;
  return placeOf(key.id, session) < percent * (HUNDREDTHS / 100);
}

/** A number from 0 to below 10,000. */
function placeOf(keyId: string, session: string): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([keyId, session]))
    .digest();
  return digest.readUInt32BE(0) % HUNDREDTHS;
}
