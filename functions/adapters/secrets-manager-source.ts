import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { reachStore } from './aws-clients.ts';

const FRESH_MS = 5 * 60_000;

/** A secret's text, read when first asked for and again every five minutes; the last one stays while none can be read. */
export function secretSource(arn: string): () => Promise<string> {
  let value: string | undefined;
  let readAt = 0;
  let pending: Promise<string> | undefined;
  let client: SecretsManagerClient | undefined;
  const read = async (): Promise<string> => {
    client ??= new SecretsManagerClient({
      requestHandler: new NodeHttpHandler({
        connectionTimeout: 1_000,
        requestTimeout: 2_000,
        throwOnRequestTimeout: true,
      }),
    });
    const reader = client;
    const { SecretString } = await reachStore('secrets', () =>
      reader.send(new GetSecretValueCommand({ SecretId: arn })),
    );
    return SecretString ?? '';
  };
  return async () => {
    if (value !== undefined && performance.now() - readAt < FRESH_MS) return value;
    pending ??= read().finally(() => {
      pending = undefined;
    });
    try {
      value = await pending;
      readAt = performance.now();
    } catch (error) {
      if (value === undefined) throw error;
    }
    return value;
  };
}
