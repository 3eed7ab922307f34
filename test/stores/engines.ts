import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { createResources, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';

const EMULATOR = path.join(import.meta.dirname, 'dynamodb-local/node_modules/amplify-dynamodb-simulator/emulator');
const START_MS = 20_000;

export interface Engine {
  readonly name: string;
  start(): Promise<{ url: string; stop(): Promise<void> }>;
}

const dynalite: Engine = {
  name: 'dynalite',
  async start() {
    const stores = await startEmbeddedStores();
    return { url: stores.dynamodbUrl, stop: () => stores.stop() };
  },
};

/** AWS's own, as a process; it stands in no package of the root, so it is used where run-dynamodb-local.mjs installed it. */
const dynamodbLocal: Engine = {
  name: "AWS's DynamoDB Local",
  async start() {
    const port = await freePort();
    const child = spawn(
      'java',
      [
        ...[
          '-XX:TieredStopAtLevel=1',
          '-XX:+UseSerialGC',
          '-Djava.library.path=./DynamoDBLocal_lib',
          '-jar',
          'DynamoDBLocal.jar',
        ],
        ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
      ],
      { cwd: EMULATOR, stdio: 'ignore' },
    );
    const url = `http://127.0.0.1:${port}`;
    await untilServing(url, child);
    const queues = await startEmbeddedStores();
    await createResources(url, queues.sqsUrl);
    return {
      url,
      stop: async () => {
        await queues.stop();
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      },
    };
  },
};

/** dynalite, which every machine can run, or AWS's own where run-dynamodb-local.mjs asks for it. */
export function availableEngines(): Engine[] {
  if (process.env.SVC_TEST_STORE === 'dynamodb-local') return [dynamodbLocal];
  return [dynalite];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilServing(url: string, child: ChildProcess): Promise<void> {
  const client = new DynamoDBClient({
    endpoint: url,
    maxAttempts: 1,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const deadline = performance.now() + START_MS;
  for (;;) {
    try {
      await client.send(new ListTablesCommand({}));
      return client.destroy();
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error('DynamoDB Local did not start', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
