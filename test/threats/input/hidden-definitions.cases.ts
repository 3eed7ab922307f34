import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { contract } from '../default-service.ts';
import { APIS, type Tool } from './tool-definitions.ts';

type ApiName = keyof typeof APIS;
const NAMES = Object.keys(APIS) as ApiName[];

/** Definitions as servers of tools have them, and poisoned ones: `tuned` were known when the rules were written. */
function load<Data>(file: string): Data {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, 'definitions', file), 'utf8')) as Data;
}
interface Poisoned {
  readonly id: string;
  readonly place: 'description' | 'argument' | 'nested' | 'enum' | 'default' | 'title' | 'examples';
  readonly text: string;
}
const HONEST = load<readonly Tool[]>('honest.json');
const POISONED = load<Readonly<Record<'tuned' | 'held', readonly Poisoned[]>>>('poisoned.json');
/** Those that say nothing about hiding, reading or sending in a form that a rule knows. */
const MISSED = ['t7', 'h2', 'h4'];

function toTool({ place, text }: Poisoned): Tool {
  const nested = {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'string', description: text } } },
  };
  const schemas: Readonly<Partial<Record<Poisoned['place'], object>>> = {
    argument: { description: text },
    nested,
    enum: { enum: ['a', text] },
    default: { default: text },
    title: { title: text },
    examples: { examples: [text] },
  };
  const properties = { x: { type: 'string', ...schemas[place] } };
  return { name: 'a_tool', properties, ...(place === 'description' && { description: text }) };
}

async function findingsIn(api: ApiName, tools: readonly Tool[]) {
  const { status, json } = await contract.call(APIS[api].path, JSON.stringify(APIS[api].body(tools)));
  return {
    status,
    threats: json.svc.detected_threats as { rule: string; action: string; location: { field: string } }[],
  };
}

describe.each(NAMES)('in %s', (api) => {
  test('orders and hidden text are flagged wherever a definition has them, and nothing is blocked', async () => {
    const missed: string[] = [];
    for (const row of [...POISONED.tuned, ...POISONED.held]) {
      const { status, threats } = await findingsIn(api, [toTool(row)]);
      expect([row.id, status, threats.filter(({ action }) => action !== 'flag')]).toEqual([row.id, 200, []]);
      if (threats.length === 0) missed.push(row.id);
    }
    expect(missed).toEqual(MISSED);
  });

  test('honest definitions have no finding by a rule', async () => {
    const { threats } = await findingsIn(api, HONEST);
    // The description of a well-known server withdraws what its model "was advised".
    expect(threats.map(({ rule }) => rule)).toEqual(['classifier/indirect-injection']);
    const fetchAt = HONEST.findIndex(({ name }) => name === 'fetch');
    expect(threats[0]?.location.field).toBe(`${APIS[api].place(fetchAt)}.description`);
  });
});

test('rules for definitions find nothing in other texts', async () => {
  const texts = POISONED.tuned.map(({ text }) => ({ role: 'user', content: text }));
  const { json } = await contract.chat({ model: 'gpt-4o-mini', messages: texts });
  const found = (json.svc ?? json.error.svc).detected_threats as { rule: string }[];
  expect(found.filter(({ rule }) => rule.startsWith('tool-definition/'))).toEqual([]);
  for (const { text } of POISONED.tuned) {
    const { json: result } = await contract.call('/guard', JSON.stringify({ input: text, as: 'tool' }));
    const rules = result.svc.detected_threats.map(({ rule }: { rule: string }) => rule);
    expect(rules.filter((rule: string) => rule.startsWith('tool-definition/'))).toEqual([]);
  }
});
