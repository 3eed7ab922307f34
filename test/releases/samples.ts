import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Messages } from './queues.ts';
import { reviveBytes, type Tables } from './stored-items.ts';
import type { Stored } from './traffic.ts';

export const SAMPLES_FOLDER = path.join(import.meta.dirname, 'samples');
const SUFFIX = '.generated.json';

/** What a release stored (write-samples.ts). */
export interface Sample {
  readonly adminKey: string;
  readonly stored: Stored;
  readonly tables: Tables;
  /** Absent in the samples of earlier rounds. */
  readonly messages?: Messages;
}

/** The samples of all releases, oldest first; `name` is the date and the commit. */
export function readSamples(): readonly (Sample & { readonly name: string })[] {
  const files = readdirSync(SAMPLES_FOLDER).filter((file) => file.endsWith(SUFFIX));
  return files.sort().map((file) => {
    const text = readFileSync(path.join(SAMPLES_FOLDER, file), 'utf8');
    return { name: file.slice(0, -SUFFIX.length), ...(JSON.parse(text, reviveBytes) as Sample) };
  });
}
