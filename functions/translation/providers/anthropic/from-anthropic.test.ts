import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { GatewayError } from '../../../kernel/errors/index.ts';
import { HttpFailure } from '../../../kernel/http/index.ts';
import type { ChatDelta, Usage } from '../../../kernel/model/index.ts';
import { Translation } from '../../routing/index.ts';
import { errorOf } from './chat-request.fixture.ts';
import { fromAnthropicMessage, readAnthropicStream } from './from-anthropic.ts';
import { arriving, readFixture } from './read-fixture.fixture.ts';

/** What a stream gives before it ends or throws, and what it throws. */
async function readAll(body: AsyncIterable<Uint8Array>): Promise<{ deltas: ChatDelta[]; error: unknown }> {
  const deltas: ChatDelta[] = [];
  try {
    for await (const batch of readAnthropicStream('anthropic', body, new Translation('anthropic')))
      deltas.push(...batch);
  } catch (error) {
    return { deltas, error };
  }
  return { deltas, error: undefined };
}

const events = (...values: object[]) =>
  new TextEncoder().encode(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''));
const SERVED = { terms: { serviceTier: 'standard', inferenceGeo: 'global' } };
const START = { type: 'message_start', message: { id: 'm', model: 'c', usage: { input_tokens: 3, output_tokens: 1 } } };
const STOP = { type: 'message_stop' };

/** The provisional count of the output is not in it. */
const STARTED: Usage = { inputTokens: 25, cachedInputTokens: 0, ...SERVED };
const start = (id: string, usage = STARTED, model = 'claude-sonnet-4-6'): ChatDelta => ({
  type: 'start',
  id,
  model,
  usage,
});
const text = (value: string): ChatDelta => ({ type: 'text', choice: 0, text: value });
const call = (index: number, id: string, name: string): ChatDelta => ({
  type: 'tool_call',
  choice: 0,
  index,
  id,
  name,
});
const pieces = (index: number, ...texts: string[]) =>
  texts.map((value): ChatDelta => ({ type: 'tool_arguments', choice: 0, index, text: value }));

const GOLDENS: Readonly<Record<string, readonly ChatDelta[]>> = {
  'text.sse': [
    start('msg_01XFDUDYJgAACzvnptvVoYEL'),
    text('Grüße'),
    text('! The café 🍰 is'),
    text(' open.\n'),
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'usage', usage: { inputTokens: 25, cachedInputTokens: 0, outputTokens: 15, ...SERVED } },
  ],
  'cached-text.sse': [
    start('msg_01CacheHitCacheHitCacheH1', {
      ...{ inputTokens: 2000, cachedInputTokens: 1800, cacheWriteInputTokens: 188 },
      terms: { serviceTier: 'standard' },
    }),
    text('Noted.'),
    { type: 'finish', choice: 0, reason: 'stop' },
    {
      type: 'usage',
      usage: {
        inputTokens: 2000,
        cachedInputTokens: 1800,
        cacheWriteInputTokens: 188,
        outputTokens: 6,
        terms: { serviceTier: 'standard' },
      },
    },
  ],
  'tool-use.sse': [
    start('msg_014p7gG3wDgGV9EUtLvnow3U'),
    text("I'll check the weather"),
    text(':'),
    call(0, 'toolu_01T1x1fJ34qAmk2tNTrN7Up6', 'get_weather'),
    ...pieces(0, '{"location":', ' "San', ' Francisc', 'o, CA"', ', "unit": "fahrenheit"}'),
    { type: 'finish', choice: 0, reason: 'tool_calls' },
    { type: 'usage', usage: { inputTokens: 472, cachedInputTokens: 0, outputTokens: 89, ...SERVED } },
  ],
  'parallel-tools.sse': [
    start('msg_01ParallelParallelParall1'),
    text('Looking up both.'),
    call(0, 'toolu_01A09q90qw90lq917835lq9', 'get_weather'),
    ...pieces(0, '{"location": "Paris"}'),
    call(1, 'toolu_01B12c34d56e78f90g12h34', 'current_time'),
    ...pieces(1, '{}'),
    call(2, 'toolu_01C56d78e90f12g34h56i78', 'get_weather'),
    ...pieces(2, '{"location": "', 'Łódź"}'),
    { type: 'finish', choice: 0, reason: 'tool_calls' },
    { type: 'usage', usage: { inputTokens: 498, cachedInputTokens: 0, outputTokens: 131, ...SERVED } },
  ],
  'thinking.sse': [
    start('msg_01ThinkThinkThinkThinkTh1', STARTED, 'claude-opus-4-6'),
    { type: 'reasoning', choice: 0, text: '27 * 453 = 27 * 400' },
    { type: 'reasoning', choice: 0, text: ' + 27 * 53' },
    {
      type: 'signed',
      choice: 0,
      block: {
        type: 'thinking',
        thinking: '27 * 453 = 27 * 400 + 27 * 53',
        signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds',
      },
    },
    {
      type: 'signed',
      choice: 0,
      block: { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3' },
    },
    text('27 * 453 = 12231'),
    { type: 'finish', choice: 0, reason: 'stop' },
    {
      type: 'usage',
      usage: { inputTokens: 61, cachedInputTokens: 0, outputTokens: 78, reasoningTokens: 52, ...SERVED },
    },
  ],
};

