import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { guardRequestSchema } from '../../functions/pipeline/inspection-schemas.ts';

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');

test('the request to inspect text is valid', () => {
  const [, body = ''] = /\/v1\/guard [^']*'[^']*' \\\n[^']*'[^']*' -d '([^']*)'/.exec(page) ?? [];
  expect(guardRequestSchema.safeParse(JSON.parse(body)).error).toBeUndefined();
});
