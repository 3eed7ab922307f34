import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEADLINE_MS } from '../support/eventually.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Why no image can be built here; undefined if it can. */
export function whyNotHere(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root on Linux';
  return spawnSync('unshare', ['--mount', 'true']).status === 0 ? undefined : 'needs mount namespaces';
}

export interface Image {
  /** A container of the image; `settings` are additional variables. */
  start(settings?: Readonly<Record<string, string>>): Promise<Container>;
  remove(): Promise<void>;
}

export interface Container {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** As printed at the start; undefined if metrics are off. */
  readonly metricsUrl: string | undefined;
  readonly process: ChildProcess;
  /** Its data volume. */
  readonly dataDir: string;
  logs(): string;
  /** The exit code of the image's HEALTHCHECK in this container. */
  health(): number | null;
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
}

interface ImageConfig {
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly workdir: string;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

/** Builds the image's root file system as container/Dockerfile describes it. */
export async function buildImage(): Promise<Image> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-image-'));
  const { status, stderr } = spawnSync(process.execPath, ['container/rootfs.mjs', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the image was not built:\n${stderr}`);
  const config = JSON.parse(readFileSync(path.join(folder, 'config.json'), 'utf8')) as ImageConfig;
  return {
    start: (settings = {}) => startContainer(path.join(folder, 'rootfs'), config, settings),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Runs a command of the image as `docker run --read-only --user` does, in a mount namespace: the root file system is read-only, the data
 * folder is writable, and the process has the image's user and no other environment. The network is this machine's.
 */
function enter(rootfs: string, dataDir: string, { user, workdir }: ImageConfig, command: readonly string[]): string[] {
  const [uid = '', gid = ''] = user.split(':');
  const script = [
    'set -e',
    'mount --bind "$0" "$0"',
    'mount -o remount,bind,ro "$0"',
    'mount --bind "$1" "$0/data"',
    'mount -t proc proc "$0/proc"',
    'mount --rbind /dev "$0/dev"',
    'root=$0',
    'shift',
    `exec unshare --root="$root" --wd=${workdir} --setgid=${gid} --setuid=${uid} "$@"`,
  ];
  return ['--mount', 'sh', '-c', script.join('; '), rootfs, dataDir, ...command];
}

async function startContainer(
  rootfs: string,
  config: ImageConfig,
  settings: Readonly<Record<string, string>>,
): Promise<Container> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-volume-'));
  const [uid = 0, gid = 0] = config.user.split(':').map(Number);
  chownSync(dataDir, uid, gid);
  const env = { ...config.env, PORT: '0', ...settings };
  // `unshare` and `mount` are this machine's.
  const searchPath = `${config.env.PATH}:${process.env.PATH}`;
  const child = spawn('unshare', enter(rootfs, dataDir, config, config.command), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, PATH: searchPath },
  });
  const exited = once(child, 'exit');
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      printed += bytes.toString();
    });
  let stopping: Promise<number | null> | undefined;
  const stop = () => {
    stopping ??= terminate();
    return stopping;
  };
  const terminate = async () => {
    // A second SIGTERM ends the service at once.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    return child.exitCode;
  };
  const found = async (line: RegExp) => {
    const deadline = performance.now() + DEADLINE_MS;
    while (child.exitCode === null && performance.now() < deadline) {
      const text = line.exec(printed)?.[1];
      if (text !== undefined) return text.replace('0.0.0.0', '127.0.0.1');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await stop();
    throw new Error(`the container did not start:\n${printed}`);
  };
  const url = await found(/^ready (http:\/\/\S+)\/v1$/m);
  const port = new URL(url).port;
  return {
    url,
    metricsUrl: /^metrics (http:\S+)$/m.exec(printed)?.[1]?.replace('0.0.0.0', '127.0.0.1'),
    process: child,
    dataDir,
    logs: () => printed,
    health: () =>
      spawnSync('unshare', enter(rootfs, dataDir, config, config.healthcheck), {
        env: { ...env, PORT: port, PATH: searchPath },
      }).status,
    stop,
  };
}
