import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runAdmin } from '../../bin/admin/run-admin.ts';
import { COMPILE_CACHE } from './quick-start.ts';

/** Runs a command of the admin CLI in this process, and returns what it printed and its exit code. */
export async function runAdminInProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<{ out: string; error: string; code: number | null }> {
  const printed = { out: '', error: '' };
  const collector = (name: keyof typeof printed) =>
    new Writable({
      write(chunk, _encoding, done) {
        printed[name] += chunk;
        done();
      },
    });
  const io = { env, stdin: Readable.from([input]), stdout: collector('out'), stderr: collector('error') };
  const code = await runAdmin(args, io);
  return { ...printed, code };
}

/** Runs a command of svc as npm would, and returns what it printed and its exit code. */
export async function runBin(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
) {
  const child = spawn(process.execPath, ['bin/svc.ts', command, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...env },
  });
  // One that reads nothing may be over before this is written.
  child.stdin.on('error', () => {}).end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, error, code };
}
