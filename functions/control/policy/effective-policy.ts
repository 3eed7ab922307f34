import type { ApiKey, PolicyDocument, PolicySettings } from '../../kernel/model/index.ts';

/**
 * A key's policy over the deployment's: each field of the key replaces the deployment's, `input` and `output` type by
 * type. A key with a preset ignores the deployment's types, which refer to another preset.
 */
export function effectivePolicy(defaults: PolicyDocument, own: PolicySettings): PolicySettings {
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

/** A key with a policy made of the key's and a document's. */
type Made = WeakMap<ApiKey, { readonly document: PolicyDocument; readonly key: ApiKey }>;

/** As long as neither key nor document changes: a policy is compiled once. */
const effective: Made = new WeakMap();
const candidates: Made = new WeakMap();

/** The key with its effective policy; the key itself where there is no default. */
export function withEffectivePolicy(key: ApiKey, document: PolicyDocument): ApiKey {
  if (Object.keys(document).length === 0) return key;
  return madeOnce(effective, key, document, () => effectivePolicy(document, key.policy));
}

/** The key with its policy under the candidate of a roll-out, whose shadow is the policy in force; the key with that without a roll-out. */
export function withCandidate(key: ApiKey, document: PolicyDocument): ApiKey {
  const { rollout } = document;
  if (rollout === undefined) return withEffectivePolicy(key, document);
  return madeOnce(candidates, key, document, () => {
    const { shadow: _, ...inForce } = effectivePolicy(document, key.policy);
    return { ...effectivePolicy(rollout.policy, key.policy), shadow: inForce };
  });
}

function madeOnce(made: Made, key: ApiKey, document: PolicyDocument, make: () => PolicySettings): ApiKey {
  const known = made.get(key);
  if (known?.document === document) return known.key;
  const changed = { ...key, policy: make() };
  made.set(key, { document, key: changed });
  return changed;
}
