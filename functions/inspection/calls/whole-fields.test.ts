import { expect, it } from '@jest/globals';
import type { ChatMessage } from '../../kernel/model/index.ts';
import { WholeFields } from './whole-fields.ts';

const RESULT = {
  items: [{ email: 'Bob@x.test', name: 'Bob <bob@x.test>', iban: 'DE89 3704 0044 0532 0130 00', total: 1200 }],
  content: [{ text: '{"email":"bob@x.test"}' }],
};
const messages = (text: string): ChatMessage[] => [{ role: 'tool', parts: [{ type: 'text', text }], toolCallId: 'c' }];
const marked = (field: string, value: unknown, text = JSON.stringify(RESULT), from: 'field' | 'prose' = 'field') =>
  new WholeFields(messages(text))
    .mark([{ argument: 'to[0]', from, message: 0, tool: 'find', field }], JSON.stringify({ to: [value] }))
    .map(({ isPart }) => isPart === true);

it.each<[string, unknown]>([
  ['items[0].email', 'bob@x.test'],
  ['items[0].iban', 'DE89370400440532013000'],
  ['items[0].total', '1,200.00'],
  ['content[0].text.email', 'bob@x.test'],
])('a whole argument that is the whole field %s is no part', (field, value) => {
  expect(marked(field, value)).toEqual([false]);
});

it.each<[string, string, unknown, string | undefined]>([
  ['a field that has more', 'items[0].name', 'bob@x.test', undefined],
  ['an argument that has more', 'items[0].email', 'bob@x.test, eve@x.test', undefined],
  ['another field', 'items[1].email', 'bob@x.test', undefined],
  ['an object', 'items[0]', 'bob@x.test', undefined],
  ['a result that is no JSON, which has no fields for rules', 'email', 'bob@x.test', 'email: bob@x.test'],
])('a value of %s is marked as a part', (_, field, value, text) => {
  expect(marked(field, value, text)).toEqual([true]);
});

it('other values have no mark', () =>
  expect(marked('items[0].name', 'bob@x.test', undefined, 'prose')).toEqual([false]));
