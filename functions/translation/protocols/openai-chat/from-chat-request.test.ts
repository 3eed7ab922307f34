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

  it('has only the grammar of a custom tool, which is in the description', () => {
    const call = { id: 'i', type: 'custom', custom: { name: 'f', input: 'a "b"' } };
    const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } };
    const choice = { type: 'custom', custom: { name: 'f' } };
    const body = {
      ...calling(call),
      tools: [
        { type: 'custom', custom: { name: 'f', description: 'd', format } },
        { type: 'custom', custom: { name: 'g', format: { type: 'text' } } },
      ],
      tool_choice: choice,
    };
    expect(othersOf(body)).toEqual([
      {
        path: 'tools[0].custom.format',
        meaning: 'hint',
        value: format,
        instead: expect.stringContaining('description'),
      },
    ]);
    const { tools, toolChoice, messages, callersNames } = fromOpenAiChatRequest(body as never);
    expect(tools).toMatchObject([
      { name: 'f', description: 'd\n\nThe input must match this Lark grammar:\nstart: "a"' },
      { name: 'g', parameters: { required: ['input'] } },
    ]);
    expect([toolChoice, messages[0]?.toolCalls]).toEqual([
      { name: 'f' },
      [{ id: 'i', name: 'f', arguments: '{"input":"a \\"b\\""}' }],
    ]);
    expect(callersNames).toEqual({
      'messages[0].tool_calls[0].function.arguments': 'messages[0].tool_calls[0].custom.input',
    });
    const allowed = { mode: 'required', tools: [choice] };
    const few = fromOpenAiChatRequest({
      ...body,
      tool_choice: { type: 'allowed_tools', allowed_tools: allowed },
    } as never);
    expect([few.tools?.map(({ name }) => name), few.toolChoice]).toEqual([['f'], 'required']);
  });
});
