import { parseArgs } from 'node:util';
import { createTables } from '../lib/local/create-tables.ts';
import { callOf } from './entry.ts';

const USAGE = `Usage: ${callOf('create-tables')} --name NAME [--json]

Creates tables, queues and secrets in AWS for containers without a deployment, and the SSM parameter that names them: /svc/NAME/stores.
What exists stays and gets what this version adds. Credentials and region are those of the AWS SDK.
Prints the value of SVC_STORES_PARAMETER and, the first time, an admin key.`;
const OPTIONS = { name: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
/** Begins the names of tables and queues, of which the longest may have 80 characters. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** svc create-tables: creates what containers need in AWS. */
export async function createTablesCommand(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options?.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const { name, json } = options ?? {};
  if (name === undefined || !NAME.test(name)) {
    const fault = options === undefined ? 'unknown argument' : '--name must be lower-case letters, digits and hyphens';
    process.stderr.write(`error: ${fault}.\n\n${USAGE}\n`);
    return 2;
  }
  try {
    const { parameter, adminKey } = await createTables(name, (line) => process.stderr.write(`${line}\n`));
    if (json) process.stdout.write(`${JSON.stringify({ parameter, adminKey: adminKey ?? null })}\n`);
    else {
      process.stdout.write(`SVC_STORES=aws\nSVC_STORES_PARAMETER=${parameter}\n`);
      if (adminKey !== undefined) process.stdout.write(`SVC_ADMIN_KEY=${adminKey}\n`);
    }
    return 0;
  } catch (error) {
    const message = `Not completed: ${(error as Error).message}. Run it again: what exists stays.`;
    if (json) process.stdout.write(`${JSON.stringify({ error: { message } })}\n`);
    else process.stderr.write(`${message}\n`);
    return 1;
  }
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch {
    return undefined;
  }
}
