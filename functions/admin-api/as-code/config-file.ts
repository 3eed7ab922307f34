import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { createKeySchema, type KeyView } from '../../core/model/api-key.ts';
import { deploymentPolicySchema } from '../../core/model/deployment-policy.ts';
import { createWebhookSchema, type WebhookView } from '../../core/model/webhook.ts';
import { checkPolicy } from '../../core/policy/check-policy.ts';

/** A key as a file has it: what an administrator sets, and nothing of its secret. What is absent has its default. */
const keyEntrySchema = createKeySchema.extend({ state: z.enum(['active', 'disabled']).default('active') });
export type KeyEntry = z.infer<typeof keyEntrySchema>;

/** A webhook as a file has it: the address tells it from others. */
const webhookEntrySchema = createWebhookSchema.extend({ state: z.enum(['active', 'disabled']).default('active') });
export type WebhookEntry = z.infer<typeof webhookEntrySchema>;

/** What a team keeps in git. What is absent is left as it is in the deployment. */
export const configFileSchema = z
  .strictObject({
    /** The deployment's policy. */
    policy: deploymentPolicySchema.optional(),
    /** By their names, which tell them apart. */
    keys: z.array(keyEntrySchema).max(10_000).optional(),
    /** By their addresses. */
    webhooks: z.array(webhookEntrySchema).max(1_000).optional(),
  })
  .superRefine(({ policy, keys = [], webhooks = [] }, context) => {
    checkPolicy(policy, context, ['policy']);
    for (const [at, key] of keys.entries()) checkPolicy(key.policy, context, ['keys', at, 'policy']);
    const tell = (path: PropertyKey[]) => context.addIssue({ code: 'custom', path, message: 'is there twice' });
    for (const at of repeated(keys.map(({ name }) => name))) tell(['keys', at, 'name']);
    for (const at of repeated(webhooks.map(({ url }) => url))) tell(['webhooks', at, 'url']);
  });

/** Where a text stands that was there before. */
function repeated(texts: readonly string[]): number[] {
  return [...texts.keys()].filter((at) => texts.indexOf(texts[at] as string) < at);
}
export type ConfigFile = z.infer<typeof configFileSchema>;

/** A file cannot say what it means, or a deployment cannot be written as a file. */
export class ConfigError extends Error {}

/** @throws ConfigError that names the first fault's place */
export function readConfigFile(text: string): ConfigFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError('The file is not JSON.');
  }
  const file = configFileSchema.safeParse(value);
  if (file.success) return file.data;
  const faults = file.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
  throw new ConfigError(faults.join('\n'));
}

/** The settings of a key as a file would have them. An expired key tells nothing of its state: it counts as active. */
export function toEntry(key: KeyView): KeyEntry {
  const settings = Object.keys(keyEntrySchema.shape).map((name) => [name, key[name as keyof KeyView]]);
  return { ...Object.fromEntries(settings), state: key.state === 'disabled' ? 'disabled' : 'active' } as KeyEntry;
}

/** The settings of a webhook as a file would have them. One that its own failures disabled counts as active: it is not the file's to say. */
export function toWebhookEntry({ url, events, description, filter, state, disabledReason }: WebhookView): WebhookEntry {
  const isDisabled = state === 'disabled' && disabledReason === 'admin';
  return {
    url,
    events: events as WebhookEntry['events'],
    description,
    filter,
    state: isDisabled ? 'disabled' : 'active',
  };
}

/**
 * The file of a deployment: its keys by name and its webhooks by address, what has its default left out.
 * @throws ConfigError where these are not unique
 */
export function toConfigFile(policy: object, keys: readonly KeyView[], webhooks: readonly WebhookView[]): object {
  const living = keys.filter(({ state }) => state !== 'revoked').sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [at, { name, id }] of living.entries()) {
    if (living[at - 1]?.name === name) {
      throw new ConfigError(`Two keys are called '${name}', ${living[at - 1]?.id} and ${id}: rename one.`);
    }
  }
  const endpoints = [...webhooks].sort((a, b) => (a.url < b.url ? -1 : 1));
  for (const [at, { url, id }] of endpoints.entries()) {
    if (endpoints[at - 1]?.url === url) {
      throw new ConfigError(`Two webhooks have the address ${url}, ${endpoints[at - 1]?.id} and ${id}: delete one.`);
    }
  }
  return {
    policy,
    keys: living.map((key) => without(toEntry(key), keyEntrySchema.parse({ name: key.name }), ['name'])),
    ...(endpoints.length > 0 && {
      webhooks: endpoints.map((webhook) => {
        const entry = toWebhookEntry(webhook);
        return without(entry, webhookEntrySchema.parse({ url: entry.url, events: entry.events }), ['url', 'events']);
      }),
    }),
  };
}

/** An entry without what has its default, but for what every entry says. */
function without<T extends object>(entry: T, defaults: T, needed: readonly (keyof T)[]): Partial<T> {
  const own = Object.entries(entry).filter(
    ([name, value]) => needed.includes(name as keyof T) || !isDeepStrictEqual(value, defaults[name as keyof T]),
  );
  return Object.fromEntries(own) as Partial<T>;
}
