import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMPILE_CACHE } from '../support/quick-start.ts';
import { runBin } from '../support/run-bin.ts';

/** A pseudo-terminal is made by a command of Linux. */
const onLinux = process.platform === 'linux' && existsSync('/usr/bin/script') ? describe : describe.skip;

const ID = `key_${'5c'.repeat(16)}`;
const KEY = {
  id: ID,
  name: 'Checkout assistant of the shop',
  environment: 'Production',
  state: 'active',
  last4: 'WXYZ',
  permissions: ['chat_completions', 'embeddings'],
  rateLimit: { requests: 1000, period: 'hour' },
  lastUsedAt: '2026-11-21T09:30:15.123Z',
  expiresAt: null,
};

let api: Server;
/** The body of the last request that had one. */
let received = '';
const environment = () => ({
  SVC_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1`,
  SVC_ADMIN_KEY: 'x',
});

beforeAll(async () => {
  api = createServer((request, response) => {
    const data = request.url?.startsWith('/v1/admin/keys') ? [KEY] : [];
    const made = { id: 'cred_1', hosts: ['api.openai.com'] };
    text(request).then((body) => {
      received = body || received;
      response.end(JSON.stringify({ ...made, data, nextCursor: null }));
    });
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
});
afterAll(() => {
  api.close();
});

/** What a terminal of this width shows, escape sequences included. */
async function onTerminal(columns: number, call: string, env = {}, typed?: string): Promise<string> {
  const command = `stty cols ${columns}; '${process.execPath}' bin/svc.ts admin ${call}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, TERM: 'xterm', ...environment(), ...env },
    stdio: [typed === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  for await (const chunk of child.stdout as Readable) {
    shown += chunk;
    // Typed before the question, it would be echoed by the terminal.
    if (typed !== undefined && shown.endsWith(': ')) child.stdin?.write(typed);
  }
  return shown.replaceAll('\r\n', '\n');
}

onLinux('on a terminal', () => {
  it('a table fits its width, and says what it does not show', async () => {
    const lines = (await onTerminal(80, 'keys list')).split('\n');
    expect(lines).toEqual([
      'ID                                    NAME            ENVIRONMENT  STATE   LAST4',
      `${ID}  Checkout assi…  Production   active  WXYZ`,
      'Not shown: PERMISSIONS, RATE, LAST USED, EXPIRES. Widen the terminal, or use --json.',
      '',
    ]);
  });

  it('COLUMNS is its width, if set', async () => {
    const [head] = (await onTerminal(200, 'keys list', { COLUMNS: '60' })).split('\n');
    expect(head).toBe('ID                                    NAME');
    const wide = await onTerminal(200, 'keys list');
    expect(wide).toContain(
      'Checkout assistant of the shop  Production   active  WXYZ   chat_completions,embeddings  1000/hour',
    );
  });

  it('a value is typed without echo', async () => {
    const shown = await onTerminal(80, 'credentials create openai Shared', {}, 'sk-typed-value-1234\n');
    expect(shown).toContain('Value of the credential: ');
    expect(shown).toContain('Created cred_1 for api.openai.com.');
    expect(shown).not.toContain('sk-typed');
    expect(received).toContain('"value":"sk-typed-value-1234"');
  });

  it('long work shows its progress, and removes it', async () => {
    const shown = await onTerminal(80, 'audit verify');
    expect(shown).toMatch(/The chain is intact\.\n$/);
    const exported = await onTerminal(80, 'export /dev/null');
    expect(exported).toContain('\r\u001b[2KRead 1 keys\r\u001b[2K');
  });
});

it('in a pipe nothing is cut, and no progress is shown', async () => {
  const { out, error } = await runBin('admin', ['keys', 'list'], { ...environment(), COLUMNS: '40' });
  expect(out.split('\n')[1]).toBe(
    `${ID}  Checkout assistant of the shop  Production   active  WXYZ   chat_completions,embeddings  1000/hour  2026-11-21T09:30:15.123Z  -`,
  );
  expect(error).toBe('');
});
