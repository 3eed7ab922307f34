import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { StoresParameter } from '../../lib/settings/stores-parameter.ts';

/** What the copied items need of the source's secrets. */
const NEEDED = {
  pepper: 'no key would be valid',
  sealingKey: 'no webhook secret could be opened',
  credentialsKey: 'no stored credential could be opened',
} as const;

/**
 * Whether the target's secrets have the source's values, each of which may be several, separated by spaces. Nothing of them is shown.
 * @returns warnings about secrets that cannot be read
 * @throws Error if a value is missing, since copied items would be of no use
 */
export async function checkSecrets(
  secrets: SecretsManagerClient,
  from: StoresParameter,
  to: StoresParameter,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const [name, effect] of Object.entries(NEEDED) as [keyof typeof NEEDED, string][]) {
    const [source, target] = [from.secrets[name], to.secrets[name]];
    if (source === target) continue;
    try {
      const [wanted, present] = [await valuesOf(secrets, source), await valuesOf(secrets, target)];
      if (wanted.every((value) => present.includes(value))) continue;
    } catch (error) {
      warnings.push(
        `not checked: whether ${target} has the value of ${source} (${(error as Error).name}). Without it ${effect}`,
      );
      continue;
    }
    throw new Error(`${target} lacks the value of ${source}, so ${effect}: add it first (docs/deploy.md#restore-data)`);
  }
  return warnings;
}

async function valuesOf(secrets: SecretsManagerClient, SecretId: string): Promise<string[]> {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  return SecretString.split(' ').filter((value) => value !== '');
}
