import { expect, it } from '@jest/globals';
import { finish, type Steps } from '../../../kernel/tasks/index.ts';
import { checkConverse } from './check-converse.ts';
import { type ConverseBody, converseRequestSchema } from './converse-schema.ts';
import { fromConverseBody } from './from-converse-body.ts';

const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });
function pausesOf(steps: Steps<unknown>): number {
  let count = 0;
  while (!steps.next(false).done) count += 1;
  return count;
}

const result = (...content: unknown[]) => user({ text: 'a' }, { toolResult: { toolUseId: 't', content } });

it.each<[body: unknown, param: string | undefined, code: string]>([
  [7, undefined, 'invalid_value'],
  [{}, 'messages', 'missing_field'],
  [{ messages: [] }, 'messages', 'invalid_value'],
  [{ ...user({ text: 'a' }), extra: 1 }, 'extra', 'invalid_value'],
  [
    { messages: [...user({ text: 'a' }).messages, { role: 'system', content: [] }] },
    'messages[1].role',
    'invalid_value',
  ],
  [user({ text: 'a' }, { text: 'b', extra: 1 }), 'messages[0].content[1].extra', 'invalid_value'],
  [user({ text: 'a' }, {}), 'messages[0].content[1]', 'invalid_value'],
  [user({ image: { format: 'png', source: {} } }), 'messages[0].content[0].image.source.bytes', 'missing_field'],
  [user({ toolResult: { toolUseId: 't' } }), 'messages[0].content[0].toolResult.content', 'missing_field'],
  [result({ text: 'a' }, { text: 7 }), 'messages[0].content[1].toolResult.content[1].text', 'invalid_value'],
  [{ ...user({ text: 'a' }), system: [{ text: 'a' }, 7] }, 'system[1]', 'invalid_value'],
  [
    { ...user({ text: 'a' }), toolConfig: { tools: [{ toolSpec: {} }] } },
    'toolConfig.tools[0].toolSpec.name',
    'missing_field',
  ],
])('%j has its first wrong field named', (body, param, code) => {
  expect(converseRequestSchema.safeParse(body).success).toBe(false);
  expect(() => finish(checkConverse(body))).toThrow(expect.objectContaining({ code, param }));
});

it.each<[list: string, body: (entries: number) => unknown]>([
  ['blocks', (count) => user(...Array(count).fill({ text: 'a' }))],
  ['messages', (count) => ({ messages: Array(count).fill(user({ text: 'a' }).messages[0]) })],
  ['parts of a result', (count) => result(...Array(count).fill({ json: {} }))],
  ['blocks of the system prompt', (count) => ({ ...user({ text: 'a' }), system: Array(count).fill({ text: 'a' }) })],
])('many %s are checked and converted with pauses', (_, bodyOf) => {
  const pauses = (body: unknown) => {
    expect(converseRequestSchema.safeParse(body).success).toBe(true);
    return [pausesOf(checkConverse(body)), pausesOf(fromConverseBody(body as ConverseBody, 'm', false))];
  };
  const [checks = 0, conversions = 0] = pauses(bodyOf(20_480)).map((count, at) => count - (pauses(bodyOf(1))[at] ?? 0));
  expect(checks).toBeGreaterThanOrEqual(79);
  expect(conversions).toBeGreaterThanOrEqual(79);
});
