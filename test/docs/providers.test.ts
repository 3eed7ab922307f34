import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { modelPricesSchema, routesSchema } from '../../functions/kernel/configuration/index.ts';
import { DEFAULT_ROUTES } from '../../functions/translation/index.ts';
import { readTable } from '../support/read-table.ts';

const page = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8');

test('the table of models is the default routing table', () => {
  const rows = readTable(page, 'Model', 'Provider').flatMap(([models = '', provider = '']) =>
    models.split(', ').map((glob) => ({ models: glob, provider: provider.split(',')[0] })),
  );
  expect(rows).toEqual(DEFAULT_ROUTES.map(({ models, targets }) => ({ models, provider: targets[0]?.provider })));
});

test.each([
  ['Define routes and fallbacks', routesSchema],
  ['Set prices', modelPricesSchema],
])('the example of "%s" is valid', (heading, schema) => {
  const section = page.slice(page.indexOf(`\n## ${heading}`));
  const [, json = ''] = /```json\n(.*?)```/s.exec(section) ?? [];
  expect(schema.safeParse(JSON.parse(json)).error).toBeUndefined();
});
