import { describe, expect, it } from '@jest/globals';
import { Translation } from '../routing/index.ts';
import { fromAnthropicMessage, readAnthropicStream } from './anthropic/from-anthropic.ts';
import { fromConverse, readConverseStream } from './bedrock/from-converse.ts';
import { fromGemini, GeminiChunkReader } from './gemini/from-gemini.ts';
import { fromOpenAiCompletion, OpenAiChunkReader } from './openai/from-openai-chat.ts';
import { fromOpenAiResponse, OpenAiResponseReader } from './openai/from-openai-responses.ts';

/** The places of the warnings of a translation, which is strict: a loss in a response is never an error. */
async function lostIn(read: (translation: Translation) => unknown): Promise<string[]> {
  const translation = new Translation('acme', true);
  await read(translation);
  for (const { code, message } of translation.warnings)
    expect([code, message]).toEqual([
      'field_dropped',
      expect.stringMatching(/^The response of the provider acme has a part /),
    ]);
  return translation.warnings.map(({ field }) => field);
}

async function drain(all: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of all);
}

async function* one<T>(...values: T[]): AsyncGenerator<T> {
  yield* values;
}

describe('parts of a response that are left out have a warning, whole and streamed:', () => {
  it.each([
    [
      [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 't', name: 'f', input: {} },
      ],
      [],
    ],
    [
      [
        { type: 'thinking', thinking: '', signature: 's' },
        { type: 'redacted_thinking', data: 'x' },
      ],
      [],
    ],
    [[{ type: 'thinking', thinking: 'Hm', signature: 's' }], []],
    [[{ type: 'text', text: 'Hi', citations: [] }], []],
    [[{ type: 'text', text: 'Hi', citations: [{ type: 'web_search_result_location' }] }], ['citations']],
    [
      [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, { type: 'planted name' }],
      ['server_tool_use', 'unknown'],
    ],
  ])('Messages %j', async (content, expected) => {
    const message = { type: 'message', id: 'm', model: 'c', content: [], usage: { input_tokens: 1, output_tokens: 1 } };
    const whole = (to: Translation) => fromAnthropicMessage(JSON.stringify({ ...message, content }), 'acme', to);
    const events = [
      { type: 'message_start', message },
      ...content.flatMap((block, index) => [
        { type: 'content_block_start', index, content_block: 'thinking' in block ? { ...block, thinking: '' } : block },
        ...('thinking' in block
          ? [{ type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: block.thinking } }]
          : []),
        ...('citations' in block ? (block.citations as object[]) : []).map((citation) => ({
          type: 'content_block_delta',
          index,
          delta: { type: 'citations_delta', citation },
        })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_stop' },
    ];
    const bytes = events.map((event) => Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
    const streamed = (to: Translation) => drain(readAnthropicStream('acme', one(...bytes), to));
    expect([await lostIn(whole), await lostIn(streamed)]).toEqual([expected, expected]);
  });

  it.each([
    [
      [{ text: 'Hi' }, { toolUse: { toolUseId: 't', name: 'f', input: {} } }, { citationsContent: { content: [] } }],
      [],
    ],
    [[{ reasoningContent: { reasoningText: { text: 'Hm', signature: 's' } } }], []],
    [[{ citationsContent: { content: [{ text: 'Hi' }], citations: [{ title: 't' }] } }], ['citations']],
    [[{ reasoningContent: { redactedContent: new Uint8Array(1) } }, { cachePoint: { type: 'default' } }], []],
    [
      [{ image: { format: 'png' } }, { 'planted name': {} }],
      ['image', 'unknown'],
    ],
  ])('Converse %j', async (content, expected) => {
    const call = { provider: 'acme', keyVariable: 'KEY', model: 'anthropic.claude-x', apiKey: undefined };
    const answer = { output: { message: { content } }, stopReason: 'end_turn' };
    const whole = (to: Translation) => fromConverse({ requestId: 'r', answer }, call, to);
    expect(await lostIn(whole)).toEqual(expected);
  });

  it('ConverseStream', async () => {
    const call = { provider: 'acme', keyVariable: 'KEY', model: 'anthropic.claude-x', apiKey: undefined };
    const deltas = [
      { text: 'Hi' },
      { reasoningContent: { text: 'Hm' } },
      { reasoningContent: { signature: 's' } },
      { image: {} },
      { citation: { title: 't' } },
    ];
    const events = one<object>(
      { messageStart: {} },
      { contentBlockStart: { contentBlockIndex: 0, start: { toolResult: { type: 'x' } } } },
      ...deltas.map((delta) => ({ contentBlockDelta: { contentBlockIndex: 0, delta } })),
      { messageStop: { stopReason: 'end_turn' } },
      { metadata: {} },
    );
    const read = (to: Translation) => drain(readConverseStream({ requestId: 'r', events }, call, to));
    expect(await lostIn(read)).toEqual(['toolResult', 'image', 'citation']);
  });

  it.each([
    [
      [
        { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      ],
      [],
    ],
    [[{ type: 'reasoning', summary: [] }], []],
    [
      [{ type: 'message', content: [{ type: 'output_text', text: 'Hi', annotations: [{ type: 'url_citation' }] }] }],
      ['annotations'],
    ],
    [
      [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] }, { type: 'web_search_call' }],
      ['web_search_call'],
    ],
    [[{ type: 'planted name' }, { type: 'message', content: [{ type: 'output_image' }] }], ['unknown']],
  ])('Responses %j', async (output, expected) => {
    const response = { id: 'r', model: 'm', status: 'completed', output };
    const whole = (to: Translation) => fromOpenAiResponse(JSON.stringify(response), 'acme', to);
    const streamed = (to: Translation) => {
      const reader = new OpenAiResponseReader('acme', to);
      for (const [at, item] of output.entries())
        reader.read(JSON.stringify({ type: 'response.output_item.done', output_index: at, item }));
    };
    expect([await lostIn(whole), await lostIn(streamed)]).toEqual([expected, expected]);
  });

  it.each([
    [{ annotations: [] }, {}, []],
    [{ annotations: [{ type: 'url_citation' }] }, {}, ['annotations']],
    [{}, { citations: ['https://a.example'] }, ['citations']],
  ])('chat completions %j %j', async (said, more, expected) => {
    const body = (holder: string) =>
      JSON.stringify({ id: 'c', model: 'm', choices: [{ [holder]: { content: 'Hi', ...said } }], ...more });
    const whole = (to: Translation) => fromOpenAiCompletion(body('message'), 'acme', to);
    const streamed = (to: Translation) => new OpenAiChunkReader('acme', to).read(body('delta'));
    expect([await lostIn(whole), await lostIn(streamed)]).toEqual([expected, expected]);
  });

  it('Gemini', async () => {
    const content = { parts: [{ text: 'Hi' }] };
    const grounded = {
      content,
      finishReason: 'STOP',
      groundingMetadata: { groundingChunks: [{}] },
      citationMetadata: {},
    };
    const body = JSON.stringify({ candidates: [grounded] });
    const whole = (to: Translation) => fromGemini(body, 'g', to);
    const streamed = (to: Translation) => new GeminiChunkReader('g', to).read(body);
    expect([await lostIn(whole), await lostIn(streamed)]).toEqual([['groundingMetadata'], ['groundingMetadata']]);
  });
});
