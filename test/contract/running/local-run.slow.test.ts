import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { Contract, saying } from '../contract.ts';
import { buildLocalService, ENTRY, startLocalProcess } from '../local-process.ts';

/** Titles of processes are read, and a pseudo-terminal is made, by Linux's commands. */
const onLinux = process.platform === 'linux' && existsSync('/usr/bin/script') ? describe : describe.skip;

/** The id of a helper process; undefined while it does not run. */
function pidOf(parent: number, title: string): number | undefined {
  try {
    const listed = execFileSync('ps', ['--ppid', String(parent), '-o', 'pid=,args='], { encoding: 'utf8' });
    const line = listed.split('\n').find((found) => found.trim().endsWith(title));
    return line === undefined ? undefined : Number.parseInt(line, 10);
  } catch {
    return undefined;
  }
}

onLinux('a helper process that is killed', () => {
  const contract = new Contract((providers) => startLocalProcess(providers), {});
  beforeAll(() => contract.start());
  afterAll(() => contract.stop());
  const parent = () => contract.service.pid as number;
  const readiness = async () => {
    const response = await fetch(new URL('/readyz', contract.service.baseUrl));
    return { status: response.status, body: (await response.json()) as { processes: Record<string, string> } };
  };
  const ended = (title: string) =>
    contract.service
      .logs()
      .split('\n')
      .filter((line) => line.includes('"process ended"') && line.includes(title))
      .map((line) => JSON.parse(line));

  test.each([
    ['svc-streams', 'usage totals are not updated and events are not sent'],
    ['svc-webhooks', 'webhooks are not delivered'],
  ])('is logged, shown by /readyz and started again: %s', async (title, effect) => {
    const pid = pidOf(parent(), title) as number;
    process.kill(pid, 'SIGKILL');
    const down = await eventually(async () => {
      const { status, body } = await readiness();
      return status === 503 ? body : undefined;
    });
    expect(down.processes).toEqual({
      'svc-streams': 'ok',
      'svc-webhooks': 'ok',
      [title]: 'unavailable',
    });
    expect(ended(title)).toMatchObject([
      { level: 'ERROR', process: title, signal: 'SIGKILL', exitCode: null, effect, restartSeconds: 1 },
    ]);
    // Requests are served meanwhile.
    expect((await contract.chat(saying('Hi', 'echo'))).status).toBe(200);
    await eventually(async () => ((await readiness()).status === 200 ? true : undefined));
    expect(pidOf(parent(), title)).not.toBe(pid);
  });

  test('loses no event and no total', async () => {
    const total = async () => {
      const { json } = await contract.analytics('/summary');
      return JSON.stringify(json);
    };
    const [events, before] = [eventCount(), await total()];
    for (const title of ['svc-streams', 'svc-webhooks']) process.kill(pidOf(parent(), title) as number, 'SIGKILL');
    await contract.createKey({ name: 'made while they are down' });
    await contract.chat(saying('Hi', 'echo'));
    await eventually(() => (eventCount() > events ? true : undefined));
    await eventually(async () => ((await total()) === before ? undefined : true));
  });

  const eventCount = () => contract.service.logs().split('"type":"key.created"').length;

  test('pauses longer each time', async () => {
    const seconds = ended('svc-streams').map(({ restartSeconds }) => restartSeconds);
    expect(seconds).toEqual([1, 2]);
  });

  test('stops the service with exit code 1 if it has the stores', async () => {
    const main = parent();
    process.kill(pidOf(main, 'svc-stores') as number, 'SIGKILL');
    await eventually(() => {
      try {
        process.kill(main, 0);
        return undefined;
      } catch {
        return true;
      }
    });
    expect(ended('svc-stores')).toMatchObject([
      { signal: 'SIGKILL', effect: 'no request can be authenticated or recorded', restartSeconds: null },
    ]);
  });
});

test('a service without its stores exits with code 1', async () => {
  buildLocalService();
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-run-'));
  const child = spawn(process.execPath, [ENTRY], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, PORT: '0', SVC_DATA_DIR: folder },
  });
  let printed = '';
  child.stdout.on('data', (bytes) => {
    printed += bytes;
  });
  try {
    await eventually(() => (printed.includes('\nready ') ? true : undefined));
    // The first output is for people: the audit line of the first key follows it.
    expect(printed.startsWith('\nsvc, the security gateway')).toBe(true);
    process.kill((await eventually(() => pidOf(child.pid as number, 'svc-stores'))) as number, 'SIGTERM');
    expect(await once(child, 'exit')).toEqual([1, null]);
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
});

onLinux('on a terminal', () => {
  test('the log is text, and has no key and no prompt', async () => {
    buildLocalService();
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-terminal-'));
    const command = `${process.execPath} ${ENTRY}`;
    const child = spawn('/usr/bin/script', ['-qfec', command, '/dev/null'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, PORT: '0', SVC_DATA_DIR: folder },
    });
    let printed = '';
    child.stdout.on('data', (bytes) => {
      printed += String(bytes).replaceAll('\r', '');
    });
    try {
      const [, baseUrl = ''] = await eventually(() => /^ready (\S+)$/m.exec(printed) ?? undefined);
      const [, key = ''] = /admin key {3}(\S+)/.exec(printed) ?? [];
      const text = 'Heliotrope marmalade';
      const body = JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: text }] });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      await fetch(`${baseUrl}/models`, { headers: { authorization: 'Bearer svc_sk_wrong' } });
      const id = response.headers.get('x-svc-request-id');
      await eventually(() => (printed.includes(`${id}\n`) && printed.includes('event key.created') ? true : undefined));
      await eventually(() => (printed.includes('/v1/models 401') ? true : undefined));

      const [before = '', after = ''] = printed.split(/^ready .*$/m);
      expect(before.startsWith('\nsvc, the security gateway')).toBe(true);
      const lines = after.trim().split('\n');
      for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d (?:audit|event|GET|POST) /);
      expect(lines.find((line) => line.endsWith(String(id)))).toMatch(
        /^[\d:]{8} POST \/v1\/chat\/completions 200 allow 0\.00 echo key …\w{4} \d+ ms \d+\+\d+ tokens req_[0-9a-f]{32}$/,
      );
      for (const hidden of [key, text, 'svc_sk_']) expect(after.includes(hidden)).toBe(false);
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    }
  });
});
