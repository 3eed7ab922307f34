import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A labelled text, as described in the data folder's README. */
export interface Row {
  readonly id: string;
  readonly text: string;
  readonly label: string;
  readonly category: string;
  readonly set: string;
  readonly family: string;
  readonly lang: string;
  /** The span of an injected instruction, in code points. */
  readonly spans?: readonly { readonly start: number; readonly end: number; readonly type: string }[];
}

interface RawRow extends Omit<Row, 'set' | 'family'> {
  readonly meta?: { readonly payload_source?: string; readonly twin?: string };
}

/** The rows of every .jsonl or .jsonl.gz of a folder, except excluded sets. */
export function readSets(folder: string, families: Families, exclude: ReadonlySet<string> = new Set()): Row[] {
  const names = new Set(readdirSync(folder).flatMap((file) => /^(.+)\.jsonl(?:\.gz)?$/.exec(file)?.[1] ?? []));
  return [...names].sort().flatMap((set) => (exclude.has(set) ? [] : readSet(folder, set, families)));
}

function readSet(folder: string, set: string, families: Families): Row[] {
  return readLines(folder, set).map((line) => {
    const { meta, ...row } = JSON.parse(line) as RawRow;
    return { ...row, set, family: families.of(set, meta?.payload_source) };
  });
}

/** The lines of `SET.jsonl` or `SET.jsonl.gz` in a folder, without empty ones. */
export function readLines(folder: string, set: string): string[] {
  const plain = path.join(folder, `${set}.jsonl`);
  const packed = `${plain}.gz`;
  const bytes = readdirSync(folder).includes(`${set}.jsonl.gz`)
    ? gunzipSync(readFileSync(packed))
    : readFileSync(plain);
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Groups of sets with a common origin, which must be left out together for a fair score. */
export class Families {
  private readonly family: Readonly<Record<string, string>>;
  private readonly joined = new Map<string, string>();

  /** From the data folder's families.json. */
  constructor(file: string) {
    const { family, together } = JSON.parse(readFileSync(file, 'utf8')) as {
      family: Record<string, string>;
      together: Record<string, string[]>;
    };
    this.family = family;
    for (const [name, members] of Object.entries(together)) for (const member of members) this.joined.set(member, name);
  }

  /** The family of a set; a composed row belongs to that of its payload. */
  of(set: string, payloadSource?: string): string {
    const named = payloadSource === undefined ? undefined : this.family[payloadSource];
    const family = named ?? this.family[set] ?? set;
    return this.joined.get(family) ?? family;
  }
}
