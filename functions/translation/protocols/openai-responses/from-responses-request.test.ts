import { describe, expect, it } from '@jest/globals';
import { spliceJson } from '../../../kernel/json/index.ts';
import { finish } from '../../../kernel/tasks/index.ts';
import { base, parts, read, saying } from './from-responses-request.fixture.ts';
import { fromResponsesRequest } from './from-responses-request.ts';
import { namedIds } from './responses-named-ids.ts';
import { boundResponsesInput, RESPONSES_PROTOCOL } from './responses-protocol.ts';

it('a choice of several tools leaves these tools, and their mode', () => {
  const tool = (name: string, type = 'function') => ({ type, name });
  const tools = [tool('f'), tool('g'), tool('c', 'custom')];
  const tool_choice = { type: 'allowed_tools', mode: 'auto', tools: [tool('c', 'custom'), tool('f')] };
  const request = fromResponsesRequest(read({ ...saying({ role: 'user', content: 'Hi' }), tools, tool_choice }));
  expect([request.tools?.map(({ name }) => name), request.toolChoice, request.others]).toEqual([
    ['f', 'c'],
    'auto',
    [],
  ]);
});

describe('the ids in a request', () => {
  it('are those of resources at the provider, not ids that are only cited', () => {
    const file = { type: 'input_file', file_id: 'file-1' };
    const body = {
      model: 'gpt-x',
      previous_response_id: 'resp_1',
      input: [
        { type: 'item_reference', id: 'msg_1' },
        { id: 'msg_2' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'x' },
        { type: 'image_generation_call', id: 'ig_1' },
        { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'shell_call_output', id: 'so_1', call_id: 'c', output: [] },
        { type: 'message', id: 'msg_3', role: 'assistant', content: 'a' },
        { role: 'user', content: [file, { type: 'input_image', image_url: 'https://a', file_id: null }] },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', file_id: 'file-2' }] },
        { type: 'computer_call_output', output: { type: 'computer_screenshot', file_id: 'file-3' } },
        {
          role: 'assistant',
          content: [{ type: 'output_text', text: 'a', annotations: [{ type: 'file_citation', file_id: 'file-9' }] }],
        },
        { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_3', code: 'a', status: 'completed' },
      ],
      prompt: { id: 'pmpt_1', variables: { a: file } },
      tools: [
        { type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-4'] } },
        { type: 'shell', environment: { type: 'container_auto', file_ids: ['file-5'] } },
        { type: 'image_generation', input_image_mask: { file_id: 'file-6' } },
        { type: 'function', name: 'f' },
        { type: 'code_interpreter', container: 'cntr_1' },
        { type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_2' } },
      ],
    };
    read(body);
    expect(
      finish(namedIds(body)).map(({ id, what, param, continues }) => [id, what, param, continues ?? false]),
    ).toEqual([
      ['resp_1', 'Previous response', 'previous_response_id', true],
      ['pmpt_1', 'Prompt', 'prompt.id', false],
      ['msg_1', 'Item', 'input[0].id', false],
      ['msg_2', 'Item', 'input[1].id', false],
      ['rs_1', 'Item', 'input[2].id', false],
      ['rs_2', 'Item', 'input[3].id', false],
      ['ig_1', 'Item', 'input[4].id', false],
      ['ci_1', 'Item', 'input[12].id', false],
      ['file-1', 'File', 'input[8].content[0].file_id', false],
      ['file-2', 'File', 'input[9].output[0].file_id', false],
      ['file-3', 'File', 'input[10].output.file_id', false],
      ['cntr_3', 'Container', 'input[12].container_id', false],
      ['file-1', 'File', 'prompt.variables.a.file_id', false],
      ['file-4', 'File', 'tools[0].container.file_ids', false],
      ['file-5', 'File', 'tools[1].environment.file_ids', false],
      ['file-6', 'File', 'tools[2].input_image_mask.file_id', false],
      ['cntr_1', 'Container', 'tools[4].container', false],
      ['cntr_2', 'Container', 'tools[5].environment.container_id', false],
    ]);
    expect(finish(namedIds(base))).toEqual([]);
    // What OpenAI's SDK adds when it parses.
    const parsed = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', parsed_arguments: { id: 'm-1' } };
    expect(finish(namedIds({ ...base, input: [parsed] }))).toEqual([]);
  });
});

describe('a request as ChatRequest', () => {
  const chat = (body: object) => fromResponsesRequest(read(body));

  it('has its turns as messages, and every field in place', () => {
    const body = {
      model: 'gpt-x',
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', image_url: 'https://i', detail: 'low' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'b', annotations: [], logprobs: [] },
            { type: 'refusal', refusal: 'no' },
          ],
        },
        { type: 'function_call', id: 'fc_1', status: 'completed', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'function_call', call_id: 'c2', name: 'g', arguments: '{"x":1}' },
        { type: 'function_call_output', call_id: 'c1', output: 'r1' },
        { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'r2' }] },
        { type: 'function_call', call_id: 'c3', name: 'f', arguments: '{}' },
        { role: 'assistant', content: 'beside a call' },
        { type: 'function_call_output', call_id: 'c3', output: 'r3' },
        {
          role: 'user',
          content: [
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:p' },
            { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          name: 'f',
          description: 'd',
          parameters: { type: 'object' },
          strict: true,
          defer_loading: false,
        },
      ],
      tool_choice: { type: 'function', name: 'f' },
      parallel_tool_calls: false,
      max_output_tokens: 9,
      temperature: 0.5,
      top_p: 0.6,
      stream: true,
      user: 'u',
      text: { format: { type: 'json_schema', name: 's', schema: {}, strict: true }, verbosity: 'low' },
      reasoning: { effort: 'low' },
      metadata: { a: 'b' },
      store: false,
    };
    const { callersNames, ...request } = chat(body);
    expect(request).toEqual({
      model: 'gpt-x',
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'a' },
            { type: 'image', url: 'https://i', detail: 'low' },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'text', text: 'b' },
            { type: 'refusal', text: 'no' },
          ],
          toolCalls: [
            { id: 'c1', name: 'f', arguments: '{}' },
            { id: 'c2', name: 'g', arguments: '{"x":1}' },
          ],
        },
        { role: 'tool', parts: [{ type: 'text', text: 'r1' }], toolCallId: 'c1' },
        { role: 'tool', parts: [{ type: 'text', text: 'r2' }], toolCallId: 'c2' },
        {
          role: 'assistant',
          parts: [{ type: 'text', text: 'beside a call' }],
          toolCalls: [{ id: 'c3', name: 'f', arguments: '{}' }],
        },
        { role: 'tool', parts: [{ type: 'text', text: 'r3' }], toolCallId: 'c3' },
        {
          role: 'user',
          parts: [
            { type: 'file', filename: 'a.pdf', data: 'data:p' },
            { type: 'audio', data: 'AA', format: 'wav' },
          ],
        },
      ],
      tools: [{ name: 'f', description: 'd', parameters: { type: 'object' }, strict: true }],
      toolChoice: { name: 'f' },
      parallelToolCalls: false,
      maxOutputTokens: 9,
      temperature: 0.5,
      topP: 0.6,
      stream: true,
      includeUsage: true,
      choiceCount: 1,
      others: [
        { path: 'user', meaning: 'end_user', value: 'u' },
        { path: 'metadata', meaning: 'hint', value: { a: 'b' } },
        { path: 'input[0].content[1].detail', meaning: 'image_detail', value: 'low' },
        { path: 'text.verbosity', meaning: 'verbosity', value: 'low' },
        { path: 'text.format', meaning: 'response_format', value: { name: 's', schema: {}, strict: true } },
        { path: 'reasoning.effort', meaning: 'reasoning_effort', value: 'low' },
      ],
    });
    expect(callersNames).toMatchObject({
      'messages[0]': 'instructions',
      'messages[1]': 'input[0]',
      'messages[2].tool_calls[1].function': 'input[3]',
      'messages[4].content': 'input[5].output',
    });
  });

  it('uses the operator role that every chat server knows', () => {
    expect(chat(saying({ role: 'developer', content: 'Be brief.' })).messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    ]);
  });

  it.each<[readonly string[], object]>([
    [['essential previous_response_id'], { previous_response_id: 'resp_1' }],
    [['hint store'], { store: true }],
    [['essential prompt'], { prompt: { id: 'pmpt_1' } }],
    [['essential include'], { include: ['message.output_text.logprobs'] }],
    [['essential top_logprobs'], { top_logprobs: 2 }],
    [['service_tier service_tier'], { service_tier: 'flex' }],
    [['hint context_management'], { context_management: [{ type: 'compaction' }] }],
    [['hint x_new'], { x_new: 0 }],
    [['hint reasoning.summary'], { reasoning: { summary: 'auto' } }],
    [['hint text.x', 'essential text.format'], { text: { x: 1, format: { type: 'grammar' } } }],
    [['hint tools[0]', 'essential tools[1]'], { tools: [{ type: 'web_search' }, { type: 'computer' }] }],
    [['hint tools[0].defer_loading'], { tools: [{ type: 'function', name: 'f', defer_loading: true }] }],
    [
      ['hint tools[0].tools[0].x'],
      { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'custom', name: 'c', x: 1 }] }] },
    ],
    [['essential tool_choice'], { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } }],
    [['hint input[0]'], { input: [{ type: 'reasoning', summary: [] }] }],
    [['hint input[0]'], { input: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'h' }] }] }],
    [
      ['hint input[0]'],
      {
        input: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'h' }] },
          { role: 'user', content: 'Hi' },
        ],
      },
    ],
    [
      ['hint input[0].summary[0].x', 'hint input[0].content[0].y'],
      {
        input: [
          {
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: 'h', x: 0 }],
            content: [{ type: 't', text: 'k', y: 0 }],
          },
          { role: 'assistant', content: 'Hi' },
        ],
      },
    ],
    [['essential input[0]'], { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    [['essential input[0].content[0]'], parts({ type: 'input_image', file_id: 'file-1' })],
    [['essential input[0].content[0]'], parts({ type: 'input_file', file_url: 'https://a' })],
    [['essential input[0].content[0]'], parts({ type: 'hologram' })],
    [[], { input: [{ type: 'custom_tool_call', call_id: 'a', name: 'b', input: 'c' }] }],
    [[], { input: [{ role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [{}] }] }] }],
    [
      [],
      {
        store: false,
        background: false,
        truncation: 'disabled',
        service_tier: 'default',
        include: ['reasoning.encrypted_content'],
        previous_response_id: null,
        text: { format: { type: 'text' }, verbosity: 'medium' },
        stream_options: { include_obfuscation: false },
      },
    ],
  ])('lists the fields for which ChatRequest has no member: %j', (expected, fields) => {
    expect(chat({ ...base, ...fields }).others.map(({ meaning, path }) => `${meaning} ${path}`)).toEqual(expected);
  });
});

