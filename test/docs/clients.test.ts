import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { guardRequestSchema } from '../../functions/pipeline/inspection-schemas.ts';
import { HEADERS } from '../../scripts/openapi/headers.ts';
import { readTable } from '../support/read-table.ts';

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');

test('every response header of the OpenAPI document is explained', () => {
  const explained = readTable(page, 'Header', 'On').flatMap(([names = '']) => names.split(', '));
  expect(explained.sort()).toEqual(Object.keys(HEADERS).sort());
});

test('the request to inspect text is valid', () => {
  const [, body = ''] = /\/v1\/guard [^']*'[^']*' \\\n[^']*'[^']*' -d '([^']*)'/.exec(page) ?? [];
  expect(guardRequestSchema.safeParse(JSON.parse(body)).error).toBeUndefined();
});
