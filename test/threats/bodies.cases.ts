import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { saying } from '../contract/contract.ts';
import { expectError, expectErrorShape } from '../contract/reply.ts';
import { byDayOrNight } from '../support/night.ts';
import { contract } from './default-service.ts';

const POLLUTION = '"__proto__":{"model":"echo","stream":true,"permissions":["admin"],"polluted":1}';
const CONSTRUCTOR = '"constructor":{"prototype":{"polluted":1,"stream":true}}';

describe('members named like those of every object', () => {
  test('are refused outside free JSON, and set nothing', async () => {
    expectError(
      await contract.chat(`{${POLLUTION},"messages":[{"role":"user","content":"Hi"}]}`),
      'invalid_value',
      '__proto__',
    );
    expectError(
      await contract.chat(`{"model":"echo",${CONSTRUCTOR},"messages":[{"role":"user","content":"Hi"}]}`),
      'invalid_value',
      'constructor',
    );
    const inMetadata = `{"model":"echo","messages":[{"role":"user","content":"Hi"}],"metadata":{${POLLUTION},${CONSTRUCTOR}}}`;
    const whole = await contract.chat(inMetadata);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/json']);
    const fresh = await contract.createKey();
    expect(fresh).toMatchObject({ tags: {}, permissions: ['chat_completions'] });
    expectError(await contract.call('/admin/keys', undefined, { key: fresh.key }), 'insufficient_permissions');
  });

  test.each([
    ['POST', '/keys', `{"name":"a","tags":{"__proto__":"b"}}`, 'tags.__proto__'],
    ['POST', '/keys', `{"name":"a","policy":{"input":{"__proto__":{"action":"off"}}}}`, 'policy.input.__proto__'],
    ['PATCH', '/keys/{id}', `{"tags":{"constructor":"b"}}`, 'tags.constructor'],
    ['POST', '/keys/{id}/rotate', `{"__proto__":{"graceSeconds":0}}`, '__proto__'],
    ['PUT', '/policy', `{"output":{"__proto__":{"action":"off"}}}`, 'output.__proto__'],
    ['POST', '/policy/replay', `{"policy":{"input":{"__proto__":{}}}}`, 'policy.input.__proto__'],
    ['POST', '/playground/guard', `{"input":"a","__proto__":{"as":"tool"}}`, '__proto__'],
    ['POST', '/webhooks', `{"url":"https://example.com","events":["threat.detected"],"__proto__":{}}`, '__proto__'],
  ])('are refused by the admin API: %s %s %s', async (method, path, body, param) => {
    const { id } = await contract.createKey();
    const options = { method, key: contract.service.adminKey };
    expectError(await contract.call(`/admin${path.replace('{id}', id)}`, body, options), 'invalid_value', param);
  });

  test('reach a provider of the same API byte by byte, in free JSON', async () => {
    const body = `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hi"}],"metadata":{"__proto__":"a","constructor":"b"},"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"__proto__":{"type":"string"}}}}}]}`;
    expect((await contract.chat(body)).status).toBe(200);
    expect(contract.sent.body).toContain('"properties":{"__proto__":{"type":"string"}}');
    expect(contract.sent.body).toContain('"metadata":{"__proto__":"a","constructor":"b"}');
  });

  test('reach a provider of another API, in schemas and in the arguments of calls', async () => {
    const tools =
      '[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}}}}]';
    const call = JSON.stringify({
      id: 'c1',
      type: 'function',
      function: { name: 'f', arguments: '{"__proto__":{"a":1},"constructor":2}' },
    });
    const messages = `[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[${call}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]`;
    expect((await contract.chat(`{"model":"claude-sonnet-4-5","messages":${messages},"tools":${tools}}`)).status).toBe(
      200,
    );
    expect(contract.sent.body).toContain(
      '"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}}',
    );
    expect(contract.sent.body).toContain('"input":{"__proto__":{"a":1},"constructor":2}');
  });

  test.each([
    ['a key', 'POST', '/keys', `{"name":"x",${POLLUTION}}`],
    ['a key’s policy', 'POST', '/keys', `{"name":"x","policy":{${POLLUTION}}}`],
    ['the policy', 'PUT', '/policy', `{${POLLUTION}}`],
    ['a threshold of the policy', 'PUT', '/policy', '{"input":{"__proto__":{"action":"block","threshold":0}}}'],
    ['a webhook', 'POST', '/webhooks', `{"url":"https://hooks.invalid/","events":["key.created"],${POLLUTION}}`],
  ])('are refused or come to nothing in %s', async (_, method, path, body) => {
    const reply = await contract.call(`/admin${path}`, body, { method, key: contract.service.adminKey });
    expect(reply.status).toBeLessThan(500);
    expect(JSON.stringify(reply.json)).not.toContain('polluted');
    expect((await contract.chat(saying('Hi', 'echo'))).json.svc.action).toBe('allow');
    await contract.admin('PUT', '/policy', {});
  });

  test('in a path and its query are ordinary names', async () => {
    for (const path of [
      '/models/__proto__',
      '/models/constructor',
      '/models/toString',
      '/admin/keys/__proto__',
      '/analytics/sessions/__proto__',
    ]) {
      const key = contract.service.adminKey;
      const { status } = await contract.call(`${path}?__proto__[x]=1&constructor[prototype][y]=2`, undefined, { key });
      // 400 where no field of a query may be unknown.
      expect([path, status]).toEqual([path, path.startsWith('/analytics') ? 400 : 404]);
    }
    const grouped = await contract.analytics('/summary?groupBy=__proto__');
    expectErrorShape(grouped.json);
    expectError(await contract.chat(saying('Hi', '__proto__/x')), 'unknown_provider', 'model');
    expectError(await contract.chat(saying('Hi', 'constructor/x')), 'unknown_provider', 'model');
  });
});

