import { describe, expect, test } from '@jest/globals';
import { GITHUB_TOKEN } from '../../contract/inspection/planted-secret.ts';
import { expectError } from '../../contract/reply.ts';
import { contract } from '../default-service.ts';

const BANNED = { rules: [{ id: 'zeus', literals: ['Project Zeus'], action: 'block' }] };
const NAME = 'Project Zeus';
const each = (text: string, write: (letter: string) => string) => [...text].map(write).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const chat = (content: object) =>
  ['/chat/completions', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: [content] }] }] as const;
const chatFile = (text: string, type = 'text/html') =>
  chat({ type: 'file', file: { file_data: `data:${type};base64,${base64(text)}`, filename: 'a' } });
const FILE = 'messages[0].content[0].file.file_data';

async function post([path, body]: readonly [string, object], policy: object = BANNED) {
  const key = await contract.newKey({ policy });
  return contract.call(path, JSON.stringify(body), { key });
}

const MARKUP: readonly (readonly [form: string, write: (text: string) => string])[] = [
  ['tspans', (text) => `<svg><text>${each(text, (letter) => `<tspan x="1">${letter}</tspan>`)}</text></svg>`],
  ['spans', (text) => `<p>${each(text, (letter) => `<span class='a'>${letter}</span>`)}</p>`],
  ['bold letters', (text) => `<p>${each(text, (letter) => `<b>${letter}</b>`)}</p>`],
  ['elements of no known name', (text) => `<doc>${each(text, (letter) => `<x:y>${letter}</x:y>`)}</doc>`],
  ['comments', (text) => each(text, (letter) => `${letter}<!-- a > b -->`)],
  ['empty elements', (text) => each(text, (letter) => `${letter}<wbr>`)],
  ['CDATA sections', (text) => `<doc>${each(text, (letter) => `<![CDATA[${letter}]]>`)}</doc>`],
  ['numbers of characters', (text) => `<p>${each(text, (letter) => `&#${letter.charCodeAt(0)};`)}</p>`],
  ['a few numbers of characters', (text) => `<p>${text.replace('e', '&#x65;').replace(' ', '&nbsp;')}</p>`],
];

describe('a text in markup', () => {
  test.each(MARKUP)('is inspected as displayed in a file: %s', async (_, write) => {
    expectError(await post(chatFile(write(NAME))), 'content_filter', FILE);
  });

  test.each(MARKUP)('is inspected as displayed in a message and in a tool’s result: %s', async (_, write) => {
    expectError(await post(chat({ type: 'text', text: write(NAME) })), 'content_filter', 'messages[0].content[0].text');
    const result = { type: 'tool_result', tool_use_id: 't1', content: write(NAME) };
    const messages = [{ role: 'user', content: [result] }];
    const call = ['/messages', { model: 'claude-sonnet-4-5', max_tokens: 9, messages }] as const;
    const { status, json } = await post(call);
    expect([status, json.svc.detected_threats[0].rule]).toEqual([400, 'custom/zeus']);
  });

  test('that is a secret is redacted, and its tags stay', async () => {
    const page = `<p>Use ${each(GITHUB_TOKEN, (letter) => `<b>${letter}</b>`)} for it.</p>`;
    const reply = await post(chatFile(page), { input: { secret: { action: 'redact' } } });
    expect(reply.json.svc).toMatchObject({ action: 'redact', detected_threats: [{ type: 'secret' }] });
    const sent = JSON.parse(contract.sent.body).messages[0].content[0].file.file_data;
    const text = Buffer.from(sent.split(',')[1], 'base64').toString();
    expect(text).toMatch(/^<p>Use <b>\[REDACTED_[A-Z_]+\]<\/b>(?:<b><\/b>)+ for it\.<\/p>$/);
  });

  test.each([
    [
      'blocks of a page',
      '<p>Project</p><p>Plan</p><h2>Zeus</h2><table><tr><td>4111</td><td>1111</td><td>1111</td><td>1111</td></tr></table>',
    ],
    [
      'values of data',
      '<row><id>4111111</id><sum>111111111</sum><mail>ann.lee</mail><host>@corp-mail.net</host></row>',
    ],
    ['a program', 'const a = new Map<string, number>(); if (a < b && c > d) return List<Project>(Zeus);'],
    ['an entity', '<p>Fish &amp; chips&nbsp;&copy; 2026</p>'],
  ])('is nothing that it does not say: %s', async (_, text) => {
    const reply = await post(chatFile(text), { ...BANNED, input: { pii: { action: 'block' } } });
    expect([reply.status, reply.json.svc.detected_threats]).toEqual([200, []]);
  });
});

const ADDRESSES = [
  ['a space', 'https://x.example/?q=Project%20Zeus'],
  ['a plus sign', 'https://x.example/?q=Project+Zeus'],
  ['letters', 'https://x.example/%50%72oject%20%5Aeus.png'],
] as const;
const PLACES: readonly (readonly [place: string, call: (address: string) => readonly [string, object]])[] = [
  ['an image of chat', (url) => chat({ type: 'image_url', image_url: { url } })],
  [
    'an image of responses',
    (image_url) => [
      '/responses',
      { model: 'gpt-4o-mini', input: [{ role: 'user', content: [{ type: 'input_image', image_url }] }] },
    ],
  ],
  [
    'a file of responses',
    (file_url) => [
      '/responses',
      { model: 'gpt-4o-mini', input: [{ role: 'user', content: [{ type: 'input_file', file_url }] }] },
    ],
  ],
  [
    'an image of messages',
    (url) => [
      '/messages',
      {
        model: 'claude-sonnet-4-5',
        max_tokens: 9,
        messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
      },
    ],
  ],
  [
    "Gemini's file",
    (fileUri) => [
      '/models/echo:generateContent',
      { contents: [{ role: 'user', parts: [{ fileData: { fileUri, mimeType: 'image/png' } }] }] },
    ],
  ],
];

describe('a text in a URL', () => {
  test.each(PLACES.flatMap(([place, call]) => ADDRESSES.map(([form, url]) => [form, place, call(url)] as const)))(
    'is read without its encoding: %s, in %s',
    async (_, __, call) => {
      const before = contract.upstream.requests.length;
      const { status, json } = await post(call);
      expect([status, json.svc.action, json.svc.detected_threats[0].rule]).toEqual([400, 'block', 'custom/zeus']);
      expect(contract.upstream.requests.length).toBe(before);
    },
  );

  test.each([
    'See https://m.example.nl/v?x=%7Bid%7D&u=a%40b.nl for it.',
    'See https://x.example.com/a%3Db%26c%40d.de/e for it.',
  ])('is no personal data: %s', async (text) => {
    const reply = await post(chat({ type: 'text', text }), { input: { pii: { action: 'redact' } } });
    expect([reply.status, reply.json.svc.detected_threats]).toEqual([200, []]);
  });

  test('has no finding if the URL is an ordinary one', async () => {
    const url =
      'https://b.example/a%20picture.png?se=2026-01-01T00%3A00%3A00Z&sig=q5%2Bx9Zl0aT%2FkW3mC7uE1oR8vYbN4dS2hJ6gF0iPqLtU%3D&mail=ann%40corp-mail.net';
    const reply = await post(chat({ type: 'image_url', image_url: { url } }), {
      ...BANNED,
      input: { pii: { action: 'block' } },
    });
    expect([reply.status, reply.json.svc.detected_threats]).toEqual([200, []]);
  });
});
