import { expect, test } from '@jest/globals';
import { ChatCalls } from './chat-calls.ts';
import { toChatPiece } from './chat-response-reader.ts';

const read = (call: object, holder: 'message' | 'delta' = 'message') => {
  const body = { choices: [{ index: 0, [holder]: { role: 'assistant', tool_calls: [call] } }] };
  return new ChatCalls().read(toChatPiece(JSON.stringify(body)));
};

/** Reads pieces of one call of a stream. */
function streamed() {
  const calls = new ChatCalls();
  return (call: object) => {
    const choices = [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }];
    return calls.read(toChatPiece(JSON.stringify({ choices }), undefined, true))[0];
  };
}

test.each([
  ['a function', { type: 'function', function: { name: 'send', arguments: '{}' } }, { name: 'send', text: '{}' }],
  ['a function without a type', { function: { name: 'send', arguments: '{}' } }, { name: 'send', text: '{}' }],
  ['a custom tool', { type: 'custom', custom: { name: 'send', input: 'x' } }, { name: 'send', text: 'x' }],
  [
    'a type that we do not know',
    { type: 'patch', patch: { name: 'send', to: 'x' } },
    { name: 'send', whole: { to: 'x' }, field: 'choices[0].message.tool_calls[0].patch' },
  ],
  ['such a type without a name', { type: 'patch', patch: { path: 'x' } }, { name: 'patch', whole: { path: 'x' } }],
  ['such a type without an object', { type: 'patch', name: 'send', arguments: 'x' }, { name: 'send', text: 'x' }],
])('%s is a call', (_, call, expected) => {
  for (const holder of ['message', 'delta'] as const) {
    const [part] = read({ id: 'call_1', ...call }, holder);
    expect(part).toMatchObject({ callId: 'call_1', starts: true, ...expected });
  }
});

test('later pieces of a call of an unknown type add to its arguments, and keep its name', () => {
  const next = streamed();
  expect(next({ id: 'call_1', type: 'patch', patch: { name: 'send', input: 'a' } })).toMatchObject({
    name: 'send',
    text: 'a',
  });
  for (const piece of [{ patch: { input: 'b' } }, { type: 'patch', patch: { input: 'b' } }]) {
    const part = next(piece);
    expect(part).toMatchObject({ text: 'b' });
    expect(part).not.toHaveProperty('name');
  }
});

test('an object beside a function is no call of another type', () => {
  const next = streamed();
  const extra_content = { google: { thought_signature: 'x' } };
  expect(next({ id: 'call_1', type: 'function', function: { name: 'send', arguments: '{' } })?.name).toBe('send');
  const part = next({ extra_content });
  expect([part?.name, part?.whole, part?.text]).toEqual([undefined, undefined, undefined]);
  expect(next({ extra_content, function: { arguments: '}' } })?.text).toBe('}');
});

test('a piece of another type goes on as a call that starts, so that one with two types is not sent', () => {
  const next = streamed();
  next({ id: 'call_1', type: 'function', function: { name: 'send', arguments: '{}' } });
  expect(next({ custom: { input: 'x' } })).toMatchObject({ starts: true, text: 'x' });
});

const FUNCTION = { name: 'send', arguments: '{}' };
test.each([
  ['an object of calls', { tool_calls: { id: 'a', type: 'function', function: FUNCTION } }],
  ['a call with two kinds', { tool_calls: [{ id: 'a', function: FUNCTION, custom: { name: 'send', input: 'x' } }] }],
  ['a call that is a list', { tool_calls: [[{ function: FUNCTION }]] }],
  ['another spelling', { toolCalls: [{ id: 'a', function: FUNCTION }] }],
  ['another name', { function_calls: [{ id: 'a', function: FUNCTION }] }],
  ['an old call that is a list', { function_call: [FUNCTION] }],
])('a response is refused that has calls in a form that is not read: %s', (_, message) => {
  for (const holder of ['message', 'delta'])
    expect(toChatPiece(JSON.stringify({ choices: [{ [holder]: message }] })).fault).toBeDefined();
});

test.each([
  ['no calls', { tool_calls: null, function_call: null }],
  ['an empty list', { tool_calls: [] }],
  ['empty members', { tool_calls: [{ function: FUNCTION, custom: null }] }],
])('a response is read that has %s', (_, message) =>
  expect(toChatPiece(JSON.stringify({ choices: [{ message }] })).fault).toBeUndefined(),
);
