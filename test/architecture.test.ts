import { describe, expect, it } from '@jest/globals';
import {
  countModuleUse,
  findBenchImports,
  findForbiddenImports,
  findImportCycles,
  findImportsPastIndex,
  findLayerViolations,
  findPrivateImports,
  PRODUCT_FOLDERS,
  type SourceFile,
  shippedSources,
  sourcesIn,
} from './import-rules.ts';

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

  it('keep the layers of core', () => {
    expect(findLayerViolations(shippedSources())).toEqual([]);
  });

  it('keep the files of a folder behind its index', () => {
    const files = sourcesIn([...PRODUCT_FOLDERS, 'test', 'bench', 'scripts', 'training']);
    expect(findImportsPastIndex(files.filter((file) => !/\.fixture\.ts$/.test(file.path)))).toEqual([]);
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
      /^(?:run-(?:chat|guard|moderation|stored)|finish-request|remember|request-(?:outcome|record|events|log))\.ts$/;
    const whole = /\bRunningRequest\b|(?<!Pick<)\bOutcome\b/;
    const inCode = (source: string) => whole.test(source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|^import .*$/gm, ''));
    expect(
      ['f(outcome: Outcome)', 'f(r: RunningRequest)', "f(r: Pick<Outcome, 'times'>)", '/** The Outcome. */'].map(
        inCode,
      ),
    ).toEqual([...[true, true], ...[false, false]]);
    const stages = shippedSources().filter(
      ({ path }) => path.startsWith('functions/pipeline/') && !/\.(?:test|fixture)\.ts$/.test(path),
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
    ['core that imports AWS', 'functions/core/a.ts', "import { X } from '@aws-sdk/client-sqs';"],
    ['core that imports an adapter', 'functions/core/access/a.ts', "import { x } from '../../adapters/x.ts';"],
    ['core that imports a Node module', 'functions/core/a.ts', "import http from 'node:http';"],
    ['an import over several lines', 'functions/core/a.ts', "import {\n  a,\n  b,\n} from '../adapters/x.ts';"],
    ['an import of a type', 'functions/core/a.ts', "import type { A } from '../gateway/env.ts';"],
    ['an import for its effect', 'functions/core/a.ts', "import '../gateway/env.ts';"],
    ['an import when it runs', 'functions/core/a.ts', "const a = await import('../gateway/env.ts');"],
    ['a passing on', 'functions/core/a.ts', "export { a } from '../gateway/env.ts';"],
    ['a passing on of everything', 'functions/core/a.ts', "export * from '../gateway/env.ts';"],
    ['the second import of a file', 'functions/core/a.ts', "import * as z from 'zod';\nimport 'undici';"],
    ['a detector that imports a package', 'functions/inspection/detectors/x/rules.ts', "import * as z from 'zod';"],
    [
      'a provider that imports an adapter',
      'functions/translation/providers/x/a.ts',
      "import { x } from '../../adapters/x.ts';",
    ],
    ['a provider with an SDK of its own', 'functions/translation/providers/x/a.ts', "import { x } from 'openai';"],
    ['an adapter that imports a function', 'functions/adapters/a.ts', "import { x } from '../gateway/env.ts';"],
    ['a function that imports another', 'functions/gateway/a.ts', "import { x } from '../admin-api/access.ts';"],
    ['a contract that imports a feature', 'functions/contract/a.ts', "import { x } from '../core/keys/x.ts';"],
    [
      'a protocol that imports the contract',
      'functions/translation/protocols/a.ts',
      "import { x } from '../../contract/x.ts';",
    ],
    ['a function that imports AWS', 'functions/gateway/a.ts', "import { x } from '@aws-sdk/client-sqs';"],
    ['a function that imports the server', 'functions/gateway/a.ts', "import { x } from '../server/http-host.ts';"],
    ['the server that imports a package', 'functions/server/a.ts', "import * as z from 'zod';"],
    ['the server that imports the local run', 'functions/server/a.ts', "import { x } from '../../lib/local/x.ts';"],
    ['a stack that imports a handler', 'lib/stacks/a.ts', "import { x } from '../../functions/gateway/handler.ts';"],
    ['a stack that imports core', 'lib/stacks/a.ts', "import { x } from '../../functions/core/base/errors.ts';"],
    [
      'a page that imports core',
      'dashboard/src/a.tsx',
      "import type { A } from '../../functions/core/base/errors.ts';",
    ],
    ['a page that runs the contract', 'dashboard/src/a.ts', "import { a } from '../../functions/contract/index.ts';"],
    ['a page that imports a Node module', 'dashboard/src/a.ts', "import path from 'node:path';"],
    ['zod by name', 'functions/core/a.ts', "import { z } from 'zod';"],
    ['a way out of the repository', 'functions/core/a.ts', "import { x } from '../../../shared/x.ts';"],
  ])('%s', (_, file, source) => expect(findForbiddenImports([{ path: file, source }])).toHaveLength(1));

  it.each([
    [
      'core within itself',
      'functions/core/a.ts',
      "import { x } from './access/x.ts';\nimport { createHash } from 'node:crypto';",
    ],
    ['zod as a namespace', 'functions/core/a.ts', "import * as z from 'zod';"],
    ['a function of its own folder', 'functions/gateway/a.ts', "import { x } from './event-stream.ts';"],
    ['the gateway in the server', 'functions/server/a.ts', "import { x } from '../gateway/compose.ts';"],
    ["a function's env in a stack", 'lib/stacks/a.ts', "import type { E } from '../../functions/gateway/env.ts';"],
    ['handlers in the local run', 'lib/local/a.ts', "import { x } from '../../functions/gateway/compose.ts';"],
    ['types in the page', 'dashboard/src/api/a.ts', "import type { A } from '../../../functions/contract/index.ts';"],
    ['a word in a comment', 'functions/core/a.ts', "/** May not import 'node:http'. */\nexport const a = 1;"],
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
    ['a lower folder that imports a higher one', 'functions/kernel/model/a.ts', "import { x } from '../inspect/x.ts';"],
    ['a type of a higher folder', 'functions/kernel/json/a.ts', "import type { X } from '../model/x.ts';"],
    ['a folder of the same layer', 'functions/control/keys/a.ts', "import { x } from '../limits/x.ts';"],
    ['a type in an expression', 'functions/kernel/json/a.ts', "type X = import('../model/x.ts').X;"],
    ['a higher folder passed on', 'functions/control/policy/a.ts', "export { x } from '../../core/pipeline/x.ts';"],
    ['a folder without a layer', 'functions/core/extras/a.ts', 'export const a = 1;'],
    ['an import of a folder without a layer', 'functions/pipeline/a.ts', "import { x } from '../extras/x.ts';"],
  ])('finds %s', (_, file, source) => expect(findLayerViolations([{ path: file, source }])).toHaveLength(1));

  it.each([
    ['a lower layer', 'functions/inspection/fusion/a.ts', "import { x } from '../../model/x.ts';"],
    ['the same folder', 'functions/control/keys/a.ts', "import { x } from './x.ts';"],
    ['a file outside core', 'functions/gateway/a.ts', "import { x } from '../core/pipeline/x.ts';"],
  ])('passes %s', (_, file, source) => expect(findLayerViolations([{ path: file, source }])).toEqual([]));
});

