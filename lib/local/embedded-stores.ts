import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buildApp } from 'fauxqs';
import { createResources, type StoreAddresses } from './create-resources.ts';
import { keepQueues } from './kept-queues.ts';

// It has no types.
const dynalite: (options: { createTableMs: number; path?: string }) => Server = createRequire(import.meta.url)(
  'dynalite',
);

const LOOPBACK = '127.0.0.1';

export interface EmbeddedStores extends StoreAddresses {
  stop(): Promise<void>;
}

/**
 * DynamoDB and SQS on free ports of the loopback interface, with the service's tables (called by their names in
 * TABLES) and queues. Both live in `folder` and survive a restart, or in memory without one. Their addresses
 * end in a secret of this start: a request without it is refused.
 */
export async function startEmbeddedStores(folder?: string): Promise<EmbeddedStores> {
  const secretPath = `/${randomBytes(32).toString('hex')}`;
  const database = dynalite({
    createTableMs: 0,
    ...(folder !== undefined && { path: path.join(folder, 'dynamodb') }),
  });
  requireSecretPath(database, secretPath);
  database.listen(0, LOOPBACK);
  await once(database, 'listening');
  const dynamodbUrl = `http://${LOOPBACK}:${(database.address() as AddressInfo).port}${secretPath}`;

  // Its own start function listens on every interface.
  const queues = buildApp({ logger: false });
  const kept = folder === undefined ? undefined : keepQueues(queues, path.join(folder, 'sqs'));
  requireSecretPath(queues.server, secretPath);
  const sqsUrl = `${await queues.listen({ port: 0, host: LOOPBACK })}${secretPath}`;

  const addresses = await createResources(dynamodbUrl, sqsUrl);
  await kept?.restore();
  return {
    ...addresses,
    stop: async () => {
      database.closeAllConnections();
      database.close();
      await queues.close();
      kept?.close();
    },
  };
}

/**
 * Neither store checks a signature, and any web page or local user can reach a loopback port: only requests whose path
 * begins with the secret pass, and none that a browser sent for a page (they carry `Origin`).
 */
function requireSecretPath(server: Server, secretPath: string): void {
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { url = '' } = request;
    const isKnown = startsWith(url, secretPath) && request.headers.origin === undefined;
    if (!isKnown) {
      response.writeHead(403, { connection: 'close' }).end();
      return;
    }
    const rest = url.slice(secretPath.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    for (const handle of handlers) handle.call(server, request, response);
  });
}

/** In constant time. */
function startsWith(text: string, secret: string): boolean {
  const [given, wanted] = [Buffer.from(text.slice(0, secret.length)), Buffer.from(secret)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
