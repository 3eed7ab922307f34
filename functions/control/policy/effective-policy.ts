import type { ApiKey, DeploymentPolicy, PolicySettings } from '../../kernel/model/index.ts';

/**
 * A key's policy over the deployment's: each field of the key replaces the deployment's, `input` and `output` type by
 * type. A key with a preset ignores the deployment's types, which refer to another preset.
 */
export function effectivePolicy(defaults: DeploymentPolicy, own: PolicySettings): PolicySettings {
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
  if (Object.keys(defaults).length === 0) return key;
  const known = made.get(key);
  if (known?.defaults === defaults) return known.key;
  const effective = { ...key, policy: effectivePolicy(defaults, key.policy) };
  made.set(key, { defaults, key: effective });
  return effective;
}
