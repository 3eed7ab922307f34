import { open, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  ConfigError,
  type KeyEntry,
  readConfigFile,
  toConfigFile,
  type WebhookEntry,
} from '../functions/admin-api/as-code/config-file.ts';
import { type Deployed, type Plan, planConfig, type Step } from '../functions/admin-api/as-code/plan-config.ts';
import type {
  CreatedKey,
  CreatedWebhook,
  KeyView,
  PolicyVersionView,
  WebhookView,
} from '../functions/admin-api/contract.ts';
import { type AdminClient, clientFromEnvironment } from './admin-client.ts';
import { runCommand } from './run-command.ts';

/**
 * The deployment's policy, keys and webhooks as one file, through the admin API with the key in SVC_ADMIN_KEY:
 * npm run --silent config -- export|plan|apply --file FILE --url URL [--prune] [--secrets FILE]
 *
 * `export` writes the file, `plan` tells what `apply` would do. The secrets of new keys and webhooks are in no file but the one of
 * `--secrets`, which only its owner may read; without it they are printed, once.
 */
const USAGE = 'usage: npm run --silent config -- export|plan|apply --file FILE --url URL [--prune] [--secrets FILE]';

await runCommand(async () => {
  const { command, file, url, prune, secrets } = readArguments();
  const client = clientFromEnvironment(url);
  try {
    if (command === 'export') return await exportTo(file, client);
    const plan = planConfig(readConfigFile(await readFile(file, 'utf8')), await readDeployed(client), prune);
    tell(plan);
    if (command === 'apply') await apply(plan, client, secrets);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError) && !isFileError(error)) throw error;
    console.error(error.message);
    return 1;
  }
});

async function exportTo(file: string, client: AdminClient): Promise<number> {
  const { policy, keys, webhooks } = await readDeployed(client);
  await writeFile(file, `${JSON.stringify(toConfigFile(policy, keys, webhooks), null, 2)}\n`);
  return 0;
}

async function readDeployed(client: AdminClient): Promise<Deployed> {
  const keys: KeyView[] = [];
  for await (const key of client.list<KeyView>('/keys')) keys.push(key);
  const webhooks: WebhookView[] = [];
  for await (const webhook of client.list<WebhookView>('/webhooks')) webhooks.push(webhook);
  const shown: PolicyVersionView = await client.call('GET', '/policy');
  const { object: _, version, createdAt: __, createdBy: ___, ...policy } = shown;
  return { policy, etag: `"${version}"`, keys, webhooks };
}

function tell({ steps, extraneous }: Plan): void {
  for (const step of steps) for (const line of linesOf(step)) console.log(line);
  for (const one of extraneous) console.log(`  ${nameOf(one)} (${one.id}) is not in the file and stays`);
  if (steps.length === 0) console.log('No changes.');
}

function nameOf(one: Pick<KeyView, 'name'> | Pick<WebhookView, 'url'>): string {
  return 'name' in one ? `key '${one.name}'` : `webhook ${one.url}`;
}

function linesOf(step: Step): string[] {
  if (step.do === 'create key' || step.do === 'create webhook') return [`+ ${nameOf(step.entry)}`];
  if (step.do === 'revoke key' || step.do === 'delete webhook') return [`- ${nameOf(step)} (${step.id})`];
  const head = step.do === 'put policy' ? '~ policy' : `~ ${nameOf(step)} (${step.id})`;
  const [before, after] = [new Map(Object.entries(step.before)), new Map(Object.entries(step.after))];
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].map((name) => [name, shown(before.get(name)), shown(after.get(name))]);
  return [
    head,
    ...changed.filter(([, was, is]) => was !== is).map(([name, was, is]) => `    ${name}: ${was} -> ${is}`),
  ];
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

async function apply({ steps }: Plan, client: AdminClient, secrets: string | undefined): Promise<void> {
  const makesSecrets = steps.some((step) => step.do === 'create key' || step.do === 'create webhook');
  // Before anything is changed: a secret that could not be written would be lost.
  const file = secrets !== undefined && makesSecrets ? await open(secrets, 'wx', 0o600) : undefined;
  const keep = async (secret: object) => {
    const line = JSON.stringify(secret);
    if (file === undefined) console.log(line);
    else await file.write(`${line}\n`);
  };
  try {
    for (const step of steps) {
      if (step.do === 'put policy') await client.call('PUT', '/policy', step.after, { 'if-match': step.etag });
      if (step.do === 'update key') await client.call('PATCH', `/keys/${step.id}`, step.after);
      if (step.do === 'revoke key') await client.call('DELETE', `/keys/${step.id}`);
      if (step.do === 'create key') await createKey(step.entry, client, keep);
      if (step.do === 'update webhook') await client.call('PATCH', `/webhooks/${step.id}`, step.after);
      if (step.do === 'delete webhook') await client.call('DELETE', `/webhooks/${step.id}`);
      if (step.do === 'create webhook') await createWebhook(step.entry, client, keep);
    }
  } finally {
    await file?.close();
  }
  if (steps.length > 0) console.log(`Applied: ${steps.length} ${steps.length === 1 ? 'change' : 'changes'}.`);
}

type KeepSecret = (secret: object) => Promise<void>;

async function createKey({ state, ...fields }: KeyEntry, client: AdminClient, keep: KeepSecret): Promise<void> {
  const { id, name, key }: CreatedKey = await client.call('POST', '/keys', fields);
  await keep({ id, name, key });
  if (state === 'disabled') await client.call('PATCH', `/keys/${id}`, { state });
}

async function createWebhook({ state, ...fields }: WebhookEntry, client: AdminClient, keep: KeepSecret): Promise<void> {
  const { id, url, secret }: CreatedWebhook = await client.call('POST', '/webhooks', fields);
  await keep({ id, url, secret });
  if (state === 'disabled') await client.call('PATCH', `/webhooks/${id}`, { state });
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        file: { type: 'string' },
        url: { type: 'string' },
        prune: { type: 'boolean', default: false },
        secrets: { type: 'string' },
      },
    });
    const command = (['export', 'plan', 'apply'] as const).find((name) => name === positionals[0]);
    const { file, url, prune, secrets } = values;
    if (command !== undefined && positionals.length === 1 && file !== undefined && url !== undefined) {
      return { command, file, url, prune, secrets };
    }
  } catch {
    // An option that is none: told below like any other.
  }
  console.error(USAGE);
  process.exit(2);
}