it('the canary is at the end of the instructions, or replaces missing ones', () => {
  const planted = (body: object) => {
    const edit = RESPONSES_PROTOCOL.addToPrompt(read(body), 'X');
    return JSON.parse(spliceJson(JSON.stringify(body), edit === undefined ? [] : [edit])).instructions;
  };
  expect(planted({ ...base, instructions: 'Be kind.' })).toBe('Be kind.\n\nX');
  expect([planted({ ...base, instructions: null }), planted(base)]).toEqual(['X', 'X']);
});

describe('the input token bound', () => {
  it.each([
    ['a text: its bytes', 'é'.repeat(100), {}, 200, 300],
    [
      'an image: the highest price',
      [{ role: 'user', content: [{ type: 'input_image', image_url: 'x'.repeat(1e6) }] }],
      {},
      50_000,
      51_000,
    ],
    [
      'a file: the context',
      [{ role: 'user', content: [{ type: 'input_file', file_data: 'x' }] }],
      {},
      128_000,
      129_000,
    ],
    ['earlier turns: the context', 'Hi', { previous_response_id: 'resp_1' }, 128_000, 129_000],
    ['a stored item: the context', [{ type: 'item_reference', id: 'a' }], {}, 128_000, 129_000],
    [
      'tools: their bytes, and what is written around them',
      'Hi',
      { tools: [{ type: 'function', name: 'f' }] },
      1_000,
      1_100,
    ],
  ])('of %s', (_, input, fields, from, to) => {
    const bound = boundResponsesInput(read({ model: 'gpt-x', input, ...fields }), 128_000);
    expect(bound).toBeGreaterThanOrEqual(from);
    expect(bound).toBeLessThan(to);
  });
});
