import { parseArgs } from 'node:util';
import { createLocalAdminKey } from '../lib/local/admin-key.ts';
import { callOf } from './entry.ts';

const USAGE = `Usage: ${callOf('admin-key')} --local [--name TEXT] [--json]

Creates an admin key for the local service of this machine, running or not, and prints it once, on standard output.
Use it if the key of the first start is lost. --name has the time by default.
It reads the variables of the service: SVC_DATA_DIR (default .svc), SVC_PEPPER and AWS_ENDPOINT_URL_DYNAMODB.
In a deployment use: ${callOf('admin')} keys create-admin`;
const OPTIONS = {
  local: { type: 'boolean' },
  name: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** svc admin-key --local: creates an admin key for the local service and prints it. */
export async function adminKey(args: readonly string[]): Promise<never> {
  // The embedded stores keep timers.
  process.exit(await createKey(args));
}

async function createKey(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === undefined) return 2;
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (!options.local) {
    process.stderr.write(`error: --local is required.\n\n${USAGE}\n`);
    return 2;
  }
  const { SVC_DATA_DIR, SVC_PEPPER, AWS_ENDPOINT_URL_DYNAMODB } = process.env;
  try {
    const { id, name, secret } = await createLocalAdminKey(options.name ?? `Admin key ${new Date().toISOString()}`, {
      dataDir: SVC_DATA_DIR || '.svc',
      pepper: SVC_PEPPER || undefined,
      dynamodbUrl: AWS_ENDPOINT_URL_DYNAMODB || undefined,
    });
    process.stderr.write(
      `Created ${id}, '${name}'. It is shown only once. Revoke the lost key: ${callOf('admin')} keys revoke ID\n`,
    );
    process.stdout.write(`${options.json ? JSON.stringify({ id, name, key: secret }) : secret}\n`);
    return 0;
  } catch (error) {
    const message = `No key was created: ${(error as Error).message}`;
    if (options.json) process.stdout.write(`${JSON.stringify({ error: { message } })}\n`);
    else process.stderr.write(`${message}\n`);
    return 1;
  }
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch {
    // The message would repeat the argument, which may be a secret.
    process.stderr.write(`error: unknown argument.\n\n${USAGE}\n`);
    return undefined;
  }
}
