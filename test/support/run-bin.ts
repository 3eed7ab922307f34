import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Runs a command of bin/ as npm would, and gives what it printed and how it ended. */
export async function runBin(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
) {
  const child = spawn(process.execPath, [`bin/${command}.ts`, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  // One that reads nothing may be over before this is written.
  child.stdin.on('error', () => {}).end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, error, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, error, code };
}
