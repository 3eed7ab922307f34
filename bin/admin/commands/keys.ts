import { systemClock } from '../../../functions/adapters/node/process-time.ts';
import type { BodyOf, KeyView } from '../../../functions/contract/index.ts';
import { DEFAULT_AUDIT_RETENTION_DAYS, OPERATOR } from '../../../functions/control/audit/index.ts';
import { type Command, type CommandInput, type Context, type Option, UsageError } from '../command.ts';
import { bodyFrom, optionsOf, queryFrom } from '../fields.ts';

/** Options of commands that access tables directly. */
const TABLE: Readonly<Record<string, Option>> = {
  table: { value: 'NAME', help: 'Table of keys (output KeysTable), accessed with your AWS credentials.' },
  'pepper-secret': { value: 'ARN', help: 'Secret that hashes keys (output PepperSecret).' },
};

const ID = ['ID'];
const TOOL = { TOOL: { help: 'The name that clients send.' } } as const;
/** Characters of a digest in a table; `--json` has all. */
const SHOWN_DIGEST = 12;

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'keys list',
    args: [],
    summary: 'Lists keys, newest first.',
    options: optionsOf('listKeys'),
    examples: ['keys list', 'keys list --state active --json'],
    async run(input, context) {
      const { api, out } = context;
      const query = await queryFrom('listKeys', input, context);
      const keys: KeyView[] = [];
      for await (const key of api().list('listKeys', { query })) {
        if (keys.push(key) % 100 === 0) out.progress(`Read ${keys.length} keys`);
      }
      out.list(keys, {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        ENVIRONMENT: ({ environment }) => environment,
        STATE: ({ state }) => state,
        LAST4: ({ last4 }) => last4,
        PERMISSIONS: ({ permissions }) => permissions.join(),
        RATE: ({ rateLimit: { requests, period } }) => `${requests}/${period}`,
        'LAST USED': ({ lastUsedAt }) => lastUsedAt,
        EXPIRES: ({ expiresAt }) => expiresAt,
      });
      return 0;
    },
  },
  {
    name: 'keys show',
    args: ID,
    summary: 'Shows a key, without its secret.',
    options: {},
    examples: ['keys show key_...'],
    async run(input, { api, out }) {
      out.thing(await api().call('getKey', { params: { id: input.arg(0) } }));
      return 0;
    },
  },
  {
    name: 'keys create',
    args: ['NAME'],
    summary: 'Creates a key and prints its secret once, on standard output.',
    options: optionsOf('createKey', 'name'),
    examples: [
      'keys create "Checkout" --environment Production --rate 600/minute > checkout.key',
      'keys create admin2 --permissions admin --json',
    ],
    async run(input, context) {
      const { api, out } = context;
      const body = { ...(await bodyFrom('createKey', input, context)), name: input.arg(0) };
      const made = await api().call('createKey', { body });
      out.secret(made.key, made, `Created ${made.id}, '${made.name}'. Its secret is shown only once.`);
      return 0;
    },
  },
  {
    name: 'keys update',
    args: ID,
    summary: 'Changes the named fields of a key.',
    options: optionsOf('updateKey'),
    examples: ['keys update key_... --rate 1200/minute --tag team=shop', 'keys update key_... --expires none'],
    async run(input, context) {
      return update(input, await bodyFrom('updateKey', input, context), context);
    },
  },
  {
    name: 'keys rotate',
    args: ID,
    summary: 'Gives a key a new secret and prints it once, on standard output.',
    options: optionsOf('rotateKey'),
    examples: ['keys rotate key_... > new.key', 'keys rotate key_... --grace 0'],
    async run(input, context) {
      const { api, out } = context;
      const body = await bodyFrom('rotateKey', input, context);
      const key = await api().call('rotateKey', { params: { id: input.arg(0) }, body });
      const until = key.previousSecrets.map(({ validUntil }) => validUntil).sort();
      const rest = until.length === 0 ? 'The old one is invalid' : `The old one is valid until ${until.at(-1)}`;
      out.secret(key.key, key, `Rotated ${key.id}, '${key.name}'. Its new secret is shown only once. ${rest}.`);
      return 0;
    },
  },
  setState('disable', 'disabled', 'Disables a key until it is enabled again.'),
  setState('enable', 'active', 'Enables a disabled key.'),
  {
    name: 'keys revoke',
    args: ID,
    summary: 'Revokes a key permanently.',
    options: {},
    examples: ['keys revoke key_...', 'keys revoke key_... --yes'],
    async run(input, { api, out, confirm }) {
      const client = api();
      const call = { params: { id: input.arg(0) } };
      const { name } = await client.call('getKey', call);
      await confirm(`Revoke ${input.arg(0)}, '${name}'? This cannot be undone.`);
      const key = await client.call('revokeKey', call);
      if (out.json) out.thing(key);
      out.say(`Revoked ${key.id}, '${key.name}'.`);
      return 0;
    },
  },
  {
    name: 'keys tools',
    args: ID,
    summary: 'Lists the pinned tools of a key, and what has changed in their definitions.',
    options: optionsOf('listKeyTools'),
    examples: ['keys tools key_...', 'keys tools key_... --json'],
    async run(input, context) {
      const { api, out } = context;
      const query = await queryFrom('listKeyTools', input, context);
      const tools = await api().all('listKeyTools', { params: { id: input.arg(0) }, query });
      out.list(tools, {
        TOOL: ({ tool }) => tool,
        DIGEST: ({ digest }) => digest.slice(0, SHOWN_DIGEST),
        'FIRST SEEN': ({ firstSeenAt }) => firstSeenAt,
        PENDING: ({ pending }) => pending?.digest.slice(0, SHOWN_DIGEST),
        CHANGED: ({ pending }) => pending?.fields.join(),
      });
      return 0;
    },
  },
  {
    name: 'keys approve-tool',
    args: ['ID', 'TOOL'],
    argHelp: TOOL,
    summary: 'Accepts the changed definition of a tool.',
    options: optionsOf('approveKeyTool'),
    examples: ['keys approve-tool key_... send_email'],
    async run(input, context) {
      const { api, out } = context;
      const body = await bodyFrom('approveKeyTool', input, context);
      const params = { id: input.arg(0), tool: input.arg(1) };
      const tool = await api().call('approveKeyTool', { params, body });
      if (out.json) out.thing(tool);
      out.say(`Accepted the definition ${tool.digest} of ${tool.tool}.`);
      return 0;
    },
  },
  {
    name: 'keys unpin-tool',
    args: ['ID', 'TOOL'],
    argHelp: TOOL,
    summary: 'Removes the pin of a tool: the next definition is pinned.',
    options: {},
    examples: ['keys unpin-tool key_... send_email'],
    async run(input, { api, out }) {
      const gone = await api().call('unpinKeyTool', { params: { id: input.arg(0), tool: input.arg(1) } });
      if (out.json) out.thing(gone);
      out.say(`${gone.tool} is not pinned.`);
      return 0;
    },
  },
  {
    name: 'keys create-admin',
    args: [],
    summary: 'Creates an admin key directly in the tables, if all are lost, and prints its secret once.',
    options: {
      ...TABLE,
      'audit-table': { value: 'NAME', help: 'Table of the audit log (output AuditTable).' },
      name: { value: 'TEXT', help: 'Name of the key. Default: First admin key.' },
    },
    examples: ['keys create-admin --table <KeysTable> --audit-table <AuditTable> --pepper-secret <PepperSecret>'],
    async run(input, { out }) {
      const auditTable = input.needed('audit-table');
      const { dynamo, keys, hasher } = await openKeysTable(input);
      const { DynamoAuditLog } = await import('../../../functions/adapters/dynamo/dynamo-audit-log.ts');
      const { makeKey, storeKey } = await import('../../../functions/control/keys/index.ts');
      const { createKeySchema } = await import('../../../functions/kernel/model/index.ts');
      const fields = createKeySchema.parse({ name: input.text('name') ?? 'First admin key', permissions: ['admin'] });
      const { key, secret } = await makeKey(fields, hasher, systemClock);
      const audit = new DynamoAuditLog(dynamo, auditTable, DEFAULT_AUDIT_RETENTION_DAYS);
      await storeKey(key, OPERATOR, { keys, audit, clock: systemClock, onAudited: () => {} });
      out.secret(
        secret,
        { id: key.id, name: key.name, key: secret },
        `Created ${key.id}, '${key.name}'. Its secret is shown only once.`,
      );
      return 0;
    },
  },
  {
    name: 'keys rehash',
    args: [],
    summary:
      'Moves keys used since a change of the pepper to its new value, directly in the table, and lists the others.',
    options: TABLE,
    examples: ['keys rehash --table <KeysTable> --pepper-secret <PepperSecret>'],
    async run(input, { out }) {
      const { keys, hasher, imported } = await openKeysTable(input);
      const { rehashKeys } = await import('../../../functions/control/keys/index.ts');
      const { moved, current, behind } = await rehashKeys(keys, hasher, imported, systemClock);
      const names = behind.map(({ id, name, lastUsedAt }) => ({ id, name, lastUsedAt }));
      if (out.json) out.objects([{ moved, current, behind: names }]);
      out.line(`${moved} moved to the current pepper, ${current} already under it, ${behind.length} not seen since:`);
      for (const { id, name, lastUsedAt } of names) out.line(`${id}  ${name}  last used ${lastUsedAt ?? 'never'}`);
      return 0;
    },
  },
];

