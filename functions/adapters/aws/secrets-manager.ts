import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { SecretKeeper } from '../../control/keys/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { CredentialSource } from '../../pipeline/index.ts';
import { systemClock } from '../node/process-time.ts';
import { createSecretsManagerClient } from './clients.ts';
import { reachStore } from './reach-store.ts';

/** Maximum delay until a changed secret is used; a refused value is reread at once. */
export const FRESH_MS = 5 * 60_000;
/** Pause after a failed read, since callers wait for each attempt. */
const UNREADABLE_MS = 10_000;
/** Pause after a read that found no new value, doubled after each further one. */
const FIRST_QUIET_MS = 1_000;
const LONGEST_QUIET_MS = 60_000;

/** Returns a secret's text: read on first use and again every five minutes. The last value stays while reads fail. */
export function secretSource(arn: string): () => Promise<string> {
  const secret = new RenewableSecret(arn);
  return () => secret.read();
}

/** A secret that is also reread when its value was refused. */
export class RenewableSecret implements CredentialSource {
  version = 0;
  private readonly arn: string;
  private readonly clock: Clock;
  private value: string | undefined;
  private readAt = 0;
  private pending: Promise<string> | undefined;
  private client: SecretsManagerClient | undefined;
  /** Pauses by provider, after reads that found no new value. */
  private readonly quiet = new Map<string, { readonly forMs: number; readonly until: number }>();

  constructor(arn: string, clock: Clock = systemClock) {
    this.arn = arn;
    this.clock = clock;
  }

  /** @throws StoreUnavailable if it cannot be read and never was */
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
    // A key that keeps being refused must not cause a read for every request.
    if (last !== undefined && this.clock.monotonic() < last.until) return false;
    await this.refresh().catch(() => {});
    if (this.version !== version) return true;
    const forMs = Math.min(Math.max(FIRST_QUIET_MS, 2 * (last?.forMs ?? 0)), LONGEST_QUIET_MS);
    this.quiet.set(provider, { forMs, until: this.clock.monotonic() + forMs });
    return false;
  }

  /** Concurrent callers share one read. */
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
    const { SecretString: stored = '' } = await reachStore('secrets', () => reader.send(command));
    // A secret put from a file ends with the file's line break.
    const text = stored.trim();
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
 * Stores texts as versions of a secret, identified by their tokens. Secrets Manager accepts only one text per token:
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

/** The versions of a secret during its rotation. @throws StoreUnavailable if Secrets Manager does not respond in time */
export class SecretVersions {
  private readonly client: SecretsManagerClient;
  private readonly arn: string;

  constructor(client: SecretsManagerClient, arn: string) {
    this.client = client;
    this.arn = arn;
  }

  /** The labels of a version; none if it does not exist. */
  async labels(id: string): Promise<readonly string[]> {
    const command = new DescribeSecretCommand({ SecretId: this.arn });
    const { VersionIdsToStages: versions = {} } = await reachStore('secrets', () => this.client.send(command));
    return versions[id] ?? [];
  }

  /** The current version. */
  async current(): Promise<SecretVersion> {
    const version = await this.read({ VersionStage: 'AWSCURRENT' });
    if (version === undefined) throw new Error('the secret has no current version');
    return version;
  }

  /** The pending version; undefined if none has been put yet. */
  pending(id: string): Promise<SecretVersion | undefined> {
    return this.read({ VersionId: id, VersionStage: 'AWSPENDING' });
  }

  /** Puts the pending text; idempotent for the same text. */
  async putPending(id: string, text: string): Promise<void> {
    const input = { SecretId: this.arn, ClientRequestToken: id, SecretString: text, VersionStages: ['AWSPENDING'] };
    await reachStore('secrets', () => this.client.send(new PutSecretValueCommand(input)));
  }

  /** Makes a version current instead of another, which Secrets Manager keeps as the previous one. */
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
