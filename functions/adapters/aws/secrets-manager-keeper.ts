import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { SecretKeeper } from '../../core/keys/make-key.ts';
import { reachStore } from '../dynamo/reach-store.ts';

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