/** The keys table, accessed with the operator's AWS credentials. */
async function openKeysTable(input: CommandInput) {
  if (input.text('url') !== undefined) throw new UsageError('--table accesses the table directly: leave out --url.');
  const [table, pepperSecret] = [input.needed('table'), input.needed('pepper-secret')];
  // Loaded only if needed: the SDK is large.
  const { createDynamoClient } = await import('../table-client.ts');
  const { secretSource } = await import('../../../functions/adapters/aws/secrets-manager.ts');
  const { DynamoKeyStore } = await import('../../../functions/adapters/dynamo/dynamo-key-store.ts');
  const { createKeyHasher } = await import('../../../functions/adapters/node/hmac-key-hasher.ts');
  const { DynamoDocumentStore, IMPORTED_SECRETS_DOCUMENT } = await import(
    '../../../functions/adapters/dynamo/dynamo-document-store.ts'
  );
  const dynamo = createDynamoClient();
  return {
    dynamo,
    keys: new DynamoKeyStore(dynamo, table),
    hasher: createKeyHasher(secretSource(pepperSecret)),
    imported: new DynamoDocumentStore(dynamo, table, IMPORTED_SECRETS_DOCUMENT),
  };
}

function setState(verb: 'enable' | 'disable', state: 'active' | 'disabled', summary: string): Command {
  return {
    name: `keys ${verb}`,
    args: ID,
    summary,
    options: {},
    examples: [`keys ${verb} key_...`],
    run: (input, context) => update(input, { state }, context),
  };
}

async function update(input: CommandInput, body: BodyOf<'updateKey'>, { api, out }: Context): Promise<number> {
  if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
  const key = await api().call('updateKey', { params: { id: input.arg(0) }, body });
  if (out.json) out.thing(key);
  out.say(`${key.id}, '${key.name}', is ${key.state}.`);
  return 0;
}
