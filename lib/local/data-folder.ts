import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK = 'lock';
const ADDRESS = 'stores.json';
/** In the folder of a demo, so that no other data is deleted as one; it contains `filled` once the demo has all its traffic. */
const DEMO = 'demo';
const FILLED = 'filled\n';
/** Entries that the service creates. */
const OWN_ENTRIES: ReadonlySet<string> = new Set([
  'dynamodb',
  'sqs',
  'pepper',
  'sealing-key',
  'credentials-key',
  LOCK,
  ADDRESS,
  DEMO,
]);
const FOR_OWNER = { folder: 0o700, file: 0o600 };
/** SQLite's result codes. */
const SQLITE = { busy: 5, cantOpen: 14, readOnly: 8 } as const;

/** Another process uses the data folder. */
export class DataFolderInUse extends Error {}

/**
 * Creates the data folder if missing, readable only to its owner, since it contains records, key hashes and secrets.
 * A folder with other entries keeps its mode.
 */
export async function openDataFolder(folder: string): Promise<void> {
  try {
    await createFolder(path.resolve(folder));
    const entries = await readdir(folder, { withFileTypes: true });
    if (entries.every(({ name }) => OWN_ENTRIES.has(name))) await chmod(folder, FOR_OWNER.folder);
    for (const entry of entries)
      if (OWN_ENTRIES.has(entry.name)) await closeToOthers(path.join(folder, entry.name), entry);
  } catch (error) {
    throw new Error(unusable(folder, error as NodeJS.ErrnoException));
  }
}

function unusable(folder: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `the data folder '${folder}' is a file, or below one. Set SVC_DATA_DIR to a folder.`;
  }
  return `the data folder '${folder}' cannot be written (${code ?? message}). Make it writable for this user, or set SVC_DATA_DIR to another folder.`;
}

/** Like a recursive mkdir, which never returns for a missing folder in /proc. */
async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: FOR_OWNER.folder });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = path.dirname(folder);
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    if (code !== 'ENOENT' || above === folder || (await isFolder(above))) throw error;
    await createFolder(above);
    await mkdir(folder, { mode: FOR_OWNER.folder });
  }
}

async function isFolder(place: string): Promise<boolean> {
  return await stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function closeToOthers(place: string, entry: { isDirectory(): boolean }): Promise<void> {
  if (!entry.isDirectory()) return chmod(place, FOR_OWNER.file);
  await chmod(place, FOR_OWNER.folder);
  for (const inside of await readdir(place, { withFileTypes: true }))
    await closeToOthers(path.join(place, inside.name), inside);
}

/**
 * Locks the folder for this process until it exits; the operating system releases SQLite's file lock. @returns what releases it before
 * @throws DataFolderInUse if another process has the lock
 */
export function lockDataFolder(folder: string): () => void {
  const file = path.join(folder, LOCK);
  try {
    const lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    // Keeps a reference: a collected handle would release the lock.
    const unlock = () => lock.close();
    process.once('exit', unlock);
    return () => {
      process.off('exit', unlock);
      unlock();
    };
  } catch (error) {
    const { errcode, message } = error as { readonly errcode?: number; readonly message: string };
    if (errcode === SQLITE.busy) {
      throw new DataFolderInUse(
        `the data folder '${folder}' is in use by another svc. Stop that one, or set SVC_DATA_DIR to another folder.`,
      );
    }
    if (errcode === SQLITE.cantOpen || errcode === SQLITE.readOnly)
      throw new Error(unusable(folder, { message } as Error));
    throw new Error(`the lock file '${file}' is damaged (${message}). Delete it: it contains no data.`);
  }
}

/**
 * Makes an empty data folder that of a demo, and empties one whose demo was not filled to its end. Throws an error with a sentence for the
 * operator if it has other data, or is in use.
 */
export async function claimForDemo(folder: string): Promise<void> {
  const entries = await readdir(folder);
  if (entries.length > 0 && !entries.includes(DEMO))
    throw new Error(`the data folder '${folder}' has other data than a demo. Set SVC_DATA_DIR to another folder.`);
  if (await isDemoFilled(folder)) return;
  await writeFile(path.join(folder, DEMO), '', { mode: FOR_OWNER.file });
  const unlock = lockDataFolder(folder);
  for (const name of OWN_ENTRIES)
    if (name !== LOCK && name !== DEMO) await rm(path.join(folder, name), { recursive: true, force: true });
  unlock();
}

/** Whether the folder has a demo with all its traffic. */
export async function isDemoFilled(folder: string): Promise<boolean> {
  return (await readFile(path.join(folder, DEMO), 'utf8').catch(() => '')) === FILLED;
}

/** Notes that the demo has all its traffic. */
export async function noteDemoFilled(folder: string): Promise<void> {
  await writeFile(path.join(folder, DEMO), FILLED, { mode: FOR_OWNER.file });
}

/** Deletes the data folder of a demo that does not run. @returns false if there is none. Throws an error with a sentence for the operator */
export async function deleteDemo(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[];
    throw new Error(unusable(folder, error));
  });
  if (entries.length === 0) return false;
  if (!entries.includes(DEMO)) throw new Error(`the data folder '${folder}' is not that of a demo.`);
  lockDataFolder(folder);
  for (const name of OWN_ENTRIES) await rm(path.join(folder, name), { recursive: true, force: true });
  if ((await readdir(folder)).length === 0) await rmdir(folder);
  return true;
}

/** A secret of the data folder, readable only to its owner; undefined if it does not exist. Throws an error for a damaged file. */
export async function readSecret(folder: string, name: string): Promise<string | undefined> {
  const file = path.join(folder, name);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined || /^\S{32,256}(?: \S{32,256})*$/.test(text.trim())) return text?.trim();
  throw new Error(
    `the file '${file}' is damaged. Restore it from a copy, or move the data folder away to start with an empty one.`,
  );
}

/** Creates a secret of the data folder. */
export async function createSecret(folder: string, name: string): Promise<string> {
  const secret = randomBytes(32).toString('hex');
  await writeFile(path.join(folder, name), `${secret}\n`, { mode: FOR_OWNER.file });
  return secret;
}

/** Writes the address of the running embedded tables, which has a secret path, for `npm run admin-key`. */
export async function writeStoreAddress(folder: string, dynamodbUrl: string): Promise<void> {
  const file = path.join(folder, ADDRESS);
  // A file of an earlier start may have another mode.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify({ dynamodbUrl })}\n`, { mode: FOR_OWNER.file });
}

export async function removeStoreAddress(folder: string): Promise<void> {
  await rm(path.join(folder, ADDRESS), { force: true });
}

/** The address of the embedded tables that another process has started; undefined if it has not written one. */
export async function readStoreAddress(folder: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(path.join(folder, ADDRESS), 'utf8')) as { dynamodbUrl: string }).dynamodbUrl;
  } catch {
    return undefined;
  }
}
