import type { ApiKey, DeploymentPolicy, PolicySettings } from '../../kernel/model/index.ts';
import { notWeaker } from '../../kernel/policies/index.ts';

/**
 * A key's policy over its team's, over the deployment's: each field of the key replaces the others', `input` and `output` type by
 * type. A policy with a preset ignores the types below it, which refer to another preset. What the team sets is never weakened.
 */
export function effectivePolicy(
  defaults: DeploymentPolicy,
  own: PolicySettings,
  team?: PolicySettings,
): PolicySettings {
  return team === undefined ? layered(defaults, own) : heldByTeam(defaults, own, team).policy;
}

/** The fields of a key's policy that are weaker than what its team sets, as paths such as `input.pii`. */
export function weakerThanTeam(
  defaults: DeploymentPolicy,
  own: PolicySettings,
  team: PolicySettings,
): readonly string[] {
  return heldByTeam(defaults, own, team).weaker;
}

function heldByTeam(defaults: DeploymentPolicy, own: PolicySettings, team: PolicySettings) {
  const floor = layered(defaults, team);
  return notWeaker(layered(floor, own), floor, team, own);
}

function layered(defaults: DeploymentPolicy, own: PolicySettings): PolicySettings {
  const { input, output, tagBudgets: _, rollout: __, ...rest } = defaults;
  if (own.preset !== undefined) return { ...rest, ...own };
  return {
    ...rest,
    ...direction('input', input, own.input),
    ...direction('output', output, own.output),
    ...withoutTypes(own),
  };
}

function direction<Name extends 'input' | 'output'>(
  name: Name,
  defaults: PolicySettings[Name],
  own: PolicySettings[Name],
): Pick<PolicySettings, 'input' | 'output'> {
  return defaults === undefined && own === undefined ? {} : { [name]: { ...defaults, ...own } };
}

function withoutTypes({ input: _, output: __, ...rest }: PolicySettings): PolicySettings {
  return rest;
}

/** Keys with their effective policy, as long as neither key nor default changes: a policy is compiled once. */
const made = new WeakMap<ApiKey, { readonly defaults: DeploymentPolicy; readonly key: ApiKey }>();

/** The key with its effective policy; the key itself where there is no default. */
export function withEffectivePolicy(key: ApiKey, defaults: DeploymentPolicy): ApiKey {
  if (Object.keys(defaults).length === 0 && key.team === undefined) return key;
  const known = made.get(key);
  if (known?.defaults === defaults) return known.key;
  const effective = { ...key, policy: effectivePolicy(defaults, key.policy, key.team?.policy) };
  made.set(key, { defaults, key: effective });
  return effective;
}
