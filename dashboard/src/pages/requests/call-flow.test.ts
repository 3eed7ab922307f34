import { describe, expect, test } from '@jest/globals';
import { type CallFinding, findingsOn, sourcesOf, sourceText, type ToolCall } from './call-flow.ts';

const mail = { message: 2, tool: 'read_mail' } as const;
const call: ToolCall = {
  tool: 'send_email',
  effect: 'send',
  action: 'flag',
  arguments: [
    { argument: 'to', from: 'prose', ...mail, field: 'body' },
    { argument: 'subject', from: 'none' },
    { argument: 'cc[0]', from: 'prose', ...mail, field: 'body' },
    { argument: 'body', from: 'none' },
  ],
};

describe('the source of an argument', () => {
  test.each([
    [{ from: 'user', message: 0 }, 'The user (message 1)'],
    [{ from: 'user' }, 'The user'],
    [{ from: 'field', ...mail, field: 'from' }, 'Field "from" of the result of read_mail (message 3)'],
    [{ from: 'field', message: 4, tool: null, field: 'a.b' }, 'Field "a.b" of a document (message 5)'],
    [{ from: 'field', ...mail }, 'A field of the result of read_mail (message 3)'],
    [{ from: 'prose', ...mail, field: 'body' }, 'Text in field "body" of the result of read_mail (message 3)'],
    [{ from: 'prose', ...mail, field: '' }, 'Text of the result of read_mail (message 3)'],
    [{ from: 'prose', message: 0, tool: null }, 'Text of a document (message 1)'],
    [{ from: 'none' }, 'Nowhere in the conversation'],
  ] as const)('%j is written as %s', (source, text) => {
    expect(sourceText({ argument: 'to', ...source })).toBe(text);
  });

  test('is named once, with all of its arguments', () => {
    expect(sourcesOf(call).map(({ from, arguments: all }) => [from, all])).toEqual([
      ['prose', ['to', 'cc[0]']],
      ['none', ['subject', 'body']],
    ]);
    expect(sourcesOf({ ...call, arguments: [] })).toEqual([]);
  });
});

describe('findings on a call', () => {
  const finding = (name: string, part: 'input' | 'output') =>
    ({ id: `${name} ${part}`, location: { part }, origin: { call: name } }) as CallFinding;
  const all = [
    finding('send_email', 'output'),
    finding('send_email', 'input'),
    finding('pay', 'output'),
    { id: 'text', location: { part: 'output' } } as CallFinding,
  ];

  test('are those of its tool in the response', () => {
    expect(findingsOn(call, all).map(({ id }) => id)).toEqual(['send_email output']);
  });

  test('are none if it was allowed', () => {
    expect(findingsOn({ ...call, action: 'allow' }, all)).toEqual([]);
  });
});
