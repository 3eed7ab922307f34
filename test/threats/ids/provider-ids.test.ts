import './given-ids.cases.ts';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import {
  answersWith,
  blocks,
  CHAT,
  call,
  citing,
  closed,
  contents,
  file,
  filesApi,
  fresh,
  GEMINI,
  hi,
  inputOf,
  type Json,
  keyOf,
  MESSAGES,
  messages,
  open,
  RESPONSES,
  responses,
  said,
  sent,
  someKey,
  wholeAnswer,
} from './provider-ids.ts';

const COUNT = '/messages/count_tokens';

/** Every place in which a request names what a provider keeps. */
const PLACES: readonly [path: string, place: string, body: (id: string) => Json][] = [
  [RESPONSES, 'previous_response_id', (id) => responses({ previous_response_id: id })],
  [RESPONSES, 'conversation', (id) => responses({ conversation: id })],
  [RESPONSES, 'conversation.id', (id) => responses({ conversation: { id } })],
  [RESPONSES, 'prompt.id', (id) => responses({ prompt: { id } })],
  [RESPONSES, 'item_reference', (id) => inputOf({ type: 'item_reference', id })],
  [RESPONSES, 'reasoning', (id) => inputOf({ type: 'reasoning', id, summary: [] })],
  [RESPONSES, 'encrypted reasoning', (id) => inputOf({ type: 'reasoning', id, summary: [], encrypted_content: 'x' })],
  [
    RESPONSES,
    'encrypted search',
    (id) => inputOf({ type: 'file_search_call', id, encrypted_content: 'x', queries: [] }),
  ],
  [RESPONSES, 'image call', (id) => inputOf({ type: 'image_generation_call', id, encrypted_content: '' })],
  [RESPONSES, 'MCP list', (id) => inputOf({ type: 'mcp_list_tools', id, server_label: 's', tools: [] })],
  [RESPONSES, 'MCP call', (id) => inputOf({ type: 'mcp_call', id, server_label: 's', name: 'n', arguments: '{}' })],
  [
    RESPONSES,
    'MCP approval',
    (id) => inputOf({ type: 'mcp_approval_response', approval_request_id: id, approve: true }),
  ],
  [RESPONSES, 'file', (id) => inputOf({ role: 'user', content: [{ type: 'input_file', file_id: id }] })],
  [
    RESPONSES,
    'image',
    (id) => inputOf({ role: 'user', content: [{ type: 'input_image', file_id: id, detail: 'auto' }] }),
  ],
  [
    RESPONSES,
    'a part not known yet',
    (id) => inputOf({ role: 'user', content: [{ type: 'input_video', file_id: id }] }),
  ],
  [
    RESPONSES,
    'output',
    (id) => inputOf({ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: id }] }),
  ],
  [
    RESPONSES,
    'variable',
    (id) => responses({ prompt: { id: 'OWN', variables: { note: { type: 'input_file', file_id: id } } } }),
  ],
  [RESPONSES, 'vector store', (id) => responses({ tools: [{ type: 'file_search', vector_store_ids: [id] }] })],
  [RESPONSES, 'container', (id) => responses({ tools: [{ type: 'code_interpreter', container: id }] })],
  [
    RESPONSES,
    'file_ids',
    (id) => responses({ tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: [id] } }] }),
  ],
  [
    RESPONSES,
    'container_id',
    (id) => responses({ tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: id } }] }),
  ],
  [
    RESPONSES,
    'skill',
    (id) =>
      responses({
        tools: [
          {
            type: 'shell',
            environment: { type: 'container_auto', skills: [{ type: 'skill_reference', skill_id: id }] },
          },
        ],
      }),
  ],
  [RESPONSES, 'mask', (id) => responses({ tools: [{ type: 'image_generation', input_image_mask: { file_id: id } }] })],
  [RESPONSES, 'tunnel', (id) => responses({ tools: [{ type: 'mcp', server_label: 's', tunnel_id: id }] })],
  [CHAT, 'file', (id) => said({ type: 'file', file: { file_id: id } })],
  [
    CHAT,
    'audio',
    (id) => ({
      model: 'gpt-4o',
      messages: [
        { role: 'assistant', audio: { id } },
        { role: 'user', content: 'Go on' },
      ],
    }),
  ],
  [CHAT, 'voice', (id) => ({ ...said({ type: 'text', text: 'Hi' }), audio: { format: 'wav', voice: { id } } })],
  [MESSAGES, 'container', (id) => messages({ container: id })],
  [MESSAGES, 'container.id', (id) => messages({ container: { id, skills: [] } })],
  [MESSAGES, 'skill', (id) => messages({ container: { skills: [{ type: 'custom', skill_id: id }] } })],
  [MESSAGES, 'document', (id) => blocks({ type: 'document', source: file(id) })],
  [MESSAGES, 'image', (id) => blocks({ type: 'image', source: file(id) })],
  [MESSAGES, 'upload', (id) => blocks({ type: 'container_upload', file_id: id })],
  [
    MESSAGES,
    'result',
    (id) => blocks({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: file(id) }] }),
  ],
  [MESSAGES, 'diagnostics', (id) => messages({ diagnostics: { previous_message_id: id } })],
  [COUNT, 'document', (id) => blocks({ type: 'document', source: file(id) })],
  [COUNT, 'container', (id) => messages({ container: id })],
  [GEMINI, 'cachedContent', (id) => ({ ...hi, cachedContent: id })],
  [GEMINI, 'cached_content', (id) => ({ ...hi, cached_content: id })],
  [GEMINI, 'fileUri', (id) => contents({ fileData: { fileUri: id, mimeType: 'image/png' } })],
  [GEMINI, 'file_uri', (id) => contents({ file_data: { file_uri: id, mime_type: 'image/png' } })],
  [
    GEMINI,
    'result',
    (id) => contents({ functionResponse: { name: 'f', response: {}, parts: [{ fileData: { fileUri: id } }] } }),
  ],
  [GEMINI, 'system', (id) => ({ ...hi, systemInstruction: { parts: [{ fileData: { fileUri: id } }] } })],
  [GEMINI, 'store', (id) => ({ ...hi, tools: [{ fileSearch: { fileSearchStoreNames: [id] } }] })],
];

