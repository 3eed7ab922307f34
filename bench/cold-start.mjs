/**
 * How long each function takes to start under AWS's runtime client, against an empty one, and the gateway split by what it loads;
 * written to bench/cold-start.md: npm run bench cold-start [-- --rounds N]
 *
 * In each round every function is started once, in another order than the round before. Needs the runtime client
 * (`npm test runtime` installs it) and takes about three minutes.
 */
import '../scripts/check-node.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../scripts/bundle-options.mjs';
import { startDeployment } from '../test/runtime/deployment.ts';
import { installRuntimeClient } from '../test/runtime/install-runtime-client.mjs';
import { putAdminKey } from '../test/runtime/put-admin-key.ts';
import { startFakeAws } from './cold-start/fake-aws.ts';
import { deployedFunctions } from './cold-start/functions.ts';
import { coldStartGoals, coldStartReport } from './cold-start/report.ts';
import { measureColdStart } from './cold-start/started-function.ts';
import { recordGoals } from './lib/goals.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const IMPORTS = path.join(import.meta.dirname, 'cold-start/imports');
/** Each with what the one before it loads; `gateway` follows them. */
const STEPS = ['nothing', 'middy-zod', 'aws-clients', 'gateway-code', 'inspection-code'];

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '11' } } });
const rounds = Number(values.rounds);

const fault = installRuntimeClient();
if (fault !== undefined) {
  console.error(fault);
  process.exit(1);
}
execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: ROOT, stdio: 'inherit' });
const folder = mkdtempSync(path.join(tmpdir(), 'svc-cold-start-'));
const deployment = await startDeployment({}, {}, { instances: 1 });
const aws = await startFakeAws();
try {
  const steps = await Promise.all(STEPS.map((step) => built(step)));
  const functions = await deployedFunctions(deployment, await putAdminKey(deployment), aws);
  const measured = [...steps, ...functions];
  const starts = new Map(measured.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % measured.length;
    for (const one of [...measured.slice(first), ...measured.slice(0, first)]) {
      starts.get(one.name)?.push(await measureColdStart(one));
    }
    console.log(`round ${round + 1} of ${rounds}`);
  }
  const measuredStarts = { starts, steps: STEPS, functions: functions.map(({ name }) => name), rounds };
  writeFileSync(path.join(import.meta.dirname, 'cold-start.md'), coldStartReport(measuredStarts));
  recordGoals('cold-start', coldStartGoals(measuredStarts));
  console.log('bench/cold-start.md written');
} finally {
  aws.stop();
  await deployment.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** One step of what the gateway loads, bundled as functions are. */
async function built(step) {
  const outdir = path.join(folder, step);
  const entryPoints = { index: path.join(IMPORTS, `${step}.ts`) };
  await build({ ...BUNDLE_OPTIONS, absWorkingDir: ROOT, entryPoints, outdir, target: 'node24' });
  return { name: step, bundleDir: outdir, env: {}, event: {} };
}
