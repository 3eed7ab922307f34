import { describe, expect, it } from '@jest/globals';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import type { ChatDelta } from '../../../kernel/model/index.ts';
import { textInput } from '../bodies/text-tools.ts';
import { encodeResponse, ResponsesEncoder, responseHead } from './responses-encoder.ts';
import { readResponseEvents } from './responses-events.fixture.ts';
import { RESPONSES_PROTOCOL } from './responses-protocol.ts';
import { ResponsesPieceReader } from './responses-response-reader.ts';
import type { ResponsesRequest } from './responses-schema.ts';
import { flatName, toolsByFlatName } from './responses-tools.ts';

const GRAMMAR = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' };
const TOOLS = [
  { type: 'custom', name: 'apply_patch', description: 'Changes files.', format: GRAMMAR },
  { type: 'custom', name: 'run', format: { type: 'text' } },
  { type: 'function', name: 'plain', parameters: { type: 'object' } },
  {
    type: 'namespace',
    name: 'mcp__docs__',
    description: 'Documents.',
    tools: [
      { type: 'function', name: 'search', description: 'Finds.', parameters: { type: 'object' } },
      { type: 'custom', name: 'write' },
    ],
  },
];
const INPUT = {
  type: 'object',
  properties: { input: { type: 'string', description: expect.any(String) } },
  required: ['input'],
  additionalProperties: false,
};
const read = (body: object) =>
  RESPONSES_PROTOCOL.read(
    RESPONSES_PROTOCOL.check(readJsonDocument(JSON.stringify({ model: 'm', input: 'Hi', ...body }))),
  );

describe('the name of a tool of a namespace', () => {
  it.each([
    ['search', undefined, 'search'],
    ['search', '', 'search'],
    ['search', null, 'search'],
    ['search', 'mcp__docs__', 'mcp__docs__search'],
    ['search', 'docs', 'docs__search'],
    ['a'.repeat(64), undefined, 'a'.repeat(64)],
  ])('%s in %j is %s', (name, namespace, flat) => expect(flatName(name, namespace)).toBe(flat));

  it('has at most 64 characters, and stays different', () => {
    const names = ['a', 'b'].map((end) => flatName(`${'x'.repeat(80)}${end}`, 'docs'));
    expect(names.map((name) => name.length)).toEqual([64, 64]);
    expect(names[0]).not.toBe(names[1]);
    expect(flatName(`${'x'.repeat(80)}a`, 'docs')).toBe(names[0]);
    expect(names[0]).toMatch(/^[\w-]+$/);
  });
});

describe('the text of a call', () => {
  it.each([
    ['{"input":"*** Begin"}', '*** Begin'],
    ['{"input":""}', ''],
    ['{"input":7}', '{"input":7}'],
    ['{"text":"a"}', '{"text":"a"}'],
    ['not JSON', 'not JSON'],
    ['', ''],
    ['null', 'null'],
    ['[1]', '[1]'],
  ])('of the arguments %s is %s', (args, text) => expect(textInput(args)).toBe(text));
});

it('tools are found by their names at a provider', () => {
  expect([...toolsByFlatName(TOOLS as never)]).toEqual([
    ['apply_patch', { name: 'apply_patch', takesText: true }],
    ['run', { name: 'run', takesText: true }],
    ['plain', { name: 'plain', takesText: false }],
    ['mcp__docs__search', { name: 'search', takesText: false, namespace: 'mcp__docs__' }],
    ['mcp__docs__write', { name: 'write', takesText: true, namespace: 'mcp__docs__' }],
  ]);
});

