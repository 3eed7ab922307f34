import { describe, expect, it } from '@jest/globals';
import { finish } from '../../../kernel/tasks/index.ts';
import { keepsState, openAiIds, unknownIdsIn } from './named-ids.ts';
import { Places } from './request-places.ts';

const walk = openAiIds(new Places({ free: 'metadata', schemas: 'tools[].parameters' }));
const namedIn = (body: unknown) => finish(walk(body));
const unknownIn = (body: unknown) => namedIn(body).map(({ param, id }) => [param, id]);

it('pauses after 256 values, whatever their structure', () => {
  const list = Array.from({ length: 256 }, (_, at) => `n ${at}`);
  const wide = Object.fromEntries(list.map((name) => [name, 'x']));
  for (const body of [
    { list: Array(50).fill(list) },
    { list: Array(50).fill(wide) },
    { list: Array(12_800).fill({ a: 1 }) },
  ]) {
    const steps = walk(body);
    let pauses = 0;
    while (!steps.next(false).done) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(50);
  }
});

describe('openAiIds', () => {
  it.each([
    [{ thread: { type: 'continue', after: 'x' } }, 'thread.after', 'x'],
    [{ thread: 'latest' }, 'thread', 'latest'],
    [{ THREAD_ID: 'x' }, 'THREAD_ID', 'x'],
    [{ threadid: 'x' }, 'threadid', 'x'],
    [{ 'conversation-ref': ' x ' }, 'conversation-ref', 'x'],
    [{ ſession_id: 'x' }, 'ſession_id', 'x'],
    [{ session: { name: 'x' } }, 'session.name', 'x'],
    [{ parent_id: 7 }, 'parent_id', '7'],
    [{ slotid: 7 }, 'slotid', '7'],
    [{ parentid: 7 }, 'parentid', '7'],
    [{ jobids: [7] }, 'jobids', '7'],
    [{ runId: 7 }, 'runId', '7'],
    [{ id_slot: 7 }, 'id_slot', '7'],
    [{ thread: 7 }, 'thread', '7'],
    [{ Conversation: [7] }, 'Conversation', '7'],
    [{ last_response: 'resp_0' }, 'last_response', 'resp_0'],
    [{ prior: 'x' }, 'prior', 'x'],
    [{ dialogue: 'x' }, 'dialogue', 'x'],
    [{ warm: 'run-1732796400123' }, 'warm', 'run-1732796400123'],
    [{ documents: [{ id: 'x' }] }, 'documents[0].id', 'x'],
    [{ documents: [{ id: 'x', source: { file_id: 'y' } }] }, 'documents[0].source.file_id', 'y'],
    [{ resume: [['x']] }, 'resume[0]', 'x'],
    [{ document_uri: 's3://b/k' }, 'document_uri', 's3://b/k'],
    [{ image_url: 'files/abc' }, 'image_url', 'files/abc'],
    [{ warm: 'msg_01XFDUDYJgAACzvnptvVoYEL' }, 'warm', 'msg_01XFDUDYJgAACzvnptvVoYEL'],
    [{ warm: 'projects/p/locations/l' }, 'warm', 'projects/p/locations/l'],
    [{ messages: [{ content: [{ type: 'ref', id: 'x' }] }] }, 'messages[0].content[0].id', 'x'],
    [
      { data_sources: [{ type: 'azure_search', parameters: { index_name: 'hr' } }] },
      'data_sources[0].parameters.index_name',
      'hr',
    ],
    [
      { dataSource: { endpoint: 'https://x.search.windows.net' } },
      'dataSource.endpoint',
      'https://x.search.windows.net',
    ],
    [{ search_index: 'hr' }, 'search_index', 'hr'],
  ])('finds the reference in %j', (body, param, id) => {
    expect(unknownIn(body)).toEqual([[param, id]]);
  });

  it.each([
    { thread: { type: 'create' } },
    { cache: 'auto', cache_mode: 'x', session_ttl: '5m', store: true, num_threads: 4, cached_tokens: 3 },
    { promptCacheKey: 'x', userId: 'x', trace_id: 'x', tool_call_id: 'x', prompt_cache_isolation_key: 'x' },
    // https://openrouter.ai/docs/features/provider-routing
    { provider: { order: ['openai'], data_collection: 'deny', sort: 'price', zdr: true } },
    // https://console.groq.com/docs/api-reference and https://docs.cohere.com/reference/chat
    {
      documents: [
        { id: 'a', source: { type: 'text', text: 'Hi' } },
        { id: 'b', data: { text: 'Hi' } },
      ],
    },
    // https://learn.microsoft.com/azure/ai-services/openai/reference#usersecuritycontext
    { user_security_context: { application_name: 'a', end_user_id: 'u', end_user_tenant_id: 't' } },
    { previous_text: 'Hello.', next_text: 'there', truncation_strategy: { type: 'last_messages', last_messages: 10 } },
    { litellm_session_id: 'x', litellm_trace_id: 'x', repeat_last_n: 64, version: 'x-20250305', n_keep: 7 },
    { client_metadata: { 'installation-id': '0b9d3c1e-6f0e-4c8e-9d55-0c8a4c1f7a11' }, metadata: { thread_id: 'x' } },
    { tools: [{ type: 'function', parameters: { session_id: 'x' } }] },
    { guided: { type: 'object', properties: { session_id: { const: 'x' } }, required: ['session_id'] } },
    {
      memory: 'The user likes cats.',
      image_url: 'https://example.com/a.png',
      file: { file_data: 'data:a/b;base64,AA' },
    },
    { messages: [{ content: [{ type: 'tool_use', id: 'x', name: 'f', input: {} }] }] },
    { judge: 'gpt-4o-mini-2024-07-18', tool: 'web_search_20250305', models: ['claude-haiku-4-5-20251001'] },
    { moderation: { policy_id: 'x' } },
  ])('finds none in %j', (body) => {
    expect(unknownIn(body)).toEqual([]);
  });

  it('reads a listed member by its name, wherever it is', () => {
    expect(namedIn({ any: { metadata2: { file_id: 'x' } } })).toEqual([
      { id: 'x', what: 'File', param: 'any.metadata2.file_id' },
    ]);
  });
});

describe('unknownIdsIn', () => {
  it.each([
    [{ thread: { id: 'x' } }, ['x']],
    [{ id: 'msg_1', conversation_id: 'x' }, ['x']],
    [
      { id: 'c', choices: [{ logprobs: { content: [{ token: 'Hi' }] }, message: { tool_calls: [{ id: 'call_1' }] } }] },
      [],
    ],
    [{ content: [{ type: 'tool_use', id: 't', input: { thread_id: 'x' } }], metadata: { thread_id: 'x' } }, []],
  ])('%j', (body, ids) => {
    expect(unknownIdsIn(body)).toEqual(ids);
  });
});

describe('keepsState', () => {
  it.each([
    [{ thread: { type: 'create' } }, true],
    [{ store: true }, true],
    [{ store: false, prompt_cache_key: 'x', cache_control: { type: 'ephemeral' } }, false],
  ])('%j: %s', (body, expected) => {
    expect(keepsState(body)).toBe(expected);
  });
});
