import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ModelCatalog } from '../../functions/translation/index.ts';
import retirements from '../../scripts/model-prices/retirements.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The page of clients is measured with the models of its date. */
const PAGES = globSync(
  ['README.md', 'docs/**/*.md', 'examples/**', 'scripts/openapi/*.ts', 'bin/**/*.ts', 'dashboard/src/**/*.ts*'],
  {
    cwd: ROOT,
    exclude: ['docs/decisions/**', 'docs/reference/clients-matrix.md', '**/*.test.ts'],
  },
).filter((file) => /\.\w+$/.test(file));
const NAMED =
  /(?<![\w-])(?:[a-z]{2,6}\.anthropic\.)?(?:claude-(?:sonnet|opus|haiku|fable)-|gpt-\d|gemini-\d|o\d-)(?:[\w.:-]*\w)?/g;
const VERSION = /-(?:\d{4}-\d\d-\d\d|\d{8})(?:-v\d(?::\d)?)?$/;
/** A reader tries an example weeks after the table was made. */
const SERVED_DAYS = 90;

const catalog = new ModelCatalog();
const known = new Set(
  ['openai', 'anthropic', 'gemini', 'bedrock'].flatMap((name) => catalog.ofProvider(name)).map(({ model }) => model),
);
const until = new Date(Date.parse(catalog.date) + SERVED_DAYS * 86_400_000).toISOString().slice(0, 10);

/** Why a page should not name a model; undefined if it may. */
function faultOf(name: string): string | undefined {
  const model = name.replace(VERSION, '');
  const end = (retirements.models as Record<string, string>)[model.replace(/^.*anthropic\./, '')];
  if (end !== undefined && end <= until) return `${name} ends on ${end}`;
  return known.has(name) || known.has(model) ? undefined : `${name} is not in the table`;
}

test('no list has a model that had ended at the date of the table', () => {
  const ended = Object.entries(retirements.models).filter(([, end]) => end <= catalog.date);
  expect(ended.length).toBeGreaterThan(5);
  const providers = new Set(catalog.names.map(({ provider }) => provider));
  const listed = [...providers].flatMap((name) => catalog.ofProvider(name).map(({ model }) => model));
  expect(ended.map(([name]) => name).filter((name) => listed.includes(name))).toEqual([]);
});

test('docs and examples name models that the table lists and that do not end soon', () => {
  const faults = PAGES.flatMap((file) =>
    (readFileSync(path.join(ROOT, file), 'utf8').match(NAMED) ?? []).flatMap((name) => {
      const fault = /^gpt-(?:image|audio|realtime)/.test(name) ? undefined : faultOf(name);
      return fault === undefined ? [] : [`${file}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
});
