import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { reachStore } from '../dynamo/reach-store.ts';

export interface SecretVersion {
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
