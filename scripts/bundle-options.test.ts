import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from './bundle-options.mjs';

let folder = '';
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What a bundle of this code prints. */
async function printed(contents: string): Promise<string> {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-bundle-'));
  const stdin = { contents, resolveDir: import.meta.dirname };
  await build({ ...BUNDLE_OPTIONS, stdin, outdir: folder });
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(folder, 'stdin.mjs')], (_, stdout, stderr) => resolve(stdout + stderr));
  });
}

it.each(['assert', 'node:assert'])(
  "an assertion of '%s' that fails in a bundle names itself and its place",
  async (name) => {
    // Minified, the assertion is on the line that begins with the end of the template. Node reads this line as if its code began there.
    const text = await printed(`
    const assert = require('${name}');
    process.on('uncaughtException', ({ name, stack }) => console.log(name, stack));
    globalThis.head = (text) => \`\${text}\\n\`;
    setTimeout(function late() { assert(globalThis.a); }, 1);`);
    expect(text).toMatch(/^AssertionError AssertionError \[ERR_ASSERTION\]: an assertion failed\n[\s\S]*stdin\.mjs/);
    expect(text).not.toContain('SyntaxError');
  },
);

it("other assertions are Node's", async () => {
  const text = await printed(`
    import assert, { deepEqual, AssertionError } from 'node:assert';
    const of = (run) => { try { run(); } catch (error) { return [error instanceof AssertionError, error.message]; } };
    console.log(JSON.stringify([
      of(() => assert(1)), of(() => assert.ok(0, 'mine')), of(() => assert.fail('other')), of(() => deepEqual([1], [1])),
    ]));`);
  expect(JSON.parse(text)).toEqual([null, [true, 'mine'], [true, 'other'], null]);
});

/** The code that these files become, by the name of the output. */
async function bundled(files: Readonly<Record<string, string>>, entry: string): Promise<Map<string, string>> {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-bundle-'));
  for (const [name, code] of Object.entries(files)) {
    await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
    await writeFile(path.join(folder, name), code);
  }
  const { outputFiles } = await build({
    ...{ ...BUNDLE_OPTIONS, entryPoints: [path.join(folder, entry)], outdir: path.join(folder, 'out') },
    ...{ write: false, logLevel: 'silent' },
  });
  return new Map(outputFiles.map((file) => [path.basename(file.path), file.text]));
}

it('a name from an index comes from the file that declares it, and the rest of the index is loaded on demand', async () => {
  const files = {
    'functions/a/index.ts':
      "export { inner as late } from './inner/index.ts';\nexport { type Early, early } from './early.ts';\n",
    'functions/a/early.ts': "export type Early = string;\nexport const early: Early = 'at start';\n",
    'functions/a/inner/index.ts': "export { late as inner } from './late.ts';\n",
    'functions/a/inner/late.ts': "export const late = () => 'on demand';\n",
    'functions/b/more.ts': "import { late } from '../a/index.ts';\nexport const more = () => late();\n",
    'functions/b/entry.ts':
      "import { type Early, early } from '../a/index.ts';\nconst text: Early = early;\nconsole.log(text, (await import('./more.ts')).more());\n",
  };
  const outputs = await bundled(files, 'functions/b/entry.ts');
  const entry = outputs.get('entry.mjs');
  expect(entry).toContain('at start');
  expect(entry).not.toContain('on demand');
  expect([...outputs.values()].some((text) => text.includes('on demand'))).toBe(true);
});

it('the start of the gateway loads no words of tool calls, which are a quarter of its code', async () => {
  const root = path.join(import.meta.dirname, '..');
  const entry = 'functions/gateway/handler.ts';
  const { metafile } = await build({
    ...{ ...BUNDLE_OPTIONS, absWorkingDir: root, entryPoints: [entry], outdir: 'out' },
    ...{ write: false, metafile: true, packages: 'external' },
  });
  const atStart = new Set([entry]);
  for (const file of atStart) {
    const imports = metafile.inputs[file]?.imports ?? [];
    for (const { kind, path: imported } of imports) if (kind !== 'dynamic-import') atStart.add(imported);
  }
  expect(Object.keys(metafile.inputs)).toContain('functions/inspection/tool-calls/verbs.json');
  expect([...atStart].filter((file) => /tool-calls\/.*(?:words?-|json)/.test(file))).toEqual([]);
});
