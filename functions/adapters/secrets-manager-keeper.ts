import type { SecretKeeper } from '../core/ports/secret-keeper.ts';
import { isRefusal } from './aws-json-client.ts';
import { reachStore } from './reach-store.ts';
import type { SecretsManagerClient } from './secrets-manager-client.ts';

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
    const version = { SecretId: this.arn, ClientRequestToken: token, SecretString: text };
    const put = () => this.client.call('secretsmanager:PutSecretValue', version);
    try {
      await reachStore('secret', put, isTaken);
      return text;
    } catch (error) {
      if (!isTaken(error)) throw error;
      const get = () => this.client.call('secretsmanager:GetSecretValue', { SecretId: this.arn, VersionId: token });
      const { SecretString: kept = '' } = await reachStore('secret', get);
      return kept;
    }
  }
}

function isTaken(error: unknown): boolean {
  return isRefusal(error, 'ResourceExistsException');
}
