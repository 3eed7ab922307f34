import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DEADLINE_MS } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

const PYTHON = path.join(import.meta.dirname, '.venv/bin/python');
const KEPT_CHARACTERS = 20_000;

export interface Moto {
  readonly url: string;
  /** What it printed: the reasons of its failures. */
  logs(): string;
  stop(): Promise<void>;
}

/** Whether this run is on moto, which run.mjs installs: SVC_TEST_STORE=moto. */
export function onMoto(): boolean {
  return process.env.SVC_TEST_STORE === 'moto';
}

/**
 * Python's moto on a free port, which serves every AWS API that it knows, from memory. When it stops, the file `report` gets what
 * its CloudFormation lacked.
 *
 * @throws Error where it is not installed, or does not serve within a minute
 */
export async function startMoto(report?: string): Promise<Moto> {
  if (!existsSync(PYTHON)) throw new Error('moto is not installed: npm test moto does that');
  const port = await freePort();
  const child = spawn(
    PYTHON,
    [path.join(import.meta.dirname, 'server.py'), String(port), ...(report ? [report] : [])],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH },
    },
  );
  let printed = '';
  child.stderr.on('data', (bytes: Buffer) => {
    printed = `${printed}${bytes}`.slice(-KEPT_CHARACTERS);
  });
  const url = `http://127.0.0.1:${port}`;
  await untilServing(url, child);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { url, logs: () => printed, stop };
}

async function untilServing(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      await (await fetch(`${url}/moto-api/`)).arrayBuffer();
      return;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error('moto did not start', { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
