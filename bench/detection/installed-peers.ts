import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A detector: whether it finds anything of the kind that is measured in a text. */
export interface Detector {
  readonly name: string;
  readonly detect: (text: string) => boolean | Promise<boolean>;
}

const FOLDER = path.join(import.meta.dirname, '../detection-peers');
/** What a section says where nothing was installed to compare with. */
export const NO_PEERS = 'The npm peers were not installed for this run: `npm ci --prefix bench/detection-peers`.';

/** The detectors that a file of bench/detection-peers wraps; none where that folder's packages are not installed. */
export async function peersOf(file: string): Promise<readonly Detector[]> {
  if (!existsSync(path.join(FOLDER, 'node_modules'))) return [];
  const { PEERS } = (await import(pathToFileURL(path.join(FOLDER, file)).href)) as { PEERS: readonly Detector[] };
  return PEERS;
}