describe('the checker of imports past an index', () => {
  const path = 'functions/inspection/a.ts';

  it('finds an import of a file behind it', () => {
    const source = "import { x } from '../pattern-engine/engine.ts';";
    expect(findImportsPastIndex([{ path, source }])).toHaveLength(1);
  });

  it.each([
    [path, "import { x } from '../pattern-engine/index.ts';"],
    ['functions/inspection/pattern-engine/a.ts', "import { x } from './engine.ts';"],
  ])('passes %s: %s', (from, source) => expect(findImportsPastIndex([{ path: from, source }])).toEqual([]));
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

describe('the count of imported names', () => {
  it('has each name and file once, with types, and leaves out a module of its own', () => {
    const path = 'functions/gateway/a.ts';
    const files: SourceFile[] = [
      { path, source: "import { type A, b as c } from '../core/base/x.ts';\nimport * as y from '../core/base/y.ts';" },
      { path: 'lib/a.ts', source: "import type {\n  A,\n  D,\n} from '../functions/core/base/x.ts';" },
      { path: 'functions/kernel/http/a.ts', source: "import { z } from '../base/z.ts';" },
    ];
    expect(countModuleUse(files)[0]).toEqual({ module: 'kernel', names: 4, files: 2, importers: 2 });
  });
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
