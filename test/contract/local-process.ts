import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mintApiKey } from '../../functions/core/keys/api-key-format.ts';
import { startSelectedStores } from '../stores/selected-stores.ts';
import { PROVIDER_TIMEOUT_MS, type ProviderSettings, type Service } from './service.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What `npm start` runs. */
export const ENTRY = path.join(ROOT, 'dist/local/index.mjs');
const BUILD_LOCK = path.join(tmpdir(), `svc-build-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}`);
const LONGEST_BUILD_MS = 60_000;
const START_MS = 60_000;
const STOP_MS = 15_000;

/**
 * Runs the bundle of `npm start` as a process on a free port, with a separate folder; `settings` are additional variables. Its
 * stores are embedded, or those that the run selects if the settings name no other. `entry` is the bundle of another release.
 */
export async function startLocalProcess(
  providers: ProviderSettings,
  settings: Readonly<Record<string, string>> = {},
  entry?: string,
): Promise<Service> {
  if (entry === undefined) await buildWhereOlder();
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
      PORT: '0',
      SVC_DATA_DIR: dataDir,
      SVC_ADMIN_KEY: adminKey,
      SVC_PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
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

async function readyAddress(child: ChildProcess, printed: () => string): Promise<string> {
  const deadline = performance.now() + START_MS;
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
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(timer);
}

/** Builds the local service's bundle if its sources are newer; suites that run at the same time wait for one build. */
export async function buildWhereOlder(): Promise<void> {
  const unlock = await lock(BUILD_LOCK);
  try {
    await buildIfOlder();
  } finally {
    await unlock();
  }
}

/** Creates a folder as a lock, once no other process has it. One older than a build takes was left by a killed process. */
async function lock(folder: string): Promise<() => Promise<void>> {
  for (;;) {
    const isMade = await mkdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return false;
      },
    );
    if (isMade) return () => rmdir(folder);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > LONGEST_BUILD_MS) await rmdir(folder).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function buildIfOlder(): Promise<void> {
  const sources = ['functions', 'lib', 'bin'].map((folder) => newestIn(path.join(ROOT, folder)));
  const newest = Math.max(...(await Promise.all(sources)));
  const built = await stat(ENTRY).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (built > newest) return;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs', 'local'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the local bundle was not built:\n${stderr}`);
}

async function newestIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const times = files
    .filter((file) => file.isFile() && !file.name.includes('.test.'))
    .map((file) => stat(path.join(file.parentPath, file.name)).then(({ mtimeMs }) => mtimeMs));
  return Math.max(0, ...(await Promise.all(times)));
}
