import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ERRORS } from '../../functions/core/base/errors.ts';
import { DEFAULT_ROUTES } from '../../functions/core/routing/route-model.ts';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { HEADERS } from '../../scripts/openapi/responses.ts';

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

/** The rows of the table whose head begins with these cells, without backquotes. */
function table(...head: string[]): string[][] {
  const lines = page.split('\n').map((line) => line.replace(/ +/g, ' '));
  const from = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')} |`));
  const rest = lines.slice(from + 2);
  const rows = rest.slice(
    0,
    rest.findIndex((line) => !line.startsWith('|')),
  );
  return rows.map((row) =>
    row
      .replaceAll('`', '')
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

test('the table of errors is the catalogue, both ways', () => {
  const catalogue = Object.entries(ERRORS).map(([code, { status, type }]) => [String(status), type, code]);
  const documented = table('Status', 'type', 'code');
  expect(documented.map((row) => row.slice(0, 3)).sort()).toEqual(catalogue.sort());
});

test('the table of routes and the OpenAPI document agree', () => {
  const { paths } = openapiDocument() as { paths: Record<string, Record<string, unknown>> };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => (method === 'parameters' ? [] : [`${method.toUpperCase()} ${path}`])),
  );
  expect(
    table('Method and path')
      .map(([route]) => route)
      .sort(),
  ).toEqual(operations.sort());
});

test('every response header of the OpenAPI document is explained', () => {
  const explained = table('Header', 'On').flatMap(([names = '']) =>
    names.split(', ').map((name) => name.split(':')[0]),
  );
  expect(explained).toEqual(expect.arrayContaining(Object.keys(HEADERS)));
});

test('the table of models is the routing table', () => {
  const rows = table('Model', 'Provider').flatMap(([models = '', provider = '']) =>
    models.split(', ').map((glob) => ({ models: glob, provider: provider.split(',')[0] })),
  );
  expect(rows).toEqual(DEFAULT_ROUTES.map(({ models, targets }) => ({ models, provider: targets[0]?.provider })));
});
