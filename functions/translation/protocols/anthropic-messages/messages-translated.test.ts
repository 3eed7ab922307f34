import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../kernel/errors/index.ts';
import type { ChatCompletion, ChatDelta } from '../../../kernel/model/index.ts';
import { COUNT_TOKENS_PROTOCOL } from './messages-protocol.ts';
import {
  BLOCK,
  begin,
  end,
  expectInOrder,
  HEAD,
  inBatches,
  inputDelta,
  type Json,
  merged,
  type Options,
  readAll,
  SVC,
  TEXT,
  textDelta,
  textOf,
  world,
} from './messages-response.fixture.ts';

async function translated(deltas: readonly ChatDelta[], options: Options = {}) {
  const { outcome, writer, guard } = world(options);
  const answer = { kind: 'translated-stream', deltas: inBatches(deltas) } as const;
  return { events: await readAll(writer.stream(answer, { guard })), outcome };
}

async function wholeTranslated(completion: Omit<ChatCompletion, 'id' | 'model'>): Promise<Json> {
  const { writer, guard } = world({ stream: false });
  return JSON.parse(
    await writer.whole(
      { kind: 'translated', completion: { id: 'chatcmpl-9', model: 'gpt-4o-x', ...completion } },
      { guard },
    ),
  );
}

describe('a translated stream', () => {
  const start = { type: 'start', id: 'chatcmpl-9', model: 'gpt-4o-x' } as const;
  const call = (index: number) => ({ type: 'tool_call', choice: 0, index, id: `call_${index}`, name: 'f' }) as const;
  const args = (index: number, text: string) => ({ type: 'tool_arguments', choice: 0, index, text }) as const;
  const say = (text: string) => ({ type: 'text', choice: 0, text }) as const;
  const finish = (reason: 'stop' | 'length' | 'tool_calls' | 'content_filter') =>
    ({ type: 'finish', choice: 0, reason }) as const;
  const usage = {
    type: 'usage',
    usage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 3, reasoningTokens: 2 },
  } as const;

  it('is an Anthropic message: text, then parallel tool calls, then stop reason and usage', async () => {
    const { events } = await translated([
      start,
      say('Let me '),
      say('see.'),
      call(0),
      args(0, '{"a"'),
      args(0, ':1}'),
      call(1),
      args(1, '{}'),
      finish('tool_calls'),
      usage,
    ]);
    expectInOrder(events);
    expect(merged(events)).toEqual([
      {
        type: 'message_start',
        message: {
          ...HEAD,
          id: 'msg_0a1b',
          model: 'gpt-4o-x',
          usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
        },
      },
      begin(TEXT),
      textDelta('Let me see.'),
      end(),
      begin({ type: 'tool_use', id: 'call_0', name: 'f', input: {} }, 1),
      inputDelta('{"a":1}', 1),
      end(1),
      begin({ type: 'tool_use', id: 'call_1', name: 'f', input: {} }, 2),
      inputDelta('{}', 2),
      end(2),
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null, stop_details: null },
        usage: {
          input_tokens: 6,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 3,
          output_tokens: 4,
          output_tokens_details: { thinking_tokens: 2 },
        },
        svc: SVC,
      },
      { type: 'message_stop' },
    ]);
  });

  it('leaves out choices that were not asked for', async () => {
    const asked: ChatDelta[] = [start, say('Let me '), call(0), args(0, '{"a"'), args(0, ':1}'), finish('tool_calls')];
    const other = asked.slice(1).map((delta) => ({ ...delta, choice: 1 }) as ChatDelta);
    const mixed = asked.flatMap((delta, at) => [delta, ...other.slice(at, at + 1)]);
    expect((await translated(mixed)).events).toEqual((await translated(asked)).events);
  });

  it.each([
    ['a forced call', [call(0), args(0, '{}'), finish('stop')], 'tool_use'],
    ['a refusal', [{ type: 'refusal', choice: 0, text: 'No.' }, finish('stop')], 'refusal'],
    ["a provider's filter", [say('a'), finish('content_filter')], 'refusal'],
    ['its limit', [say('a'), finish('length')], 'max_tokens'],
    ['nothing', [finish('stop')], 'end_turn'],
  ] as [string, ChatDelta[], string][])('ends with the stop reason %s', async (_, deltas, reason) => {
    const { events } = await translated([start, ...deltas]);
    expectInOrder(events);
    expect(events.at(-2).delta.stop_reason).toBe(reason);
  });

  it('ends well-formed when blocked in tool input', async () => {
    const { events } = await translated([
      start,
      say('Hm. '),
      call(0),
      args(0, '{"a":"x '),
      args(0, `${BLOCK}"}`),
      finish('tool_calls'),
    ]);
    expectInOrder(events);
    expect([textOf(events, 0), textOf(events, 1)]).toEqual(['Hm. ', '{"a":"x ']);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' }, svc: { action: 'block' } });
  });

  it('fails without an end, or with two interleaved calls', async () => {
    for (const deltas of [
      [start, say('a')],
      [start, call(0), call(1), args(0, '{'), finish('tool_calls')],
    ]) {
      await expect(translated(deltas)).rejects.toThrow(GatewayError);
    }
  });
});

describe('a translated whole response', () => {
  it('is an Anthropic message', async () => {
    const toolCalls = [
      { id: 'c', name: 'f', arguments: '{"a":1}' },
      { id: 'd', name: 'g', arguments: 'half {' },
      { id: 'e', name: 'h', arguments: '' },
    ];
    expect(
      await wholeTranslated({
        choices: [{ index: 0, text: 'Hi', toolCalls, finishReason: 'stop' }],
        usage: { inputTokens: 3, outputTokens: 4 },
      }),
    ).toEqual({
      ...HEAD,
      id: 'msg_0a1b',
      model: 'gpt-4o-x',
      usage: { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 4 },
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
        { type: 'tool_use', id: 'd', name: 'g', input: { arguments: 'half {' } },
        { type: 'tool_use', id: 'e', name: 'h', input: {} },
      ],
      stop_reason: 'tool_use',
      svc: SVC,
    });
  });

  it('has a refusal in its text and its stop reason', async () => {
    const choices = [{ index: 0, text: null, refusal: 'No.', finishReason: 'stop' as const }];
    expect(await wholeTranslated({ choices, usage: {} })).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
      stop_reason: 'refusal',
    });
  });
});

describe('a refusal instead of an error', () => {
  it('is a message, whole or as events', async () => {
    const [json = ''] = world({ stream: false }).refuse() ?? [];
    expect(JSON.parse(json)).toMatchObject({
      id: 'msg_0a1b',
      stop_reason: 'refusal',
      content: [{ type: 'text' }],
      svc: SVC,
    });
    const events = (world({ stream: true }).refuse() ?? []).map((event) => JSON.parse(event));
    expectInOrder(events);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' }, svc: SVC });
  });
});

describe('a token count response', () => {
  const format = COUNT_TOKENS_PROTOCOL.format({} as never, {} as never, {} as never);
  const readPiece = (json: string) => format.readPiece(json);
  it('is read as a count only, and is not usage', () => {
    expect(readPiece('{"input_tokens":14}')).toMatchObject({
      fault: undefined,
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    for (const json of ['{}', '{"input_tokens":"14"}']) expect(readPiece(json).fault).toBeDefined();
    expect(format.refusal(undefined as never)).toBeUndefined();
  });
});
