import { expect, test } from '@jest/globals';
import { ChatCalls } from './chat-calls.ts';
import { toChatPiece } from './chat-response-reader.ts';

const read = (call: object, holder: 'message' | 'delta' = 'message') => {
  const body = { choices: [{ index: 0, [holder]: { role: 'assistant', tool_calls: [call] } }] };
  return new ChatCalls().read(toChatPiece(JSON.stringify(body)));
};

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
