import { describe, expect, it } from '@jest/globals';
import { errorOf } from './chat-request.fixture.ts';
import { fromAnthropicMessage } from './from-anthropic-message.ts';
import { readFixture } from './read-fixture.fixture.ts';

const fixture = (name: string) => fromAnthropicMessage(new TextDecoder().decode(readFixture(name)));
const answer = (fields: object) =>
  fromAnthropicMessage(
    JSON.stringify({ type: 'message', id: 'm', model: 'c', content: [], stop_reason: 'end_turn', ...fields }),
  );

describe('fromAnthropicMessage', () => {
  it('joins the texts and adds up the input tokens, cached ones included', () => {
    expect(fixture('text.json')).toEqual({
      id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF',
      model: 'claude-sonnet-4-6',
      choices: [{ index: 0, text: 'Hi! My name is Claude. 👋', finishReason: 'stop' }],
      usage: { inputTokens: 3239, cachedInputTokens: 1024, cacheWriteInputTokens: 120, outputTokens: 503 },
    });
  });

  it('gives every tool call and drops the thinking', () => {
    expect(fixture('tools.json')).toEqual({
      id: 'msg_01Aq9w938a90dw8q',
      model: 'claude-sonnet-4-6',
      choices: [
        {
          index: 0,
          text: "I'll check both.",
          toolCalls: [
            {
              id: 'toolu_01A09q90qw90lq917835lq9',
              name: 'get_weather',
              arguments: '{"location":"San Francisco, CA","unit":"celsius"}',
            },
            { id: 'toolu_01B12c34d56e78f90g12h34', name: 'current_time', arguments: '{}' },
          ],
          finishReason: 'tool_calls',
        },
      ],
      usage: { inputTokens: 466, outputTokens: 141, reasoningTokens: 33 },
    });
  });

  it('gives a refusal as content_filter', () => {
    expect(fixture('refusal.json').choices).toEqual([{ index: 0, text: '', finishReason: 'content_filter' }]);
  });

  it('gives null as text where there are only tool calls', () => {
    const content = [{ type: 'tool_use', id: 'a', name: 'look' }];
    expect(answer({ content, stop_reason: 'tool_use' }).choices).toEqual([
      {
        index: 0,
        text: null,
        toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }],
        finishReason: 'tool_calls',
      },
    ]);
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['a_reason_of_tomorrow', 'stop'],
    [null, 'stop'],
  ])('translates the stop reason %s to %s', (reason, expected) => {
    expect(answer({ stop_reason: reason }).choices[0]?.finishReason).toBe(expected);
  });

  it.each([undefined, null, 'many', {}, { input_tokens: 'x', output_tokens: -1, cache_read_input_tokens: 1.5 }])(
    'leaves unknown usage unknown: %j',
    (usage) => {
      expect(answer({ usage }).usage).toEqual({});
    },
  );

  it('ignores unknown blocks and fields', () => {
    const content = [
      { type: 'hologram', text: 'no' },
      { type: 'text', text: 'yes', extra: 1 },
    ];
    expect(answer({ content, extra: 1 }).choices[0]?.text).toBe('yes');
  });

  it.each([
    'not json, but a secret',
    '[]',
    'null',
    '{"type":"error","error":{"type":"api_error","message":"a secret"}}',
    '{"type":"message","id":"m","model":"c","content":[{"type":"text","text":{"a":"secret"}}]}',
    '{"type":"message","id":"m","model":"c","content":[{"type":"tool_use","name":"secret"}]}',
  ])('refuses %s without repeating it', (body) => {
    const error = errorOf(() => fromAnthropicMessage(body));
    expect(error?.code).toBe('provider_error');
    expect(JSON.stringify(error)).not.toContain('secret');
  });
});
