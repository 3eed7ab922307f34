import type { Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../file-errors.ts';
import { type InputFormat, type ScanOptions, STDIN } from './options.ts';

/** An input to read. */
export interface Source {
  /** As shown in positions: with `/`, relative if it was given so. */
  readonly name: string;
  /** Undefined for standard input. */
  readonly path: string | undefined;
  /** Undefined: standard input decides by its first line. */
  readonly format: InputFormat | undefined;
  readonly bytes: number;
}

/** What a scan reads, and what it does not. */
export interface FoundSources {
  readonly sources: readonly Source[];
  /** Binary files in folders. */
  readonly skippedBinary: number;
  /** Inputs that cannot be read: `name: reason`. */
  readonly faults: readonly string[];
}

const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const FORMATS: Readonly<Record<string, InputFormat>> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json',
  '.csv': 'csv',
  '.tsv': 'csv',
};
/** As git decides: a zero byte at the start makes a file binary. */
const SAMPLE_BYTES = 8000;

/** Lists the files of the arguments; folders in order of name. The output file is no input. */
export async function findSources({ files, inputFormat, out }: ScanOptions): Promise<FoundSources> {
  const sources: Source[] = [];
  const faults: string[] = [];
  let skippedBinary = 0;
  const excluded = out === undefined ? undefined : await realpath(out).catch(() => undefined);

  const addFile = async (file: string, stats: Stats, isNamed: boolean) => {
    if (!isNamed && (await realpath(file)) === excluded) return;
    // Opening a pipe twice would lose its start.
    if (stats.isFile() && (await isBinary(file))) {
      if (isNamed) faults.push(`${nameOf(file)}: a binary file`);
      else skippedBinary += 1;
      return;
    }
    const format = inputFormat ?? FORMATS[path.extname(file).toLowerCase()] ?? 'text';
    sources.push({ name: nameOf(file), path: file, format, bytes: stats.size });
  };
  const add = async (file: string, isNamed: boolean): Promise<void> => {
    try {
      const stats = await stat(file);
      if (!stats.isDirectory()) {
        // A device or a pipe that was not named may never end.
        if (isNamed || stats.isFile()) await addFile(file, stats, isNamed);
        return;
      }
      const entries = await readdir(file, { withFileTypes: true });
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const isFollowed = !entry.isSymbolicLink() && !SKIPPED_FOLDERS.has(entry.name);
        if (isFollowed) await add(path.join(file, entry.name), false);
      }
    } catch (error) {
      faults.push(`${nameOf(file)}: ${reasonOf(error)}`);
    }
  };

  for (const file of files) {
    if (file === STDIN) sources.push({ name: 'stdin', path: undefined, format: inputFormat, bytes: 0 });
    else await add(file, true);
  }
  return { sources, skippedBinary, faults };
}

async function isBinary(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    const isUtf16 = bytesRead >= 2 && (buffer.readUInt16BE(0) === 0xfffe || buffer.readUInt16BE(0) === 0xfeff);
    return !isUtf16 && buffer.subarray(0, bytesRead).includes(0);
  } finally {
    await handle.close();
  }
}

function nameOf(file: string): string {
  return path.normalize(file).replaceAll('\\', '/');
}