describe('an id that the gateway has given to no key', () => {
  test.each(PLACES)('is not forwarded to %s as %s', async (path, _, body) => {
    const { status, text: reply } = await call(closed, await someKey(closed), path, body('made_outside'));
    expect([status, sent]).toEqual([404, []]);
    expect(reply).toContain('not found');
  });

  test.each([
    'https://generativelanguage.googleapis.com/v1beta/files/abc',
    'HTTPS://GenerativeLanguage.googleapis.com./v1beta/%66iles/abc?alt=media',
    'files/abc',
    'gs://bucket/object',
  ])('is not forwarded as the address %s', async (uri) => {
    const body = contents({ fileData: { fileUri: uri } });
    const { status } = await call(closed, await someKey(closed), GEMINI, body);
    expect([status, sent]).toEqual([404, []]);
  });
});

/** Values that name no resource of the account: informational ids, names chosen by callers, addresses. */
const FREE: readonly [path: string, body: Json][] = [
  [RESPONSES, responses({ metadata: { file_id: 'mine', container: 'mine' }, prompt_cache_key: 'mine', user: 'mine' })],
  [
    RESPONSES,
    responses({
      tools: [{ type: 'function', name: 'f', parameters: { file_id: 'x', properties: { container: {} } } }],
    }),
  ],
  [RESPONSES, inputOf({ type: 'function_call', id: 'fc_mine', call_id: 'c', name: 'f', arguments: '{"file_id":"x"}' })],
  [
    RESPONSES,
    inputOf({
      type: 'message',
      id: 'msg_mine',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'See', annotations: [{ type: 'file_citation', file_id: 'file-of-store' }] },
      ],
    }),
  ],
  [
    RESPONSES,
    responses({
      tools: [
        { type: 'mcp', server_label: 's', connector_id: 'connector_gmail', server_url: 'https://mcp.example.com' },
      ],
    }),
  ],
  [
    CHAT,
    {
      ...said({ type: 'text', text: 'Hi' }),
      metadata: { file_id: 'x' },
      store: true,
      prediction: { type: 'content', content: 'x' },
    },
  ],
  [
    CHAT,
    {
      model: 'gpt-4o',
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"file_id":"x"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{"file_id":"x"}' },
      ],
    },
  ],
  [
    MESSAGES,
    messages({
      metadata: { user_id: 'x' },
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'f', input: { file_id: 'x', container: 'y' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] },
      ],
    }),
  ],
  [MESSAGES, messages({ container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } })],
  [
    MESSAGES,
    messages({
      mcp_servers: [{ type: 'url', url: 'https://mcp.example.com', name: 'x' }],
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    }),
  ],
  [MESSAGES, messages({ diagnostics: { previous_message_id: null } })],
  [GEMINI, contents({ fileData: { fileUri: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' } })],
  [GEMINI, contents({ fileData: { fileUri: 'https://example.com/a.pdf', mimeType: 'application/pdf' } })],
  [GEMINI, contents({ functionCall: { name: 'f', args: { fileUri: 'files/x', cachedContent: 'y' } } })],
];

test.each(FREE)('%s: a value that names no resource of the account passes byte by byte: %j', async (path, body) => {
  answersWith(wholeAnswer(path, {}));
  const { status } = await call(closed, await someKey(closed), path, body);
  expect([status, JSON.parse(sent[0]?.body ?? '')]).toEqual([200, body]);
});

describe('if the deployment lists prefixes', () => {
  test.each([
    [CHAT, said({ type: 'file', file: { file_id: 'file-made-outside' } })],
    [GEMINI, { ...hi, cachedContent: 'cachedContents/abc' }],
    [GEMINI, contents({ fileData: { fileUri: filesApi('files/abc') } })],
    [GEMINI, contents({ fileData: { fileUri: 'gs://shared/a.pdf' } })],
    [RESPONSES, responses({ previous_response_id: 'resp_before' })],
  ])('%s: what begins so passes, without a wait: %j', async (path, body) => {
    answersWith(wholeAnswer(path, {}));
    expect((await call(open, await someKey(open), path, body)).status).toBe(200);
    expect(sent.length).toBe(1);
  });

  test.each([
    [MESSAGES, blocks({ type: 'document', source: file('file_other') })],
    [GEMINI, { ...hi, cachedContent: 'projects/p/cachedContents/abc' }],
    [GEMINI, contents({ fileData: { fileUri: 'gs://other/a.pdf' } })],
  ])('%s: what begins otherwise is 404: %j', async (path, body) => {
    expect((await call(open, await someKey(open), path, body)).status).toBe(404);
    expect(sent).toEqual([]);
  });

  test("a blocked response belongs to no key, not even the caller's", async () => {
    const key = await keyOf(open);
    const id = fresh('resp_');
    const text = 'Well. SVC-TEST-BLOCK-7f3a';
    const item = { ...citing({}), content: [{ type: 'output_text', text, annotations: [] }] };
    answersWith({ ...wholeAnswer(RESPONSES, { output: [item] }), id });
    expect((await call(open, key, RESPONSES, responses({}))).text).toContain(id);
    const again = () => call(open, key, RESPONSES, responses({ previous_response_id: id }));
    await eventually(async () => (await again()).status === 404);
  });
});

test('a request with too many ids is a 400', async () => {
  const file_ids = Array.from({ length: 10_001 }, (_, at) => `file-${at}`);
  const tools = [{ type: 'code_interpreter', container: { type: 'auto', file_ids } }];
  const { status, code } = await call(closed, await someKey(closed), RESPONSES, responses({ tools }));
  expect([status, code, sent]).toEqual([400, 'invalid_value', []]);
});