describe('a body that expands', () => {
  const chatWith = (more: string) =>
    contract.chat(`{"model":"echo","messages":[{"role":"user","content":"Hi"}],"metadata":${more}}`);

  test('is not decompressed: a compressed body is refused', async () => {
    const packed = gzipSync(Buffer.alloc(20_000_000, ' '));
    for (const encoding of ['gzip', 'x-gzip', 'br']) {
      const reply = await contract.call('/chat/completions', new Uint8Array(packed), {
        headers: { 'content-encoding': encoding },
      });
      expectError(reply, 'unsupported_media_type');
    }
    expectError(await contract.call('/chat/completions', new Uint8Array(packed)), 'invalid_json');
  });

  const BOMBS: readonly [name: string, make: () => string][] = [
    ['300,000 members', () => `{${Array.from({ length: 300_000 }, (_, at) => `"k${at}":0`).join(',')}}`],
    ['a million elements', () => `[${'0,'.repeat(999_999)}0]`],
    ['a number of a million digits', () => '9'.repeat(1_000_000)],
    ['a fraction of a million digits', () => `0.${'1'.repeat(1_000_000)}e-400`],
    ['an exponent of a million digits', () => `1e${'9'.repeat(1_000_000)}`],
    ['a text of escapes alone', () => `"${'\\u0041'.repeat(500_000)}"`],
    ['a text of backslashes', () => `"${'\\\\'.repeat(1_000_000)}"`],
    ['a text of halves of characters', () => `"${'\\ud800'.repeat(500_000)}"`],
    ['names of a million characters', () => `{"${'a'.repeat(1_000_000)}":1,"${'a'.repeat(1_000_001)}":2}`],
    [
      '60 levels in each of many places',
      () =>
        `[${Array(5_000)
          .fill('['.repeat(60) + ']'.repeat(60))
          .join(',')}]`,
    ],
  ];
  test.each(BOMBS.filter((_, at) => at % byDayOrNight(2, 1) === 0))(
    'by %s is answered, and the next caller is served',
    async (_, make) => {
      const reply = await chatWith(make());
      expect(reply.status).toBeLessThan(500);
      if (reply.status !== 200) expectErrorShape(reply.json);
      expect((await contract.chat(saying('Hi', 'echo'))).status).toBe(200);
    },
  );

  test('by its request to the echo model is refused', async () => {
    const key = await contract.newKey({ permissions: ['chat_completions', 'embeddings'] });
    for (const [input, dimensions] of [
      ['Hi', 2_147_483_648],
      ['Hi', 4_097],
      [Array(1_000).fill('Hi'), 4_096],
    ]) {
      const body = JSON.stringify({ model: 'echo', input, dimensions });
      expectError(await contract.call('/embeddings', body, { key }), 'invalid_value', 'dimensions');
    }
    expectError(await contract.chat({ ...saying('x'.repeat(100_000), 'echo'), n: 128 }, { key }), 'invalid_value', 'n');
  });

  test('by 15,000 texts with a redaction each gets a response, with all redacted', async () => {
    const key = await contract.newKey({ policy: { input: { pii: { action: 'redact', threshold: 0.5 } } } });
    const content = Array.from({ length: 15_000 }, (_, at) => ({ type: 'text', text: `u${at}@ex${at}.com` }));
    const reply = await contract.chat({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] }, { key });
    expect(reply.status).toBe(200);
    expect(contract.sent.body.match(/\[EMAIL_\d+\]/g)).toHaveLength(15_000);
    expect(contract.sent.body).not.toContain('@ex');
  });
});

