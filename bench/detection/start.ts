import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../scripts/bundle-options.mjs';
import { quantile, table } from './figures.ts';

const ENTRY = path.join(import.meta.dirname, '..', '..', 'functions', 'inspection', 'detectors', 'index.ts');
const CHILDREN = 9;
/** In the child: from before the import to after the first inspection; then all surfaces, and a first streamed response. */
const CHILD = `const before = process.cpuUsage();
const startedAt = performance.now();
const { createInspector } = await import(process.argv[1]);
const inspector = createInspector();
const createdAt = performance.now();
inspector.inspect('Could you tell me when the next train to the harbour leaves?', 'user');
const inspectedAt = performance.now();
const { user, system } = process.cpuUsage(before);
inspector.warmUp();
const warmAt = performance.now();
inspector.open('output', (rule) => rule.type === 'secret').end('It leaves at ten past nine.');
const streamedAt = performance.now();
console.log(JSON.stringify({
  created: createdAt - startedAt,
  inspected: inspectedAt - startedAt,
  processor: (user + system) / 1000,
  warm: warmAt - inspectedAt,
  streamed: streamedAt - warmAt,
}));`;

/** Import and first inspection of the detection part, bundled as what is deployed is, in fresh processes; and its size. */
export async function startTable(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-start-'));
  try {
    await build({ ...BUNDLE_OPTIONS, entryPoints: { detection: ENTRY }, outdir: folder, target: 'node24' });
    const times = Array.from({ length: CHILDREN }, () => startOnce(path.join(folder, 'detection.mjs')));
    const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name)));
    const kilobytes = (sizes: readonly number[]) => Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
    const median = (of: keyof Start) =>
      quantile(
        times.map((time) => time[of]),
        0.5,
      ).toFixed(0);
    return table(
      ['Start', 'Figure'],
      [
        ['import and making the inspector, ms', median('created')],
        ['and the first inspection, ms', median('inspected')],
        ['both, processor time, ms', median('processor')],
        ['then every surface made ready (`warmUp`), ms', median('warm')],
        ['then the first streamed response, ms', median('streamed')],
        ['code and tables, KB', kilobytes(files.map(({ length }) => length))],
        ['code and tables, gzip, KB', kilobytes(files.map((file) => gzipSync(file).length))],
      ],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Milliseconds. */
interface Start {
  readonly created: number;
  readonly inspected: number;
  /** Of all threads: what a busy machine does not blur. */
  readonly processor: number;
  readonly warm: number;
  readonly streamed: number;
}

function startOnce(bundle: string): Start {
  const answer = execFileSync(process.execPath, ['--input-type=module', '-e', CHILD, bundle], { encoding: 'utf8' });
  return JSON.parse(answer) as Start;
}
