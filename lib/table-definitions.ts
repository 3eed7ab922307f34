/** The tables' shape, in one place for the stack in the cloud and the embedded store on one machine. */
export interface TableDefinition {
  readonly partitionKey: string;
  /** Number attribute, seconds since 1970, after which DynamoDB may delete the item; readers must not rely on it. */
  readonly timeToLive?: string;
  /** Global secondary indexes, all attributes projected; keys are strings. */
  readonly indexes: readonly { readonly name: string; readonly partitionKey: string; readonly sortKey: string }[];
}

export const TABLE_DEFINITIONS = {
  /** API keys: an item for each key, and one for each secret that points to its key. */
  keys: {
    partitionKey: 'pk',
    indexes: [{ name: 'list', partitionKey: 'listPk', sortKey: 'listSk' }],
  },
  /** A bucket for each key with a limit. */
  limits: { partitionKey: 'pk', timeToLive: 'expiresAt', indexes: [] },
  /** The score of each session that was ever suspicious. */
  sessions: { partitionKey: 'pk', timeToLive: 'expiresAt', indexes: [] },
  /** The deployment's policy and its versions. */
  policies: { partitionKey: 'pk', indexes: [] },
  /** Answers of the last day to requests with an Idempotency-Key; by the end user on whose behalf they were asked. */
  idempotency: {
    partitionKey: 'pk',
    timeToLive: 'expiresAt',
    indexes: [{ name: 'endUser', partitionKey: 'endUserId', sortKey: 'pk' }],
  },
  /** What administrators did: a chain of records. */
  audit: { partitionKey: 'pk', timeToLive: 'expiresAt', indexes: [] },
} as const satisfies Record<string, TableDefinition>;
