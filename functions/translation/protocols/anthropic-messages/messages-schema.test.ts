import { describe, expect, it } from '@jest/globals';
import { base, documentOf, read, saying, user } from './from-messages-request.fixture.ts';
import { asSelected, COUNT_TOKENS_PROTOCOL, MESSAGES_PROTOCOL } from './messages-protocol.ts';

describe('an invalid request is refused and the error names the field', () => {
  it.each([
    ['model', 'missing_field', { max_tokens: 1, messages: [user] }],
    ['max_tokens', 'missing_field', { model: 'a', messages: [user] }],
    ['max_tokens', 'invalid_value', { ...base, max_tokens: 0 }],
    ['messages', 'missing_field', { model: 'a', max_tokens: 1 }],
    ['messages', 'invalid_value', { ...base, messages: [] }],
    ['messages[1].content', 'missing_field', { ...base, messages: [user, { role: 'assistant' }] }],
    ['messages[0].role', 'invalid_value', { ...base, messages: [{ role: 'tool', content: 'a' }] }],
    ['messages[0].content[0].type', 'missing_field', saying({ text: 'a' })],
    ['messages[0].content[0].text', 'missing_field', saying({ type: 'text' })],
    ['messages[0].content[0].source', 'missing_field', saying({ type: 'image' })],
    ['messages[0].content[0].tool_use_id', 'missing_field', saying({ type: 'tool_result', content: 'a' })],
    ['messages[0].content[0].content', 'invalid_value', saying({ type: 'tool_result', tool_use_id: 'a', content: 7 })],
    ['messages[0].content[0].input', 'invalid_value', saying({ type: 'tool_use', id: 'a', name: 'b', input: 'c' })],
    ['messages[0].content[0].signature', 'missing_field', saying({ type: 'thinking', thinking: 'a' })],
    ['system', 'invalid_value', { ...base, system: 7 }],
    ['tools[0].name', 'missing_field', { ...base, tools: [{ input_schema: {} }] }],
    ['tools[0].input_schema', 'missing_field', { ...base, tools: [{ type: 'custom', name: 'f' }] }],
    ['temperature', 'invalid_value', { ...base, temperature: 1.1 }],
    ['stream', 'invalid_value', { ...base, stream: 'yes' }],
    ['stop_sequences', 'invalid_value', { ...base, stop_sequences: 'x' }],
  ])('%s, %s', (param, code, body) => expect(() => read(body)).toThrow(expect.objectContaining({ code, param })));

  it('accepts blocks of an unknown type', () => {
    const tools = [{ type: 'browser_toolset_20260801' }, { type: 'mcp_toolset', mcp_server_name: 'x' }];
    expect(read({ ...saying({ type: 'hologram', x: 1 }), tools, x_new: [1] })).toMatchObject({ tools, x_new: [1] });
  });

  const selected = (headers: Record<string, string>, query = '') => {
    const request = { headers: new Headers(headers), url: `http://gateway/v1/messages${query}` };
    return asSelected(MESSAGES_PROTOCOL, request);
  };

  it('refuses an invalid API header, and accepts an empty one', () => {
    const withBeta = (beta: string) => selected({ 'anthropic-beta': beta });
    const at = expect.objectContaining({ code: 'invalid_value', param: 'anthropic-beta' });
    expect(() => withBeta('x'.repeat(65)).check(documentOf(base))).toThrow(at);
    expect(() => withBeta('caf\u00e9').check(documentOf(base))).toThrow(at);
    expect(withBeta('').headers).toBeUndefined();
    const spoken = selected({ 'anthropic-beta': 'a,b', 'anthropic-version': '1', cookie: 'c' });
    expect(spoken.headers).toEqual({ 'anthropic-beta': 'a,b', 'anthropic-version': '1' });
  });

  it('forwards only beta=true of a query', () => {
    expect(selected({}, '?beta=true').query).toBe('beta=true');
    expect(selected({}, '?x=1&beta=true&key=secret').query).toBe('beta=true');
    for (const query of ['', '?', '?beta=false', '?beta=', '?x=beta=true'])
      expect(selected({}, query).query).toBeUndefined();
  });

  it('accepts a request to count tokens without max_tokens', () => {
    const { max_tokens: _, ...counted } = base;
    expect(COUNT_TOKENS_PROTOCOL.check(documentOf(counted))).toEqual(counted);
    expect(() => COUNT_TOKENS_PROTOCOL.check(documentOf({ model: 'a' }))).toThrow(
      expect.objectContaining({ code: 'missing_field', param: 'messages' }),
    );
  });
});
