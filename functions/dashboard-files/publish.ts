import type { S3Folder } from '../adapters/aws/s3-folder.ts';
import type { Clock } from '../kernel/tasks/index.ts';

export interface PageFile {
  /** Relative to the page's root, such as `assets/index-1a2b3c.js`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface PublishDeps {
  readonly folder: Pick<S3Folder, 'put' | 'delete' | 'list'>;
  readonly clock: Clock;
}

/** The only file that keeps its name when its content changes: it names the others. */
const PAGE = 'index.html';
/** Open pages request the files that they were built with. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/**
 * Uploads the page's files, the page itself last, so that every file it names exists. Then deletes files of earlier builds that were not
 * uploaded for 30 days. Idempotent.
 */
export async function publishPage(files: readonly PageFile[], { folder, clock }: PublishDeps): Promise<void> {
  if (!files.some(({ name }) => name === PAGE)) throw new Error(`the build has no ${PAGE}`);
  for (const { name, bytes } of [...files].sort(
    (one, other) => Number(one.name === PAGE) - Number(other.name === PAGE),
  )) {
    await folder.put(name, bytes, contentTypeOf(name));
  }
  const ours = new Set(files.map(({ name }) => name));
  for (const { name, changedAt } of await folder.list()) {
    if (!ours.has(name) && clock.now() - changedAt > KEPT_MS) await folder.delete(name);
  }
}

/** Empties the bucket, so that it can be deleted. */
export async function removePage({ folder }: Pick<PublishDeps, 'folder'>): Promise<void> {
  for (const { name } of await folder.list()) await folder.delete(name);
}

/** Content types by file extension. */
const TYPES = new Map(
  Object.entries({
    html: 'text/html; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    css: 'text/css; charset=utf-8',
    svg: 'image/svg+xml',
    png: 'image/png',
    ico: 'image/x-icon',
    webp: 'image/webp',
    woff2: 'font/woff2',
    json: 'application/json',
    webmanifest: 'application/manifest+json',
    txt: 'text/plain; charset=utf-8',
  }),
);

/** The content type of a file name; for unknown extensions one that browsers do not open. */
export function contentTypeOf(name: string): string {
  return TYPES.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream';
}
