import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../lib/settings/settings.ts';
import type { KeptResources } from './kept-resources.ts';
import { FULL, PLAIN } from './synthesize.ts';

export const BASELINE_FILE = path.join(import.meta.dirname, 'baseline.generated.json');

/** The deployments whose upgrade is tried: with as little and with as much as the settings allow. */
export const RELEASES: Readonly<Record<string, Settings>> = { plain: PLAIN, full: FULL };

/** What the last release kept, by the names of RELEASES; nothing before the first. */
export function readBaseline(): Readonly<Record<string, KeptResources>> {
  return existsSync(BASELINE_FILE) ? JSON.parse(readFileSync(BASELINE_FILE, 'utf8')) : {};
}
