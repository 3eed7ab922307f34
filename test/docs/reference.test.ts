import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { COMMANDS, COMMON_OPTIONS } from '../../bin/admin/program.ts';
import { ERRORS } from '../../functions/kernel/errors/index.ts';
import { MATRIX_PAGE } from '../../scripts/clients-matrix.ts';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { HEADERS } from '../../scripts/openapi/headers.ts';
import { alarmsOf } from '../../scripts/reference/alarms-page.ts';
import { REFERENCE_PAGES } from '../../scripts/reference/generate.ts';
import { FULL } from '../infra/synthesize.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const page = (name: string) => read(`docs/reference/${name}.md`);

/** Written by hand, or by `npm run bench cost`. */
const WRITTEN = [
  'cost',
  'deployment-checks',
  'detection',
  'front-doors',
  'homes',
  'identity-providers',
  'litellm-terms',
  'logs-and-metrics',
  'mcp',
  'outside-calls',
  'protocols',
  'providers',
  'record-export',
  'runbooks',
  'stored-data',
  'threats',
  'tool-rules',
].map((name) => `docs/reference/${name}.md`);

test('docs/reference has exactly the generated pages and those of the list', () => {
  const files = readdirSync(new URL('docs/reference', root)).map((file) => `docs/reference/${file}`);
  // `npm run test:clients` writes the other one.
  expect(files.sort()).toEqual([...Object.keys(REFERENCE_PAGES), ...WRITTEN, MATRIX_PAGE].sort());
});

test.each(Object.entries(REFERENCE_PAGES))('%s is current', (path, text) => {
  expect(read(path) === text() ? 'current' : 'stale: npm run generate reference').toBe('current');
});

test.each(Object.keys(REFERENCE_PAGES))('links within %s and to other pages lead to a heading or a file', (path) => {
  const text = read(path);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => `#${anchorOf(title)}`);
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (target.startsWith('http')) continue;
    if (target.startsWith('#')) expect(headings).toContain(target);
    else
      expect([target, existsSync(new URL(target.split('#')[0] as string, new URL(path, root)))]).toEqual([
        target,
        true,
      ]);
  }
});

describe('the pages leave nothing out', () => {
  test('each operation has a heading, and no other', () => {
    const { paths } = openapiDocument() as { paths: Record<string, Record<string, unknown>> };
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).flatMap((method) => (method === 'parameters' ? [] : [`${method.toUpperCase()} ${path}`])),
    );
    const headings = [...page('api').matchAll(/^### ([A-Z]+ \/.+)$/gm)].map(([, route]) => route);
    expect(headings.sort()).toEqual(operations.sort());
  });

  test('each response header is described', () => {
    const rows = [...page('api').matchAll(/^\| `([\w-]+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, name]) => name);
    expect(rows).toEqual(expect.arrayContaining(Object.keys(HEADERS)));
  });

  test('each error has a row with its status and type', () => {
    const rows = [...page('errors').matchAll(/^\| (\d+) \| `(\w+)` \| `(\w+)` \|/gm)].map((row) => row.slice(1));
    const catalogue = Object.entries(ERRORS).map(([code, { status, type }]) => [String(status), code, type]);
    expect(rows.sort()).toEqual(catalogue.sort());
  });

  test('each command has a row with its summary, and each option is described', () => {
    const cli = page('cli');
    for (const { name, args, summary, options } of COMMANDS) {
      expect(cli).toContain(`| \`${[name, ...args].join(' ')}\` | ${summary} |`);
      for (const option of Object.keys({ ...options, ...COMMON_OPTIONS })) expect(cli).toContain(`| \`--${option}`);
    }
  });

  test('each alarm is listed, and its runbook is a heading of docs/reference/runbooks.md', () => {
    const plain = { stage: 'Production', logRetentionDays: 7, memoryMb: 1024, tracing: false } as const;
    const alarms = [
      ...alarmsOf({ ...FULL, rollout: 'canary-10-5m' }),
      ...alarmsOf({ ...plain, compute: 'web-function' }),
      ...alarmsOf({ ...plain, compute: 'fargate', region: 'eu-central-1' }),
    ];
    expect(alarms.length).toBeGreaterThan(40);
    const runbooks = new Set(alarms.map(({ runbook }) => runbook));
    const linked = [...page('alarms').matchAll(/\]\(runbooks\.md#([\w-]+)/g)].map(([, name]) => name);
    expect([...new Set(linked)].sort()).toEqual([...runbooks].sort());
    const headings = [...page('runbooks').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
    for (const { path, runbook } of alarms) {
      expect(headings).toContain(runbook);
      expect(page('alarms')).toContain(path.split('/').at(-1));
    }
  });
});

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');
}
