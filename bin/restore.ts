import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import {
  BACKGROUND_RETRIES,
  createDynamoClient,
  createSecretsManagerClient,
  createSsmClient,
} from '../functions/adapters/aws/clients.ts';
import { type StoresParameter, storesParameterSchema } from '../lib/settings/stores-parameter.ts';
import { callOf } from './entry.ts';
import { checkSecrets } from './restore/check-secrets.ts';
import { OPTIONAL_TABLES, RESTORED_TABLES, type RestorableTable, restoreTables } from './restore/restore-tables.ts';
import type { RestorePoint } from './restore/source-table.ts';

const USAGE = `Usage: ${callOf('restore')} --to STORES [--from STORES] [--at TIME | --newest-backup] [options]

Copies tables at a time of the last 35 days, or from their newest backup, into the tables of a stage: a new one, an emptied one, or the same,
where items that exist stay. STORES is an SSM parameter, /svc/svc-production-data/stores, or a file with its value.

  --to STORES         The stage that gets the items
  --from STORES       The stage whose tables are restored. Default: that of --to
  --at TIME           Point-in-time recovery: 2026-11-30T08:00:00Z
  --newest-backup     The newest backup of each table. DynamoDB keeps one of a deleted table for 35 days
  --tables NAMES      Default: ${RESTORED_TABLES.join(',')}. Also: ${OPTIONAL_TABLES.join(', ')}
  --replace           Overwrites items of the target
  --progress FILE     Where the run notes what is done, and continues from. Default: svc-restore.json
  --json              Prints the result as JSON

Credentials and region are those of the AWS SDK. What to check before and after: docs/deploy.md#restore-data`;
const OPTIONS = {
  to: { type: 'string' },
  from: { type: 'string' },
  at: { type: 'string' },
  'newest-backup': { type: 'boolean', default: false },
  tables: { type: 'string' },
  replace: { type: 'boolean', default: false },
  progress: { type: 'string', default: 'svc-restore.json' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;
const CALL_MS = 30_000;

/** svc restore: copies tables at a point in time into a stage. */
export async function restore(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options !== 'string' && options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const fault = typeof options === 'string' ? options : faultIn(options);
  if (typeof options === 'string' || fault !== undefined) {
    process.stderr.write(`error: ${fault}.\n\n${USAGE}\n`);
    return 2;
  }
  try {
    await run(options);
    return 0;
  } catch (error) {
    const message = `Not completed: ${(error as Error).message}. Run the same command again: it continues.`;
    if (options.json) process.stdout.write(`${JSON.stringify({ error: { message } })}\n`);
    else process.stderr.write(`${message}\n`);
    return 1;
  }
}

type Options = Exclude<ReturnType<typeof readOptions>, string>;

async function run(options: Options): Promise<void> {
  const to = await storesOf(options.to ?? '');
  const from = options.from === undefined ? to : await storesOf(options.from);
  const report = (line: string) => process.stderr.write(`${line}\n`);
  for (const warning of await checkSecrets(createSecretsManagerClient({ timeoutMs: CALL_MS }), from, to))
    report(`Warning: ${warning}`);
  const result = await restoreTables({
    dynamo: createDynamoClient({ timeoutMs: CALL_MS, retries: BACKGROUND_RETRIES }),
    from: from.tables,
    to: to.tables,
    tables: tablesIn(options) as RestorableTable[],
    at: pointIn(options),
    replaces: options.replace,
    progressFile: options.progress,
    report,
  });
  if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else report(`Restored. Delete ${options.progress}, and go on in docs/deploy.md#restore-data.`);
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    return (error as Error).message;
  }
}

function tablesIn({ tables }: Options): readonly string[] {
  return tables === undefined ? RESTORED_TABLES : tables.split(',').map((name) => name.trim());
}

function pointIn({ at, 'newest-backup': newest }: Options): RestorePoint {
  if (newest) return 'newest-backup';
  return at === undefined ? undefined : new Date(at);
}

function faultIn(options: Options): string | undefined {
  const known: readonly string[] = [...RESTORED_TABLES, ...OPTIONAL_TABLES];
  const unknown = tablesIn(options).find((name) => !known.includes(name));
  if (options.to === undefined) return '--to is missing';
  if (unknown !== undefined) return `--tables: '${unknown}' is not one of ${known.join(', ')}`;
  if (options.at !== undefined && options['newest-backup']) return '--at and --newest-backup exclude each other';
  if (options.at !== undefined && !/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(options.at))
    return '--at must be a time with its zone, such as 2026-11-30T08:00:00Z';
  if (options.at !== undefined && Number.isNaN(Date.parse(options.at))) return '--at is not a time';
  return undefined;
}

/** The names of a stage's tables and secrets, by its SSM parameter or a file with the value. */
async function storesOf(place: string): Promise<StoresParameter> {
  const text = place.startsWith('/svc/') ? await readParameter(place) : await readFile(place, 'utf8');
  const parsed = storesParameterSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`'${place}' does not have the form of a parameter of stores`);
  return parsed.data;
}

async function readParameter(Name: string): Promise<string> {
  const { Parameter } = await createSsmClient({ timeoutMs: CALL_MS }).send(new GetParameterCommand({ Name }));
  return Parameter?.Value ?? '';
}
