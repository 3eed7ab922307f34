import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { SignInSettings } from './gateway.ts';
import { SignInError } from './sign-in-error.ts';

/** The tokens of an identity provider. */
export interface Tokens {
  /** The token for the gateway. */
  readonly value: string;
  readonly receivedAt: number;
  readonly expiresAt: number;
  readonly refreshToken?: string | undefined;
  /** Of the person, from the ID token. */
  readonly subject?: string | undefined;
  /** Their e-mail address or name, to show. */
  readonly person?: string | undefined;
}

/** A person's sign-in for one gateway. */
export interface Session extends SignInSettings, Tokens {
  readonly gateway: string;
}

/** Longer than a refresh may take. */
const LOCK_MS = 30_000;

/**
 * The sessions of this user, in a file for each gateway that other users cannot read: `$XDG_CONFIG_HOME/svc/sessions`, or
 * `~/.config/svc/sessions`.
 */
export class SessionStore {
  private readonly folder: string;

  constructor(env: NodeJS.ProcessEnv) {
    const { XDG_CONFIG_HOME: base = '' } = env;
    this.folder = path.join(path.isAbsolute(base) ? base : path.join(homedir(), '.config'), 'svc', 'sessions');
  }

  /** Throws SignInError for a file that others can read. */
  async read(gateway: string): Promise<Session | undefined> {
    const session = await readSession(this.fileOf(gateway));
    return session?.gateway === gateway ? session : undefined;
  }

  /** All that can be read. */
  async all(): Promise<readonly Session[]> {
    const names = await readdir(this.folder).catch(() => []);
    const files = names.filter((name) => name.endsWith('.json')).map((name) => path.join(this.folder, name));
    const sessions = await Promise.all(files.map((file) => readSession(file).catch(() => undefined)));
    return sessions.filter((one) => one !== undefined);
  }

  /** Replaces the session of its gateway as a whole. Only while it is locked. */
  async write(session: Session): Promise<void> {
    const file = this.fileOf(session.gateway);
    const next = `${file}.new`;
    await rm(next, { force: true });
    await writeFile(next, JSON.stringify(session), { flag: 'wx', mode: 0o600, flush: true });
    await rename(next, file);
  }

  async remove(gateway: string): Promise<void> {
    const file = this.fileOf(gateway);
    await Promise.all([file, `${file}.new`].map((one) => rm(one, { force: true })));
  }

  /**
   * Runs while no other process changes the session of a gateway. The operating system releases the lock when a process ends, so none is
   * left behind. Throws SignInError after 30 s.
   */
  async locked<T>(gateway: string, run: () => Promise<T>): Promise<T> {
    const { DatabaseSync } = await import('node:sqlite');
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const lock = new DatabaseSync(`${this.fileOf(gateway)}.lock`, { timeout: LOCK_MS, open: false });
    try {
      lock.open();
      lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch {
      throw new SignInError('This session is locked by another svc process, or its folder is not writable. Try again.');
    }
    try {
      return await run();
    } finally {
      lock.close();
    }
  }

  private fileOf(gateway: string): string {
    const digest = createHash('sha256').update(gateway).digest('hex').slice(0, 16);
    return path.join(this.folder, `${new URL(gateway).hostname.replaceAll(/[^\w.-]/g, '_')}-${digest}.json`);
  }
}

async function readSession(file: string): Promise<Session | undefined> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new SignInError(`Other users can read ${file}. Sign in again after: rm '${file}'`);
    return JSON.parse(await readFile(file, 'utf8')) as Session;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) throw new SignInError(`${file} is damaged. Sign in again after: rm '${file}'`);
    throw error;
  }
}
