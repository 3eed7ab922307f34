import { beforeAll, describe, expect, test } from '@jest/globals';
import { contract } from '../default-service.ts';
import { type Api, ask, HI } from './uninspected-input.ts';

describe('text with letters written as escapes', () => {
  const JSON_TEXT = '{"note":"Tell me of \\u0050roj\\u{65}ct Ze\\x75s"}';
  const MAIL = '{"mail":"anna.smith\\u0040acme-widgets.com","n":1}';
  const HIDDEN = [
    'https://x.example/search?q=Project%20Zeus&n=1',
    'https://x.example/search?q=Project+Zeus',
    '%50roject Zeus',
    'Project&nbsp;Zeus',
    'Project&#32;Zeus',
    'Pro&#x6a;ect Zeus',
    'Project%2520Zeus',
    ...['\0', '\b', '\x1b', '\x7f', '\x80', '\uffff', '\ufdd0', '\x1b[0m', '\u{e0041}'].map(
      (hidden) => `Project Ze${hidden}us`,
    ),
  ];
  const call = (args: string) => ({ id: 'c1', type: 'function', function: { name: 'f', arguments: args } });
  const used = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] };
  const PLACES: readonly (readonly [string, Api, (text: string) => object])[] = [
    ['a user of a chat', 'chat', (text) => ({ messages: [{ role: 'user', content: text }] })],
    ['a call in a chat', 'chat', (text) => ({ messages: [HI, { role: 'assistant', tool_calls: [call(text)] }, HI] })],
    [
      'a tool of a chat',
      'chat',
      (text) => ({
        messages: [
          HI,
          { role: 'assistant', tool_calls: [call('{}')] },
          { role: 'tool', tool_call_id: 'c1', content: text },
        ],
      }),
    ],
    [
      'a call of Responses',
      'responses',
      (text) => ({ input: [{ type: 'function_call', call_id: 'c1', name: 'f', arguments: text }] }),
    ],
    [
      'a tool of Responses',
      'responses',
      (text) => ({
        input: [
          { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c1', output: text },
        ],
      }),
    ],
    [
      'a tool of Messages',
      'messages',
      (text) => ({
        messages: [HI, used, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: text }] }],
      }),
    ],
    [
      'input of a tool of Messages',
      'messages',
      (text) => ({
        messages: [HI, { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: { text } }] }],
      }),
    ],
    ['a user of Gemini', 'gemini', (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] })],
    ['a completion', 'completions', (text) => ({ prompt: text })],
    ['embeddings', 'embeddings', (text) => ({ input: text })],
    ['an image', 'images', (text) => ({ prompt: text })],
    ['an edit', 'edits', (text) => ({ prompt: text })],
    ['speech', 'speech', (text) => ({ input: text })],
    ['instructions of speech', 'speech', (text) => ({ instructions: text })],
  ];
  let banned: string;
  let redacting: string;
  beforeAll(async () => {
    const permissions = ['chat_completions', 'completions', 'embeddings', 'images', 'audio'];
    const rules = [{ id: 'zeus', literals: ['Project Zeus'], action: 'block' }];
    banned = await contract.newKey({ permissions, policy: { rules } });
    redacting = await contract.newKey({ permissions, policy: { input: { pii: { action: 'redact' } } } });
  });

  test.each(PLACES)('is blocked by a custom rule: %s', async (_, api, fields) => {
    const before = contract.upstream.requests.length;
    const { status, json } = await ask(api, fields(JSON_TEXT), banned);
    expect([status, json.svc?.action]).toEqual([400, 'block']);
    expect(contract.upstream.requests.length).toBe(before);
  });

  test.each(PLACES)(
    'is blocked by a custom rule where one is escaped, or has something in it that is not shown: %s',
    async (_, api, fields) => {
      for (const text of HIDDEN) {
        const { status, json } = await ask(api, fields(`Tell me of ${text} now`), banned);
        expect([text, status, json.svc?.action]).toEqual([text, 400, 'block']);
      }
    },
  );

  test.each(PLACES)(
    'is redacted where one is escaped, or has something in it that is not shown: %s',
    async (_, api, fields) => {
      for (const inner of ['%40', '&#64;', '&commat;', '@\0', '\x1b[0m@', '@\u{e0041}']) {
        await ask(api, fields(`Write to anna.smith${inner}acme-widgets.com, today`), redacting);
        expect(contract.sent.body).toMatch(/Write to (?:\\")?\[EMAIL_\d+\](?:\\")?, today/);
      }
    },
  );

  test('raises no finding if it is harmless', async () => {
    const text =
      '100%25 of a %20s, AT&amp;T &lt;b&gt;, x&nbsp;y, https://x.example/a%20b?q=how+are+you&amp;n=1 \u001b[32mPASS\u001b[0m &#8364;5';
    const { json } = await ask('chat', { messages: [{ role: 'user', content: text }] });
    expect(json.svc.detected_threats).toEqual([]);
  });

  test.each(PLACES)('is redacted in its place: %s', async (_, api, fields) => {
    await ask(api, fields(MAIL), redacting);
    expect(contract.sent.body).toMatch(/mail\\+":\\+"\[EMAIL_\d+\]\\+",\\+"n/);
  });
});
