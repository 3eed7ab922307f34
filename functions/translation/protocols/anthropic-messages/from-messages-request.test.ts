import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Meaning } from '../../../kernel/model/index.ts';
import { base, read, saying, user } from './from-messages-request.fixture.ts';
import { fromMessagesRequest } from './from-messages-request.ts';
import { boundMessagesInput, MESSAGES_PROTOCOL } from './messages-protocol.ts';

const answering = (...content: object[]) => ({ ...base, messages: [{ role: 'assistant', content }] });

describe('reading into ChatRequest', () => {
  it('keeps every member that ChatRequest can represent, and lists the rest by path', () => {
    const cache_control = { type: 'ephemeral' };
    const body = read({
      ...base,
      cache_control,
      system: [{ type: 'text', text: 's', cache_control }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look', cache_control },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'image', source: { type: 'url', url: 'https://x' } },
            {
              type: 'document',
              title: 'a.pdf',
              source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
            },
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'plain' },
              citations: { enabled: false },
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me see.', citations: null },
            { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
            { type: 'tool_use', id: 't2', name: 'f', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'fine' },
            { type: 'tool_result', tool_use_id: 't2', is_error: true, content: [{ type: 'text', text: 'boom' }] },
            { type: 'text', text: 'Go on.' },
          ],
        },
        { role: 'system', content: 'mid' },
      ],
      stream: true,
      temperature: 0,
      top_p: 0.5,
      stop_sequences: ['x'],
      metadata: { user_id: 'e' },
      tools: [
        {
          name: 'f',
          description: 'd',
          input_schema: { type: 'object' },
          strict: true,
          cache_control,
          defer_loading: false,
        },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    const { callersNames: _, ...request } = fromMessagesRequest(body);
    expect(request).toEqual({
      model: 'claude-sonnet-4-5',
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 's', cache: {} }] },
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'look', cache: {} },
            { type: 'image', url: 'data:image/png;base64,AAAA' },
            { type: 'image', url: 'https://x' },
            { type: 'file', filename: 'a.pdf', data: 'data:application/pdf;base64,BBBB' },
            { type: 'text', text: 'plain' },
          ],
        },
        {
          role: 'assistant',
          parts: [{ type: 'text', text: 'Let me see.' }],
          toolCalls: [
            { id: 't1', name: 'f', arguments: '{"a":1}' },
            { id: 't2', name: 'f', arguments: '{}' },
          ],
        },
        { role: 'tool', toolCallId: 't1', parts: [{ type: 'text', text: 'fine' }] },
        {
          role: 'tool',
          toolCallId: 't2',
          parts: [
            { type: 'text', text: 'The tool failed:' },
            { type: 'text', text: 'boom' },
          ],
        },
        { role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
        { role: 'system', parts: [{ type: 'text', text: 'mid' }] },
      ],
      stream: true,
      includeUsage: true,
      choiceCount: 1,
      others: [
        { path: 'cache_control', meaning: 'hint', value: cache_control },
        { path: 'metadata.user_id', meaning: 'end_user', value: 'e' },
        { path: 'tools[0].cache_control', meaning: 'cache_hint', value: cache_control },
        { path: 'system[0].cache_control', meaning: 'cache_hint', value: cache_control },
        { path: 'messages[0].content[0].cache_control', meaning: 'cache_hint', value: cache_control },
      ],
      tools: [{ name: 'f', description: 'd', parameters: { type: 'object' }, strict: true, cache: {} }],
      toolChoice: 'required',
      parallelToolCalls: false,
      maxOutputTokens: 9,
      temperature: 0,
      topP: 0.5,
      stop: ['x'],
    });
  });

  it.each<[string, Meaning, object]>([
    ['top_k', 'top_k', { ...base, top_k: 5 }],
    ['thinking', 'thinking', { ...base, thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['output_config.effort', 'reasoning_effort', { ...base, output_config: { effort: 'low' } }],
    [
      'output_config.format',
      'response_format',
      { ...base, output_config: { format: { type: 'json_schema', schema: {} } } },
    ],
    ['output_format', 'response_format', { ...base, output_format: { type: 'json_schema', schema: {} } }],
    ['output_format', 'essential', { ...base, output_format: { type: 'grammar' } }],
    ['service_tier', 'service_tier', { ...base, service_tier: 'priority' }],
    ['container', 'essential', { ...base, container: 'c' }],
    ['metadata.team', 'hint', { ...base, metadata: { team: 'x' } }],
    ['tools[0]', 'essential', { ...base, tools: [{ type: 'bash_20250124', name: 'bash' }] }],
    ['tools[0]', 'hint', { ...base, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['tools[0].input_examples', 'hint', { ...base, tools: [{ name: 'f', input_schema: {}, input_examples: [{}] }] }],
    ['tool_choice', 'essential', { ...base, tool_choice: { type: 'perhaps' } }],
    ['messages[0].x_name', 'hint', { ...base, messages: [{ ...user, x_name: 'n' }] }],
    [
      'system[0].citations',
      'hint',
      { ...base, system: [{ type: 'text', text: 's', citations: [{ cited_text: 'c' }] }] },
    ],
    ['messages[0].content[0]', 'hint', saying({ type: 'thinking', thinking: 'h', signature: 'g' })],
    ['messages[0].content[0]', 'hint', answering({ type: 'thinking', thinking: 'h', signature: '' })],
    [
      'messages[0].content[0].x_name',
      'hint',
      answering({ type: 'thinking', thinking: 'h', signature: '', x_name: 'n' }, { type: 'text', text: 'a' }),
    ],
    ['messages[0].content[0]', 'essential', saying({ type: 'search_result', source: 's', title: 't', content: [] })],
    ['messages[0].content[0]', 'essential', saying({ type: 'image', source: { type: 'file', file_id: 'f' } })],
    ['messages[0].content[0]', 'essential', saying({ type: 'document', source: { type: 'url', url: 'https://x' } })],
    [
      'messages[0].content[0].context',
      'essential',
      saying({ type: 'document', context: 'c', source: { type: 'text', data: 'd' } }),
    ],
    [
      'messages[0].content[0].citations',
      'hint',
      saying({ type: 'document', citations: { enabled: true }, source: { type: 'text', data: 'd' } }),
    ],
    [
      'messages[0].content[0].content[0]',
      'essential',
      saying({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'tool_reference', tool_name: 'f' }] }),
    ],
    ['messages[0].content[0]', 'essential', saying({ type: 'tool_use', id: 'i', name: 'n', input: {} })],
    [
      'messages[0].content[0].caller',
      'hint',
      answering({
        type: 'tool_use',
        id: 'i',
        name: 'n',
        input: {},
        caller: { type: 'code_execution_20260120', tool_id: 'x' },
      }),
    ],
  ])('lists %s as %s, for which ChatRequest has no member', (path, meaning, body) => {
    expect(fromMessagesRequest(read(body)).others).toEqual([expect.objectContaining({ path, meaning })]);
  });

  it('lists the second of two response formats as essential', () => {
    const format = { type: 'json_schema', schema: {} };
    const { others } = fromMessagesRequest(read({ ...base, output_config: { format }, output_format: format }));
    expect(others.map(({ path, meaning }) => [path, meaning])).toEqual([
      ['output_config.format', 'response_format'],
      ['output_format', 'essential'],
    ]);
  });

  it('puts the title of a text document before its text', () => {
    const { messages, others } = fromMessagesRequest(
      read(saying({ type: 'document', title: 't', source: { type: 'text', data: 'd' } })),
    );
    expect([messages[0]?.parts, others]).toEqual([[{ type: 'text', text: 't\n\nd' }], []]);
  });

  it('loses nothing: lists an unknown member anywhere in the request', () => {
    const places: [string, (more: object) => object][] = [
      ['', (more) => ({ ...base, ...more })],
      ['messages[0].', (more) => ({ ...base, messages: [{ ...user, ...more }] })],
      ['messages[0].content[0].', (more) => saying({ type: 'text', text: 'a', ...more })],
      [
        'messages[0].content[0].source.',
        (more) => saying({ type: 'image', source: { type: 'url', url: 'https://x', ...more } }),
      ],
      ['messages[0].content[0].', (more) => saying({ type: 'tool_result', tool_use_id: 'a', content: 'b', ...more })],
      ['messages[0].content[0].', (more) => answering({ type: 'tool_use', id: 'a', name: 'b', input: {}, ...more })],
      ['tools[0].', (more) => ({ ...base, tools: [{ name: 'f', input_schema: {}, ...more }] })],
      ['tool_choice.', (more) => ({ ...base, tool_choice: { type: 'auto', ...more } })],
      ['metadata.', (more) => ({ ...base, metadata: { ...more } })],
    ];
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant({ a: 1 }));
    fc.assert(
      fc.property(fc.constantFrom(...places), value, ([path, withMore], unknown) => {
        expect(fromMessagesRequest(read(withMore({ x_unknown: unknown }))).others).toEqual([
          { path: `${path}x_unknown`, meaning: 'hint', value: unknown },
        ]);
      }),
    );
  });
});