describe('a request', () => {
  it('has a function for each custom tool and each tool of a namespace', () => {
    const { tools, others } = read({ tools: TOOLS });
    expect(tools).toEqual([
      {
        name: 'apply_patch',
        description: 'Changes files.\n\nThe input must match this Lark grammar:\nstart: "a"',
        parameters: INPUT,
      },
      { name: 'run', parameters: INPUT },
      { name: 'plain', parameters: { type: 'object' } },
      { name: 'mcp__docs__search', description: 'Finds.', parameters: { type: 'object' } },
      { name: 'mcp__docs__write', parameters: INPUT },
    ]);
    expect(others.map(({ path, meaning }) => [path, meaning])).toEqual([
      ['tools[0].format', 'hint'],
      ['tools[3].description', 'hint'],
    ]);
  });

  it('has past calls and results of such tools', () => {
    const { messages, others } = read({
      tools: TOOLS,
      input: [
        { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: 'é "x"' },
        { type: 'function_call', call_id: 'c2', name: 'search', namespace: 'mcp__docs__', arguments: '{}' },
        { type: 'custom_tool_call', call_id: 'c3', name: 'write', namespace: 'mcp__docs__', input: '' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
        { type: 'function_call_output', call_id: 'c2', output: 'r' },
      ],
    });
    expect(others.filter(({ path }) => path.startsWith('input'))).toEqual([]);
    expect(messages).toEqual([
      {
        role: 'assistant',
        parts: [],
        toolCalls: [
          { id: 'c1', name: 'apply_patch', arguments: '{"input":"é \\"x\\""}' },
          { id: 'c2', name: 'mcp__docs__search', arguments: '{}' },
          { id: 'c3', name: 'mcp__docs__write', arguments: '{"input":""}' },
        ],
      },
      { role: 'tool', toolCallId: 'c1', parts: [{ type: 'text', text: 'done' }] },
      { role: 'tool', toolCallId: 'c2', parts: [{ type: 'text', text: 'r' }] },
    ]);
  });

  it.each([
    [{ type: 'custom', name: 'apply_patch' }, 'apply_patch'],
    [{ type: 'function', name: 'plain' }, 'plain'],
    [{ type: 'function', name: 'search' }, 'mcp__docs__search'],
    [{ type: 'function', name: 'absent' }, 'absent'],
  ])('chooses a tool by its name at the provider: %j', (tool_choice, name) =>
    expect(read({ tools: TOOLS, tool_choice }).toolChoice).toEqual({ name }),
  );
});

describe('a response', () => {
  const asked = { model: 'm', input: 'Hi', tools: TOOLS } as unknown as ResponsesRequest;
  const head = () => responseHead({ requestId: 'req_0a', created: 1, model: 'm' }, asked);
  const CALLS = [
    ['apply_patch', '{"input":"*** Begin\\né"}'],
    ['mcp__docs__search', '{"q":1}'],
    ['mcp__docs__write', 'no JSON'],
    ['unknown', '{}'],
  ] as const;
  const ITEMS = [
    { type: 'custom_tool_call', call_id: 'c0', name: 'apply_patch', input: '*** Begin\né' },
    { type: 'function_call', call_id: 'c1', name: 'search', namespace: 'mcp__docs__', arguments: '{"q":1}' },
    { type: 'custom_tool_call', call_id: 'c2', name: 'write', namespace: 'mcp__docs__', input: 'no JSON' },
    { type: 'function_call', call_id: 'c3', name: 'unknown', arguments: '{}' },
  ].map((item) => ({ id: expect.any(String), status: 'completed', ...item }));

  it('has items of the tools that the caller defined', () => {
    const toolCalls = CALLS.map(([name, args], at) => ({ id: `c${at}`, name, arguments: args }));
    const choices = [{ index: 0, text: null, toolCalls, finishReason: 'tool_calls' as const }];
    expect(encodeResponse({ id: 'i', model: 'm', choices, usage: {} }, head())).toMatchObject({ output: ITEMS });
  });

  /** The events of a stream whose arguments arrive in pieces, and interleaved. */
  function streamed(size: number, withOther = false): object[] {
    const encoder = new ResponsesEncoder(head());
    const deltas: ChatDelta[] = [
      { type: 'start', id: 'i', model: 'm' },
      ...CALLS.map(([name], index): ChatDelta => ({ type: 'tool_call', choice: 0, index, id: `c${index}`, name })),
    ];
    for (let at = 0; at < 40; at += size) {
      for (const [index, [, args]] of CALLS.entries()) {
        deltas.push({ type: 'tool_arguments', choice: 0, index, text: args.slice(at, at + size) });
      }
    }
    deltas.push({ type: 'finish', choice: 0, reason: 'tool_calls' });
    const other = (delta: ChatDelta): ChatDelta[] => ('choice' in delta ? [{ ...delta, choice: 1 }] : []);
    const mixed = withOther ? deltas.flatMap((delta) => [delta, ...other(delta)]) : deltas;
    return [...mixed.flatMap((delta) => encoder.encode(delta)), ...encoder.end()];
  }

  it('leaves out choices that were not asked for', () => {
    expect(streamed(3, true)).toEqual(streamed(3));
  });

  it.each([1, 3, 40])('is a stream without contradictions: pieces of %i characters', (size) => {
    const events = streamed(size) as { response?: object }[];
    // The gateway adds it to the last event.
    Object.assign(events.at(-1)?.response ?? {}, { svc: {} });
    const { faults, response, deltas } = readResponseEvents(events);
    expect(faults).toEqual([]);
    expect(response.output).toEqual(ITEMS);
    expect(deltas).toEqual({
      'output[0].input': '*** Begin\né',
      'output[1].arguments': '{"q":1}',
      'output[2].input': 'no JSON',
      'output[3].arguments': '{}',
    });
  });

  it("'s events are read by the reader of the API: each text once, and no text unread", () => {
    const reader = new ResponsesPieceReader(false, [asked as unknown as Record<string, unknown>]);
    const texts: Record<string, string> = {};
    for (const event of streamed(3)) {
      const { slots } = reader.read(JSON.stringify(event));
      for (const { channel, text } of slots) texts[channel] = (texts[channel] ?? '') + text;
    }
    expect(texts).toMatchObject({
      'output[0].input': '*** Begin\né',
      'output[1].arguments': '{"q":1}',
      'output[2].input': 'no JSON',
    });
    expect(Object.keys(texts).filter((channel) => channel.includes('(2)'))).toEqual([]);
  });

  it('has no event with the JSON of a text', () => {
    expect(JSON.stringify(streamed(3))).not.toContain('\\"input\\"');
  });
});
