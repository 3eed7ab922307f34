import { describe, expect, it } from '@jest/globals';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { ConverseStreamWriter, toConverseResponse } from './to-converse.ts';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
);
const message = (fields: object) =>
  JSON.parse(toConverseResponse(JSON.stringify({ stop_reason: 'end_turn', content: [], usage: {}, ...fields }), 12.6));
const framesOf = (...events: object[]) => {
  const writer = new ConverseStreamWriter(() => 7);
  return events
    .flatMap((event) => writer.framesOf(JSON.stringify(event)))
    .map((frame) => {
      const { headers, body } = codec.decode(frame);
      return [headers[':event-type']?.value, JSON.parse(Buffer.from(body).toString())];
    });
};

it('a citation of a search result has its title, source and place', () => {
  const citation = {
    ...{ type: 'search_result_location', cited_text: 'Blue.', title: 'Sky', source: 'https://sky.example' },
    ...{ search_result_index: 1, start_block_index: 0, end_block_index: 2 },
  };
  const { output } = message({ content: [{ type: 'text', text: 'Blue.', citations: [citation] }] });
  expect(output.message.content[0].citationsContent.citations).toEqual([
    {
      ...{ title: 'Sky', source: 'https://sky.example', sourceContent: [{ text: 'Blue.' }] },
      location: { searchResultLocation: { searchResultIndex: 1, start: 0, end: 2 } },
    },
  ]);
});

it('an event without the member that it is about has no content', () => {
  const types = ['message_start', 'content_block_start', 'content_block_delta', 'message_delta'];
  expect(framesOf(...types.map((type) => ({ type, index: 0 })))).toEqual([['messageStart', { role: 'assistant' }]]);
});

describe('A whole message', () => {
  it('has its blocks, its usage and its latency', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'thinking', thinking: 'Unsigned.', signature: '' },
      { type: 'redacted_thinking', data: 'EmwKAhgB' },
      { type: 'text', text: 'Blue.' },
      {
        type: 'text',
        text: 'As it says.',
        citations: [
          {
            type: 'char_location',
            cited_text: 'The sky is blue.',
            document_index: 0,
            document_title: 'note',
            start_char_index: 0,
            end_char_index: 16,
          },
        ],
      },
      { type: 'tool_use', id: 't1', name: 'look', input: { at: 'sky' } },
    ];
    const usage = { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 3, cache_creation_input_tokens: 0 };
    expect(message({ content, usage, stop_reason: 'tool_use' })).toEqual({
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
            { reasoningContent: { reasoningText: { text: 'Unsigned.' } } },
            { reasoningContent: { redactedContent: 'RW13S0FoZ0I=' } },
            { text: 'Blue.' },
            {
              citationsContent: {
                content: [{ text: 'As it says.' }],
                citations: [
                  {
                    title: 'note',
                    sourceContent: [{ text: 'The sky is blue.' }],
                    location: { documentChar: { documentIndex: 0, start: 0, end: 16 } },
                  },
                ],
              },
            },
            { toolUse: { toolUseId: 't1', name: 'look', input: { at: 'sky' } } },
          ],
        },
      },
      stopReason: 'tool_use',
      usage: { inputTokens: 5, outputTokens: 7, totalTokens: 15, cacheReadInputTokens: 3, cacheWriteInputTokens: 0 },
      metrics: { latencyMs: 13 },
    });
  });

  it.each([
    ['refusal', { action: 'block' }, 'guardrail_intervened'],
    ['refusal', { action: 'allow' }, 'content_filtered'],
    ['max_tokens', { action: 'allow' }, 'max_tokens'],
    ['pause_turn', { action: 'allow' }, 'end_turn'],
  ])('that ended by %s with %j has a stop reason of Bedrock', (stop_reason, svc, stopReason) => {
    expect(message({ stop_reason, svc })).toMatchObject({ stopReason, additionalModelResponseFields: { svc } });
  });
});

describe('A streamed message', () => {
  it('is events of ConverseStream: a start for tool calls alone, usage at the end', () => {
    const delta = (index: number, fields: object) => ({ type: 'content_block_delta', index, delta: fields });
    const start = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
    expect(
      framesOf(
        { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
        { type: 'ping' },
        start(0, { type: 'thinking', thinking: '', signature: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
        delta(0, { type: 'signature_delta', signature: 'c2ln' }),
        { type: 'content_block_stop', index: 0 },
        start(1, { type: 'text', text: '' }),
        delta(1, { type: 'text_delta', text: 'Blue.' }),
        { type: 'content_block_stop', index: 1 },
        start(2, { type: 'tool_use', id: 't1', name: 'look', input: {} }),
        delta(2, { type: 'input_json_delta', partial_json: '{"at":"sky"}' }),
        { type: 'content_block_stop', index: 2 },
        {
          type: 'message_delta',
          delta: { stop_reason: 'tool_use' },
          usage: { output_tokens: 9 },
          svc: { action: 'allow' },
        },
        { type: 'message_stop' },
      ),
    ).toEqual([
      ['messageStart', { role: 'assistant' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm.' } } }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'c2ln' } } }],
      ['contentBlockStop', { contentBlockIndex: 0 }],
      ['contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'Blue.' } }],
      ['contentBlockStop', { contentBlockIndex: 1 }],
      ['contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 't1', name: 'look' } } }],
      ['contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '{"at":"sky"}' } } }],
      ['contentBlockStop', { contentBlockIndex: 2 }],
      ['messageStop', { stopReason: 'tool_use', additionalModelResponseFields: { svc: { action: 'allow' } } }],
      ['metadata', { usage: { inputTokens: 5, outputTokens: 9, totalTokens: 14 }, metrics: { latencyMs: 7 } }],
    ]);
  });
});
