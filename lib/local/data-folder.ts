import { chmod, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK = 'lock';
/** Entries that the service creates. */
const OWN_ENTRIES: ReadonlySet<string> = new Set(['dynamodb', 'sqs', 'pepper', 'sealing-key', LOCK]);
const FOR_OWNER = { folder: 0o700, file: 0o600 };
/** SQLITE_BUSY */
const BUSY = 5;

/**
 * Creates the data folder if missing, readable only to its owner, since it contains records, key hashes and secrets.
 * A folder with other entries keeps its mode.
 */
export async function openDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOR_OWNER.folder });
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.every(({ name }) => OWN_ENTRIES.has(name))) await chmod(folder, FOR_OWNER.folder);
  for (const entry of entries)
    if (OWN_ENTRIES.has(entry.name)) await closeToOthers(path.join(folder, entry.name), entry);
}

async function closeToOthers(place: string, entry: { isDirectory(): boolean }): Promise<void> {
  if (!entry.isDirectory()) return chmod(place, FOR_OWNER.file);
  await chmod(place, FOR_OWNER.folder);
  for (const inside of await readdir(place, { withFileTypes: true }))
    await closeToOthers(path.join(place, inside.name), inside);
}

/**
 * Locks the folder for this process until it exits; the operating system releases SQLite's file lock.
 * @throws Error if another process has the lock
 */
export function lockDataFolder(folder: string): void {
  const lock = new DatabaseSync(path.join(folder, LOCK), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    throw new Error(
      `the data folder '${folder}' is in use by another svc. Stop that one, or set SVC_DATA_DIR to another folder.`,
    );
  }
  // Keeps a reference: a collected handle would release the lock.
  process.once('exit', () => lock.close());
}
