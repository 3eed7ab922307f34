import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Contract, saying } from './contract.ts';
import { sendRaw } from './raw-request.ts';
import { expectErrorShape, parsed } from './reply.ts';

const BODY = JSON.stringify(saying('Hello', 'echo'));

/** A complete request whose lines can be replaced; `Connection: close` ends the response. */
function request(key: string, extra: string, line = 'POST /v1/chat/completions HTTP/1.1'): string {
  const head = [
    line,
    'Host: localhost',
    'Connection: close',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
  ];
  return `${head.join('\r\n')}\r\n${extra}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
}

export function hostileRequestContract(contract: Contract): void {
  describe('a hostile request', () => {
    test('of any JSON never fails the service, and every refusal is readable', async () => {
      const value = fc.jsonValue({ maxDepth: 3 });
      const message = fc.oneof(
        value,
        fc.record({ role: fc.constantFrom('user', 'tool', 'assistant', 'x'), content: value }),
      );
      const body = fc.record(
        {
          model: fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>('echo') }, value),
          messages: fc.oneof(fc.array(message, { minLength: 1, maxLength: 3 }), value),
          stream: fc.oneof(fc.boolean(), value),
          tools: value,
          stop: value,
          metadata: value,
        },
        { requiredKeys: ['model', 'messages'] },
      );
      await fc.assert(
        fc.asyncProperty(body, async (fields) => {
          const reply = await contract.chat(JSON.stringify(fields));
          expect(reply.status).toBeLessThan(500);
          if (reply.status !== 200) expectErrorShape(reply.json);
        }),
        { numRuns: 120 },
      );
    });

    test.each([
      [
        'prototype keys in metadata',
        '{"metadata":{"__proto__":{"admin":true},"constructor":{"prototype":{}}},"model":"echo","messages":[{"role":"user","content":"Hi"}]}',
      ],
      ['a lone surrogate', '{"model":"echo","messages":[{"role":"user","content":"\\ud800 and \\udc00"}]}'],
      ['a NUL character', '{"model":"echo","messages":[{"role":"user","content":"a\\u0000b"}]}'],
      ['a number beyond a double', '{"model":"echo","seed":1e999,"messages":[{"role":"user","content":"Hi"}]}'],
      ['text that runs right to left', '{"model":"echo","messages":[{"role":"user","content":"\\u202eabc\\u202c"}]}'],
    ])('with %s is served like any other', async (_, body) => {
      expect((await contract.chat(body)).status).toBe(200);
    });

    contract.testOf(
      'raw requests',
      'that breaks HTTP gets a 4xx or a closed connection, and the next caller is served',
      async () => {
        const { baseUrl } = contract.service;
        for (const bytes of rawAttacks(contract.key)) {
          const { status, body } = await sendRaw(baseUrl, bytes);
          expect([bytes.slice(0, 120), status >= 400 ? Math.floor(status / 100) : status]).toEqual([
            bytes.slice(0, 120),
            status === 0 ? 0 : 4,
          ]);
          if (body !== '') expectErrorShape(parsed(body));
        }
        expect((await contract.chat(saying('Hello', 'echo'))).status).toBe(200);
      },
    );

    contract.testOf(
      'raw requests',
      'with a hostile Host is refused, and an absolute address is served as if it were a path',
      async () => {
        const key = await contract.newKey({ ipWhitelist: ['127.0.0.1'] });
        for (const [bytes, expected] of [
          [request(key, '').replace('Host: localhost', 'Host: evil.example'), 403],
          [request(key, '').replace('Host: localhost', 'Host: '), 403],
          [request(key, '', 'POST http://evil.example/v1/chat/completions HTTP/1.1'), 200],
        ] as const) {
          const { status, body } = await sendRaw(contract.service.baseUrl, bytes);
          expect([status, body.includes('evil')]).toEqual([expected, false]);
        }
        const outside = await contract.newKey({ ipWhitelist: ['203.0.113.7'] });
        const bytes = request(outside, '').replace('Host: localhost', 'Host: 203.0.113.7');
        expect((await sendRaw(contract.service.baseUrl, bytes)).status).toBe(403);
      },
    );
  });
}

function rawAttacks(key: string): string[] {
  const chunked = `${request(key, 'Transfer-Encoding: chunked\r\n')}`;
  return [
    request(key, 'X-Session-ID: a\u0000b\r\n'),
    request(key, 'X-Session-ID: a\rSet-Cookie: x=1\r\n'),
    request(key, 'X-Session-ID: a\nX: b\u0000\r\n'),
    request(key, 'X-Session-ID : a\r\n'),
    request(key, 'no colon in this line\r\n'),
    request(key, 'X-Session-ID: caf\u00e9\r\n'),
    request(key, `X-Long: ${'x'.repeat(40_000)}\r\n`),
    request(key, 'Content-Length: 3\r\n'),
    // Two lengths of one body: what request smuggling is made of.
    chunked,
    request(key, 'Transfer-Encoding: chunked, identity\r\n').replace(/Content-Length: \d+\r\n/, ''),
    request(key, '', 'TRACE /v1/chat/completions HTTP/1.1'),
    request(key, '', 'CONNECT evil.example:443 HTTP/1.1'),
    request(key, '', 'BREW /v1/chat/completions HTTP/1.1'),
    request(key, '', 'POST /v1/chat/completions HTTP/9.9'),
    request(key, '', 'OPTIONS * HTTP/1.1'),
    request(key, '', 'POST /v1/chat/\u0000completions HTTP/1.1'),
    request(key, '', 'POST //evil.example/v1/chat/completions HTTP/1.1'),
    request(key, '', 'POST http://[::bad/v1/chat/completions HTTP/1.1'),
    request(key, '', 'POST /v1/%E0%A4%A/completions HTTP/1.1'),
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n',
  ];
}
