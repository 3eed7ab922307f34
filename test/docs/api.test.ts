import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ERRORS } from '../../functions/core/base/errors.ts';
import { openapiDocument } from '../../scripts/openapi/document.ts';

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
