import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { CONVERSATIONS, MAIL, ORDER } from '../../test/threats/mail-agent.ts';
import { type Io, runScan } from './run-scan.ts';

/** Runs a scan of standard input in this process, on a terminal or not; `stderr` is what stays on the screen. */
async function scan(args: readonly string[], input: string, { types = false, shows = false } = {}) {
  const printed = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof printed) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          printed[name] += chunk;
          done();
        },
      }),
      { isTTY: shows },
    );
  const stdin = Object.assign(Readable.from([Buffer.from(input)]), { isTTY: types });
  const io = { stdin, stdout: stream('stdout'), stderr: stream('stderr') } as unknown as Io;
  const code = await runScan(args, io);
  // Progress of a slow machine is overwritten.
  return { code, stdout: printed.stdout, stderr: printed.stderr.split('\r\u001b[K').at(-1) };
}

const HINT = 'Reading standard input until Ctrl-D; --help shows the usage.\n';

describe('a scan on a terminal', () => {
  it('prints a report, and the summary once', async () => {
    const { code, stdout, stderr } = await scan([], 'SVC-TEST-FLAG-7f3a', { shows: true });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^1 text in 1 input, .*\nactions: 1 flag\n/);
  });

  it('keeps the format that is given', async () => {
    const { stdout, stderr } = await scan(['--format', 'jsonl'], 'Hello', { shows: true });
    expect(JSON.parse(stdout).id).toBe('stdin:1');
    expect(stderr).toMatch(/^1 text in 1 input, /);
  });

  it('explains that it waits for a text', async () => {
    expect((await scan([], 'Hello', { types: true })).stderr).toMatch(new RegExp(`^${HINT}`));
    expect((await scan([], 'Hello')).stderr).not.toContain(HINT);
  });
});

describe('an agent log', () => {
  const mail = CONVERSATIONS.chat('Summarise mail m-1.', MAIL(ORDER), true);

  it.each(['jsonl', 'json'])('in %s has its calls in the report, with line and field', async (format) => {
    const args = ['--input-format', format, '--format', 'report', '--fail-on', 'flag'];
    const { code, stdout } = await scan(args, JSON.stringify(mail));
    expect(code).toBe(1);
    expect(stdout).toMatch(/1 tool_misuse/);
    expect(stdout).toMatch(
      /stdin:1 {2}tool-misuse\/instructed-call {2}messages\[3\]\.tool_calls\[0\]\.function\.arguments\.to/,
    );
  });

  it.each(['json', 'jsonl'])('that is an array of messages in %s is a conversation', async (format) => {
    const { messages } = mail as { messages: object[] };
    const asked = ['--input-format', format, '--format', 'report', '--fail-on', 'flag'];
    const { code, stdout } = await scan(asked, JSON.stringify(messages));
    expect([code, stdout]).toEqual([1, expect.stringContaining('tool-misuse/instructed-call')]);
    expect((await scan(['--input-format', 'json', '--quiet'], JSON.stringify([messages, messages]))).code).toBe(0);
  });

  it('fails from ask on', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'svc-scan-')), 'policy.json');
    writeFileSync(file, JSON.stringify({ tools: { rules: [{ id: 'no-mail', tool: 'send_*', action: 'ask' }] } }));
    const log = JSON.stringify(CONVERSATIONS.chat('Summarise mail m-1.', MAIL('Hello.'), true));
    const inputs = ['--policy', file, '--input-format', 'jsonl', '--quiet', '--fail-on'];
    expect((await scan([...inputs, 'ask'], log)).code).toBe(1);
    expect((await scan([...inputs, 'block'], log)).code).toBe(0);
  });

  it('names the rule of the policy that a call violates', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'svc-scan-')), 'policy.json');
    writeFileSync(file, JSON.stringify({ tools: { rules: [{ id: 'no-mail', tool: 'send_*', action: 'block' }] } }));
    const log = JSON.stringify(CONVERSATIONS.chat('Summarise mail m-1.', MAIL('Hello.'), true));
    const inputs = ['--policy', file, '--input-format', 'jsonl', '--quiet'];
    expect((await scan([...inputs, '--format', 'report'], log)).stdout).toContain('tool-misuse/tool-policy (no-mail)');
    const { runs } = JSON.parse((await scan([...inputs, '--format', 'sarif'], log)).stdout);
    expect(runs[0].results[0].properties).toMatchObject({ policyRule: 'no-mail' });
  });

  it('without content is an error, and with unknown turns before it a note', async () => {
    const span = (...attributes: string[]) =>
      JSON.stringify({ attributes: Object.fromEntries(attributes.map((name) => [name, CALL])) });
    const CALL = [{ role: 'assistant', parts: [{ type: 'tool_call', name: 'send', arguments: {} }] }];
    const without = await scan(['--quiet'], span('gen_ai.operation.name'));
    expect([without.code, without.stderr]).toEqual([
      2,
      'stdin:1: spans without "gen_ai.input.messages": the instrumentation does not record content\n',
    ]);
    const { code, stderr } = await scan([], span('gen_ai.output.messages'));
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('not scanned: 1 conversation whose calls lack earlier turns\n'),
    ]);
  });
});

it('prints no control characters of arguments', async () => {
  const { code, stderr } = await scan(['--format', 'a\u001b[2Jb\u202e'], '');
  expect(code).toBe(2);
  expect(stderr?.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

it('prints no control characters of file names', async () => {
  const { code, stderr } = await scan(['a\u001b[2Jb\u202e', '--quiet'], '');
  expect([code, stderr]).toEqual([2, 'a\ufffd[2Jb\ufffd: no such file or folder\n']);
});

it.each(['jsonl', 'csv', 'sarif'])('prints no control characters of ids as %s', async (format) => {
  const id = 'a\u001b[2J\u009b2J\u007f\u202eb';
  const { stdout } = await scan(['--format', format, '--quiet'], JSON.stringify({ id, text: 'SVC-TEST-FLAG-7f3a' }));
  expect(stdout.replaceAll(/\r?\n/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  if (format === 'jsonl') expect(JSON.parse(stdout).id).toBe(id);
  if (format === 'sarif') expect(JSON.parse(stdout).runs[0].results[0].properties.id).toBe(id);
  if (format === 'csv') expect(stdout).toContain('a\ufffd[2J\ufffd2J\ufffd\ufffdb,');
});
