import { systemClock } from '../../../functions/adapters/node/process-time.ts';
import type { CreatedKey, KeyView } from '../../../functions/contract/index.ts';
import { OPERATOR } from '../../../functions/core/audit/audit-change.ts';
import { DEFAULT_AUDIT_RETENTION_DAYS } from '../../../functions/core/audit/audit-record.ts';
import { type Command, type CommandInput, type Context, type Option, UsageError } from '../command.ts';
import { ENVIRONMENTS, KEY_STATES, PERMISSIONS } from '../values.ts';

const PERIODS = 'second, minute, hour, day, month of 30 days';

const FIELDS: Readonly<Record<string, Option>> = {
  environment: { value: 'NAME', help: 'A new key has Development.', choices: ENVIRONMENTS },
  permissions: {
    value: 'A,B',
    help: 'What the key may do. A new key has chat_completions.',
    choices: PERMISSIONS,
    list: true,
    open: true,
  },
  exclude: {
    value: 'A,B',
    help: 'What the key may not do, also with admin.',
    choices: PERMISSIONS,
    list: true,
    open: true,
  },
  rate: { value: 'N/PERIOD', help: `Requests in a period (${PERIODS}), such as 600/minute. A new key has 1000/hour.` },
  burst: { value: 'N', help: 'Requests at once, with --rate. Default: the number of --rate.' },
  tokens: {
    value: 'N/PERIOD',
    help: `Input and output tokens in a period (${PERIODS}), such as 1000000/day, or none. A new key has none.`,
  },
  budget: {
    value: 'USD/PERIOD',
    help: `US dollars in a period (${PERIODS}), such as 50/month, or none. A new key has none.`,
  },
  'max-concurrent': {
    value: 'N',
    help: "Requests that run at the same time, or none. A new key has the deployment's default, 50.",
  },
  'on-store-failure': {
    value: 'WORD',
    help: 'Without the store of limits, closed refuses requests and open admits them. A new key has closed.',
    choices: ['closed', 'open'],
  },
  ip: { value: 'A,B', help: 'Allowed addresses and CIDR blocks, such as 10.0.0.0/8. Empty: all, as for a new key.' },
  models: { value: 'A,B', help: 'Allowed models, with * for any text, as in gpt-*. Empty: all, as for a new key.' },
  expires: { value: 'TIME', help: 'A time such as 2027-01-01T00:00:00Z, or none. A new key has none.' },
  tag: { value: 'NAME=VALUE', multiple: true, help: 'A tag, such as team=shop. Replaces all tags.' },
  policy: { value: 'FILE', help: "The key's policy as JSON; - reads standard input." },
};

/** Options of commands that access tables directly. */
const TABLE: Readonly<Record<string, Option>> = {
  table: { value: 'NAME', help: 'Table of keys (output KeysTable), accessed with your AWS credentials.' },
  'pepper-secret': { value: 'ARN', help: 'Secret that hashes keys (output PepperSecret).' },
};

