import { describe, expect, it } from '@jest/globals';
import { findImportCycles } from './architecture/cycles.ts';
import { FACES, findImportsPastEntry, findImportsPastIndex, findIndexFaults } from './architecture/faces.ts';
import {
  findBenchImports,
  findForbiddenImports,
  findLayerViolations,
  findPrivateImports,
} from './architecture/import-rules.ts';
import { PRODUCT_FOLDERS, type SourceFile, shippedSources, sourcesIn } from './architecture/sources.ts';

/** It plants violations. */
const OWN_FILE = 'test/architecture.test.ts';

describe('the import rules', () => {
  it('are kept by every file', () => {
    const files = shippedSources();
    expect(files.length).toBeGreaterThan(100);
    expect(findForbiddenImports(files)).toEqual([]);
  });

  it('are kept by tests, benches and scripts too, for the private files of packages', () => {
    const files = sourcesIn([...PRODUCT_FOLDERS, 'test', 'bench', 'scripts', 'training', 'examples']);
    expect(files.length).toBeGreaterThan(500);
    expect(findPrivateImports(files.filter((file) => file.path !== OWN_FILE))).toEqual([]);
  });

  it('keep the layers inside of modules', () => {
    expect(findLayerViolations(shippedSources())).toEqual([]);
  });

  it('keep the files of a folder behind its index, and those of a function behind its entries', () => {
    const files = shippedSources();
    expect(findImportsPastIndex(files)).toEqual([]);
    expect(findImportsPastEntry(files)).toEqual([]);
  });

  it('know every folder of a module that has an index', () => {
    const indexes = shippedSources().filter(({ path }) => /^functions\/.*\/index\.ts$/.test(path));
    const folders = indexes.map(({ path }) => path.replace('/index.ts', ''));
    // Not a module: the operations of the gateway, each file one.
    expect(folders.filter((folder) => !(folder in FACES))).toEqual(['functions/gateway/operations']);
  });

  it('keep each index to names that are used, and to its number of them', () => {
    expect(findIndexFaults([...shippedSources(), ...sourcesIn(['scripts'])])).toEqual([]);
  });

  it('leave no import cycle in the product and the tests beside it', () => {
    expect(findImportCycles(sourcesIn(PRODUCT_FOLDERS))).toEqual([]);
  });

  it('let no product code and no test import a bench', () => {
    const files = sourcesIn([...PRODUCT_FOLDERS, 'test']);
    expect(findBenchImports(files.filter((file) => file.path !== OWN_FILE))).toEqual([]);
  });

  it('declare private members with `private`, not `#`', () => {
    const hashMember = /^\s+(?:(?:static|readonly|async|get|set) )*#\w+/m;
    expect(hashMember.test('class A {\n  readonly #b = 1;\n}')).toBe(true);
    expect(
      sourcesIn([...PRODUCT_FOLDERS, 'test', 'bench', 'scripts', 'training'])
        .filter((file) => file.path.endsWith('.ts') && hashMember.test(file.source))
        .map((file) => file.path),
    ).toEqual([]);
  });

  it('give no stage the outcome of its request to read from', () => {
    // What runs the stages, and what makes a record, event, log line, headers or score of the outcome.
    const readers =
      /^(?:run-(?:batch-(?:creation|line|results)|chat|guard|mcp|moderation|stored)|list-mcp|finish-request|remember|request-(?:outcome|record|events|log))\.ts$/;
    const whole = /\bRunningRequest\b|(?<!Pick<)\bOutcome\b/;
    const inCode = (source: string) => whole.test(source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|^import .*$/gm, ''));
    expect(
      ['f(outcome: Outcome)', 'f(r: RunningRequest)', "f(r: Pick<Outcome, 'times'>)", '/** The Outcome. */'].map(
        inCode,
      ),
    ).toEqual([...[true, true], ...[false, false]]);
    const stages = shippedSources().filter(
      ({ path }) => path.startsWith('functions/pipeline/') && !/(?:index|\.test|\.fixture)\.ts$/.test(path),
    );
    expect(
      stages
        .filter(({ path, source }) => !readers.test(path.split('/').at(-1) as string) && inCode(source))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it("leave no call of Node's fetch in the service: a server that closes a connection can end the process there", () => {
    const call = /(?<![.\w]|async )fetch\(|globalThis\.fetch/;
    expect(
      ['await fetch(url)', 'globalThis.fetch', 'this.fetch()', 'async fetch() {}'].map((text) => call.test(text)),
    ).toEqual([...[true, true], ...[false, false]]);
    const service = shippedSources().filter((file) => /^(?:functions|lib)\//.test(file.path));
    expect(service.filter(({ source }) => call.test(source)).map((file) => file.path)).toEqual([]);
  });

  it('leave no reference to a folder outside the repository', () => {
    expect(
      shippedSources()
        .filter(({ source }) => /\.\.\/shared\b|\/work\//.test(source))
        .map((file) => file.path),
    ).toEqual([]);
  });
});

describe('the checker finds', () => {
  it.each([
    ['a module that imports AWS', 'functions/control/keys/a.ts', "import { X } from '@aws-sdk/client-sqs';"],
    ['a module that imports an adapter', 'functions/pipeline/a.ts', "import { x } from '../adapters/x.ts';"],
    ['a module that imports a Node module', 'functions/kernel/a.ts', "import http from 'node:http';"],
    ['an import over several lines', 'functions/kernel/a.ts', "import {\n  a,\n  b,\n} from '../adapters/x.ts';"],
    ['an import of a type', 'functions/pipeline/a.ts', "import type { A } from '../gateway/env.ts';"],
    ['an import for its effect', 'functions/pipeline/a.ts', "import '../gateway/env.ts';"],
    ['an import when it runs', 'functions/pipeline/a.ts', "const a = await import('../gateway/env.ts');"],
    ['a passing on', 'functions/pipeline/a.ts', "export { a } from '../gateway/env.ts';"],
    ['a passing on of everything', 'functions/pipeline/a.ts', "export * from '../gateway/env.ts';"],
    ['the second import of a file', 'functions/control/a.ts', "import * as z from 'zod';\nimport 'undici';"],
    ['the kernel that imports a module', 'functions/kernel/json/a.ts', "import { x } from '../../pipeline/index.ts';"],
    [
      'inspection that imports translation',
      'functions/inspection/a.ts',
      "import { x } from '../translation/index.ts';",
    ],
    ['inspection that imports control', 'functions/inspection/a.ts', "import { x } from '../control/keys/index.ts';"],
    [
      'translation that imports inspection',
      'functions/translation/a.ts',
      "import { x } from '../inspection/index.ts';",
    ],
    [
      'translation that imports the contract',
      'functions/translation/a.ts',
      "import { x } from '../contract/index.ts';",
    ],
    [
      'control that imports inspection',
      'functions/control/keys/a.ts',
      "import { x } from '../../inspection/index.ts';",
    ],
    [
      'control that imports the pipeline',
      'functions/control/keys/a.ts',
      "import { x } from '../../pipeline/index.ts';",
    ],
    ['a module that imports what is above it', 'functions/pipeline/a.ts', "import { x } from '../replay/index.ts';"],
    ['a contract that imports a feature', 'functions/contract/a.ts', "import { x } from '../control/keys/index.ts';"],
    ['a detector that imports zod', 'functions/inspection/detectors/x/a.ts', "import * as z from 'zod';"],
    [
      'a provider that imports an adapter',
      'functions/translation/providers/x/a.ts',
      "import '../../../adapters/x.ts';",
    ],
    ['a provider with an SDK of its own', 'functions/translation/providers/x/a.ts', "import { x } from 'openai';"],
    ['an adapter that imports a function', 'functions/adapters/a.ts', "import { x } from '../gateway/env.ts';"],
    ['a function that imports another', 'functions/gateway/a.ts', "import { x } from '../admin-api/access.ts';"],
    ['a function that imports AWS', 'functions/gateway/a.ts', "import { x } from '@aws-sdk/client-sqs';"],
    ['a function that imports the server', 'functions/gateway/a.ts', "import { x } from '../server/index.ts';"],
    ['the server that imports a package', 'functions/server/a.ts', "import * as z from 'zod';"],
    ['the server that imports the local run', 'functions/server/a.ts', "import { x } from '../../lib/local/x.ts';"],
    ['a stack that imports a handler', 'lib/stacks/a.ts', "import { x } from '../../functions/gateway/handler.ts';"],
    ['a stack that imports a feature', 'lib/stacks/a.ts', "import '../../functions/control/keys/index.ts';"],
    [
      'a page that imports a module',
      'dashboard/src/a.ts',
      "import type { A } from '../../functions/pipeline/index.ts';",
    ],
    ['a page that runs the contract', 'dashboard/src/a.ts', "import { a } from '../../functions/contract/index.ts';"],
    ['a page that imports a Node module', 'dashboard/src/a.ts', "import path from 'node:path';"],
    ['zod by name', 'functions/kernel/a.ts', "import { z } from 'zod';"],
    ['a way out of the repository', 'functions/kernel/a.ts', "import { x } from '../../../shared/x.ts';"],
  ])('%s', (_, file, source) => expect(findForbiddenImports([{ path: file, source }])).toHaveLength(1));

  it.each([
    [
      'a module of itself and lower ones',
      'functions/pipeline/a.ts',
      "import './b.ts';\nimport '../kernel/json/index.ts';",
    ],
    ['zod as a namespace', 'functions/kernel/a.ts', "import * as z from 'zod';"],
    ['a function of its own folder', 'functions/gateway/a.ts', "import { x } from './event-stream.ts';"],
    ['the gateway in the server', 'functions/server/a.ts', "import { x } from '../gateway/compose.ts';"],
    ["a function's env in a stack", 'lib/stacks/a.ts', "import type { E } from '../../functions/gateway/env.ts';"],
    ['handlers in the local run', 'lib/local/a.ts', "import { x } from '../../functions/gateway/compose.ts';"],
    ['types in the page', 'dashboard/src/api/a.ts', "import type { A } from '../../../functions/contract/index.ts';"],
    ['a word in a comment', 'functions/kernel/a.ts', "/** May not import 'node:http'. */\nexport const a = 1;"],
  ])('nothing wrong with %s', (_, file, source) => expect(findForbiddenImports([{ path: file, source }])).toEqual([]));
});

describe('the checker of private files', () => {
  it.each([
    ["import Client from 'undici/lib/dispatcher/client.js';"],
    ["import {\n  a,\n} from '@aws-sdk/client-sqs/dist-es/index.js';"],
    ["import { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsStore.js';"],
    ["await import('@portkey-ai/gateway/build/start-server.js');"],
    ["const a = createRequire(import.meta.url).resolve('undici/lib/api');"],
    ["jest.mock(require('pkg/deep/src/a'))"],
  ])('finds %s', (source) => expect(findPrivateImports([{ path: 'bench/a.mjs', source }])).toHaveLength(1));

  it.each([
    ["import { Client } from 'undici';"],
    ["import { Stack } from 'aws-cdk-lib/aws-lambda';"],
    ["import { a } from '../lib/local/a.ts';"],
    ["import '../src/a.ts';"],
    ["await import('./node_modules/.bin/gateway');"],
  ])('passes %s', (source) => expect(findPrivateImports([{ path: 'bench/a.mjs', source }])).toEqual([]));
});

describe('the checker of layers', () => {
  it.each([
    ['a lower folder that imports a higher one', 'functions/kernel/json/a.ts', "import { x } from '../http/index.ts';"],
    ['a type of a higher folder', 'functions/kernel/json/a.ts', "import type { X } from '../model/index.ts';"],
    ['a folder of the same layer', 'functions/control/keys/a.ts', "import { x } from '../limits/index.ts';"],
    ['a type in an expression', 'functions/kernel/errors/a.ts', "type X = import('../model/index.ts').X;"],
    ['a higher folder passed on', 'functions/control/policy/a.ts', "export { x } from '../keys/index.ts';"],
    ['a folder without a layer', 'functions/kernel/extras/a.ts', 'export const a = 1;'],
    ['an import of a folder without a layer', 'functions/kernel/model/a.ts', "import { x } from '../extras/x.ts';"],
  ])('finds %s', (_, file, source) => expect(findLayerViolations([{ path: file, source }])).toHaveLength(1));

  it.each([
    ['a lower layer', 'functions/kernel/model/a.ts', "import { x } from '../http/index.ts';"],
    ['the same folder', 'functions/control/keys/a.ts', "import { x } from './x.ts';"],
    ['another module', 'functions/control/keys/a.ts', "import { x } from '../../kernel/model/index.ts';"],
  ])('passes %s', (_, file, source) => expect(findLayerViolations([{ path: file, source }])).toEqual([]));
});

describe('the checker of imports past an index', () => {
  const faces = ['functions/a', 'functions/a/inner'];
  const found = (path: string, source: string) => findImportsPastIndex([{ path, source }], faces);

  it.each([
    ['a file behind it', 'functions/b/b.ts', "import { x } from '../a/x.ts';"],
    ['a type behind it', 'lib/b.ts', "import type { X } from '../functions/a/x.ts';"],
    ['a file behind it when it runs', 'functions/b/b.ts', "await import('../a/x.ts');"],
    ['an inner index from outside', 'functions/b/b.ts', "import { x } from '../a/inner/index.ts';"],
    ['a file behind an inner index from the same module', 'functions/a/x.ts', "import { y } from './inner/y.ts';"],
    ['a file behind it from a test', 'functions/b/b.test.ts', "import { x } from '../a/x.ts';"],
  ])('finds an import of %s', (_, path, source) => expect(found(path, source)).toHaveLength(1));

  it.each([
    ['of the index', 'functions/b/b.ts', "import { x } from '../a/index.ts';"],
    ['of an inner index from the same module', 'functions/a/x.ts', "import { y } from './inner/index.ts';"],
    ['inside the folder', 'functions/a/inner/x.ts', "import { y } from './y.ts';"],
    ['of a fixture', 'functions/b/b.test.ts', "import { x } from '../a/x.fixture.ts';"],
  ])('passes an import %s', (_, path, source) => expect(found(path, source)).toEqual([]));

  it('finds an import of the inside of a function, and passes its entries', () => {
    const importing = (target: string) => [{ path: 'lib/a.ts', source: `import '../functions/gateway/${target}.ts';` }];
    expect(findImportsPastEntry(importing('routes'))).toHaveLength(1);
    expect(findImportsPastEntry(importing('env'))).toEqual([]);
  });
});

describe('the checker of indexes', () => {
  const faults = (index: string, code: string, most = 1) =>
    findIndexFaults(
      [
        { path: 'functions/a/index.ts', source: index },
        { path: 'functions/a/x.ts', source: code },
        { path: 'functions/b/b.ts', source: "import { x, y, Z } from '../a/index.ts';" },
      ],
      { 'functions/a': most },
    );

  it.each([
    ['everything of a file', "export * from './x.ts';", 'export const x = 1;'],
    ['a namespace', "export * as x from './x.ts';", 'export const x = 1;'],
    ['a namespace by its name', "import * as x from './x.ts';\nexport { x };", 'export const x = 1;'],
    ['a declaration', 'export const x = 1;', ''],
    ['too many names', "export { x, y } from './x.ts';", 'export const x = 1;\nexport const y = 1;'],
    ['an object with too many members', "export { x } from './x.ts';", 'export const x = { a: 1, b: 2 } as const;'],
    ['a frozen one', "export { x } from './x.ts';", 'export const x = Object.freeze({ a: 1, b: 2 });'],
    [
      'a class with too many static members',
      "export { Z } from './x.ts';",
      'export class Z { static a = 1; static b() {} }',
    ],
    ['a name that nothing imports', "export { other } from './x.ts';", 'export const other = 1;'],
  ])('finds %s', (_, index, code) => expect(faults(index, code)).toHaveLength(1));

  it('counts the members of an object behind a second index', () => {
    const files = [
      { path: 'functions/a/index.ts', source: "export { x } from './inner/index.ts';" },
      { path: 'functions/a/inner/index.ts', source: "export { x } from './x.ts';" },
      { path: 'functions/a/inner/x.ts', source: 'export const x = { a: 1, b: 2 };' },
      { path: 'functions/b/b.ts', source: "import { x } from '../a/index.ts';" },
    ];
    expect(findIndexFaults(files, { 'functions/a': 1 })).toHaveLength(1);
    expect(findIndexFaults(files, { 'functions/a': 2 })).toEqual([]);
  });

  it('finds a missing index', () => {
    expect(findIndexFaults([], { 'functions/a': 1 })).toHaveLength(1);
  });

  it.each([
    ['a name', "export { x } from './x.ts';", 'export const x = 1;'],
    ['a type', "export type { Z } from './x.ts';", 'export interface Z { a: 1; b: 2 }'],
    ['a class', "export { Z } from './x.ts';", 'export class Z { private static a = 1; b = 1; c() {} }'],
  ])('passes %s', (_, index, code) => expect(faults(index, code)).toEqual([]));
});

describe('the checker of benches', () => {
  it.each([
    ['functions/kernel/json/a.test.ts', "import { a } from '../../../bench/lib/a.ts';"],
    ['test/threats/a.test.ts', "import type { A } from '../../bench/lib/a.ts';"],
    ['lib/a.ts', "const a = await import('../bench/a.mjs');"],
  ])('finds an import in %s', (path, source) => expect(findBenchImports([{ path, source }])).toHaveLength(1));

  it.each([
    ['bench/b.ts', "import { a } from './lib/a.ts';"],
    ['test/a.test.ts', "import { a } from './bench/a.ts';"],
  ])('passes %s', (path, source) => expect(findBenchImports([{ path, source }])).toEqual([]));
});

describe('the checker of cycles', () => {
  const file = (name: string, source: string): SourceFile => ({ path: `lib/stacks/${name}.ts`, source });

  it('finds a cycle of two files through a type', () => {
    const files = [file('a', "import type { B } from './b.ts';"), file('b', "import { a } from './a.ts';")];
    expect(findImportCycles(files)).toEqual([['lib/stacks/a.ts', 'lib/stacks/b.ts']]);
  });

  it('finds a cycle of three files behind one that is not part of it', () => {
    const files = [
      file('start', "import './a.ts';"),
      file('a', "import './b.ts';"),
      file('b', "export * from './c.ts';"),
      file('c', "const a = await import('./a.ts');"),
    ];
    expect(findImportCycles(files)).toHaveLength(1);
  });

  it('passes two ways to the same file', () => {
    const files = [file('a', "import './b.ts';\nimport './c.ts';"), file('b', "import './c.ts';"), file('c', '')];
    expect(findImportCycles(files)).toEqual([]);
  });
});
