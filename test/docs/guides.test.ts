import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readConfigFile } from '../../bin/admin/config-file.ts';
import { TEST_TEXT_RULES } from '../../functions/inspection/detectors/test-texts.ts';
import { Policy } from '../../functions/inspection/index.ts';
import type { Rule } from '../../functions/inspection/matching/index.ts';
import { EVENT_TYPES } from '../../functions/kernel/model/event-types.ts';
import {
  createWebhookSchema,
  PRESETS,
  type Preset,
  policySchema,
  THREAT_TYPES,
  type ThreatType,
  TOPIC_FAMILIES,
} from '../../functions/kernel/model/index.ts';
import { REASONS } from '../../functions/kernel/model/threat.ts';
import { readTable } from '../support/read-table.ts';

const [policies, findings, keys, webhooks] = ['policies', 'findings', 'keys', 'webhooks'].map((name) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'),
) as [string, string, string, string];

describe('docs/extend.md names files and names that exist', () => {
  const page = readFileSync(new URL('../../docs/extend.md', import.meta.url), 'utf8');
  const fileOf = (place: string) => new URL(`../../${place}`, import.meta.url);

  test.each(
    [...page.matchAll(/`((?:functions|lib|bin|test|scripts|dashboard)\/[\w./-]+)`/g)].map(([, place = '']) => place),
  )('%s', (place) => expect(existsSync(fileOf(place))).toBe(true));

  test.each(
    [...page.matchAll(/`(\w+)` (?:in|of|to) `([\w./-]+\/[\w-]+\.tsx?)`/g)].map(([, name = '', place = '']) => [
      name,
      place,
    ]),
  )('%s in %s', (name, place) => {
    const file = [place, `functions/${place}`].find((path) => existsSync(fileOf(path))) ?? place;
    expect(readFileSync(fileOf(file), 'utf8')).toContain(name);
  });
});

/** The JSON examples of a page's section, parsed. */
function examples(page: string, heading: string): unknown[] {
  const from = page.indexOf(`\n## ${heading}`);
  const to = page.indexOf('\n## ', from + 1);
  const section = page.slice(from, to < 0 ? undefined : to);
  return [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json) as unknown);
}

describe('the table of presets matches the policy', () => {
  const columns = PRESETS.flatMap((preset) => (['input', 'output'] as const).map((part) => [preset, part] as const));
  const rows = readTable(policies, 'Type', '`monitor` input');

  test('it has a row for each type', () => {
    expect(rows.map(([type]) => type)).toEqual([...THREAT_TYPES]);
  });

  test.each(rows)('%s', (type = '', ...cells) => {
    expect(cells).toEqual(columns.map(([preset, part]) => strongest(preset, part, type as ThreatType)));
  });
});

/** The strongest action of the preset for the type, and the lowest score at which it applies. */
function strongest(preset: Preset, part: 'input' | 'output', type: ThreatType): string {
  const policy = new Policy({ preset });
  const surface = part === 'input' ? 'user' : 'output';
  const decide = (score: number) =>
    policy.decide({ rule: { type } as Rule, score, start: 0, end: 1, decodedFrom: [] }, surface);
  const action = decide(1);
  const from = Array.from({ length: 101 }, (_, percent) => percent / 100).find((score) => decide(score) === action);
  return `${action} ${from}`;
}

test.each(['Set thresholds and actions', 'Custom rules, topics and allowances'])(
  'the policy under "%s" is valid, and its own tests pass',
  (heading) => {
    const shown = examples(policies, heading);
    expect(shown).toHaveLength(1);
    for (const policy of shown) expect(policySchema.safeParse(policy).error).toBeUndefined();
  },
);

test('the table of fields and the sections before it name every field of a policy', () => {
  const named = readTable(policies, 'Field', 'Meaning').flatMap(([names = '']) => names.split(', '));
  expect([...named, 'preset', 'input', 'output'].sort()).toEqual(
    [...Object.keys(policySchema.shape), 'tagBudgets'].sort(),
  );
});

test('the families of banned topics are all named', () => {
  for (const family of Object.keys(TOPIC_FAMILIES)) expect(policies).toContain(`\`${family}\``);
});

test('the test texts are those of the rules', () => {
  const rows = readTable(findings, 'Text', 'Action').map(([text, action = '']) => [text, action.split(',')[0]]);
  expect(rows).toEqual(TEST_TEXT_RULES.map(({ patterns, forcedAction }) => [patterns[0], forcedAction]));
});

test('every threat type and every reason is named', () => {
  for (const name of [...THREAT_TYPES, ...REASONS]) expect(findings).toContain(`\`${name}\``);
});

test('the file of keys and policy is valid', () => {
  const [file] = examples(keys, 'Configuration as code');
  expect(readConfigFile(file).keys).toHaveLength(2);
});

test('the table of events has every type', () => {
  const types = readTable(webhooks, 'Type', 'When').flatMap(([names = '']) => names.split(', '));
  expect(types.sort()).toEqual([...EVENT_TYPES].sort());
});

test('the table of a webhook has every field', () => {
  const fields = readTable(webhooks, 'Field', 'Rule').map(([name]) => name);
  expect(fields.sort()).toEqual([...Object.keys(createWebhookSchema.shape), 'state'].sort());
});
