import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { Clock } from '../../core/base/clock.ts';
import type { SecretKeeper } from '../../core/keys/make-key.ts';
import type { CredentialSource } from '../../core/routing/provider.ts';
import { systemClock } from '../node/process-time.ts';
import { createSecretsManagerClient } from './clients.ts';
import { reachStore } from './reach-store.ts';

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

/**
 * Keeps texts as versions of a secret, named by their tokens. Secrets Manager takes one text a version and no other:
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
 */
export class SecretsManagerKeeper implements SecretKeeper {
  private readonly client: SecretsManagerClient;
  private readonly arn: string;

  constructor(client: SecretsManagerClient, arn: string) {
    this.client = client;
    this.arn = arn;
  }

  async keep(token: string, text: string): Promise<string> {
    const put = new PutSecretValueCommand({ SecretId: this.arn, ClientRequestToken: token, SecretString: text });
    try {
      await reachStore('secret', () => this.client.send(put), isTaken);
      return text;
    } catch (error) {
      if (!isTaken(error)) throw error;
      const get = new GetSecretValueCommand({ SecretId: this.arn, VersionId: token });
      const { SecretString: kept = '' } = await reachStore('secret', () => this.client.send(get));
      return kept;
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof ResourceExistsException;
}

interface SecretVersion {
  readonly id: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** A secret's versions as its rotation sees them. Throws StoreUnavailable where Secrets Manager cannot be reached in time. */
export class SecretVersions {
  private readonly client: SecretsManagerClient;
  private readonly arn: string;

  constructor(client: SecretsManagerClient, arn: string) {
    this.client = client;
    this.arn = arn;
  }

  /** The labels of a version; none where there is no such version. */
  async labels(id: string): Promise<readonly string[]> {
    const command = new DescribeSecretCommand({ SecretId: this.arn });
    const { VersionIdsToStages: versions = {} } = await reachStore('secrets', () => this.client.send(command));
    return versions[id] ?? [];
  }

  /** The version in use. */
  async current(): Promise<SecretVersion> {
    const version = await this.read({ VersionStage: 'AWSCURRENT' });
    if (version === undefined) throw new Error('the secret has no version in use');
    return version;
  }

  /** The version that is to come; undefined where nothing was put there yet. */
  pending(id: string): Promise<SecretVersion | undefined> {
    return this.read({ VersionId: id, VersionStage: 'AWSPENDING' });
  }

  /** Puts a text there; the same text again changes nothing. */
  async putPending(id: string, text: string): Promise<void> {
    const input = { SecretId: this.arn, ClientRequestToken: id, SecretString: text, VersionStages: ['AWSPENDING'] };
    await reachStore('secrets', () => this.client.send(new PutSecretValueCommand(input)));
  }

  /** Has a version used in the place of another; Secrets Manager keeps that one as the last. */
  async use(id: string, inPlaceOf: string): Promise<void> {
    const input = {
      SecretId: this.arn,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: id,
      RemoveFromVersionId: inPlaceOf,
    };
    await reachStore('secrets', () => this.client.send(new UpdateSecretVersionStageCommand(input)));
  }

  private async read(which: { VersionId?: string; VersionStage: string }): Promise<SecretVersion | undefined> {
    const isAbsent = (error: unknown) => error instanceof ResourceNotFoundException;
    const command = new GetSecretValueCommand({ SecretId: this.arn, ...which });
    try {
      const version = await reachStore('secrets', () => this.client.send(command), isAbsent);
      const { SecretString: text = '', VersionId: id = '', CreatedDate: created } = version;
      return { id, text, createdAt: created?.getTime() ?? 0 };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }
}
