import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readConfigFile } from '../../functions/admin-api/config-file.ts';
import { ERRORS } from '../../functions/core/base/errors.ts';
import { Policy } from '../../functions/core/inspect/policy.ts';
import type { Rule } from '../../functions/core/inspect/rule.ts';
import { PRESETS, type Preset, policySchema } from '../../functions/core/model/policy.ts';
import { THREAT_TYPES, type ThreatType } from '../../functions/core/model/threat.ts';
import { TOPIC_FAMILIES } from '../../functions/core/model/topic-families.ts';
import { DEFAULT_ROUTES } from '../../functions/core/routing/route-model.ts';
import { TEST_TEXT_RULES } from '../../functions/detectors/test-texts.ts';
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

describe('the table of presets says what a policy does', () => {
  const columns = PRESETS.flatMap((preset) => (['input', 'output'] as const).map((part) => [preset, part] as const));
  const rows = table('Type', '`monitor` input');

  test('it has a row for each type', () => {
    expect(rows.map(([type]) => type)).toEqual([...THREAT_TYPES]);
  });

  test.each(rows)('%s', (type = '', ...cells) => {
    expect(cells).toEqual(columns.map(([preset, part]) => strongest(preset, part, type as ThreatType)));
  });
});

/** The strongest action that the preset takes on the type, and the lowest score at which it does. */
function strongest(preset: Preset, part: 'input' | 'output', type: ThreatType): string {
  const policy = new Policy({ preset });
  const surface = part === 'input' ? 'user' : 'output';
  const decide = (score: number) =>
    policy.decide({ rule: { type } as Rule, score, start: 0, end: 1, decodedFrom: [] }, surface);
  const action = decide(1);
  const from = Array.from({ length: 101 }, (_, percent) => percent / 100).find((score) => decide(score) === action);
  return `${action} ${from}`;
}

test('the policies that the page shows are taken, their own tests run', () => {
  const section = page.slice(page.indexOf('\n## Policies'), page.indexOf('\n## Limits'));
  const shown = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json) as unknown);
  expect(shown).toHaveLength(2);
  for (const policy of shown) expect(policySchema.safeParse(policy).error).toBeUndefined();
});

test('the file of keys and policy that the page shows is taken', () => {
  const section = page.slice(page.indexOf('\n## Keys and policy as code'), page.indexOf('\n## Audit'));
  const [, json = ''] = /```json\n(.*?)```/s.exec(section) ?? [];
  expect(readConfigFile(json).keys).toHaveLength(2);
});

test('the families of banned topics are all named', () => {
  for (const family of Object.keys(TOPIC_FAMILIES)) expect(page).toContain(`\`${family}\``);
});

test('the test texts are those of the rules', () => {
  const rows = table('Text', 'Action').map(([text, action = '']) => [text, action.split(',')[0]]);
  expect(rows).toEqual(TEST_TEXT_RULES.map(({ patterns, forcedAction }) => [patterns[0], forcedAction]));
});

test('the table of models is the routing table', () => {
  const rows = table('Model', 'Provider').flatMap(([models = '', provider = '']) =>
    models.split(', ').map((glob) => ({ models: glob, provider: provider.split(',')[0] })),
  );
  expect(rows).toEqual(DEFAULT_ROUTES.map(({ models, targets }) => ({ models, provider: targets[0]?.provider })));
});
