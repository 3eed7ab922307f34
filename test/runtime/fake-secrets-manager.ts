import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface FakeSecretsManager {
  readonly url: string;
  /** How often a secret was read. */
  readonly reads: number;
  /** As `aws secretsmanager put-secret-value` does; undefined deletes it. */
  put(arn: string, text: string | undefined): void;
  stop(): void;
}

/** Answers GetSecretValue from a table of ARN and text: enough for AWS_ENDPOINT_URL_SECRETS_MANAGER. */
export async function startFakeSecretsManager(
  secrets: Readonly<Record<string, string | undefined>>,
): Promise<FakeSecretsManager> {
  const texts = { ...secrets };
  let reads = 0;
  const server = createServer(async (request, response) => {
    const { SecretId: arn = '' } = (await json(request)) as { SecretId?: string };
    const text = request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue' ? texts[arn] : undefined;
    reads += 1;
    const type = 'application/x-amz-json-1.1';
    if (text !== undefined) {
      response
        .writeHead(200, { 'content-type': type })
        .end(JSON.stringify({ ARN: arn, Name: arn, SecretString: text }));
    } else {
      response.writeHead(400, { 'content-type': type }).end('{"__type":"ResourceNotFoundException"}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get reads() {
      return reads;
    },
    put: (arn, text) => {
      texts[arn] = text;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
