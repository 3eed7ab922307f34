import { isDeepStrictEqual } from 'node:util';
import type { KeyView } from '../../core/model/api-key.ts';
import type { DeploymentPolicy } from '../../core/model/deployment-policy.ts';
import type { WebhookView } from '../../core/model/webhook.ts';
import {
  ConfigError,
  type ConfigFile,
  type KeyEntry,
  toEntry,
  toWebhookEntry,
  type WebhookEntry,
} from './config-file.ts';

/** What a deployment has now. */
export interface Deployed {
  readonly policy: DeploymentPolicy;
  /** `ETag` of the policy. */
  readonly etag: string;
  readonly keys: readonly KeyView[];
  readonly webhooks: readonly WebhookView[];
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
  | { readonly do: 'revoke key'; readonly id: string; readonly name: string }
  | { readonly do: 'create webhook'; readonly entry: WebhookEntry }
  | {
      readonly do: 'update webhook';
      readonly id: string;
      readonly url: string;
      readonly before: Partial<WebhookEntry>;
      readonly after: Partial<WebhookEntry>;
    }
  | { readonly do: 'delete webhook'; readonly id: string; readonly url: string };

export interface Plan {
  readonly steps: readonly Step[];
  /** Keys and webhooks that the file does not have and that stay. */
  readonly extraneous: readonly (KeyView | WebhookView)[];
}

/**
 * What is to be done so that the deployment is as the file says; nothing where it is so already. Webhooks that the file does
 * not have are deleted with `prune`, and keys revoked, but for administrators', which only a person should.
 * @throws ConfigError where two keys have a name that the file means, or two webhooks an address
 */
export function planConfig(file: ConfigFile, deployed: Deployed, prune: boolean): Plan {
  const living = deployed.keys.filter(({ state }) => state !== 'revoked');
  const named = new Set(file.keys?.map(({ name }) => name));
  const others = file.keys === undefined ? [] : living.filter(({ name }) => !named.has(name));
  const pruned = prune ? others.filter(({ permissions }) => !permissions.includes('admin')) : [];
  const meant = new Set(file.webhooks?.map(({ url }) => url));
  const otherWebhooks = file.webhooks === undefined ? [] : deployed.webhooks.filter(({ url }) => !meant.has(url));
  return {
    steps: [
      ...policySteps(file, deployed),
      ...(file.keys ?? []).flatMap((entry) => keySteps(entry, living)),
      ...pruned.map(({ id, name }) => ({ do: 'revoke key', id, name }) as const),
      ...(file.webhooks ?? []).flatMap((entry) => webhookSteps(entry, deployed.webhooks)),
      ...(prune ? otherWebhooks.map(({ id, url }) => ({ do: 'delete webhook', id, url }) as const) : []),
    ],
    extraneous: [...others.filter((key) => !pruned.includes(key)), ...(prune ? [] : otherWebhooks)],
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
  const changed = difference(now, entry, key.state === 'expired' ? ['state'] : []);
  return changed === undefined ? [] : [{ do: 'update key', id: key.id, name: key.name, ...changed }];
}

function webhookSteps(entry: WebhookEntry, deployed: readonly WebhookView[]): Step[] {
  const [webhook, other] = deployed.filter(({ url }) => url === entry.url);
  if (webhook === undefined) return [{ do: 'create webhook', entry }];
  if (other !== undefined) {
    throw new ConfigError(`Two webhooks have the address ${entry.url}, ${webhook.id} and ${other.id}: delete one.`);
  }
  const changed = difference(toWebhookEntry(webhook), entry, []);
  return changed === undefined ? [] : [{ do: 'update webhook', id: webhook.id, url: webhook.url, ...changed }];
}

/** The members in which an entry differs, before and after; undefined where in none but those that are untold. */
function difference<T extends object>(
  now: T,
  entry: T,
  untold: readonly (keyof T)[],
): { before: Partial<T>; after: Partial<T> } | undefined {
  const names = (Object.keys(entry) as (keyof T)[]).filter(
    (name) => !untold.includes(name) && !isDeepStrictEqual(now[name], entry[name]),
  );
  if (names.length === 0) return undefined;
  const pick = (from: T) => Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
  return { before: pick(now), after: pick(entry) };
}
