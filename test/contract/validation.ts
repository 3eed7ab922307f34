import { describe, expect, test } from '@jest/globals';
import type { ErrorCode } from '../../functions/kernel/errors/index.ts';
import { type Contract, saying } from './contract.ts';
import { expectError } from './reply.ts';

const MESSAGES = [{ role: 'user', content: 'Hello' }];
const MANY = Array.from({ length: 10_000 }, () => ({ role: 'user', content: 'Hello' }));

/** What is laid over a good request (undefined takes a field away), and the field that the error names. */
const FAULTS: [fault: string, fields: Record<string, unknown>, param: string, code?: ErrorCode][] = [
  ['no model', { model: undefined }, 'model', 'missing_field'],
  ['a model that is no text', { model: 5 }, 'model'],
  ['a model that is null', { model: null }, 'model'],
  ['an empty model', { model: '' }, 'model'],
  ['a model of 300 characters', { model: 'm'.repeat(300) }, 'model'],
  ['no messages', { messages: undefined }, 'messages', 'missing_field'],
  ['messages that are no array', { messages: 'Hello' }, 'messages'],
  ['messages that are an object', { messages: { role: 'user', content: 'Hello' } }, 'messages'],
  ['empty messages', { messages: [] }, 'messages'],
  ['a message that is no object', { messages: ['Hello'] }, 'messages[0]'],
  ['a message that is null', { messages: [...MESSAGES, null] }, 'messages[1]'],
  ['a message without role', { messages: [{ content: 'Hello' }] }, 'messages[0].role', 'missing_field'],
  ['a role that is not known', { messages: [{ role: 'robot', content: 'Hello' }] }, 'messages[0].role'],
  ['a role that is no text', { messages: [{ role: 1, content: 'Hello' }] }, 'messages[0].role'],
  ['a message without content', { messages: [{ role: 'user' }] }, 'messages[0].content', 'missing_field'],
  ['content that is a number', { messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
  ['content that is null', { messages: [{ role: 'user', content: null }] }, 'messages[0].content'],
  ['content that is an object', { messages: [{ role: 'user', content: { text: 'Hi' } }] }, 'messages[0].content'],
  [
    'a part of no known type',
    { messages: [{ role: 'user', content: [{ type: 'smell' }] }] },
    'messages[0].content[0].type',
  ],
  [
    'a text part without text',
    { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
    'messages[0].content[0].text',
    'missing_field',
  ],
  [
    'a tool result without its call',
    { messages: [{ role: 'tool', content: 'ok' }] },
    'messages[0].tool_call_id',
    'missing_field',
  ],
  ['stream that is a text', { stream: 'true' }, 'stream'],
  ['stream that is a number', { stream: 1 }, 'stream'],
  ['a temperature below 0', { temperature: -0.01 }, 'temperature'],
  ['a temperature above 2', { temperature: 2.01 }, 'temperature'],
  ['a temperature that is a text', { temperature: '1' }, 'temperature'],
  ['max_tokens 0', { max_tokens: 0 }, 'max_tokens'],
  ['max_tokens below 0', { max_tokens: -5 }, 'max_tokens'],
  ['max_tokens with a fraction', { max_tokens: 1.5 }, 'max_tokens'],
  ['max_tokens that is a text', { max_tokens: '5' }, 'max_tokens'],
  ['a top_p below 0', { top_p: -0.1 }, 'top_p'],
  ['a top_p above 1', { top_p: 1.1 }, 'top_p'],
  ['a top_p that is a boolean', { top_p: true }, 'top_p'],
];

export function validationContract(contract: Contract): void {
  describe('a request with', () => {
    test.each(FAULTS)('%s is a 400 that names the field', async (_, fields, param, code = 'invalid_value') => {
      const reply = await contract.chat({ model: 'echo', messages: MESSAGES, ...fields });
      expectError(reply, code, param);
    });

    test.each([
      ['an unknown model', 'no-such-model', 'model_not_found'],
      ['a provider that is not known', 'nobody/gpt-4o', 'unknown_provider'],
    ] as const)('%s says so', async (_, model, code) => {
      expectError(await contract.chat(saying('Hi', model)), code, 'model');
    });

    test.each([
      ['the least', { temperature: 0, top_p: 0, max_tokens: 1 }],
      ['the greatest', { temperature: 2, top_p: 1, max_tokens: 100_000 }],
      ['nothing (null)', { temperature: null, top_p: null, max_tokens: null, stream: null }],
    ])('%s of each number is served', async (_, fields) => {
      expect((await contract.chat({ ...saying('Hi', 'echo'), ...fields })).status).toBe(200);
    });

    test.each([
      ['/chat/completions', { messages: MANY }],
      ['/messages', { messages: MANY, max_tokens: 10 }],
      ['/messages/count_tokens', { messages: MANY }],
      ['/responses', { input: MANY }],
      ['/models/echo:generateContent', { contents: MANY.map(() => ({ role: 'user', parts: [{ text: 'Hello' }] })) }],
      ['/guard', { messages: MANY, model: undefined }],
      ['/moderations', { input: MANY.map(({ content }) => content) }],
    ])('10,000 messages or items is served: %s', async (path, body) => {
      const reply = await contract.call(path, JSON.stringify({ model: 'echo', ...body }));
      expect([reply.status, reply.json.error?.message]).toEqual([200, undefined]);
    });
  });

  describe('a body', () => {
    test.each([
      ['that is empty', ''],
      ['that is cut short', '{"model":"echo","messages":['],
      ['with a trailing comma', '{"model":"echo",}'],
      ['with a comment', '{/* hi */"model":"echo"}'],
      ['with NaN', '{"model":"echo","temperature":NaN}'],
      ['with a raw control character', '{"model":"ec\u0001ho"}'],
      ['nested 100,000 deep', `{"model":"echo","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      ['nested 100,000 deep and never closed', '['.repeat(100_000)],
      ['nested 65 deep', `{"model":"echo","x":${'['.repeat(64)}${']'.repeat(64)}}`],
      ['with a key twice', '{"model":"echo","model":"gpt-4o","messages":[{"role":"user","content":"Hi"}]}'],
      [
        'with a key twice, once escaped',
        '{"model":"echo","\\u006dodel":"gpt-4o","messages":[{"role":"user","content":"Hi"}]}',
      ],
      ['with a key twice deep inside', '{"model":"echo","messages":[{"role":"user","content":"Hi","content":"Ho"}]}'],
    ])('%s is not valid JSON here', async (_, body) => {
      expectError(await contract.chat(body), 'invalid_json');
    });

    test.each([['null'], ['5'], ['"text"'], ['[]'], ['true']])('of %s is a 400', async (body) => {
      const reply = await contract.chat(body);
      expect(reply).toMatchObject({ status: 400, json: { error: { type: 'invalid_request_error' } } });
    });

    contract.testOf('raw bytes in a body', 'that is not UTF-8 is not valid JSON here', async () => {
      const head = new TextEncoder().encode('{"model":"echo","messages":[{"role":"user","content":"');
      for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
        const body = new Uint8Array([...head, ...bytes, ...new TextEncoder().encode('"}]}')]);
        expectError(await contract.call('/chat/completions', body), 'invalid_json');
      }
    });

    test('larger than the platform takes is a 413', async () => {
      const reply = await contract.chat(saying('x'.repeat(7 * 1024 * 1024), 'echo'));
      expect(reply.status).toBe(413);
      if (contract.skips['its own size limit'] === undefined) expectError(reply, 'request_too_large');
    });

    test.each([
      ['text/plain'],
      ['application/x-www-form-urlencoded'],
      ['multipart/form-data; boundary=x'],
      ['application/jsonp'],
    ])('of the type %s is a 415', async (type) => {
      const body = JSON.stringify(saying('Hi', 'echo'));
      expectError(await contract.chat(body, { headers: { 'content-type': type } }), 'unsupported_media_type');
    });

    test.each([['gzip'], ['br'], ['deflate'], ['zstd'], ['identity, gzip']])(
      'that says it is compressed (%s) is a 415, whatever it holds, and never unpacked',
      async (encoding) => {
        const headers = { 'content-encoding': encoding };
        expectError(await contract.chat(saying('Hi', 'echo'), { headers }), 'unsupported_media_type');
        expectError(await contract.chat(saying('Hi', 'echo'), { headers, key: '' }), 'invalid_api_key');
      },
    );

    test('of JSON with a charset is served', async () => {
      const headers = { 'content-type': 'application/JSON; charset=utf-8' };
      expect((await contract.chat(saying('Hi', 'echo'), { headers })).status).toBe(200);
    });
  });

  describe('an address', () => {
    test.each([
      ['/nothing'],
      ['/chat'],
      ['/chat/completions//'],
      ['/chat/completions/x'],
      ['/chat%2Fcompletions'],
      ['/admin/nothing'],
    ])('of %s is a 404', async (path) => {
      expectError(await contract.call(path, '{}'), 'not_found');
    });

    test.each([['GET'], ['PUT'], ['DELETE'], ['PATCH']])(
      'with the method %s is a 405 that says what is allowed',
      async (method) => {
        const reply = await contract.call('/chat/completions', method === 'GET' ? undefined : '{}', { method });
        expectError(reply, 'method_not_allowed');
        expect(reply.headers.get('allow')).toBe('POST');
      },
    );
  });

  describe('a tracking header', () => {
    test.each([
      ['of 300 characters', 's'.repeat(300)],
      ['that is not ASCII', 'Zoë'],
      ['with a tab in it', 'a\tb'],
    ])('%s is a 400 that names it', async (_, value) => {
      for (const name of ['X-Session-ID', 'X-End-User-ID', 'X-User-ID', 'X-Environment', 'X-App-Version']) {
        expectError(await contract.chat(saying('Hi', 'echo'), { headers: { [name]: value } }), 'invalid_value', name);
      }
    });

    test('of 256 visible characters is taken', async () => {
      const session = '~'.repeat(256);
      const { headers } = await contract.chat(saying('Hi', 'echo'), { headers: { 'x-session-id': session } });
      expect(headers.get('x-svc-session-id')).toBe(session);
    });
  });
}