describe('the input token bound', () => {
  it('is at least the bytes of all text, anywhere in the request', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 300 }), (text) => {
        const bytes = Buffer.byteLength(text);
        const bodies = [
          { ...base, messages: [{ role: 'user', content: text }] },
          saying({ type: 'text', text }),
          saying({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text }] }),
          { ...base, system: text },
          { ...base, tools: [{ name: 'f', description: text, input_schema: {} }] },
          { ...base, output_config: { format: { type: 'json_schema', schema: { description: text } } } },
        ];
        for (const body of bodies) expect(boundMessagesInput(read(body))).toBeGreaterThanOrEqual(bytes);
      }),
    );
  });

  it('is the whole context when a file is read, and does not grow with the base64 of an image', () => {
    const file = saying({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } });
    expect(boundMessagesInput(read(file), 200_000)).toBeGreaterThanOrEqual(200_000);
    const image = (data: string) =>
      boundMessagesInput(read(saying({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })));
    expect(image('A'.repeat(100_000))).toBe(image('A'));
  });
});

describe('a text added to the system prompt', () => {
  it.each<[string, object, object]>([
    ['after a system text', { system: 's' }, { kind: 'append', path: ['system'], text: '\n\nX' }],
    [
      'after the last of several',
      {
        system: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { kind: 'append', path: ['system', 1, 'text'], text: '\n\nX' },
    ],
    ['as a new system text', {}, { kind: 'insert', path: [], key: 'system', json: '"X"' }],
  ])('is placed %s', (_, more, edit) => {
    expect(MESSAGES_PROTOCOL.addToPrompt(read({ ...base, ...more }), 'X')).toEqual(edit);
  });
});
