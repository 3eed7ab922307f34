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
  /** What a secret's current version says. */
  textOf(arn: string): string | undefined;
  stop(): void;
}

interface Call {
  readonly SecretId?: string;
  readonly SecretString?: string;
  readonly ClientRequestToken?: string;
  readonly VersionId?: string;
}

/** Serves GetSecretValue and PutSecretValue from a table of ARN and text, for AWS_ENDPOINT_URL_SECRETS_MANAGER. */
export async function startFakeSecretsManager(
  secrets: Readonly<Record<string, string | undefined>>,
): Promise<FakeSecretsManager> {
  const texts = { ...secrets };
  /** By ARN and token. */
  const versions = new Map<string, string>();
  let reads = 0;
  const server = createServer(async (request, response) => {
    const call = (await json(request)) as Call;
    const { SecretId: arn = '', VersionId, ClientRequestToken: token, SecretString = '' } = call;
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    const target = request.headers['x-amz-target'];
    if (target === 'secretsmanager.PutSecretValue' && arn in texts) {
      // A token names a version, which never changes: a repeated put succeeds, and another text is refused.
      const version = `${arn} ${token}`;
      const there = versions.get(version);
      if (there !== undefined && there !== SecretString) return answer(400, { __type: 'ResourceExistsException' });
      if (there === undefined) texts[arn] = SecretString;
      versions.set(version, SecretString);
      return answer(200, { ARN: arn, Name: arn, VersionId: token, VersionStages: ['AWSCURRENT'] });
    }
    reads += 1;
    const known = VersionId === undefined ? texts[arn] : versions.get(`${arn} ${VersionId}`);
    const text = target === 'secretsmanager.GetSecretValue' ? known : undefined;
    if (text === undefined) return answer(400, { __type: 'ResourceNotFoundException' });
    return answer(200, { ARN: arn, Name: arn, SecretString: text });
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
    textOf: (arn) => texts[arn],
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
