import * as z from 'zod';

/** A DynamoDB table. Stacks, the local run, the functions' environments and their permissions derive from it. */
export interface TableDefinition {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Number attribute, seconds since 1970, after which DynamoDB may delete the item; readers must not rely on it. */
  readonly timeToLive?: string;
  /** Readers of its stream: the usage counter counts new items, and the event relay publishes the events in items. */
  readonly stream?: readonly ('counted' | 'relayed')[];
  readonly indexes: readonly IndexDefinition[];
  /** Whether CloudWatch shows its throttled partition keys, in plain text. Not where keys name end users; those of sign-ins have an IP address. */
  readonly showsThrottledKeys?: true;
  /** Permissions of each function; its environment gets the table's name. */
  readonly access: Readonly<Partial<Record<TableUser, TableAccess>>>;
}

/** A global secondary index. Keys are strings; items without them are not in it. */
export interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Projects only the keys, so that other changes cause no second write. */
  readonly keysOnly?: boolean;
}

/** A function that uses tables, by its folder. */
export type TableUser =
  | 'gateway'
  | 'admin-api'
  | 'usage-counter'
  | 'event-relay'
  | 'key-watch'
  | 'first-admin-key'
  | 'webhook-delivery';

type Operation = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'BatchWriteItem' | 'UpdateItem' | 'DeleteItem';

export interface TableAccess {
  /** Operations on all items, without the indexes. */
  readonly operations?: readonly Operation[];
  /** Indexes that it may query. */
  readonly queries?: readonly string[];
  /** The only attributes that it may update; no others are returned. */
  readonly updates?: readonly string[];
  /** An operation on items with these partition keys only; `*` matches any characters. */
  readonly onlyItems?: { readonly operation: Operation; readonly partitionKeys: readonly string[] };
}

/** Attributes that hold the events of an item. */
const OUTBOX = ['outbox', 'outboxPk'] as const;
/** Callers with tokens, and the count of an issuer's new ones. */
const IDENTITIES = { operation: 'UpdateItem', partitionKeys: ['identity#*', 'identities#*'] } as const;
const CREDENTIAL_USES = ['credential-use#*'] as const;
const ALERT_STATES = ['alert-state#*'] as const;
const REPORT_STATES = ['report-state#*'] as const;
const AUDIT_HEAD = { operation: 'UpdateItem', partitionKeys: ['head'] } as const;
/** The policy and its versions, without the other documents. */
const POLICY_ITEMS = ['current', 'version#*'];
/** Marks that the usage counter reads after a deletion of end user data, and marks of ids that no key may use any more. */
const DELETION_MARKS = { operation: 'PutItem', partitionKeys: ['forgotten#*', 'given#*'] } as const;

