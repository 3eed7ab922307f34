import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signatureHeaders } from '../../functions/control/webhooks/attempt.ts';
import { eventually } from '../support/eventually.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../examples/receivers');
const LISTENING = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/m;
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const RECEIVERS = [
  { name: 'Node', command: process.execPath, args: ['receiver.mjs'], probe: ['--version'] },
  { name: 'Python', command: 'python3', args: ['receiver.py'], probe: ['--version'] },
  { name: 'Go', command: 'go', args: ['run', 'receiver.go'], probe: ['version'] },
];

for (const { name, command, args, probe } of RECEIVERS) {
  const present = spawnSync(command, probe).status === 0;
  const suite = present ? describe : describe.skip;
  suite(`the receiver in ${name}${present ? '' : ' (its runtime is not here)'}`, () => {
    const secret = newSecret();
    let child: ChildProcess;
    let url = '';
    let printed = '';
    beforeAll(async () => {
      const env = { ...process.env, SVC_WEBHOOK_SECRET: secret, PORT: '0' };
      // A separate process group: `go run` starts the built program as a child.
      child = spawn(command, args, { cwd: FOLDER, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
      child.stdout?.on('data', (bytes: Buffer) => {
        printed += bytes.toString();
      });
      url = `${await eventually(() => LISTENING.exec(printed)?.[1])}/`;
    });
    afterAll(async () => {
      const exited = once(child, 'exit');
      process.kill(-(child.pid as number), 'SIGKILL');
      await exited;
    });

    const body = JSON.stringify({
      id: 'evt_1',
      type: 'threat.detected',
      created: '2026-11-21T09:30:00.000Z',
      data: { name: 'Zoë' },
    });
    const post = async (secrets: string[], { text = body, at = Date.now() } = {}) =>
      (await fetch(url, { method: 'POST', headers: signatureHeaders('evt_1', body, secrets, at), body: text })).status;

    test.each([
      ['no secret', {}],
      ['an empty secret', { SVC_WEBHOOK_SECRET: '' }],
      ['a secret of another kind', { SVC_WEBHOOK_SECRET: 'whsec_short' }],
    ])('names the missing variable in one line: %s', (_what, given) => {
      const { PATH, HOME, GOCACHE } = process.env;
      const env = { PATH, HOME, ...(GOCACHE && { GOCACHE }), ...given };
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: FOLDER, env, encoding: 'utf8' });
      // `go run` adds a line with the exit status.
      const [line, ...rest] = stderr.trim().split('\n');
      expect([status, stdout, line, rest.filter((one) => one !== 'exit status 1')]).toEqual([
        ...[1, ''],
        'Set SVC_WEBHOOK_SECRET to the signing secret of the webhook, whsec_..., which its creation printed.',
        [],
      ]);
    });

    test('names the port if it is in use', () => {
      const env = { ...process.env, SVC_WEBHOOK_SECRET: secret, PORT: new URL(url).port };
      const { status, stderr } = spawnSync(command, args, { cwd: FOLDER, env, encoding: 'utf8' });
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/^Cannot listen on 127\.0\.0\.1, port \d+ \(.*\)\. Set PORT/),
      ]);
    });

    test('accepts signed events, also while a secret is rotated, and reports each once', async () => {
      expect(await post([secret])).toBe(204);
      expect(await post([newSecret(), secret])).toBe(204);
      expect(printed.split('evt_1').length - 1).toBe(1);
    });

    test('refuses changed events, events signed with another secret, and old ones', async () => {
      expect(await post([secret], { text: body.replace('Zoë', 'Zoe') })).toBe(401);
      expect(await post([newSecret()])).toBe(401);
      expect(await post([secret], { at: Date.now() - 600_000 })).toBe(401);
      expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
    });
  });
}
