import { pathToFileURL } from 'node:url';
import { SERVICE } from './entry.ts';

/** The data folder of a demo. */
export const DEMO_FOLDER = '.svc-demo';

const USAGE = `Usage: svc start [--demo]

Runs the service on this machine until Ctrl-C, with its data in the folder .svc.
With --demo the folder is ${DEMO_FOLDER}, and the first start fills it with a day of invented traffic; svc demo clear deletes it.
Settings are environment variables, such as PORT, SVC_DATA_DIR and OPENAI_API_KEY.`;

/**
 * These apply only from the start of a process. Each of the first two takes a third of the memory away at about the same CPU
 * (bench/notes/request-path.md); the last one hides a warning of SQLite, which Node 22 calls experimental.
 */
export const SERVICE_OPTIONS = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=60',
  '--disable-warning=ExperimentalWarning',
];
export const SERVICE_VARIABLES = { MALLOC_ARENA_MAX: '1' };

/** svc start: replaces this process by the service, so that signals and the exit code are the service's. */
export async function start(args: readonly string[]): Promise<number> {
  const isDemo = args.length === 1 && args[0] === '--demo';
  if (args.length > 0 && !isDemo) {
    const isHelp = args[0] === '--help' || args[0] === '-h';
    if (isHelp) process.stdout.write(`${USAGE}\n`);
    else process.stderr.write(`error: unknown argument.\n\n${USAGE}\n`);
    return isHelp ? 0 : 2;
  }
  if (isDemo) {
    process.env.SVC_DEMO = 'true';
    process.env.SVC_DATA_DIR ||= DEMO_FOLDER;
  }
  const call = [process.execPath, ...process.execArgv, ...SERVICE_OPTIONS, SERVICE];
  // Windows has no such call: there the service runs here, without the options.
  if (process.platform !== 'win32') process.execve?.(process.execPath, call, { ...process.env, ...SERVICE_VARIABLES });
  await import(pathToFileURL(SERVICE).href);
  return 0;
}
