import { expect, test } from '@jest/globals';
import { MessagesCalls } from './messages-calls.ts';
import { MessagesPieceReader } from './messages-response-reader.ts';

const callsIn = (body: object) => new MessagesCalls().read(new MessagesPieceReader(false).read(JSON.stringify(body)));

test.each([
  ['tool_use', true],
  ['a_type_of_the_future', true],
  ['server_tool_use', false],
  ['mcp_tool_use', false],
])('a block %s with a name and an input is a call of the client: %j', (type, isCall) => {
  const content = [{ type, id: 'toolu_1', name: 'send', input: { to: 'x' } }];
  expect(callsIn({ type: 'message', role: 'assistant', content })).toEqual(
    isCall ? [expect.objectContaining({ name: 'send', whole: { to: 'x' }, callId: 'toolu_1', ends: true })] : [],
  );
  const started = { ...content[0], input: {} };
  const parts = callsIn({ type: 'content_block_start', index: 0, content_block: started });
  expect(parts.map(({ name }) => name)).toEqual(isCall ? ['send'] : []);
});