const ID = ['ID'];

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'keys list',
    args: [],
    summary: 'Lists keys, newest first.',
    options: { state: { value: 'STATE', help: 'Only keys in this state. Default: all.', choices: KEY_STATES } },
    examples: ['keys list', 'keys list --state active --json'],
    async run(input, { api, out }) {
      const state = input.text('state');
      const keys: KeyView[] = [];
      let read = 0;
      for await (const key of api().list<KeyView>('/admin/keys')) {
        read += 1;
        if (read % 100 === 0) out.progress(`Read ${read} keys`);
        if (state === undefined || key.state === state) keys.push(key);
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
      out.thing(await api().call<KeyView>('GET', `/admin/keys/${input.part(0)}`));
      return 0;
    },
  },
  {
    name: 'keys create',
    args: ['NAME'],
    summary: 'Creates a key and prints its secret once, on standard output.',
    options: FIELDS,
    examples: [
      'keys create "Checkout" --environment Production --rate 600/minute > checkout.key',
      'keys create admin2 --permissions admin --json',
    ],
    async run(input, context) {
      const { api, out } = context;
      const body = { name: input.arg(0), ...(await fieldsOf(input, context)) };
      const made = await api().call<CreatedKey>('POST', '/admin/keys', body);
      out.secret(made.key, made, `Created ${made.id}, '${made.name}'. Its secret is shown only once.`);
      return 0;
    },
  },
  {
    name: 'keys update',
    args: ID,
    summary: 'Changes the named fields of a key.',
    options: { name: { value: 'TEXT', help: 'New name.' }, ...FIELDS },
    examples: ['keys update key_... --rate 1200/minute --tag team=shop', 'keys update key_... --expires none'],
    async run(input, context) {
      const name = input.text('name');
      return update(input, { ...(name !== undefined && { name }), ...(await fieldsOf(input, context)) }, context);
    },
  },
  {
    name: 'keys rotate',
    args: ID,
    summary: 'Gives a key a new secret and prints it once, on standard output.',
    options: {
      grace: {
        value: 'DURATION',
        help: 'How long the old secret stays valid, in seconds, minutes, hours or days: 90s, 30m, 24h, 7d; at most 30d, and 0 for not at all. Default: 24h.',
      },
    },
    examples: ['keys rotate key_... > new.key', 'keys rotate key_... --grace 0'],
    async run(input, { api, out }) {
      const grace = input.duration('grace');
      const body = grace === undefined ? undefined : { graceSeconds: grace / 1_000 };
      const key = await api().call<CreatedKey>('POST', `/admin/keys/${input.part(0)}/rotate`, body);
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
      const { name } = await client.call<KeyView>('GET', `/admin/keys/${input.part(0)}`);
      await confirm(`Revoke ${input.arg(0)}, '${name}'? This cannot be undone.`);
      const key = await client.call<KeyView>('DELETE', `/admin/keys/${input.part(0)}`);
      if (out.json) out.thing(key);
      out.say(`Revoked ${key.id}, '${key.name}'.`);
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
      const { makeKey, storeKey } = await import('../../../functions/core/keys/make-key.ts');
      const { createKeySchema } = await import('../../../functions/core/model/api-key.ts');
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
      const { keys, hasher } = await openKeysTable(input);
      const { rehashKeys } = await import('../../../functions/admin-api/rehash-keys.ts');
      const { moved, current, behind } = await rehashKeys(keys, hasher);
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
  const dynamo = createDynamoClient();
  return { dynamo, keys: new DynamoKeyStore(dynamo, table), hasher: createKeyHasher(secretSource(pepperSecret)) };
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

async function update(input: CommandInput, body: object, { api, out }: Context): Promise<number> {
  if (Object.keys(body).length === 0) throw new UsageError('Name at least one field to change.');
  const key = await api().call<KeyView>('PATCH', `/admin/keys/${input.part(0)}`, body);
  if (out.json) out.thing(key);
  out.say(`${key.id}, '${key.name}', is ${key.state}.`);
  return 0;
}

/** The body's fields from the options; the API validates values. */
async function fieldsOf(input: CommandInput, { readJson }: Context): Promise<object> {
  const [environment, onStoreFailure, expires] = ['environment', 'on-store-failure', 'expires'].map((one) =>
    input.text(one),
  );
  const [permissions, excludePermissions, ipWhitelist, allowedModels] = ['permissions', 'exclude', 'ip', 'models'].map(
    (one) => input.list(one),
  );
  const [rate, tokens, budget] = ['rate', 'tokens', 'budget'].map((one) => amountOf(input, one));
  if (rate === null) throw new UsageError('--rate cannot be none.');
  const burst = input.count('burst');
  if (burst !== undefined && rate === undefined) throw new UsageError('--burst needs --rate.');
  const maxConcurrent = input.text('max-concurrent') === 'none' ? null : input.count('max-concurrent');
  const policy = input.text('policy');
  const fields = {
    environment,
    permissions,
    excludePermissions,
    rateLimit: rate && { requests: rate.amount, period: rate.period, ...(burst !== undefined && { burst }) },
    tokenLimit: tokens && { tokens: tokens.amount, period: tokens.period },
    budget: budget && { usd: budget.amount, period: budget.period },
    maxConcurrent,
    onStoreFailure,
    ipWhitelist,
    allowedModels,
    expiresAt: expires === 'none' ? null : expires,
    tags: tagsOf(input.all('tag')),
    policy: policy === undefined ? undefined : await readJson(policy),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** `600/minute`; `none` is null. */
function amountOf(input: CommandInput, option: string): { amount: number; period: string } | null | undefined {
  const text = input.text(option);
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const [amount = '', period = '', ...rest] = text.split('/');
  if (amount === '' || Number.isNaN(Number(amount)) || period === '' || rest.length > 0) {
    throw new UsageError(`--${option} must be an amount and a period, such as 600/minute.`);
  }
  return { amount: Number(amount), period };
}

function tagsOf(tags: readonly string[]): Record<string, string> | undefined {
  if (tags.length === 0) return undefined;
  const pairs = tags.map((tag) => {
    const at = tag.indexOf('=');
    if (at < 1) throw new UsageError('--tag must be NAME=VALUE.');
    return [tag.slice(0, at), tag.slice(at + 1)] as const;
  });
  return Object.fromEntries(pairs);
}
