import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Clock } from '../../core/base/clock.ts';
import type { CredentialSource } from '../../core/routing/provider.ts';
import { reachStore } from '../dynamo/reach-store.ts';
import { systemClock } from '../system-clock.ts';
import { createSecretsManagerClient } from './clients.ts';

/** A secret that is changed is used so much later at the latest, and at once where the old value is refused. */
export const FRESH_MS = 5 * 60_000;
/** So long one that could not be read is not asked for again: callers wait for each attempt. */
const UNREADABLE_MS = 10_000;
/** After a reading in vain the next may come so much later, twice as long after each further one. */
const FIRST_QUIET_MS = 1_000;
const LONGEST_QUIET_MS = 60_000;

/** A secret's text, read when first asked for and again every five minutes; the last one stays while none can be read. */
export function secretSource(arn: string): () => Promise<string> {
  const secret = new RenewableSecret(arn);
  return () => secret.read();
}

/** The same, and read again when what it holds was refused. */
export class RenewableSecret implements CredentialSource {
  version = 0;
  private readonly arn: string;
  private readonly clock: Clock;
  private value: string | undefined;
  private readAt = 0;
  private pending: Promise<string> | undefined;
  private client: SecretsManagerClient | undefined;
  /** By provider, for which it was read in vain. */
  private readonly quiet = new Map<string, { readonly forMs: number; readonly until: number }>();

  constructor(arn: string, clock: Clock = systemClock) {
    this.arn = arn;
    this.clock = clock;
  }

  /** @throws StoreUnavailable where it cannot be read and never was */
  async read(): Promise<string> {
    if (this.value !== undefined && this.clock.monotonic() - this.readAt < FRESH_MS) return this.value;
    try {
      return await this.refresh();
    } catch (error) {
      if (this.value === undefined) throw error;
      this.readAt = this.clock.monotonic() - FRESH_MS + UNREADABLE_MS;
      return this.value;
    }
  }

  async renewedSince(version: number, provider: string): Promise<boolean> {
    if (this.version !== version) return true;
    const last = this.quiet.get(provider);
    // A key that stays refused must not have the secret read with every request.
    if (last !== undefined && this.clock.monotonic() < last.until) return false;
    await this.refresh().catch(() => {});
    if (this.version !== version) return true;
    const forMs = Math.min(Math.max(FIRST_QUIET_MS, 2 * (last?.forMs ?? 0)), LONGEST_QUIET_MS);
    this.quiet.set(provider, { forMs, until: this.clock.monotonic() + forMs });
    return false;
  }

  /** Those who ask at once share a reading. */
  private refresh(): Promise<string> {
    this.pending ??= this.fetch().finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  private async fetch(): Promise<string> {
    this.client ??= createSecretsManagerClient();
    const reader = this.client;
    const command = new GetSecretValueCommand({ SecretId: this.arn });
    const { SecretString: text = '' } = await reachStore('secrets', () => reader.send(command));
    this.readAt = this.clock.monotonic();
    if (text !== this.value) {
      this.value = text;
      this.version += 1;
      this.quiet.clear();
    }
    return text;
  }
}
