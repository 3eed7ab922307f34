import { connect } from 'node:net';
import fc from 'fast-check';
import { DEADLINE_MS } from '../../support/eventually.ts';
import type { FuzzedService } from '../fuzzed-service.ts';
import { faultOf } from '../judge-answer.ts';
import type { FuzzTarget } from '../target.ts';

const BODY = '{"model":"echo","messages":[{"role":"user","content":"Hi"}]}';
const CHUNKS = `3c\r\n${BODY}\r\n0\r\n\r\n`;
const LENGTH = `Content-Length: ${BODY.length}`;
const METHODS = ['POST', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'post', 'PRI', 'X'];
const PATHS = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/models/echo',
  '/v1/admin/keys',
  '/v1/analytics/summary',
  '/',
  '*',
  '//',
  '/..//v1/models',
  '/v1/./models',
  '/v1/models/%2e%2e%2fadmin',
  '/v1/models?a=%00&__proto__[x]=1',
  '/v1/requests/%/cancel',
  'http://evil.invalid/v1/models',
  'http://[::1',
  '/v1/mod\tels',
  `/v1/${'a/'.repeat(2_000)}`,
];

/** Bytes on a connection that are a request, nearly one, or none: the server responds in HTTP or closes the connection. */
export function rawTarget(service: FuzzedService): FuzzTarget {
  const header = fc.oneof(
    fc.constantFrom(
      'Content-Length: 0',
      'Content-Length: 3',
      'Content-Length: +60',
      'Content-Length: 1e3',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding : chunked',
      'Content-Encoding: gzip',
      'Content-Type: text/plain',
      'Content-Type: application/json; charset=utf-16',
      'Expect: 100-continue',
      'Upgrade: websocket',
      'Connection: upgrade',
      'X-Session-ID: a\r\n b',
      'Authorization: Bearer x',
      'Host: a, b',
      ': none',
      `Cookie: ${'a=b; '.repeat(500)}`,
      'Range: bytes=0-0',
      'Accept-Encoding: gzip;q=NaN',
      'X-Forwarded-For: 127.0.0.1',
    ),
    fc
      .tuple(fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 30 }))
      .map(([name, value]) => `${name}: ${value}`),
  );
  const framed = fc.constantFrom(
    { lines: [LENGTH], body: BODY },
    { lines: [LENGTH], body: BODY },
    { lines: ['Transfer-Encoding: chunked'], body: CHUNKS },
    { lines: [LENGTH], body: BODY + BODY },
    { lines: [LENGTH], body: BODY.slice(9) },
    { lines: [LENGTH], body: `${BODY}GET /v1/admin/keys HTTP/1.1\r\n\r\n` },
    { lines: ['Transfer-Encoding: chunked'], body: 'ffffffffff\r\nx' },
    { lines: ['Transfer-Encoding: chunked'], body: `3c;a="b"\r\n${BODY}\r\n0\r\nX-Trailer: y\r\n\r\n` },
    { lines: [LENGTH, 'Transfer-Encoding: chunked'], body: CHUNKS },
    { lines: [], body: BODY },
  );
  const mostly = <T>(usual: T, others: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
  const whole = fc
    .record({
      method: mostly('POST', fc.constantFrom(...METHODS)),
      path: mostly(
        '/v1/chat/completions',
        fc.oneof(
          fc.constantFrom(...PATHS),
          fc.webPath(),
          fc.string({ maxLength: 30 }).map((text) => `/${text}`),
        ),
      ),
      version: mostly('HTTP/1.1', fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'http/1.1', '')),
      headers: mostly<string[]>([], fc.array(header, { minLength: 1, maxLength: 3 })),
      framing: framed,
    })
    .map(({ method, path, version, headers, framing: { lines, body } }) => ({
      bytes: [
        `${method} ${path} ${version}`,
        'Host: localhost',
        `Authorization: Bearer ${service.key}`,
        'Content-Type: application/json',
        ...headers,
        ...lines,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    }));
  const junk = fc.uint8Array({ maxLength: 100 }).map((bytes) => ({ bytes: Buffer.from(bytes).toString('latin1') }));
  return {
    name: 'bytes on a connection',
    share: 15,
    property: fc.asyncProperty(
      fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: junk }),
      async ({ bytes }) => {
        const text = await exchanged(new URL(service.origin), bytes);
        service.count(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0));
        const fault = text === '' ? undefined : rawFault(text);
        if (fault !== undefined) throw new Error(fault);
      },
    ),
  };
}

/** Returns what is wrong with response bytes. Responses by Node itself have no body and no id. */
function rawFault(text: string): string | undefined {
  const { 1: code, 0: line } = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/.exec(text) ?? [];
  if (code === undefined || line === undefined) return `an answer that is no HTTP: ${text.slice(0, 200)}`;
  const status = Number(code);
  if (status >= 500) return `status ${status}: ${text.slice(0, 400)}`;
  const [head = '', body = ''] = text.slice(line.length).split('\r\n\r\n');
  if (status < 200 || body === '' || /^transfer-encoding/im.test(head)) return undefined;
  const headers = new Headers();
  for (const one of head.split('\r\n')) {
    const [, name, value] = /^([!-9;-~]+): ?(.*)$/.exec(one) ?? [];
    if (name === undefined || value === undefined) return `a header that is none: ${one.slice(0, 200)}`;
    headers.append(name, value);
  }
  return faultOf({ method: '', path: '/', status, headers, text: body }) === undefined ||
    ['/v1/messages', '/v1beta/models'].some(
      (path) => faultOf({ method: '', path, status, headers, text: body }) === undefined,
    )
    ? undefined
    : `an error of no API’s shape: ${body.slice(0, 300)}`;
}

function exchanged({ hostname, port }: URL, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.end(bytes, 'latin1'));
    socket.setTimeout(DEADLINE_MS, () => {
      socket.destroy();
      reject(new Error(`no end: ${text.slice(0, 200)}`));
    });
    socket.on('data', (part) => {
      text += part.toString('latin1');
    });
    // A reset refuses too; that the service lives on is seen by the next case.
    socket.on('error', (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED' && reject(error));
    socket.on('close', () => resolve(text));
  });
}
