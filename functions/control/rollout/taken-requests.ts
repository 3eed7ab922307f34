import { createHash } from 'node:crypto';
import type { ApiKey, DeploymentPolicy } from '../../kernel/model/index.ts';
import { effectivePolicy, withEffectivePolicy } from '../policy/index.ts';

type Rollout = NonNullable<DeploymentPolicy['rollout']>;

const HUNDREDTHS = 10_000;

/** The policy in force, without a roll-out. */
export function policyInForce({ rollout: _, ...policy }: DeploymentPolicy): DeploymentPolicy {
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
  if (Object.entries(tags).some(([name, value]) => key.tags[name] !== value)) return false;
  return placeOf(key.id, session) < percent * (HUNDREDTHS / 100);
}

/** A number from 0 to below 10,000. */
function placeOf(keyId: string, session: string): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([keyId, session]))
    .digest();
  return digest.readUInt32BE(0) % HUNDREDTHS;
}

/** By the key, as long as neither it nor the document changes: a policy is compiled once. */
const made = new WeakMap<ApiKey, { readonly document: DeploymentPolicy; readonly key: ApiKey }>();

/** The key with its policy under the candidate of a roll-out, whose shadow is the policy in force; the key with that without a roll-out. */
export function withCandidate(key: ApiKey, document: DeploymentPolicy): ApiKey {
  const { rollout } = document;
  if (rollout === undefined) return withEffectivePolicy(key, document);
  const known = made.get(key);
  if (known?.document === document) return known.key;
  const { shadow: _, ...inForce } = effectivePolicy(document, key.policy, key.team?.policy);
  const changed = {
    ...key,
    policy: { ...effectivePolicy(rollout.policy, key.policy, key.team?.policy), shadow: inForce },
  };
  made.set(key, { document, key: changed });
  return changed;
}
