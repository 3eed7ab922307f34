import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../support/free-port.ts';
import { BLOCKS, ROOT } from './command-blocks.ts';

const RUN = Object.entries(Object.groupBy(BLOCKS, ({ page }) => page)).flatMap(([page, blocks = []]) => {
  const run = blocks.filter(({ kind }) => kind === 'run');
  return run.length === 0 ? [] : [{ page, run }];
});
/** A page takes a minute on a busy machine, the first one also the build of the service. */
const DEADLINE_MS = 600_000;

const folder = mkdtempSync(path.join(tmpdir(), 'svc-docs-'));
const clone = path.join(folder, 'clone');
/** The reader's own server of OpenAI's protocol. */
const llm = createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 0, model: 'llama-3.3-70b', data: [] },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
  );
});
const env = {
  ...process.env,
  PATH: `${path.join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
};

beforeAll(async () => {
  llm.listen(0, '127.0.0.1');
  await once(llm, 'listening');
  execFileSync('git', ['clone', '--quiet', '--shared', ROOT, clone]);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(clone, 'node_modules'));
});

afterAll(() => {
  llm.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the service as a reader does, with its data in a new folder, and returns its address and its admin key. */
async function start() {
  const port = await freePort();
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...env, PORT: String(port), SVC_DATA_DIR: mkdtempSync(path.join(folder, 'data-')) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  };
  let key = '';
  for await (const line of createInterface(child.stdout)) {
    key ||= /svc_[A-Za-z0-9_-]{20,}/.exec(line)?.[0] ?? '';
    if (!line.startsWith('ready ')) continue;
    child.stdout.resume();
    return { url: `http://127.0.0.1:${port}`, key, stop };
  }
  throw new Error('npm start has ended');
}

test.each(RUN)(
  'the commands of $page work as printed',
  async ({ page, run }) => {
    const { url, key, stop } = await start();
    const script = run
      .map(({ line, code }) => `echo '== ${page}:${line}'\n${code}`)
      .join('\n')
      .replaceAll('http://127.0.0.1:8787', url)
      .replaceAll('http://127.0.0.1:8000', `http://127.0.0.1:${(llm.address() as AddressInfo).port}`)
      .replace(/<(?:ADMIN|YOUR)_KEY>/g, key);
    const shell = spawn('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: clone,
      env: { ...env, SVC_URL: `${url}/v1`, SVC_ADMIN_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors, [status]] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      once(shell, 'close'),
    ]);
    await stop();
    // The last block that began is the one that failed.
    expect([status, status === 0 ? '' : `${output}\n${errors}`]).toEqual([0, '']);
  },
  DEADLINE_MS,
);
