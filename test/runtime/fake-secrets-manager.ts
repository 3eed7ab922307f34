import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Answers GetSecretValue from a table of ARN and text: enough for AWS_ENDPOINT_URL_SECRETS_MANAGER. */
export async function startFakeSecretsManager(
  secrets: Readonly<Record<string, string>>,
): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const { SecretId: arn = '' } = (await json(request)) as { SecretId?: string };
    const text = request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue' ? secrets[arn] : undefined;
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
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
