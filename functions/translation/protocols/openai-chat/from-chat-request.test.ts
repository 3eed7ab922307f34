import { describe, expect, it } from '@jest/globals';
import { base, read } from './chat-protocol.fixture.ts';
import { fromOpenAiChatRequest } from './from-chat-request.ts';

describe('reading into ChatRequest', () => {
  it('keeps every field that ChatRequest can represent, and lists the others', () => {
    const body = read({
      ...base,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      top_p: 0.5,
      max_tokens: 9,
      max_completion_tokens: 5,
      n: 2,
      stop: 'x',
      user: 'e',
      parallel_tool_calls: false,
      tools: [{ type: 'function', function: { name: 'f', strict: true } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      seed: 7,
    });
    expect(fromOpenAiChatRequest(body)).toEqual({
      model: 'gpt-4o',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
      stream: true,
      includeUsage: true,
      choiceCount: 2,
      others: [
        { path: 'user', meaning: 'end_user', value: 'e' },
        { path: 'seed', meaning: 'seed', value: 7 },
      ],
      tools: [{ name: 'f', strict: true }],
      toolChoice: { name: 'f' },
      parallelToolCalls: false,
      maxOutputTokens: 9,
      temperature: 0,
      topP: 0.5,
      stop: ['x'],
    });
  });
});

it('a choice of several tools leaves these tools, and their mode', () => {
  const tool = (name: string) => ({ type: 'function', function: { name } });
  const choose = (...names: string[]) => {
    const allowed_tools = { mode: 'required', tools: names.map(tool) };
    const tool_choice = { type: 'allowed_tools', allowed_tools };
    return fromOpenAiChatRequest(read({ ...base, tools: ['f', 'g', 'h'].map(tool), tool_choice }));
  };
  const allowed = { tools: [{ name: 'f' }, { name: 'h' }], toolChoice: 'required', others: [] };
  expect(choose('h', 'f')).toMatchObject(allowed);
  const { tools, toolChoice, others } = choose('h', 'x');
  expect([tools?.length, toolChoice, others]).toMatchObject([
    3,
    undefined,
    [{ path: 'tool_choice', meaning: 'essential' }],
  ]);
});

describe('unknown members in ChatRequest', () => {
  const saying = (message: object) => ({ model: 'm', messages: [message] });
  const part = (value: object) => saying({ role: 'user', content: [value] });
  const calling = (call: object) => saying({ role: 'assistant', tool_calls: [call] });
  const places: [string, (more: object) => object][] = [
    ['', (more) => ({ ...saying({ role: 'user', content: 'a' }), ...more })],
    ['messages[0].', (more) => saying({ role: 'user', content: 'a', ...more })],
    ['messages[0].content[0].', (more) => part({ type: 'text', text: 'a', ...more })],
    [
      'messages[0].content[0].image_url.',
      (more) => part({ type: 'image_url', image_url: { url: 'https://x', ...more } }),
    ],
    ['messages[0].content[0].file.', (more) => part({ type: 'file', file: { file_id: 'f', ...more } })],
    [
      'messages[0].tool_calls[0].',
      (more) => calling({ id: 'i', type: 'function', function: { name: 'f', arguments: '{}' }, ...more }),
    ],
    [
      'messages[0].tool_calls[0].function.',
      (more) => calling({ id: 'i', type: 'function', function: { name: 'f', arguments: '{}', ...more } }),
    ],
    [
      'tools[0].function.',
      (more) => ({
        ...saying({ role: 'user', content: 'a' }),
        tools: [{ type: 'function', function: { name: 'f', ...more } }],
      }),
    ],
  ];
  const othersOf = (body: object) => fromOpenAiChatRequest(read(body)).others;

  it.each(places)('lists an unknown member of %s', (path, withMore) => {
    expect(othersOf(withMore({ x_unknown: { a: 1 } }))).toEqual([
      { path: `${path}x_unknown`, meaning: 'hint', value: { a: 1 } },
    ]);
    expect(othersOf(withMore({ x_unknown: null }))).toEqual([]);
  });

  it('accepts members of responses that come back as history', () => {
    const past = {
      role: 'assistant',
      content: 'a',
      refusal: null,
      annotations: [],
      audio: null,
      reasoning_content: 'h',
    };
    expect(othersOf(saying(past))).toEqual([]);
    expect(othersOf(saying({ ...past, audio: { id: 'a1' } }))).toEqual([
      { path: 'messages[0].audio', meaning: 'essential', value: { id: 'a1' } },
    ]);
  });

  it('lists a call of a custom tool', () => {
    const call = { id: 'i', type: 'custom', custom: { name: 'f', input: 'a' } };
    expect(othersOf(calling(call))).toEqual([{ path: 'messages[0].tool_calls[0]', meaning: 'essential', value: call }]);
  });
});
