import { describe, expect, it } from '@jest/globals';
import { errorOf } from './chat-request.fixture.ts';
import { withoutOpenAiFields } from './openai-only-fields.ts';

describe('withoutOpenAiFields', () => {
  it.each<[string, unknown]>([
    ['logprobs', true],
    ['top_logprobs', 2],
    ['logit_bias', { '50256': -100 }],
    ['presence_penalty', 0.1],
    ['frequency_penalty', -1],
    ['response_format', { type: 'json_object' }],
    ['response_format', { type: 'json_schema', json_schema: {} }],
    ['response_format', 'text'],
    ['seed', 0],
    ['audio', { voice: 'alloy', format: 'wav' }],
    ['modalities', ['text', 'audio']],
    ['prediction', { type: 'content', content: 'x' }],
    ['web_search_options', {}],
    ['functions', []],
    ['function_call', 'auto'],
    ['verbosity', 'low'],
    ['service_tier', 'flex'],
    ['prompt', ['two', 'prompts']],
    ['best_of', 2],
    ['echo', true],
    ['suffix', 'end'],
  ])('refuses %s = %j, naming provider and field', (name, value) => {
    const error = errorOf(() => withoutOpenAiFields({ [name]: value }));
    expect(error).toMatchObject({ code: 'invalid_value', param: name });
    expect(error?.message).toContain('anthropic');
    expect(error?.message).toContain(name);
    expect(withoutOpenAiFields({ [name]: null })).toEqual({});
  });

  it.each(['messages[0].audio', 'generationConfig.topK', 'safetySettings'])('refuses another API’s %s', (name) => {
    expect(errorOf(() => withoutOpenAiFields({ [name]: 1 }))).toMatchObject({ code: 'invalid_value', param: name });
  });

  it.each<[string, unknown]>([
    ['logprobs', false],
    ['top_logprobs', 0],
    ['logit_bias', {}],
    ['presence_penalty', 0],
    ['frequency_penalty', 0],
    ['response_format', { type: 'text' }],
    ['modalities', ['text']],
    ['verbosity', 'medium'],
    ['service_tier', 'auto'],
    ['service_tier', 'default'],
    ['store', true],
    ['metadata', { a: 'b' }],
    ['prompt_cache_key', 'k'],
    ['prompt_cache_retention', '24h'],
    ['prompt_cache_options', {}],
    ['safety_identifier', 'u'],
    ['stream_options', { include_usage: true }],
    ['reasoning_effort', 'low'],
    ['moderation', {}],
    ['svc', {}],
  ])('leaves out %s = %j', (name, value) => {
    expect(withoutOpenAiFields({ [name]: value })).toEqual({});
  });

  it('passes on any other field, null and names from Object.prototype too', () => {
    const extra = JSON.parse('{"top_k":3,"unknown":null,"constructor":1,"__proto__":{"a":1}}');
    expect(JSON.stringify(withoutOpenAiFields(extra))).toBe(JSON.stringify(extra));
  });
});
