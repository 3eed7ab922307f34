import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { TABLE_NAMES } from '../../functions/adapters/dynamo/tables.ts';
import { ITEM_KINDS, kindOf } from './item-kinds.ts';
import { PREVIOUS_RELEASE } from './release.ts';
import { readSamples } from './samples.ts';
import { keyOf } from './stored-items.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const WRITES = /new (?:Put|Update|BatchWrite)Command|writeParts\(/;
/** They write what their callers hand over. */
const HELPERS = new Set(['dynamo-calls', 'split-bytes']);
const SAMPLES = readSamples();
const KINDS = TABLE_NAMES.flatMap((table) => ITEM_KINDS[table].map((kind) => ({ table, ...kind })));

test('the newest sample is of the previous release', () => {
  const commit = SAMPLES.at(-1)?.name.split('-').at(-1) ?? 'none';
  expect(PREVIOUS_RELEASE.startsWith(commit)).toBe(true);
});

test('each kind of stored item has a sample', () => {
  const without = KINDS.filter(({ table, key, noSample }) => {
    const kinds = SAMPLES.flatMap(({ tables }) => (tables[table] ?? []).map((item) => kindOf(table, item)));
    return noSample === undefined && !kinds.some((kind) => kind?.key === key);
  });
  expect(without.map(({ table, name }) => `${table}: ${name}`)).toEqual([]);
});

test('each stored item has a kind', () => {
  const unknown = SAMPLES.flatMap(({ name, tables }) =>
    TABLE_NAMES.flatMap((table) =>
      (tables[table] ?? [])
        .filter((item) => kindOf(table, item) === undefined)
        .map((item) => `${name}: ${table} ${keyOf(item)}`),
    ),
  );
  expect(unknown).toEqual([]);
});

test('each adapter that writes to a table has a kind of item', () => {
  const writers = ['functions/adapters/dynamo', 'lib/local'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .filter((file) => WRITES.test(readFileSync(path.join(ROOT, folder, file), 'utf8')))
      .map((file) => path.basename(file, '.ts')),
  );
  const named = new Set(KINDS.map(({ writer }) => writer));
  expect(writers.filter((writer) => !named.has(writer) && !HELPERS.has(writer))).toEqual([]);
  expect([...named].filter((writer) => !writers.includes(writer))).toEqual([]);
});
