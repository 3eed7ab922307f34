import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SAMPLES = path.resolve(import.meta.dirname, '..', 'samples');
const EXTENSION = '.txt';

/** The texts of a folder by kind: every `KIND.txt`. Without a folder the committed samples. */
export function textsByKind(folder = SAMPLES): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((name) => name.endsWith(EXTENSION));
  if (files.length === 0) throw new Error(`no ${EXTENSION} files in ${folder}`);
  return new Map(
    files
      .toSorted()
      .map((name) => [path.basename(name, EXTENSION), readFileSync(path.join(folder, name), 'utf8')] as const),
  );
}

/** The text cut into rows of so many UTF-8 bytes, one after another; what is left at the end is no row. */
export function rowsOf(text: string, bytes: number): string[] {
  const all = Buffer.from(text);
  return Array.from({ length: Math.floor(all.length / bytes) }, (_, at) =>
    wholeCharacters(all.subarray(at * bytes, (at + 1) * bytes)),
  );
}

/** Without the halves of characters at both ends. */
export function wholeCharacters(bytes: Buffer): string {
  return bytes.toString().replace(/^\ufffd+|\ufffd+$/g, '');
}
