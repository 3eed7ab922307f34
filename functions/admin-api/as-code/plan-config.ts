import { isDeepStrictEqual } from 'node:util';
import type { KeyView } from '../../core/model/api-key.ts';
import type { DeploymentPolicy } from '../../core/policies/deployment-policy.ts';
import { ConfigError, type ConfigFile, type KeyEntry, toEntry } from './config-file.ts';

/** What a deployment has now. */
export interface Deployed {
  readonly policy: DeploymentPolicy;
  /** `ETag` of the policy. */
  readonly etag: string;
  readonly keys: readonly KeyView[];
}

export type Step =
  | {
      readonly do: 'put policy';
      readonly before: DeploymentPolicy;
      readonly after: DeploymentPolicy;
      readonly etag: string;
    }
  | { readonly do: 'create key'; readonly entry: KeyEntry }
  | {
      readonly do: 'update key';
      readonly id: string;
      readonly name: string;
      readonly before: Partial<KeyEntry>;
      readonly after: Partial<KeyEntry>;
    }
  | { readonly do: 'revoke key'; readonly id: string; readonly name: string };

export interface Plan {
  readonly steps: readonly Step[];
  /** Keys that the file does not have and that stay. */
  readonly extraneous: readonly KeyView[];
}

/**
 * What is to be done so that the deployment is as the file says; nothing where it is so already. Keys that the file does
 * not have are revoked with `prune`, but for administrators', which only a person should.
 * @throws ConfigError where two keys have a name that the file means
 */
export function planConfig(file: ConfigFile, deployed: Deployed, prune: boolean): Plan {
  const living = deployed.keys.filter(({ state }) => state !== 'revoked');
  const named = new Set(file.keys?.map(({ name }) => name));
  const others = file.keys === undefined ? [] : living.filter(({ name }) => !named.has(name));
  const pruned = prune ? others.filter(({ permissions }) => !permissions.includes('admin')) : [];
  return {
    steps: [
      ...policySteps(file, deployed),
      ...(file.keys ?? []).flatMap((entry) => keySteps(entry, living)),
      ...pruned.map(({ id, name }) => ({ do: 'revoke key', id, name }) as const),
    ],
    extraneous: others.filter((key) => !pruned.includes(key)),
  };
}

function policySteps({ policy: after }: ConfigFile, { policy: before, etag }: Deployed): Step[] {
  return after === undefined || isDeepStrictEqual(before, after) ? [] : [{ do: 'put policy', before, after, etag }];
}

function keySteps(entry: KeyEntry, living: readonly KeyView[]): Step[] {
  const [key, other] = living.filter(({ name }) => name === entry.name);
  if (key === undefined) return [{ do: 'create key', entry }];
  if (other !== undefined) {
    throw new ConfigError(`Two keys are called '${entry.name}', ${key.id} and ${other.id}: rename or revoke one.`);
  }
  const now = toEntry(key);
  const names = (Object.keys(entry) as (keyof KeyEntry)[]).filter((name) => {
    const told = name !== 'state' || key.state !== 'expired';
    return told && !isDeepStrictEqual(now[name], entry[name]);
  });
  if (names.length === 0) return [];
  const pick = (from: KeyEntry) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<KeyEntry>;
  return [{ do: 'update key', id: key.id, name: key.name, before: pick(now), after: pick(entry) }];
}
