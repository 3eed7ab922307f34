import { describe, expect, it } from '@jest/globals';
import { base, read, user } from './chat-protocol.fixture.ts';

describe('an invalid request is refused and the error names the field', () => {
  it.each([
    ['model', 'missing_field', { messages: [user] }],
    ['messages', 'missing_field', { model: 'a' }],
    ['messages', 'invalid_value', { ...base, messages: [] }],
    ['messages[1].content', 'missing_field', { ...base, messages: [user, { role: 'user' }] }],
    ['messages[0].content', 'invalid_value', { ...base, messages: [{ role: 'user', content: 7 }] }],
    [
      'messages[0].content[1].text',
      'missing_field',
      { ...base, messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'text' }] }] },
    ],
    ['messages[0].tool_call_id', 'missing_field', { ...base, messages: [{ role: 'tool', content: 'a' }] }],
    ['messages[0].role', 'invalid_value', { ...base, messages: [{ role: 'root', content: 'a' }] }],
    ['temperature', 'invalid_value', { ...base, temperature: 2.1 }],
    ['top_p', 'invalid_value', { ...base, top_p: -0.1 }],
    ['max_tokens', 'invalid_value', { ...base, max_tokens: 0 }],
    ['max_tokens', 'invalid_value', { ...base, max_tokens: 1.5 }],
    ['n', 'invalid_value', { ...base, n: 129 }],
    ['stream', 'invalid_value', { ...base, stream: 'yes' }],
    ['stop', 'invalid_value', { ...base, stop: 1 }],
  ])('%s, %s', (param, code, body) => expect(() => read(body)).toThrow(expect.objectContaining({ code, param })));

  it.each([[null], [[]], ['text'], [7]])('the body itself: %j', (body) =>
    expect(() => read(body)).toThrow(expect.objectContaining({ status: 400 })),
  );

  it('has a short error message, however long the unknown key', () => {
    const thrown = () =>
      read({ ...base, tools: [{ type: 'function', function: { name: 'f', parameters: 'x'.repeat(10_000) } }] });
    expect(thrown).toThrow(expect.objectContaining({ code: 'invalid_value' }));
    try {
      thrown();
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(400);
    }
  });
});
