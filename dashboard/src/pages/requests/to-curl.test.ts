import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RequestDetail } from '../../api/client.ts';
import { toCurl } from './to-curl.ts';

const record = { route: '/v1/chat/completions', provider: 'openai', model: 'gpt-4o', stream: false } as RequestDetail;

/** The arguments that a shell gives to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nSVC_API_KEY=the-key\n${command}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('a shell reads any body and any name of the caller as one argument, and runs nothing in it', () => {
  const text = fc.string({
    maxLength: 40,
    unit: fc.constantFrom("'", '"', '$', '`', '\\', '(', ')', ' ', '\n', ';', 'a', 'é'),
  });
  fc.assert(
    fc.property(text, text, text, (sessionId, endUserId, body) => {
      const command = toCurl({ ...record, sessionId, endUserId }, 'http://localhost:1/', body);
      expect(argumentsOf(command)).toEqual([
        'http://localhost:1/v1/chat/completions',
        ...['-H', 'Authorization: Bearer the-key', '-H', 'Content-Type: application/json'],
        ...['-H', `X-Session-ID: ${sessionId}`, '-H', `X-End-User-ID: ${endUserId}`],
        ...['-d', body],
      ]);
    }),
    { numRuns: 40 },
  );
});

test('without a captured body the command has the route, the model and an example text', () => {
  const command = toCurl(
    { ...record, route: '/v1/messages', stream: true, sessionId: null, endUserId: null },
    'http://h/',
  );
  expect(JSON.parse(argumentsOf(command).at(-1) as string)).toMatchObject({
    model: 'openai/gpt-4o',
    stream: true,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hello' }],
  });
});
