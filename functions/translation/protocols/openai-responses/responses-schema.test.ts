import { describe, expect, it } from '@jest/globals';
import { base, parts, read, saying } from './from-responses-request.fixture.ts';
import { fromResponsesRequest } from './from-responses-request.ts';

describe('an invalid request is refused and the error names the field', () => {
  it.each([
    ['model', 'missing_field', { input: 'a' }],
    ['input', 'missing_field', { model: 'a' }],
    ['input', 'invalid_value', { model: 'a', input: 7 }],
    ['input[0]', 'invalid_value', { model: 'a', input: ['a'] }],
    ['input[0].role', 'missing_field', saying({ content: 'a' })],
    ['input[0].role', 'invalid_value', saying({ role: 'tool', content: 'a' })],
    ['input[0].content', 'missing_field', saying({ role: 'user' })],
    ['input[0].content[0].text', 'missing_field', parts({ type: 'input_text' })],
    ['input[0].content[0].type', 'missing_field', parts({ text: 'a' })],
    ['input[0].call_id', 'missing_field', saying({ type: 'function_call_output', output: 'a' })],
    ['input[0].output', 'invalid_value', saying({ type: 'function_call_output', call_id: 'a', output: 7 })],
    ['input[0].arguments', 'missing_field', saying({ type: 'function_call', call_id: 'a', name: 'b' })],
    ['input[0].input', 'missing_field', saying({ type: 'custom_tool_call', call_id: 'a', name: 'b' })],
    ['input[0].summary', 'missing_field', saying({ type: 'reasoning', id: 'a' })],
    ['input[0].id', 'missing_field', saying({ type: 'item_reference' })],
    ['tools[0].name', 'missing_field', { ...base, tools: [{ type: 'function' }] }],
    ['text.format.schema', 'missing_field', { ...base, text: { format: { type: 'json_schema', name: 'a' } } }],
    ['temperature', 'invalid_value', { ...base, temperature: 2.1 }],
    ['store', 'invalid_value', { ...base, store: 'yes' }],
    ['moderation', 'invalid_value', { ...base, moderation: 'blok' }],
    ['previous_response_id', 'invalid_value', { ...base, previous_response_id: '' }],
    ['moderation', 'invalid_value', { ...base, background: true, moderation: 'score' }],
  ])('%s, %s', (param, code, body) => expect(() => read(body)).toThrow(expect.objectContaining({ code, param })));

  it('accepts items of an unknown type', () => {
    const body = { ...parts({ type: 'hologram', x: 1 }), tools: [{ type: 'telescope' }], x_new: [1] };
    expect(read(body)).toEqual(body);
    expect(read(saying({ type: 'hologram' }, { id: 'msg_1' }))).toBeDefined();
    expect(read({ model: 'a', prompt: { id: 'pmpt_1' } })).toBeDefined();
  });

  it("needs no model with a stored prompt, whose name then stands in for the model's", () => {
    for (const model of [undefined, null]) {
      const body = read({ model, prompt: { id: 'pmpt_1', version: '2' } });
      expect(fromResponsesRequest(body)).toMatchObject({
        model: 'openai/@prompt/pmpt_1',
        others: [{ path: 'prompt', meaning: 'essential' }],
      });
    }
    expect(() => read({ model: null, input: 'a', prompt: null })).toThrow(
      expect.objectContaining({ code: 'missing_field', param: 'model' }),
    );
  });
});
