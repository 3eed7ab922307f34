import './file-formats.cases.ts';
import './office-files.cases.ts';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { field, file, writtenForm } from '../../../functions/kernel/json/form.fixture.ts';
import { expectError, UNSUSPICIOUS } from '../../contract/reply.ts';
import {
  ASK,
  ATTACK,
  base64,
  chat,
  chatFile,
  contract,
  dataUrl,
  gemini,
  messages,
  PNG,
  post,
  responses,
  source,
  user,
  utf16,
} from './files.ts';

type Place = readonly [place: string, call: readonly [path: string, body: object], param: string];

/** Each place of a file in a request, by API, and the field that findings name. */
const PLACES: readonly Place[] = [
  ['a file of chat', chatFile(dataUrl(ATTACK)), 'messages[0].content[1].file.file_data'],
  ['a file of chat without a media type', chatFile(base64(ATTACK)), 'messages[0].content[1].file.file_data'],
  [
    "a chat's image",
    chat({ type: 'image_url', image_url: { url: dataUrl(ATTACK) } }),
    'messages[0].content[1].image_url.url',
  ],
  [
    "a chat's audio",
    chat({ type: 'input_audio', input_audio: { data: base64(ATTACK), format: 'wav' } }),
    'messages[0].content[1].input_audio.data',
  ],
  [
    'a file of responses',
    responses({ type: 'input_file', filename: 'a.md', file_data: dataUrl(ATTACK, 'text/markdown') }),
    'input[0].content[1].file_data',
  ],
  [
    'an image of responses',
    responses({ type: 'input_image', image_url: dataUrl(ATTACK) }),
    'input[0].content[1].image_url',
  ],
  [
    "a tool's output of responses",
    [
      '/responses',
      {
        model: 'gpt-4o-mini',
        input: [
          { role: 'user', content: 'Go on.' },
          { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
          {
            type: 'function_call_output',
            call_id: 'c1',
            output: [{ type: 'input_file', file_data: dataUrl(ATTACK), filename: 'a.txt' }],
          },
        ],
      },
    ],
    'input[2].output[0].file_data',
  ],
  [
    'a document of messages',
    messages({ type: 'document', source: source(base64(ATTACK)) }),
    'messages[0].content[1].source.data',
  ],
  [
    'an image of messages',
    messages({ type: 'image', source: source(base64(ATTACK), 'image/png') }),
    'messages[0].content[1].source.data',
  ],
  [
    "a tool's result of messages",
    messages({
      type: 'tool_result',
      tool_use_id: 't1',
      content: [{ type: 'document', source: source(base64(ATTACK), 'text/html') }],
    }),
    'messages[0].content[1].content[0].source.data',
  ],
  [
    "Gemini's inlineData",
    gemini({ text: 'Read it.' }, { inlineData: { mimeType: 'text/csv', data: base64(ATTACK) } }),
    'contents[0].parts[1].inlineData.data',
  ],
  [
    "Gemini's inline_data",
    gemini({ text: 'Read it.' }, { inline_data: { mime_type: 'application/json', data: base64(ATTACK) } }),
    'contents[0].parts[1].inline_data.data',
  ],
  [
    "a function's response of Gemini",
    gemini({
      functionResponse: {
        name: 'f',
        response: {},
        parts: [{ inlineData: { mimeType: 'text/plain', data: base64(ATTACK) } }],
      },
    }),
    'contents[0].parts[0].functionResponse.parts[0].inlineData.data',
  ],
  [
    'an image that the guard is asked about',
    ['/guard', { ...user(ASK, { type: 'image_url', image_url: { url: dataUrl(ATTACK) } }) }],
    'messages[0].content[1].image_url.url',
  ],
];

describe('an attack in a file', () => {
  test.each(PLACES)('is found in %s', async (_, call, param) => {
    const before = contract.upstream.requests.length;
    const { status, json } = await post(call);
    expect(status).toBe(call[0] === '/guard' ? 200 : 400);
    expect(json.svc).toMatchObject({ action: 'block', coverage: { skipped: [] } });
    expect(json.svc.detected_threats[0].location).toMatchObject({ part: 'input', field: param });
    expect(contract.upstream.requests.length).toBe(before);
  });

  test('is found in a file that a form uploads as audio', async () => {
    const key = await contract.newKey({ permissions: ['audio'] });
    const upload = (content: string | Uint8Array) =>
      contract.call('/audio/transcriptions', writtenForm([field('model', 'echo'), file(content)]), {
        key,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      });
    expectError(await upload(ATTACK), 'content_filter', 'file');
    expect((await upload(PNG)).json.svc.coverage.skipped).toEqual(['file: audio']);
  });
});

describe('personal data in a file', () => {
  const MAIL = 'ann.lee@corp-mail.net';
  const TEXT = `Größe: Write to ${MAIL}, please.`;

  test('is redacted in its place, and restored in the response', async () => {
    const key = await contract.newKey({ policy: { input: { pii: { action: 'redact' } } } });
    contract.upstream.next({ text: 'Done.' });
    const reply = await post(chatFile(dataUrl(TEXT)), key);
    expect(reply.json.svc).toMatchObject({ action: 'redact', coverage: { skipped: [] } });
    const sent = JSON.parse(contract.sent.body).messages[0].content[1].file;
    const [head, data] = sent.file_data.split(',');
    expect([head, sent.filename]).toEqual(['data:text/plain;base64', 'notes.txt']);
    const text = Buffer.from(data, 'base64').toString();
    expect(text).toMatch(/^Größe: Write to \[EMAIL_\d+\], please\.$/);
    contract.upstream.next({ text: `I write to ${/\[EMAIL_\d+\]/.exec(text)?.[0]}.` });
    const again = await post(chatFile(dataUrl(TEXT)), key);
    expect(again.json.choices[0].message.content).toBe(`I write to ${MAIL}.`);
  });

  test('does not pass if the file cannot be written again', async () => {
    const key = await contract.newKey({ policy: { input: { pii: { action: 'redact' } } } });
    const reply = await post(chatFile(dataUrl(utf16(TEXT))), key);
    expectError(reply, 'content_filter', 'messages[0].content[1].file.file_data');
  });
});

describe('a file without findings', () => {
  test.each([
    ['of text', chatFile(dataUrl('A, B\n1, 2\n', 'text/csv')), []],
    ['that is a picture', chat({ type: 'image_url', image_url: { url: dataUrl(PNG, 'image/png') } }), ['image']],
    ['at an address', chat({ type: 'image_url', image_url: { url: 'https://images.example/a.png' } }), ['image']],
    ['by its id', chat({ type: 'file', file: { file_id: 'file-abc', file_data: dataUrl('Hi') } }), ['file']],
  ])('%s reaches the provider byte for byte', async (_, call, unread) => {
    const reply = await post(call);
    expect(reply.status).toBe(200);
    expect(contract.sent.body).toBe(JSON.stringify(call[1]));
    expect(reply.json.svc.coverage.skipped).toEqual(unread.map((what) => `messages[0].content[1]: ${what}`));
  });
});

describe('content that cannot be read', () => {
  const IMAGE = chat({ type: 'image_url', image_url: { url: dataUrl(PNG, 'image/png') } });
  const PLACES: readonly (readonly [string, readonly [string, object], string])[] = [
    ['an image of chat', IMAGE, 'messages[0].content[1]'],
    [
      'audio of chat',
      chat({ type: 'input_audio', input_audio: { data: base64(PNG), format: 'wav' } }),
      'messages[0].content[1]',
    ],
    ['a file of chat by its id', chat({ type: 'file', file: { file_id: 'file-abc' } }), 'messages[0].content[1]'],
    [
      'a file of responses by its address',
      responses({ type: 'input_file', file_url: 'https://a.example/b.pdf' }),
      'input[0].content[1]',
    ],
    [
      'an image of messages',
      messages({ type: 'image', source: source(base64(PNG), 'image/png') }),
      'messages[0].content[1]',
    ],
    [
      'an archive',
      messages({ type: 'document', source: source(base64(gzipSync(ATTACK)), 'text/plain') }),
      'messages[0].content[1]',
    ],
    [
      "Gemini's media",
      gemini({ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: base64(PNG) } }),
      'contents[0].parts[1]',
    ],
    [
      'text in a charset that is not read',
      chatFile(dataUrl('Hi +-', 'text/plain;charset=utf-7')),
      'messages[0].content[1]',
    ],
    [
      'text of messages in a charset that is not read',
      messages({
        type: 'document',
        source: source(base64(Buffer.from('c8c94ac8c9', 'hex')), 'text/plain; charset=cp500'),
      }),
      'messages[0].content[1]',
    ],
    [
      "Gemini's text in a charset that is not read",
      gemini({ text: 'Hi' }, { inlineData: { mimeType: 'text/plain; charset=utf-7', data: base64('Hi +-') } }),
      'contents[0].parts[1]',
    ],
    ["Gemini's file", gemini({ text: 'Hi' }, { fileData: { fileUri: 'https://a.example/b' } }), 'contents[0].parts[1]'],
  ];

  test.each(PLACES)('is blocked if the policy blocks it: %s', async (_, call, param) => {
    const key = await contract.newKey({ policy: { unreadable: 'block' } });
    const before = contract.upstream.requests.length;
    const { status, json } = await post(call, key);
    expect(status).toBe(400);
    expect(json.svc).toMatchObject({ action: 'block', threat_score: UNSUSPICIOUS });
    expect(json.svc.coverage.skipped).toHaveLength(1);
    expect(json.svc.detected_threats).toEqual([
      {
        type: 'obfuscation',
        category: 'unreadable',
        score: 0,
        severity: 'low',
        action: 'block',
        rule: 'files/unreadable',
        message: expect.stringContaining('cannot be read'),
        location: { part: 'input', message: 0, field: param, start: 0, end: 0 },
        owasp: 'LLM01:2025',
        atlas: null,
      },
    ]);
    expect(contract.upstream.requests.length).toBe(before);
  });

  test('is flagged if the policy flags it, and passes by default with every preset', async () => {
    const flagging = await contract.newKey({ policy: { unreadable: 'flag' } });
    expect(await post(IMAGE, flagging)).toMatchObject({ status: 200, json: { svc: { action: 'flag' } } });
    for (const preset of ['monitor', 'balanced', 'strict']) {
      const key = await contract.newKey({ policy: { preset } });
      expect(await post(IMAGE, key)).toMatchObject({ status: 200, json: { svc: { action: 'allow' } } });
    }
  });

  test('is neither text nor a file stored at the provider', async () => {
    const key = await contract.newKey({
      policy: { unreadable: 'block' },
      permissions: ['chat_completions', 'audio', 'embeddings'],
    });
    const first = await post(['/responses', { model: 'gpt-4o-mini', input: 'Hi' }], key);
    const next = { model: 'gpt-4o-mini', input: 'And now?', previous_response_id: first.json.id };
    expect(await post(['/responses', next], key)).toMatchObject({ status: 200 });
    expect(await post(chatFile(dataUrl('A, B')), key)).toMatchObject({ status: 200 });
    expectError(await post(['/embeddings', { model: 'echo', input: [1, 2, 3] }], key), 'content_filter', 'input');
  });
});
