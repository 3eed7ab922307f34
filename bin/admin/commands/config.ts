import { open, writeFile } from 'node:fs/promises';
import type { BodyOf, KeyView, PolicyVersionView, WebhookView } from '../../../functions/contract/index.ts';
import type { AdminClient } from '../admin-client.ts';
import { type Command, type CommandInput, type Context, type Option, Refused } from '../command.ts';
import type { Deployed, KeyEntry, Plan, Step, WebhookEntry } from '../config-file.ts';
import type { Output } from '../output.ts';

const PRUNE: Option = {
  help: 'Also delete webhooks and revoke keys that are not in the file, except admin keys.',
};

const PROGRESS_EVERY = 100;

/** The deployment's policy, keys and webhooks as one file. */
export const CONFIG_COMMANDS: readonly Command[] = [
  {
    name: 'export',
    args: ['FILE'],
    argHelp: { FILE: { help: 'The file to write. An existing one is replaced.' } },
    summary: 'Writes policy, keys and webhooks to a file, without secrets.',
    options: {},
    examples: ['export svc.json'],
    async run(input, { api, out }) {
      const { policy, keys, webhooks } = await readDeployed(api(), out);
      const { refusing, toConfigFile } = await asCode();
      const file = refusing(() => toConfigFile(policy, keys, webhooks));
      await writeFile(input.arg(0), `${JSON.stringify(file, null, 2)}\n`);
      const written = { keys: keys.length, webhooks: webhooks.length };
      if (out.json) out.objects([{ file: input.arg(0), ...written }]);
      out.say(`Wrote the policy, ${written.keys} keys and ${written.webhooks} webhooks to ${input.arg(0)}.`);
      return 0;
    },
  },
  {
    name: 'plan',
    args: ['FILE'],
    argHelp: { FILE: { help: 'A file as export writes it.' } },
    summary: 'Shows what apply would change.',
    options: { prune: PRUNE },
    examples: ['plan svc.json', 'plan svc.json --prune --json'],
    async run(input, context) {
      print(await planOf(input, context, context.api()), context.out);
      return 0;
    },
  },
  {
    name: 'apply',
    args: ['FILE'],
    argHelp: { FILE: { help: 'A file as export writes it.' } },
    summary: 'Applies the file to the deployment; prints secrets of new keys and webhooks once.',
    options: {
      prune: PRUNE,
      secrets: {
        value: 'FILE',
        help: 'A new file for the secrets, one JSON object a line, readable only to you. Default: standard output.',
      },
    },
    examples: ['apply svc.json --secrets new-keys.jsonl', 'apply svc.json --prune --yes'],
    async run(input, context) {
      const { api, out, confirm } = context;
      const client = api();
      const plan = await planOf(input, context, client);
      print(plan, out);
      const ended = plan.steps.filter((step) => step.do === 'revoke key' || step.do === 'delete webhook');
      if (ended.length > 0) await confirm(`Revoke keys or delete webhooks, ${ended.length} in all?`);
      await apply(plan, client, input.text('secrets'), out);
      return 0;
    },
  },
];

async function planOf(input: CommandInput, { readJson, out }: Context, client: AdminClient): Promise<Plan> {
  const { planConfig, readConfigFile, refusing } = await asCode();
  const content = await readJson(input.arg(0));
  const wanted = refusing(() => readConfigFile(content));
  const deployed = await readDeployed(client, out);
  return refusing(() => planConfig(wanted, deployed, input.flag('prune')));
}

/** Loaded only if needed: the schemas of keys and policies are large. */
async function asCode() {
  const { ConfigError, planConfig, readConfigFile, toConfigFile } = await import('../config-file.ts');
  /** Reports an invalid file to the operator. */
  const refusing = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof ConfigError ? new Refused(error.message) : error;
    }
  };
  return { planConfig, readConfigFile, refusing, toConfigFile };
}

async function readDeployed(client: AdminClient, out: Output): Promise<Deployed> {
  const keys: KeyView[] = [];
  for await (const key of client.list('listKeys', {})) {
    if (keys.push(key) % PROGRESS_EVERY === 0) out.progress(`Read ${keys.length} keys`);
  }
  out.progress(`Read ${keys.length} keys`);
  const webhooks = await client.all('listWebhooks', {});
  const shown = (await client.call('getPolicy', {})) as PolicyVersionView;
  const { object: _, version, createdAt: __, createdBy: ___, rollout: ____, ...policy } = shown;
  return { policy, etag: `"${version}"`, keys, webhooks };
}

function print({ steps, extraneous }: Plan, out: Output): void {
  const kept = extraneous.map((one) => ({
    do: 'keep',
    id: one.id,
    ...('name' in one ? { name: one.name } : { url: one.url }),
  }));
  if (out.json) out.objects([...steps, ...kept]);
  for (const step of steps) for (const line of linesOf(step)) out.line(line);
  for (const one of extraneous) out.line(`  ${nameOf(one)} (${one.id}) is not in the file and stays`);
  if (steps.length === 0) out.line('No changes.');
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

async function apply({ steps }: Plan, client: AdminClient, secrets: string | undefined, out: Output): Promise<void> {
  const makesSecrets = steps.some((step) => step.do === 'create key' || step.do === 'create webhook');
  // Before anything is changed: a secret that could not be written would be lost.
  const file = secrets !== undefined && makesSecrets ? await open(secrets, 'wx', 0o600) : undefined;
  const keep = async (secret: object) => {
    if (file === undefined) out.objects([secret]);
    else await file.write(`${JSON.stringify(secret)}\n`);
  };
  try {
    for (const [at, step] of steps.entries()) {
      out.progress(`Applied ${at} of ${steps.length} changes`);
      await applyStep(step, client, keep);
    }
  } finally {
    await file?.close();
  }
  if (steps.length > 0) out.line(`Applied: ${steps.length} ${steps.length === 1 ? 'change' : 'changes'}.`);
}

async function applyStep(step: Step, client: AdminClient, keep: KeepSecret): Promise<void> {
  switch (step.do) {
    case 'put policy':
      await client.call('putPolicy', { body: step.after, headers: { 'if-match': step.etag } });
      break;
    case 'create key':
      await createKey(step.entry, client, keep);
      break;
    case 'update key':
      await client.call('updateKey', { params: { id: step.id }, body: step.after });
      break;
    case 'revoke key':
      await client.call('revokeKey', { params: { id: step.id } });
      break;
    case 'create webhook':
      await createWebhook(step.entry, client, keep);
      break;
    case 'update webhook':
      await client.call('updateWebhook', { params: { id: step.id }, body: step.after });
      break;
    case 'delete webhook':
      await client.call('deleteWebhook', { params: { id: step.id } });
      break;
  }
}

type KeepSecret = (secret: object) => Promise<void>;

async function createKey({ state, ...fields }: KeyEntry, client: AdminClient, keep: KeepSecret): Promise<void> {
  const { id, name, key } = await client.call('createKey', { body: fields as BodyOf<'createKey'> });
  await keep({ id, name, key });
  if (state === 'disabled') await client.call('updateKey', { params: { id }, body: { state } });
}

async function createWebhook({ state, ...fields }: WebhookEntry, client: AdminClient, keep: KeepSecret): Promise<void> {
  const { id, url, secret } = await client.call('createWebhook', { body: fields as BodyOf<'createWebhook'> });
  await keep({ id, url, secret });
  if (state === 'disabled') await client.call('updateWebhook', { params: { id }, body: { state } });
}
