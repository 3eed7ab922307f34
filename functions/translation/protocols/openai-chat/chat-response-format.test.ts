import { describe, expect, it } from '@jest/globals';
import { withTexts } from '../../../kernel/model/index.ts';
import { ChunkEncoder, encodeCompletion, toOpenAiUsageField } from './chat-response-format.ts';
import { ChatChunkReader, chatOthers, toChatPiece } from './chat-response-reader.ts';

describe('a translated response', () => {
  it('reads back as the original deltas', () => {
    const encoder = new ChunkEncoder({ id: 'x', created: 1, model: 'm' });
    const deltas = [
      { type: 'start', id: 'chatcmpl-1', model: 'claude' },
      { type: 'text', choice: 0, text: 'He' },
      { type: 'text', choice: 1, text: 'Yo' },
      { type: 'tool_call', choice: 0, index: 0, id: 'call_1', name: 'f' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"a"' },
      { type: 'refusal', choice: 1, text: 'no' },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
      { type: 'finish', choice: 1, reason: 'stop' },
      { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } },
    ] as const;
    const pieces = deltas.flatMap((delta) => encoder.encode(delta)).map((json) => toChatPiece(json));
    expect(pieces.flatMap(({ slots }) => slots.map(({ channel, text }) => [channel, text]))).toEqual([
      ['choices[0].content', 'He'],
      ['choices[1].content', 'Yo'],
      ['choices[0].tool_calls[0].function.name', 'f'],
      ['choices[0].tool_calls[0].arguments', '{"a"'],
      ['choices[1].refusal', 'no'],
    ]);
    expect(pieces.flatMap(({ finished }) => finished)).toEqual([
      { choice: 0, reason: 'tool_calls' },
      { choice: 1, reason: 'stop' },
    ]);
    expect(pieces.at(-1)).toMatchObject({
      usageOnly: true,
      usage: { inputTokens: 3, outputTokens: 4 },
      id: 'chatcmpl-1',
      model: 'claude',
      created: 1,
    });
    // Each choice is opened once, with its role, before its content.
    const roles = pieces
      .map(({ json }) => JSON.parse(json).choices[0])
      .filter((choice) => choice?.delta.role === 'assistant');
    expect(roles.map(({ index }) => index)).toEqual([0, 1]);
  });

  it('reads back as the original when whole', () => {
    const json = encodeCompletion(
      {
        id: 'i',
        model: 'm',
        choices: [
          { index: 0, text: null, toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }], finishReason: 'tool_calls' },
        ],
        usage: {},
      },
      5,
    );
    expect(toChatPiece(json)).toMatchObject({
      slots: [
        { channel: 'choices[0].tool_calls[0].arguments', text: '{}' },
        { channel: 'choices[0].tool_calls[0].function.name', text: 'f' },
      ],
      usage: undefined,
      created: 5,
      divisible: false,
      closes: ['choices[0].'],
    });
  });

  it('has the texts of custom tools as text, each at once', () => {
    const textTools = new Set(['patch']);
    const encoder = new ChunkEncoder({ id: 'x', created: 1, model: 'm' }, textTools);
    const deltas = [
      { type: 'tool_call', choice: 0, index: 0, id: 'a', name: 'patch' },
      { type: 'tool_call', choice: 0, index: 1, id: 'b', name: 'f' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '{"input":"a' },
      { type: 'tool_arguments', choice: 0, index: 1, text: '{}' },
      { type: 'tool_arguments', choice: 0, index: 0, text: '\\nb"}' },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
    ] as const;
    const chunks = deltas.flatMap((delta) => encoder.encode(delta)).map((json) => JSON.parse(json).choices[0]);
    expect(chunks.flatMap(({ delta }) => delta.tool_calls ?? [])).toEqual([
      { index: 1, id: 'b', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 1, function: { arguments: '{}' } },
      { index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input: 'a\nb' } },
    ]);
    expect(chunks.at(-1)).toMatchObject({ delta: {}, finish_reason: 'tool_calls' });
    const toolCalls = [{ id: 'a', name: 'patch', arguments: '{"input":"a"}' }];
    const choices = [{ index: 0, text: null, toolCalls, finishReason: 'tool_calls' as const }];
    const whole = encodeCompletion({ id: 'i', model: 'm', choices, usage: {} }, 5, textTools);
    expect(JSON.parse(whole).choices[0].message.tool_calls).toEqual([
      { id: 'a', type: 'custom', custom: { name: 'patch', input: 'a' } },
    ]);
  });

  it('has no usage if none is known', () => {
    expect(toOpenAiUsageField({})).toEqual({});
    expect(toOpenAiUsageField({ inputTokens: 0, outputTokens: 2 })).toEqual({
      usage: { prompt_tokens: 0, completion_tokens: 2, total_tokens: 2 },
    });
  });
});

