import type { ApiKey } from '../model/api-key.ts';
import type { DeploymentPolicy } from '../model/deployment-policy.ts';
import type { PolicySettings } from '../model/policy.ts';

/**
 * A key's policy over the deployment's: each field that the key has takes the place of the default's, `input` and `output` type
 * by type. A key that names a preset begins with it: what the default says of types was said of another preset.
 */
export function effectivePolicy(defaults: DeploymentPolicy, own: PolicySettings): PolicySettings {
  const { input, output, tagBudgets: _, ...rest } = defaults;
  if (own.preset !== undefined) return { ...rest, ...own };
  return {
    ...rest,
    ...direction('input', input, own.input),
    ...direction('output', output, own.output),
    ...withoutTypes(own),
  };
}

function direction(
  name: 'input' | 'output',
  defaults: PolicySettings['input'],
  own: PolicySettings['input'],
): Pick<PolicySettings, 'input' | 'output'> {
  return defaults === undefined && own === undefined ? {} : { [name]: { ...defaults, ...own } };
}

function withoutTypes({ input: _, output: __, ...rest }: PolicySettings): PolicySettings {
  return rest;
}

/** What was made of a key, for as long as neither it nor the default changes: a policy is compiled once. */
const made = new WeakMap<ApiKey, { readonly defaults: DeploymentPolicy; readonly key: ApiKey }>();

/** The key with the policy that counts for it; the key itself where there is no default. */
export function withEffectivePolicy(key: ApiKey, defaults: DeploymentPolicy): ApiKey {
  if (Object.keys(defaults).length === 0) return key;
  const known = made.get(key);
  if (known?.defaults === defaults) return known.key;
  const effective = { ...key, policy: effectivePolicy(defaults, key.policy) };
  made.set(key, { defaults, key: effective });
  return effective;
}