/** All tables; names are one lower-case word. A new one also needs its adapter, the function that uses it, and a test. */
export const TABLES = {
  /** API keys: an item for each key, and one for each secret that points to its key. Also identities, which issuers' tokens name. */
  keys: {
    partitionKey: 'pk',
    stream: ['relayed'],
    showsThrottledKeys: true,
    indexes: [
      { name: 'list', partitionKey: 'listPk', sortKey: 'listSk' },
      { name: 'byTeam', partitionKey: 'teamPk', sortKey: 'listSk', keysOnly: true },
    ],
    access: {
      // A function that serves keys must not change their permissions.
      gateway: { operations: ['GetItem'], updates: ['lastUsedAt', 'seenHash'], onlyItems: IDENTITIES },
      'admin-api': {
        operations: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        queries: ['list', 'byTeam'],
      },
      'first-admin-key': { operations: ['GetItem', 'PutItem'], queries: ['list'] },
      'key-watch': {
        operations: ['BatchGetItem', 'GetItem'],
        queries: ['list'],
        updates: ['expiryTold', ...OUTBOX],
      },
      'event-relay': { updates: OUTBOX },
    },
  },
  /** Usage and reservations of each key with a limit; the pinned tools of keys; sign-in attempts. */
  limits: {
    partitionKey: 'pk',
    timeToLive: 'expiresAt',
    showsThrottledKeys: true,
    indexes: [],
    access: {
      gateway: { operations: ['GetItem', 'UpdateItem'] },
      // It counts sign-in attempts, accepts tools and reads the remaining quota of keys, but cannot change their limits.
      'admin-api': {
        operations: ['GetItem'],
        onlyItems: { operation: 'UpdateItem', partitionKeys: ['sign-in#*', 'tools#*'] },
      },
      // It reads how much of a budget is used.
      'key-watch': { operations: ['GetItem'] },
    },
  },
  /**
   * Live state of sessions: scores of suspicious sessions and each end user's open session. Also the ids that providers returned to a key,
   * with the score of the conversation up to each.
   */
  sessions: {
    partitionKey: 'pk',
    timeToLive: 'expiresAt',
    stream: ['relayed'],
    indexes: [{ name: 'byEndUser', partitionKey: 'endUserPk', sortKey: 'pk', keysOnly: true }],
    access: {
      gateway: { operations: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
      'admin-api': { operations: ['DeleteItem'], queries: ['byEndUser'], onlyItems: DELETION_MARKS },
      'event-relay': { updates: OUTBOX },
    },
  },
  /**
   * Documents that configure the deployment, with their versions: the policy, routes, the override. Also the stored credentials, sealed, without
   * old versions, and when they were used; the states of alerts and of the spend report.
   */
  policies: {
    partitionKey: 'pk',
    stream: ['relayed'],
    indexes: [],
    access: {
      gateway: {
        operations: ['GetItem', 'BatchGetItem'],
        onlyItems: { operation: 'UpdateItem', partitionKeys: CREDENTIAL_USES },
      },
      'admin-api': {
        operations: ['GetItem', 'BatchGetItem', 'PutItem'],
        onlyItems: { operation: 'DeleteItem', partitionKeys: [...CREDENTIAL_USES, ...ALERT_STATES] },
      },
      // It withdraws a roll-out of the policy, and writes the states of alerts and of the spend report.
      'key-watch': {
        operations: ['GetItem', 'BatchGetItem'],
        onlyItems: { operation: 'PutItem', partitionKeys: [...POLICY_ITEMS, ...ALERT_STATES, ...REPORT_STATES] },
      },
      'event-relay': { updates: OUTBOX },
    },
  },
  /**
   * Responses of the last day to requests with an Idempotency-Key, and items of translated responses, both also by end user; cancellation marks
   * of streams.
   */
  idempotency: {
    partitionKey: 'pk',
    timeToLive: 'expiresAt',
    indexes: [{ name: 'endUser', partitionKey: 'endUserId', sortKey: 'pk' }],
    access: {
      gateway: { operations: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
      // An end user's items are found and deleted, not read.
      'admin-api': { operations: ['DeleteItem'], queries: ['endUser'] },
    },
  },
  /** Tool calls that wait for a person, by session, and wrong codes by key and hour; batches by key. */
  approvals: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'expiresAt',
    stream: ['relayed'],
    indexes: [
      { name: 'byTime', partitionKey: 'listPk', sortKey: 'listSk' },
      { name: 'byId', partitionKey: 'id', sortKey: 'sk', keysOnly: true },
      { name: 'byEndUser', partitionKey: 'endUserPk', sortKey: 'sk', keysOnly: true },
      { name: 'byTeam', partitionKey: 'teamPk', sortKey: 'listSk' },
    ],
    access: {
      gateway: { operations: ['GetItem', 'Query', 'UpdateItem'] },
      'admin-api': {
        operations: ['GetItem', 'UpdateItem', 'DeleteItem'],
        queries: ['byTime', 'byId', 'byEndUser', 'byTeam'],
      },
      'event-relay': { updates: OUTBOX },
      'key-watch': { queries: ['byTime'] },
    },
  },
  /** The audit log of administrators: a chain of records. */
  audit: {
    partitionKey: 'pk',
    timeToLive: 'expiresAt',
    indexes: [{ name: 'byTeam', partitionKey: 'teamPk', sortKey: 'teamSk', keysOnly: true }],
    access: {
      // The head of the chain moves; records never change.
      'admin-api': {
        operations: ['GetItem', 'BatchGetItem', 'PutItem'],
        queries: ['byTeam'],
        onlyItems: AUDIT_HEAD,
      },
      'first-admin-key': { operations: ['GetItem', 'PutItem'], onlyItems: AUDIT_HEAD },
      'key-watch': { operations: ['GetItem', 'PutItem'], onlyItems: AUDIT_HEAD },
    },
  },
  /** One record for each request, spread over a fixed number of partitions, by time of receipt. */
  records: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'expiresAt',
    stream: ['counted', 'relayed'],
    indexes: [
      { name: 'byKey', partitionKey: 'keyPk', sortKey: 'sk' },
      { name: 'byEndUser', partitionKey: 'endUserPk', sortKey: 'sk' },
      { name: 'withFindings', partitionKey: 'findingsPk', sortKey: 'sk' },
      { name: 'byTeam', partitionKey: 'teamPk', sortKey: 'sk' },
    ],
    access: {
      gateway: { operations: ['PutItem', 'BatchWriteItem'] },
      // Records are only marked.
      'admin-api': {
        operations: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem'],
        queries: ['byKey', 'byEndUser', 'withFindings', 'byTeam'],
      },
    },
  },
  /** Texts of requests and responses, by request, if the policy of their key captures them. */
  captures: {
    partitionKey: 'pk',
    timeToLive: 'expiresAt',
    indexes: [],
    access: {
      gateway: { operations: ['PutItem'] },
      'admin-api': { operations: ['GetItem', 'DeleteItem'] },
    },
  },
  /** Totals of records by hour and day, and by session. */
  aggregates: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'expiresAt',
    indexes: [
      { name: 'sessions', partitionKey: 'listPk', sortKey: 'listSk', keysOnly: true },
      { name: 'sessionsByKey', partitionKey: 'keyPk', sortKey: 'listSk', keysOnly: true },
      { name: 'sessionsByEndUser', partitionKey: 'endUserPk', sortKey: 'listSk', keysOnly: true },
      { name: 'sessionsByTeam', partitionKey: 'teamPk', sortKey: 'listSk', keysOnly: true },
    ],
    access: {
      'admin-api': {
        operations: ['BatchGetItem', 'Query', 'DeleteItem'],
        queries: ['sessions', 'sessionsByKey', 'sessionsByEndUser', 'sessionsByTeam'],
        onlyItems: DELETION_MARKS,
      },
      'usage-counter': { operations: ['BatchGetItem', 'PutItem'] },
      'key-watch': { operations: ['Query'] },
    },
  },
  /** Webhook endpoints with sealed secrets. */
  webhooks: {
    partitionKey: 'pk',
    sortKey: 'sk',
    stream: ['relayed'],
    indexes: [],
    access: {
      'admin-api': { operations: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
      'event-relay': { updates: OUTBOX },
      'webhook-delivery': { operations: ['GetItem', 'Query', 'UpdateItem'] },
    },
  },
  /** Events for endpoints and the result of each attempt; digests; endpoint turns. */
  deliveries: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'expiresAt',
    indexes: [
      { name: 'due', partitionKey: 'duePk', sortKey: 'dueSk', keysOnly: true },
      { name: 'byWebhook', partitionKey: 'listPk', sortKey: 'listSk', keysOnly: true },
      { name: 'byState', partitionKey: 'statePk', sortKey: 'listSk', keysOnly: true },
      { name: 'byEndUser', partitionKey: 'endUserPk', sortKey: 'sk', keysOnly: true },
    ],
    access: {
      // Deliveries are listed, redelivered, and deleted for an end user.
      'admin-api': {
        operations: ['GetItem', 'BatchGetItem', 'UpdateItem', 'DeleteItem'],
        queries: ['byWebhook', 'byState', 'byEndUser'],
      },
      'webhook-delivery': {
        operations: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
        queries: ['due'],
      },
    },
  },
} as const satisfies Record<string, TableDefinition>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];
/** The tables whose items may hold events. */
export const RELAYED_TABLES = TABLE_NAMES.filter((name) =>
  (TABLES[name] as TableDefinition).stream?.includes('relayed'),
);

