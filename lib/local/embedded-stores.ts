/// <reference path="./dynalite.d.ts" />
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { DescribeTableCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { buildApp } from 'fauxqs';
import { Level } from 'level';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import { createResources, embeddedAccess, keySchema, LOCAL_TABLES, type StoreAddresses } from './create-resources.ts';

const LOOPBACK = '127.0.0.1';

export interface EmbeddedStores extends StoreAddresses {
  /** Damaged bytes at the end of the tables' log, which LevelDB removed. */
  readonly droppedBytes: number;
  stop(): Promise<void>;
}

/**
 * DynamoDB and SQS on free ports of the loopback interface, with the service's tables (called by their names in
 * TABLES) and queues. Both live in `folder` and survive a restart, or in memory without one. Their addresses
 * end in a secret of this start: a request without it is refused. `prefix` begins the names of all.
 */
export async function startEmbeddedStores(folder?: string, prefix = ''): Promise<EmbeddedStores> {
  // Dynalite calls `url.parse`. Node warns of that in a bundle, but not in node_modules.
  process.noDeprecation = true;
  readWithoutThreads();
  const secretPath = `/${randomBytes(32).toString('hex')}`;
  const { isUsed, droppedBytes } = folder === undefined ? IN_MEMORY : await openTables(folder);
  const database = dynalite({
    createTableMs: 0,
    ...(folder !== undefined && { path: path.join(folder, 'dynamodb') }),
  });
  requireSecretPath(database, secretPath);
  database.listen(0, LOOPBACK);
  await once(database, 'listening');
  const dynamodbUrl = `http://${LOOPBACK}:${(database.address() as AddressInfo).port}${secretPath}`;

  // Its own start function listens on every interface.
  const queues = buildApp({ logger: false });
  const kept = folder === undefined ? undefined : keepQueues(queues, path.join(folder, 'sqs'));
  requireSecretPath(queues.server, secretPath);
  const sqsUrl = `${await queues.listen({ port: 0, host: LOOPBACK })}${secretPath}`;

  if (folder !== undefined && isUsed && !(await hasTable(dynamodbUrl, `${prefix}${LOCAL_TABLES.keys}`)))
    throw new DamagedStore(path.join(folder, 'dynamodb'), 'has lost its data');
  const addresses = await createResources(dynamodbUrl, sqsUrl, prefix);
  await kept?.restore();
  return {
    ...addresses,
    droppedBytes,
    stop: async () => {
      await closeAfterRequests(database);
      await queues.close();
      kept?.close();
    },
  };
}

/** Requests get this long to end, in milliseconds. */
const STOP_PATIENCE = 5_000;

/** Closes the server and then its tables: dynalite throws outside of any call if a request finds its table closed. */
async function closeAfterRequests(database: Server): Promise<void> {
  if (!database.listening) return;
  // Node closes the idle connections once, and those of later requests after seconds.
  const idle = setInterval(() => database.closeIdleConnections(), 20);
  const late = setTimeout(() => database.closeAllConnections(), STOP_PATIENCE);
  await promisify(database.close.bind(database))();
  clearInterval(idle);
  clearTimeout(late);
}

/** A store of the data folder cannot be used. */
export class DamagedStore extends Error {
  constructor(place: string, reason: string) {
    super(
      `the store '${place}' ${reason}. Restore the data folder from a copy, or move it away to start with an empty one.`,
    );
  }
}

/** LevelDB passes each read to a thread, which takes most of the store's CPU: the blocks are in its cache or the page cache. */
function readWithoutThreads(): void {
  const reads = Level.prototype as unknown as Record<'_get' | '_getSync', (key: string, options: object) => unknown>;
  reads._get = async function (key, options) {
    return this._getSync(key, options);
  };
}

interface OpenedTables {
  /** Whether an earlier start created the tables. */
  readonly isUsed: boolean;
  readonly droppedBytes: number;
}
const IN_MEMORY: OpenedTables = { isUsed: false, droppedBytes: 0 };

/** Opens the tables once, because dynalite ends the process if they cannot be opened. LevelDB drops damaged records and opens the rest. */
async function openTables(folder: string): Promise<OpenedTables> {
  const place = path.join(folder, 'dynamodb');
  const isUsed = existsSync(place);
  const store = new Level<string, StoredTable>(place, { valueEncoding: 'json' });
  try {
    await store.open();
    await addIndexes(store);
    await store.close();
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new DamagedStore(place, `cannot be opened: ${(cause?.message ?? message).split('\n')[0]}`);
  }
  // The secrets are created after all tables.
  const hasSecrets = ['pepper', 'sealing-key'].some((name) => existsSync(path.join(folder, name)));
  return { isUsed: isUsed && hasSecrets, droppedBytes: await droppedAtOpening(place) };
}

/** A table's definition as dynalite stores it. */
interface StoredTable {
  readonly TableArn: string;
  AttributeDefinitions: { readonly AttributeName: string; readonly AttributeType: string }[];
  GlobalSecondaryIndexes?: object[];
}

/**
 * Adds the indexes of this release to tables of an earlier one, which dynalite's UpdateTable cannot. Their attributes are new too, so that no
 * stored item belongs to them. An index on attributes of before is not added: `createResources` refuses the folder.
 */
async function addIndexes(store: Level<string, StoredTable>): Promise<void> {
  for (const [name, { indexes }] of Object.entries<TableDefinition>(TABLES)) {
    const table = await store.get(`table~${name}`);
    if (table === undefined) continue;
    const known = new Set(table.AttributeDefinitions.map(({ AttributeName }) => AttributeName));
    const added = indexes.filter(({ partitionKey }) => !known.has(partitionKey));
    if (added.length === 0) continue;
    table.AttributeDefinitions.push(
      ...added.map(({ partitionKey }) => ({ AttributeName: partitionKey, AttributeType: 'S' })),
    );
    table.GlobalSecondaryIndexes = [
      ...(table.GlobalSecondaryIndexes ?? []),
      ...added.map((index) => ({
        ...{ IndexName: index.name, IndexArn: `${table.TableArn}/index/${index.name}`, IndexStatus: 'ACTIVE' },
        KeySchema: keySchema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: index.keysOnly ? 'KEYS_ONLY' : 'ALL' },
        ...{ IndexSizeBytes: 0, ItemCount: 0 },
        ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 },
      })),
    ];
    await store.put(`table~${name}`, table);
  }
}

