import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mintApiKey } from '../../functions/control/keys/index.ts';
import { startSelectedStores } from '../stores/selected-stores.ts';
import { DEADLINE_MS } from '../support/eventually.ts';
import { QUICK_START } from '../support/quick-start.ts';
import type { ProviderSettings, Service } from './service.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Of the deployment, as JSON: a suite runs with this policy instead of the default. */
const TEST_POLICY = process.env.SVC_TEST_POLICY;
/** What `npm start` runs. */
export const ENTRY = path.join(ROOT, 'dist/local/index.mjs');

/**
 * Runs the bundle of `npm start` as a process on a free port, with a separate folder; `settings` are additional variables. Its
 * stores are embedded, or those that the run selects if the settings name no other. `entry` is the bundle of another release.
 */
export async function startLocalProcess(
  providers: ProviderSettings,
  settings: Readonly<Record<string, string>> = {},
  entry?: string,
): Promise<Service> {
  if (entry === undefined) buildLocalService();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-contract-'));
  const adminKey = mintApiKey();
  const stores =
    settings.AWS_ENDPOINT_URL_DYNAMODB === undefined
      ? await startSelectedStores(settings.SVC_DATA_DIR ?? dataDir)
      : undefined;
  const child = spawn(process.execPath, [entry ?? ENTRY], {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...QUICK_START,
      PORT: '0',
      SVC_DATA_DIR: dataDir,
      SVC_ADMIN_KEY: adminKey,
      ...stores?.settings,
      ...providers,
      ...settings,
    },
  });
  let printed = '';
  const collect = (bytes: Buffer) => {
    printed += bytes.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const stop = async () => {
    await stopProcess(child);
    await stores?.stop();
    // A child may still be writing its last.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    const baseUrl = await readyAddress(child, () => printed);
    if (TEST_POLICY !== undefined) await setPolicy(baseUrl, adminKey, TEST_POLICY);
    return {
      baseUrl,
      adminUrl: baseUrl,
      adminKey,
      pid: child.pid,
      exitCode: () => child.exitCode,
      logs: () => printed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function setPolicy(baseUrl: string, adminKey: string, policy: string): Promise<void> {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${baseUrl}/admin/policy`, { method: 'PUT', headers, body: policy });
  if (status !== 200) throw new Error(`SVC_TEST_POLICY: ${status}`);
}

async function readyAddress(child: ChildProcess, printed: () => string): Promise<string> {
  const deadline = performance.now() + DEADLINE_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    const address = /^ready (http:\/\/\S+\/v1)$/m.exec(printed())?.[1];
    if (address) return address;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the local service did not start:\n${printed()}`);
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  await exited;
  clearTimeout(timer);
}

let isBuilt = false;

/** Builds the local service's bundle unless it is up to date. Other processes wait for one build. */
export function buildLocalService(): void {
  if (isBuilt) return;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', 'local'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the local bundle was not built:\n${stderr}`);
  isBuilt = true;
}