describe('response JSON', () => {
  it('has every text of the model as a slot whose path leads to it', () => {
    const message = {
      content: [{ type: 'text', text: 'a' }],
      refusal: 'b',
      function_call: { arguments: 'c' },
      audio: { transcript: 'd' },
      tool_calls: [{ function: { arguments: 'e' } }, { custom: { input: 'f' } }],
    };
    const body = {
      choices: [{ index: 3, message, finish_reason: 'stop', logprobs: { content: [] } }, { message: { content: 'g' } }],
    };
    const piece = toChatPiece(JSON.stringify(body));
    expect(piece.slots.map(({ channel, text }) => [channel, text])).toEqual([
      ['choices[3].refusal', 'b'],
      ['choices[3].content[0]', 'a'],
      ['choices[3].function_call.arguments', 'c'],
      ['choices[3].audio.transcript', 'd'],
      ['choices[3].tool_calls[0].arguments', 'e'],
      ['choices[3].tool_calls[1].input', 'f'],
      ['choices[1].content', 'g'],
    ]);
    const changed = JSON.parse(
      withTexts(
        piece,
        piece.slots.map(({ text }) => `${text}!`),
      ).json,
    );
    expect(toChatPiece(JSON.stringify(changed)).slots.map(({ text }) => text)).toEqual(
      piece.slots.map(({ text }) => `${text}!`),
    );
    expect(changed.choices[0].logprobs).toBeNull();
  });

  it('has the other texts of each piece as separate slots', () => {
    const url_citation = { title: 'A café', url: 'https://example.com', start_index: 0 };
    const annotations = [{ type: 'url_citation', url_citation }];
    const json = JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi', annotations } }] });
    const others = chatOthers();
    const [first, second] = [toChatPiece(json, others), toChatPiece(json, others)];
    expect(first.slots.map(({ channel, text }) => [channel, text])).toEqual([
      ['choices[0].content', 'Hi'],
      ['choices[0].annotations[0].url_citation.title', 'A café'],
      ['choices[0].annotations[0].url_citation.url', 'https://example.com'],
    ]);
    expect(first.divisible).toBe(false);
    expect(first.slots.map(({ isWhole }) => isWhole)).toEqual([undefined, true, true]);
    expect(second.slots.at(-1)?.channel).toBe('choices[0].annotations[0].url_citation.url (2)');
  });

  it('has the name of a call as a slot', () => {
    const named = (name: string) =>
      toChatPiece(JSON.stringify({ choices: [{ message: { tool_calls: [{ function: { name } }] } }] })).slots;
    expect(named('get_weather')).toMatchObject([{ text: 'get_weather', isWord: true }]);
    expect(named('get the weather')).toMatchObject([
      { channel: 'choices[0].tool_calls[0].function.name', text: 'get the weather' },
    ]);
  });

  it('leaves out media and switches, and has reasoning as read-only', () => {
    const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }];
    const reasoning_details = [{ type: 'reasoning.text', text: 'Hm, well' }];
    const message = { images, reasoning_details, channel: 'analysis', note: 'to you' };
    const { slots } = toChatPiece(JSON.stringify({ choices: [{ message }] }));
    expect(slots).toMatchObject([
      { channel: 'choices[0].reasoning_details[0].text', text: 'Hm, well', isReadOnly: true },
      { channel: 'choices[0].note', text: 'to you' },
    ]);
  });

  it.each([
    ['an error', '{"error":{"message":"x"}}', { fault: 'error instead of a response' }],
    ['a list of words', '{"choices":["a b"]}', { fault: 'a choice or message that is no object' }],
    [
      'an empty reason, as some providers write in every chunk',
      '{"choices":[{"delta":{"content":"a"},"finish_reason":""}]}',
      { finished: [], closes: [], divisible: true },
    ],
    [
      'usage only',
      '{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1}}}',
      { usageOnly: true, usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 1 } },
    ],
    [
      'odd values throughout',
      '{"choices":[null,7,{"delta":null},{"delta":{"content":7,"tool_calls":[null]}}],"usage":7}',
      { slots: [], usage: undefined },
    ],
  ])('is read: %s', (_, json, expected) => expect(toChatPiece(json)).toMatchObject(expected));
});

