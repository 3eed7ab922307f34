/** The tables' shape, in one place for the stack in the cloud and the embedded store on one machine. */
export interface TableDefinition {
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** Number attribute, seconds since 1970, after which DynamoDB may delete the item; readers must not rely on it. */
  readonly timeToLive?: string;
  /** Who is told of its changes as a stream: those who add new items up, and who relays the events that items hold. */
  readonly stream?: readonly ('counted' | 'relayed')[];
  readonly indexes: readonly IndexDefinition[];
}

/** A global secondary index; keys are strings, and an item without them is not in it. */
export interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Projects the keys alone: a change of anything else is not written twice. */
  readonly keysOnly?: boolean;
}

export const TABLE_DEFINITIONS = {
  /** API keys: an item for each key, and one for each secret that points to its key. */
  keys: {
    partitionKey: 'pk',
    stream: ['relayed'],
    indexes: [{ name: 'list', partitionKey: 'listPk', sortKey: 'listSk' }],
  },
  /** A bucket for each key with a limit. */
  limits: { partitionKey: 'pk', timeToLive: 'expiresAt', indexes: [] },
  /** The deployment's policy and its versions. */
  policies: { partitionKey: 'pk', indexes: [] },
  /** Endpoints that are told of events, their secrets sealed. */
  webhooks: { partitionKey: 'pk', sortKey: 'sk', stream: ['relayed'], indexes: [] },
  /**
   * Answers of the last day to requests with an Idempotency-Key; by the end user on whose behalf they were asked. Beside them
   * marks of streams that are to end.
   */
  idempotency: {
    partitionKey: 'pk',
    timeToLive: 'expiresAt',
    indexes: [{ name: 'endUser', partitionKey: 'endUserId', sortKey: 'pk' }],
  },
  /** What administrators did: a chain of records. */
  audit: { partitionKey: 'pk', timeToLive: 'expiresAt', indexes: [] },
  /**
   * The live state of sessions: scores of those that were suspicious, and the open session of each end user; and the ids that
   * providers gave to a key, with the score of the conversation up to each.
   */
  sessions: {
    partitionKey: 'pk',
    timeToLive: 'expiresAt',
    stream: ['relayed'],
    indexes: [{ name: 'byEndUser', partitionKey: 'endUserPk', sortKey: 'pk', keysOnly: true }],
  },
  /** One record of each request, over a fixed number of partitions, in the order in which they came in. */
  records: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'expiresAt',
    stream: ['counted', 'relayed'],
    indexes: [
      { name: 'byKey', partitionKey: 'keyPk', sortKey: 'sk' },
      { name: 'byEndUser', partitionKey: 'endUserPk', sortKey: 'sk' },
      { name: 'withFindings', partitionKey: 'findingsPk', sortKey: 'sk' },
    ],
  },
  /** Texts of requests and answers, where the policy of their key keeps them, by request. */
  captures: { partitionKey: 'pk', timeToLive: 'expiresAt', indexes: [] },
  /** Events on their way to endpoints, and what became of them; what is gathered of them, and whose turn it is. */
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
  },
  /** What records add up to: by hour and day, and by session. */
  aggregates: {
    partitionKey: 'pk',
    sortKey: 'sk',
    timeToLive: 'expiresAt',
    indexes: [
      { name: 'sessions', partitionKey: 'listPk', sortKey: 'listSk', keysOnly: true },
      { name: 'sessionsByKey', partitionKey: 'keyPk', sortKey: 'listSk', keysOnly: true },
      { name: 'sessionsByEndUser', partitionKey: 'endUserPk', sortKey: 'listSk', keysOnly: true },
    ],
  },
} as const satisfies Record<string, TableDefinition>;
