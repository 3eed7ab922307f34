import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { createKeySchema, type KeyView } from '../../core/model/api-key.ts';
import { deploymentPolicySchema } from '../../core/policies/deployment-policy.ts';

/** A key as a file has it: what an administrator sets, and nothing of its secret. What is absent has its default. */
const keyEntrySchema = createKeySchema.extend({ state: z.enum(['active', 'disabled']).default('active') });
export type KeyEntry = z.infer<typeof keyEntrySchema>;

/** What a team keeps in git. What is absent is left as it is in the deployment. */
export const configFileSchema = z
  .strictObject({
    /** The deployment's policy. */
    policy: deploymentPolicySchema.optional(),
    /** By their names, which tell them apart. */
    keys: z.array(keyEntrySchema).max(10_000).optional(),
  })
  .superRefine(({ keys = [] }, context) => {
    const names = new Set<string>();
    for (const [at, { name }] of keys.entries()) {
      if (names.has(name)) context.addIssue({ code: 'custom', path: ['keys', at, 'name'], message: 'is there twice' });
      names.add(name);
    }
  });
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

/** The file of a deployment: its keys by name, what has its default left out. @throws ConfigError where names are not unique */
export function toConfigFile(policy: object, keys: readonly KeyView[]): object {
  const living = keys.filter(({ state }) => state !== 'revoked').sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [at, { name, id }] of living.entries()) {
    if (living[at - 1]?.name === name) {
      throw new ConfigError(`Two keys are called '${name}', ${living[at - 1]?.id} and ${id}: rename one.`);
    }
  }
  return { policy, keys: living.map((key) => withoutDefaults(toEntry(key))) };
}

function withoutDefaults(entry: KeyEntry): Partial<KeyEntry> {
  const defaults = keyEntrySchema.parse({ name: entry.name });
  const own = Object.entries(entry).filter(
    ([name, value]) => name === 'name' || !isDeepStrictEqual(value, defaults[name as keyof KeyEntry]),
  );
  return Object.fromEntries(own) as Partial<KeyEntry>;
}