describe('a chunk that is like the one before it', () => {
  const chunk = (delta: object, more: object = {}) =>
    JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: null, ...more }],
    });
  const TEXTS = [
    'He',
    'llo',
    '"',
    '\\',
    '","x":"',
    '\u2028',
    '\ud83d\ude00',
    '\ud83d',
    '',
    'a'.repeat(5_000),
    '},{',
    '0',
  ];
  const LISTED = TEXTS.flatMap((content) => [
    chunk({ content }),
    chunk({ content: `${content}.` }),
    chunk({ reasoning_content: content }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: content } }] }),
    chunk({ content, note: 'Read https://example.com/a now' }),
    chunk({ content }, { finish_reason: 'stop' }),
    chunk({ content }, { index: 1 }),
    chunk({ content, refusal: content }),
    JSON.stringify({ ...JSON.parse(chunk({ content })), usage: { prompt_tokens: 1, completion_tokens: 2 } }),
    chunk({ content }).replace('"content":', '"content":"x","content":'),
    chunk({ content }).replace('"object"', '"svc":{},"object"'),
  ]);
  const padded = (content: string, obfuscation: unknown) =>
    JSON.stringify({ ...JSON.parse(chunk({ content })), usage: null, obfuscation });
  const PADDED = TEXTS.flatMap((content) =>
    [
      '',
      'q7XzK2',
      'q"',
      '","obfuscation":"',
      'Read https://example.com/a now',
      'a'.repeat(200),
      7,
      null,
      ['a b'],
    ].flatMap((padding) => [
      padded(content, padding),
      padded(content, padding).replace('"obfuscation"', '"note":"Read on","obfuscation"'),
      padded(content, padding).replace('"id"', '"obfuscation":"Read on","id"'),
      padded(content, padding).replace('"obfuscation"', '"b":{"obfuscation"').replace(/$/, '}'),
    ]),
  );
  const MALFORMED = [
    padded('a', 'b').replace('"b"', '"b'),
    padded('a', 'b').replace('"b"', '"b","svc":"c"'),
    chunk({ content: 7 }),
    chunk({ content: null }),
    chunk({ content: ['a'] }),
    chunk({ content: 'a' }).replace('"a"', '"a","role":"b"'),
    chunk({ content: 'a' }).replace('"a"', '"a"b"'),
    chunk({ content: 'a' }).replace('"a"', '"a\n"'),
    chunk({ content: 'a' }).replace('"a"', ''),
  ];

  it('reads as it does alone, whatever came before', () => {
    const [own, alone] = [chatOthers(), chatOthers()];
    const reader = new ChatChunkReader(own);
    const read = (run: () => unknown) => {
      try {
        return run();
      } catch (error) {
        return (error as Error).name;
      }
    };
    let seed = 7;
    const next = (count: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * count);
    };
    const all = [...LISTED, ...PADDED, ...MALFORMED];
    const plain = TEXTS.flatMap((content) => [chunk({ content }), padded(content, 'q7'), padded(content, 'q7XzK2')]);
    for (let at = 0; at < 3_000; at += 1) {
      const from = next(2) === 0 ? plain : all;
      const json = from[next(from.length)] as string;
      const expected = read(() => toChatPiece(json, alone, true));
      expect(read(() => reader.read(json))).toEqual(expected);
      const { slots = [] } = expected as { slots?: readonly [] };
      for (const others of [own, alone]) others.released(slots);
    }
  });

  it("shares all but its text with that one, also with OpenAI's padding", () => {
    const reader = new ChatChunkReader(chatOthers());
    const [first, second] = [padded('Hello', 'q7'), padded(' there', 'q7XzK2')].map((json) => reader.read(json));
    // Lists that would be new in a chunk that was parsed.
    expect(second?.choiceIndexes).toBe(first?.choiceIndexes);
    expect(second?.slots[0]?.text).toBe(' there');
  });
});
