import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEADLINE_MS } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

/** A provider that responds by an OpenAPI document, and refuses with 400 what it does not contain. */
export interface Steady {
  readonly url: string;
  stop(): Promise<void>;
}

const ENTRY = path.join(import.meta.dirname, 'node_modules/@stdy/cli/steady.js');
/** As both SDKs write arrays and objects of forms and queries: `scripts/mock` in their repositories. */
const BRACKETS = ['query-array', 'form-array', 'query-object', 'form-object'].map(
  (kind) => `--validator-${kind}-format=brackets`,
);

/** @param document an OpenAPI document */
export async function startSteady(document: object): Promise<Steady> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-steady-'));
  const file = path.join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const port = await freePort();
  const options = ['--port', String(port), '--reject-on-sdk-error', ...BRACKETS, '--log=false', '--no-color'];
  // Its launcher does not hand signals on: the group of both is ended.
  const child = spawn(process.execPath, [ENTRY, ...options, file], { stdio: 'ignore', detached: true });
  const stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) {
      const exited = once(child, 'exit');
      process.kill(-child.pid, 'SIGKILL');
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error('@stdy/cli did not start');
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
