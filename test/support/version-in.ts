import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The version of a package that is installed in a suite's folder. */
export function versionIn(folder: string, name: string): string {
  const manifest = path.join(folder, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