describe('a URL in a request', () => {
  test('is never fetched by the gateway, in any field', async () => {
    let visits = 0;
    const trap = createServer((_, response) => {
      visits += 1;
      response.end('x');
    });
    trap.on('connection', () => {
      visits += 1;
    });
    trap.listen(0, '127.0.0.1');
    await once(trap, 'listening');
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/secret`;
    const parts = [
      { type: 'text', text: `Read ${url}` },
      { type: 'image_url', image_url: { url } },
      { type: 'file', file: { file_data: url, filename: url } },
    ];
    const asked: [string, object][] = [
      ...['echo', 'gpt-4o-mini', 'claude-sonnet-4-5'].map((model): [string, object] => [
        '/chat/completions',
        { model, messages: [{ role: 'user', content: parts.slice(0, 2) }], base_url: url, webhook: url },
      ]),
      ['/chat/completions', { ...saying('Hi', 'gpt-4o-mini'), messages: [{ role: 'user', content: parts }] }],
      ['/chat/completions', saying('Hi', url)],
      ['/chat/completions', saying('Hi', `openai/${url}`)],
      [
        '/messages',
        {
          model: 'claude-sonnet-4-5',
          max_tokens: 20,
          messages: [
            {
              role: 'user',
              content: [
                { type: 'image', source: { type: 'url', url } },
                { type: 'document', source: { type: 'url', url } },
                { type: 'text', text: 'Hi' },
              ],
            },
          ],
          mcp_servers: [{ type: 'url', url, name: 'x' }],
        },
      ],
      [
        '/responses',
        {
          model: 'gpt-4o-mini',
          input: [
            {
              role: 'user',
              content: [
                { type: 'input_image', image_url: url },
                { type: 'input_file', file_url: url },
              ],
            },
          ],
          tools: [{ type: 'mcp', server_label: 'x', server_url: url }],
        },
      ],
      ['/moderations', { input: [{ type: 'image_url', image_url: { url } }] }],
      ['/guard', { messages: [{ role: 'user', content: parts.slice(0, 2) }] }],
      ['/images/generations', { model: 'gpt-image-1', prompt: url }],
    ];
    const key = await contract.newKey({ permissions: ['chat_completions', 'images'] });
    for (const [path, body] of asked) {
      const headers = {
        referer: url,
        origin: url,
        'x-forwarded-host': url,
        forwarded: `host=${url}`,
        'x-original-url': url,
      };
      const reply = await contract.call(path, JSON.stringify(body), { key, headers });
      expect([path, reply.status < 500]).toEqual([path, true]);
    }
    for (const refused of [
      'https://10.0.0.1/',
      'https://[fd00::1]/',
      'https://169.254.169.254/',
      'file:///etc/passwd',
    ]) {
      const reply = await contract.admin('POST', '/webhooks', { url: refused, events: ['key.created'] });
      expectError(reply, 'invalid_value', 'url');
    }
    trap.close();
    expect(visits).toBe(0);
  });
});

test('an invalid text in a tool result is refused by its field', async () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] };
  const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 0 }] };
  for (const model of ['echo', 'gpt-4o-mini', 'claude-sonnet-4-5']) {
    const messages = [{ role: 'user', content: 'Hi' }, call, { role: 'user', content: [result] }];
    const { status, json } = await contract.call('/messages', JSON.stringify({ model, max_tokens: 20, messages }));
    expect([status, json.error.param]).toEqual([400, 'messages[2].content[0].content[0].text']);
  }
});