/** The bytes that LevelDB dropped when it was opened, from its own log. */
async function droppedAtOpening(place: string): Promise<number> {
  const log = await readFile(path.join(place, 'LOG'), 'utf8').catch(() => '');
  return [...log.matchAll(/: dropping (\d+) bytes; /g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}

async function hasTable(dynamodbUrl: string, TableName: string): Promise<boolean> {
  try {
    await createDynamoClient(embeddedAccess(dynamodbUrl)).send(new DescribeTableCommand({ TableName }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}

/**
 * Neither store checks a signature, and any web page or local user can reach a loopback port: only requests whose path
 * begins with the secret pass, and none that a browser sent for a page (they carry `Origin`).
 */
function requireSecretPath(server: Server, secretPath: string): void {
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { url = '' } = request;
    const isKnown = startsWith(url, secretPath) && request.headers.origin === undefined;
    if (!isKnown) {
      response.writeHead(403, { connection: 'close' }).end();
      return;
    }
    const rest = url.slice(secretPath.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    for (const handle of handlers) handle.call(server, request, response);
  });
}

/** In constant time. */
function startsWith(text: string, secret: string): boolean {
  const [given, wanted] = [Buffer.from(text.slice(0, secret.length)), Buffer.from(secret)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY,
    queue TEXT NOT NULL,
    body TEXT NOT NULL,
    visibleAt INTEGER NOT NULL,
    receiptHandle TEXT
  );
  CREATE INDEX IF NOT EXISTS byReceiptHandle ON messages (receiptHandle);`;

/** The parts of SQS's requests and responses that are read here. */
interface SqsEntry {
  readonly Id?: string;
  readonly MessageId?: string;
  readonly MessageBody?: string;
  readonly DelaySeconds?: number;
  readonly ReceiptHandle?: string;
}
interface SqsRequest extends SqsEntry {
  readonly QueueUrl: string;
  readonly Entries?: readonly SqsEntry[];
}
interface SqsResponse extends SqsEntry {
  readonly Successful?: readonly SqsEntry[];
  readonly Messages?: readonly SqsEntry[];
}

interface MessageRow {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly visibleAt: number;
}

export interface KeptQueues {
  /** Sends the messages of an earlier process again; their queues must exist. Rejects if one is refused. */
  restore(): Promise<void>;
  /** Later messages are not kept. */
  close(): void;
}

function openMessages(place: string): DatabaseSync {
  try {
    const file = new DatabaseSync(place);
    file.exec(SCHEMA);
    return file;
  } catch (error) {
    throw new DamagedStore(place, `cannot be opened: ${(error as Error).message}`);
  }
}

/**
 * Keeps the messages of fauxqs in a file of `folder` from before the sender gets its response until they are deleted. Keeps
 * bodies and delays: this service sends no attributes. fauxqs can do this only while it listens on every interface.
 */
export function keepQueues(server: ReturnType<typeof buildApp>, folder: string): KeptQueues {
  mkdirSync(folder, { recursive: true });
  const file = openMessages(path.join(folder, 'messages.db'));
  const insert = file.prepare('INSERT INTO messages (id, queue, body, visibleAt) VALUES (?, ?, ?, ?)');
  const setHandle = file.prepare('UPDATE messages SET receiptHandle = ? WHERE id = ?');
  const deleteByHandle = file.prepare('DELETE FROM messages WHERE receiptHandle = ?');
  const deleteById = file.prepare('DELETE FROM messages WHERE id = ?');

  const add = (queueUrl: string, { MessageBody = '', DelaySeconds = 0 }: SqsEntry, { MessageId = '' }: SqsEntry) =>
    insert.run(MessageId, path.posix.basename(queueUrl), MessageBody, Date.now() + DelaySeconds * 1_000);
  const actions: Readonly<Record<string, (request: SqsRequest, response: SqsResponse) => void>> = {
    SendMessage: (request, response) => add(request.QueueUrl, request, response),
    SendMessageBatch: ({ QueueUrl, Entries = [] }, { Successful = [] }) => {
      for (const sent of Successful) add(QueueUrl, Entries.find(({ Id }) => Id === sent.Id) ?? {}, sent);
    },
    ReceiveMessage: (_, { Messages = [] }) => {
      for (const { MessageId = '', ReceiptHandle = '' } of Messages) setHandle.run(ReceiptHandle, MessageId);
    },
    DeleteMessage: ({ ReceiptHandle = '' }) => deleteByHandle.run(ReceiptHandle),
    DeleteMessageBatch: ({ Entries = [] }) => {
      for (const { ReceiptHandle = '' } of Entries) deleteByHandle.run(ReceiptHandle);
    },
  };
  server.addHook('onSend', async (request, reply, payload) => {
    const action = actions[String(request.headers['x-amz-target']).replace('AmazonSQS.', '')];
    if (action !== undefined && reply.statusCode === 200) {
      action(request.body as SqsRequest, JSON.parse(String(payload)) as SqsResponse);
    }
    return payload;
  });

  const sendAgain = async ({ id, queue, body, visibleAt }: MessageRow) => {
    const { statusCode } = await server.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
      payload: JSON.stringify({
        QueueUrl: `http://localhost/000000000000/${queue}`,
        MessageBody: body,
        DelaySeconds: Math.max(0, Math.ceil((visibleAt - Date.now()) / 1_000)),
      }),
    });
    if (statusCode !== 200) throw new Error(`a message kept for the queue '${queue}' was refused: ${statusCode}`);
    deleteById.run(id);
  };
  return {
    restore: async () => {
      const rows = file.prepare('SELECT id, queue, body, visibleAt FROM messages ORDER BY rowid').all();
      for (const row of rows) await sendAgain(row as unknown as MessageRow);
    },
    close: () => file.close(),
  };
}