describe.each(Object.entries(GOLDENS))('%s', (name, golden) => {
  const bytes = readFixture(name);

  it('gives the same deltas wherever the bytes are cut', async () => {
    expect(await readAll(arriving(bytes))).toEqual({ deltas: golden, error: undefined });
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const { deltas, error } = await readAll(arriving(bytes.subarray(0, cut), bytes.subarray(cut)));
      if (error !== undefined || !isDeepStrictEqual(deltas, golden)) {
        throw new Error(`cut at ${cut}: ${JSON.stringify(deltas)}`, { cause: error });
      }
    }
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(await readAll(arriving(...single))).toEqual({ deltas: golden, error: undefined });
  });

  it('gives a prefix of the deltas and an error when the bytes end early, at any place', async () => {
    const text = new TextDecoder().decode(bytes);
    const end = new TextEncoder().encode(text.slice(0, text.lastIndexOf('event: message_stop'))).length;
    for (let cut = 0; cut <= end; cut += 1) {
      const { deltas, error } = await readAll(arriving(bytes.subarray(0, cut)));
      expect(error).toMatchObject({ code: 'provider_error' });
      if (!isDeepStrictEqual(deltas, golden.slice(0, deltas.length))) throw new Error(`cut at ${cut}`);
    }
  });
});

describe('a stream that goes wrong', () => {
  it('throws on an error event, after what came before it, without its text', async () => {
    const { deltas, error } = await readAll(arriving(readFixture('overloaded-mid-stream.sse')));
    expect(deltas).toEqual([start('msg_01OverloadedOverloaded111'), text('The first'), text('half')]);
    const internal = 'anthropic: error in the response, overloaded_error';
    expect(error).toMatchObject({ code: 'provider_overloaded', status: 529, internal, fallback: undefined });
    expect((error as GatewayError).message).not.toContain('Overloaded');
  });

  it('throws when it ends without message_stop, and gives no finish', async () => {
    const { deltas, error } = await readAll(arriving(readFixture('cut-short.sse')));
    expect(deltas).toEqual([start('msg_01CutShortCutShortCutSho1'), text('The first half')]);
    expect(error).toMatchObject({ internal: 'anthropic: stream ended without message_stop' });
  });

  it.each([
    ['an error event that is not JSON', 'event: error\ndata: upstream secret\n\n', 'error event, unknown type'],
    ['an error event of a strange type', 'data: {"type":"error","error":{"type":"a secret"}}\n\n', 'unknown type'],
    ['an event that is not JSON', 'data: secret\n\n', 'event is not JSON'],
    ['an event without a type', 'data: {"secret":1}\n\n', 'unknown shape'],
    [
      'a delta without its text',
      `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}\n\n`,
      'unknown shape',
    ],
    ['a second start', `data: ${JSON.stringify(START)}\n\n`, 'second message_start'],
  ])('throws on %s', async (_name, tail, internal) => {
    const { error } = await readAll(arriving(events(START), new TextEncoder().encode(tail)));
    expect(error).toMatchObject({ code: 'provider_error', internal: expect.stringContaining(internal) });
    expect(JSON.stringify([(error as GatewayError).message, (error as GatewayError).internal])).not.toContain('secret');
  });

  it('throws when the answer starts without message_start', async () => {
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } };
    for (const first of [delta, STOP]) {
      const { deltas, error } = await readAll(arriving(events(first)));
      expect(deltas).toEqual([]);
      expect(error).toMatchObject({ internal: expect.stringContaining('before message_start') });
    }
  });

  it.each([
    ['reset', 'provider_error'],
    ['timeout', 'provider_timeout'],
  ] as const)('says what happened when the body breaks (%s)', async (reason, code) => {
    const body = (async function* () {
      yield events(START);
      throw new HttpFailure(reason, true);
    })();
    const { deltas, error } = await readAll(body);
    expect(deltas).toEqual([start('m', { inputTokens: 3 }, 'c')]);
    expect(error).toMatchObject({ code });
  });

  it('throws on an event that grows without end', async () => {
    const body = (async function* () {
      yield new TextEncoder().encode('data: ');
      for (;;) yield new Uint8Array(1024 * 1024).fill(0x61);
    })();
    expect((await readAll(body)).error).toMatchObject({ internal: 'anthropic: event larger than the limit' });
  });
});

