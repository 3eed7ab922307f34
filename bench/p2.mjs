import '../scripts/check-node.mjs';
import { execFileSync } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { measureLoad } from './lib/measure.mjs';
import { startStack } from './lib/stack.mjs';
const ROOT = path.resolve(import.meta.dirname, '..'), DIST = '/tmp/p2dist';
process.chdir(ROOT);
await rm(DIST, { recursive: true, force: true });
execFileSync(process.execPath, ['scripts/build.mjs', 'local'], { cwd: ROOT, stdio: 'inherit' });
await cp(path.join(ROOT, 'dist/local'), DIST, { recursive: true });
await build({ absWorkingDir: ROOT, entryPoints: ['bin/local.ts'], outfile: DIST + '/index.mjs', bundle: true, platform: 'node', format: 'esm', target: 'node24', mainFields: ['module', 'main'], external: ['dynalite', 'fauxqs'], sourcemap: 'linked', banner: { js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);" } });
const stack = await startStack({ gatewayScript: DIST + '/index.mjs', gatewayArgv: ['--cpu-prof', `--cpu-prof-dir=${DIST}`, '--cpu-prof-name=g.cpuprofile', '--cpu-prof-interval=250'] });
const kb = Number(process.argv[2] ?? 200), isNewPhase = process.argv[3] === 'new';
const windows = [];
const now = () => Number(process.hrtime.bigint() / 1000n);
try {
  for (let i = 0; i < 16; i++) {
    const a = now();
    const m = await measureLoad(stack, 'gateway', { stream: false, concurrency: 1, agentKb: kb, isNew: true }, { requests: 1 });
    const b = now();
    const m2 = await measureLoad(stack, 'gateway', { stream: false, concurrency: 1, agentKb: kb }, { requests: 16 });
    const c = now();
    if (i >= 5) windows.push(isNewPhase ? [a, b] : [b, c]);
    if (i >= 5) console.log('new', m.cpu.toFixed(1), 'next', m2.cpu.toFixed(1), m2.parses.toFixed(0));
  }
  stack.counter.release();
  await stack.gateway.stop();
} finally { await stack.stop(); }
await writeFile(DIST + '/windows.json', JSON.stringify(windows));
