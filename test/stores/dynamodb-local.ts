import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { DEADLINE_MS } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

const EMULATOR = path.join(import.meta.dirname, 'dynamodb-local/node_modules/amplify-dynamodb-simulator/emulator');

/** Whether this run is on AWS's own store, which run-dynamodb-local.mjs installs: SVC_TEST_STORE=dynamodb-local. */
export function onDynamoDbLocal(): boolean {
  return process.env.SVC_TEST_STORE === 'dynamodb-local';
}

/**
 * AWS's DynamoDB Local on a free port, without tables. What it holds lies in `folder`, or in memory without one.
 *
 * @throws Error where it is not installed, or does not serve within a minute
 */
export async function startDynamoDbLocal(folder?: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (!existsSync(EMULATOR)) throw new Error('DynamoDB Local is not installed: npm test dynamodb does that');
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const child = spawn(
    'java',
    [
      ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'],
      ...['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'],
      ...(folder === undefined ? ['-inMemory'] : ['-dbPath', folder]),
      ...['-sharedDb', '-disableTelemetry', '-port', String(port)],
    ],
    { cwd: EMULATOR, stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  await untilServing(url, child);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return { url, stop };
}

async function untilServing(url: string, child: ChildProcess): Promise<void> {
  const client = createDynamoClient(embeddedAccess(url));
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      await client.send(new ListTablesCommand());
      return;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error('DynamoDB Local did not start', { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