describe('the end of a message', () => {
  it('is not undone by what the connection does or says after it', async () => {
    const body = (async function* () {
      yield events(START, STOP, { type: 'error', error: { type: 'api_error' } });
      throw new HttpFailure('reset', true);
    })();
    const { deltas, error } = await readAll(body);
    expect(error).toBeUndefined();
    expect(deltas.map(({ type }) => type)).toEqual(['start', 'finish', 'usage']);
  });

  it('leaves the output count unknown where only the provisional one came', async () => {
    const { deltas } = await readAll(arriving(events(START, STOP)));
    expect(deltas.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 3 } });
  });

  it('gives the arguments of a tool whose block was never closed', async () => {
    const block = { type: 'tool_use', id: 'a', name: 'look', input: { at: 1 } };
    const body = events(START, { type: 'content_block_start', index: 0, content_block: block }, STOP);
    const { deltas } = await readAll(arriving(body));
    expect(deltas.slice(1, 3)).toEqual([call(0, 'a', 'look'), ...pieces(0, '{"at":1}')]);
  });
});

it('closes the body when the reader leaves', async () => {
  let closed = false;
  const body = (async function* () {
    try {
      yield events(START);
      yield events(STOP);
    } finally {
      closed = true;
    }
  })();
  for await (const _batch of readAnthropicStream('anthropic', body, new Translation('anthropic'))) break;
  expect(closed).toBe(true);
});

describe('whole messages', () => {
  const fixture = (name: string) =>
    fromAnthropicMessage(new TextDecoder().decode(readFixture(name)), 'anthropic', new Translation('anthropic'));
  const answer = (fields: object) =>
    fromAnthropicMessage(
      JSON.stringify({ type: 'message', id: 'm', model: 'c', content: [], stop_reason: 'end_turn', ...fields }),
      'anthropic',
      new Translation('anthropic'),
    );

  describe('fromAnthropicMessage', () => {
    it('joins the texts and adds up the input tokens, cached ones included', () => {
      expect(fixture('text.json')).toEqual({
        id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF',
        model: 'claude-sonnet-4-6',
        choices: [{ index: 0, text: 'Hi! My name is Claude. 👋', finishReason: 'stop' }],
        usage: { inputTokens: 3239, cachedInputTokens: 1024, cacheWriteInputTokens: 120, outputTokens: 503, ...SERVED },
      });
    });

    it('gives every tool call and the thinking', () => {
      expect(fixture('tools.json')).toEqual({
        id: 'msg_01Aq9w938a90dw8q',
        model: 'claude-sonnet-4-6',
        choices: [
          {
            index: 0,
            text: "I'll check both.",
            reasoning: 'Two places, so two calls.',
            signed: [
              {
                block: {
                  type: 'thinking',
                  thinking: 'Two places, so two calls.',
                  signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds',
                },
                text: 0,
                calls: 0,
              },
              { block: { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' }, text: 0, calls: 0 },
            ],
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
        usage: { inputTokens: 466, outputTokens: 141, reasoningTokens: 33, terms: { serviceTier: 'standard' } },
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
      const error = errorOf(() => fromAnthropicMessage(body, 'anthropic', new Translation('anthropic')));
      expect(error?.code).toBe('provider_error');
      expect(JSON.stringify(error)).not.toContain('secret');
    });
  });
});
