import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { COMPILE_CACHE } from '../../../test/support/quick-start.ts';

const MODULE = path.join(import.meta.dirname, 'exit-on-fault.ts');

/** Runs code in a process that has called `exitOnFault` with `settle`. */
function run(
  settle: string,
  code: string,
): Promise<{ status: unknown; text: string; lines: Record<string, unknown>[] }> {
  const script = `
    import { exitOnFault } from ${JSON.stringify(MODULE)};
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    exitOnFault(${settle});
    setInterval(() => {}, 60_000);
    ${code}`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...process.env, ...COMPILE_CACHE } }, (error, stdout, stderr) => {
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      resolve({ status: error?.code ?? 0, text: stdout + stderr, lines: lines.map((line) => JSON.parse(line)) });
    });
  });
}

const SETTLE = `async () => { await pause(50); console.log('settled'); }`;

describe('an error that no code catches', () => {
  it.each([
    ['thrown in a timer', `setTimeout(() => { throw new TypeError('the prompt'); }, 1)`, 'TypeError'],
    ['a rejection', `Promise.reject(new RangeError('the prompt'))`, 'RangeError'],
    [
      'an emitted error',
      `new (await import('node:events')).EventEmitter().emit('error', new URIError('the prompt'))`,
      'URIError',
    ],
    ['a text instead of an error', `setTimeout(() => { throw 'the prompt'; }, 1)`, 'string'],
    ['null', 'setTimeout(() => { throw null; }, 1)', 'object'],
    ['a rejection with a text', `Promise.reject('the prompt')`, 'UnhandledPromiseRejection'],
    ['a failed parse', `setTimeout(() => JSON.parse('{"the prompt"'), 1)`, 'SyntaxError'],
    [
      'with a name from elsewhere',
      `setTimeout(() => { throw Object.assign(new Error(), { name: 'the prompt' }); }, 1)`,
      'object',
    ],
  ])('ends the process with code 1 after running requests are settled: %s', async (_, code, error) => {
    const { status, text, lines } = await run(SETTLE, code);
    expect([status, text.includes('settled'), lines]).toEqual([
      ...[1, true],
      [expect.objectContaining({ level: 'ERROR', message: 'process failed', error })],
    ]);
    expect(text).not.toContain('the prompt');
  });

  it('is logged with its code and the places of its stack, whatever its message contains', async () => {
    const message = `'first\\n    at the prompt (file:///prompt.ts:1:1)\\nlast'`;
    const code = `function failing() { throw Object.assign(new Error(${message}), { code: 'ERR_A' }); } setTimeout(failing, 1);`;
    const { text, lines } = await run(SETTLE, code);
    const stack = expect.arrayContaining([expect.stringMatching(/^at .*failing/)]);
    expect(lines).toEqual([expect.objectContaining({ error: 'Error', code: 'ERR_A', stack })]);
    expect(text).not.toContain('prompt');
  });

  it('has no stack in the log if its message was changed', async () => {
    const code = `setTimeout(() => { const error = new Error('the prompt\\n    at b'); error.stack; error.message = 'c'; throw error; }, 1)`;
    expect((await run(SETTLE, code)).lines).toEqual([expect.objectContaining({ error: 'Error', stack: [] })]);
  });

  it('is followed by further ones, which end nothing early', async () => {
    const later = `async () => { setTimeout(() => { throw new TypeError(); }, 1); await pause(100); console.log('settled'); }`;
    const { status, text, lines } = await run(later, 'Promise.reject(new RangeError())');
    expect([status, text.includes('settled'), lines.map(({ error }) => error)]).toEqual([
      ...[1, true],
      ['RangeError', 'TypeError'],
    ]);
  });

  it('that repeats is logged ten times', async () => {
    const settle = 'async () => { while (thrown < 20) await pause(1); }';
    const code = 'let thrown = 0; setInterval(() => { thrown += 1; throw new Error(); }, 1)';
    const { status, lines } = await run(settle, code);
    expect([status, lines.length]).toEqual([1, 10]);
  });

  it.each([['async () => { throw new Error(); }'], ['() => { throw new Error(); }']])(
    'ends the process if it cannot settle: %s',
    async (settle) => expect((await run(settle, 'Promise.reject(new Error())')).status).toBe(1),
  );

  it('ends the process after five seconds, settled or not', async () => {
    const startedAt = performance.now();
    expect((await run('() => new Promise(() => {})', 'Promise.reject(new Error())')).status).toBe(1);
    expect(performance.now() - startedAt).toBeGreaterThan(4_900);
  });

  it('is the exit code also of a process that was ending', async () => {
    const code = `setTimeout(() => process.exit(), 50); Promise.reject(new Error())`;
    expect((await run('() => new Promise(() => {})', code)).status).toBe(1);
  });
});