/** The tables that a function uses. */
export type TableOf<User extends TableUser> = {
  [Table in TableName]: User extends keyof (typeof TABLES)[Table]['access'] ? Table : never;
}[TableName];
/** The AWS names of a function's tables, by their names here. */
export type TablesOf<User extends TableUser> = Readonly<Record<TableOf<User>, string>>;
type TableVariable<Table extends TableName> = `SVC_${Uppercase<Table>}_TABLE`;
type TableVariables<User extends TableUser, Value> = {
  readonly [Table in TableOf<User> as TableVariable<Table>]: Value;
};

/** A function's environment variables for its tables, such as `SVC_KEYS_TABLE`, each with a value. */
export function tableVariables<User extends TableUser, Value>(
  user: User,
  valueFor: (table: TableOf<User>) => Value,
): TableVariables<User, Value> {
  return Object.fromEntries(
    tablesOf(user).map((table) => [variableOf(table), valueFor(table)]),
  ) as unknown as TableVariables<User, Value>;
}

/** The schemas of these variables. */
export function tableSchemas<User extends TableUser>(user: User): TableVariables<User, z.ZodString> {
  return tableVariables(user, () => z.string().min(1));
}

/** The table names in these variables. */
export function readTables<User extends TableUser>(user: User, env: TableVariables<User, string>): TablesOf<User> {
  const values = env as Readonly<Record<string, string>>;
  return Object.fromEntries(tablesOf(user).map((table) => [table, values[variableOf(table)]])) as TablesOf<User>;
}

function tablesOf<User extends TableUser>(user: User): TableOf<User>[] {
  return TABLE_NAMES.filter((name): name is TableOf<User> => Object.hasOwn(TABLES[name].access, user));
}

function variableOf(table: TableName): string {
  return `SVC_${table.toUpperCase()}_TABLE`;
}
