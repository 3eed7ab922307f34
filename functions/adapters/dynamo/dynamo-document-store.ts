import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { CredentialsDocument } from '../../control/credentials/index.ts';
import type { DocumentPage, DocumentStore, DocumentVersion } from '../../control/documents/index.ts';
import type { ImportedSecretsDocument } from '../../control/keys/index.ts';
import type { Override } from '../../control/override/index.ts';
import type { AlertsDocument } from '../../kernel/alerts/index.ts';
import type {
  McpServersDocument,
  PricesDocument,
  ProvidersDocument,
  RouteEntry,
  RoutesDocument,
} from '../../kernel/configuration/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { IdentityDocument } from '../../kernel/identity/index.ts';
import type { DeploymentPolicy, GatewayEvent } from '../../kernel/model/index.ts';
import type { TeamsDocument } from '../../kernel/teams/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import type { BatchedReads } from './batched-reads.ts';
import { batchGet, isWritten } from './dynamo-calls.ts';
import { outboxOf } from './dynamo-outbox.ts';

const CURSOR = /^[1-9]\d{0,14}$/;
/** Content of the versions of a page: a response of AWS Lambda has at most 6 MB. */
const MAX_PAGE_BYTES = 4_000_000;

interface DocumentItem {
  readonly pk: string;
  readonly version: number;
  /** JSON. */
  readonly settings: string;
  /** Empty if unknown, like `createdBy`. */
  readonly createdAt: string;
  readonly createdBy: string;
  /** Only in `current`: identifies the write that created it. */
  readonly attempt?: string;
}

/** The deployment's policy: `{}` until one is set. */
export const POLICY_DOCUMENT: DocumentKind<DeploymentPolicy> = { prefix: '', first: {} };

/** The deployment's routes; `first`: those of the settings. */
export function routesDocument(first: readonly RouteEntry[]): DocumentKind<RoutesDocument> {
  return { prefix: 'routes#', first: { routes: first } };
}

/** The deployment's prices of models; `first`: those of the settings. */
export function pricesDocument(first: PricesDocument['prices']): DocumentKind<PricesDocument> {
  return { prefix: 'prices#', first: { prices: first } };
}

/** The issuers whose tokens are accepted; `first`: those of the settings. */
export function identityDocument(first: IdentityDocument['issuers']): DocumentKind<IdentityDocument> {
  return { prefix: 'identity#', first: { issuers: first } };
}

/** The stored credentials. A deleted value must not live on in an old version. */
export const CREDENTIALS_DOCUMENT: DocumentKind<CredentialsDocument> = {
  prefix: 'credentials#',
  first: { credentials: [] },
  forgetsOld: true,
};
/** The providers that the admin API stores; none until one is. */
export const PROVIDERS_DOCUMENT: DocumentKind<ProvidersDocument> = { prefix: 'providers#', first: { providers: [] } };

/** The MCP servers, with the approved definitions of their tools. */
export const MCP_SERVERS_DOCUMENT: DocumentKind<McpServersDocument> = {
  prefix: 'mcp-servers#',
  first: { servers: [] },
};

/** Teams, whose members are personal data: none lives on in an old version. */
export const TEAMS_DOCUMENT: DocumentKind<TeamsDocument> = { prefix: 'teams#', first: { teams: [] }, forgetsOld: true };

/** Alerts, of which only the rules in force matter. */
export const ALERTS_DOCUMENT: DocumentKind<AlertsDocument> = {
  prefix: 'alerts#',
  first: { alerts: [] },
  forgetsOld: true,
};

/** Digests of imported secrets, beside the keys in their table. */
export const IMPORTED_SECRETS_DOCUMENT: DocumentKind<ImportedSecretsDocument> = {
  prefix: 'imported#',
  first: { digests: {} },
  forgetsOld: true,
};

/** The emergency switch of the deployment. */
export const OVERRIDE_DOCUMENT: DocumentKind<Override> = { prefix: 'override#', first: { mode: 'none' } };

/** A document of the table: the prefix of its keys, and its content before it is first written. */
export interface DocumentKind<Content> {
  /** Empty for the policy, whose items are older than other documents. */
  readonly prefix: string;
  readonly first: Content;
  /** Only the current version is stored. */
  readonly forgetsOld?: true;
}

/**
 * A document in DynamoDB: `current` is in force, `version#<n>` are the previous ones. The current document is copied before it is replaced,
 * so that no version is missing.
 */
export class DynamoDocumentStore<Content> implements DocumentStore<Content> {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly prefix: string;
  private readonly first: DocumentVersion<Content>;
  private readonly keepsOld: boolean;
  private readonly reads: BatchedReads | undefined;

  /** @param reads of the same table, shared with other documents that are read at the same time */
  constructor(
    client: DynamoClient,
    tableName: string,
    { prefix, first, forgetsOld }: DocumentKind<Content>,
    reads?: BatchedReads,
  ) {
    this.client = client;
    this.tableName = tableName;
    this.prefix = prefix;
    this.first = { version: 0, settings: first, createdAt: null, createdBy: null };
    this.keepsOld = forgetsOld !== true;
    this.reads = reads;
  }

  async current(): Promise<DocumentVersion<Content>> {
    const item = await this.read();
    return item === undefined ? this.first : toVersion(item);
  }

  async get(version: number): Promise<DocumentVersion<Content> | undefined> {
    const current = await this.current();
    if (version === current.version) return current;
    if (version === 0) return this.first;
    const item = version < current.version ? await this.read(this.nameOf(version)) : undefined;
    return item === undefined ? undefined : toVersion(item);
  }

  async replace(
    read: DocumentVersion<Content>,
    next: DocumentVersion<Content>,
    event?: GatewayEvent,
  ): Promise<boolean> {
    if (read.version > 0 && this.keepsOld) await this.put(toItem(this.nameOf(read.version), read));
    const attempt = crypto.randomUUID();
    const item = { ...toItem(`${this.prefix}current`, next), attempt, ...outboxOf(event) };
    const replaced =
      read.version === 0
        ? await this.put(item, 'attribute_not_exists(#version)')
        : await this.put(item, '#version = :version', { ':version': read.version });
    if (replaced) return true;
    // The retry of a write whose response was lost fails its condition.
    return (await this.read())?.attempt === attempt;
  }

  async list(limit: number, cursor: string | undefined): Promise<DocumentPage<Content>> {
    if (cursor !== undefined && !CURSOR.test(cursor)) {
      throw new GatewayError('invalid_value', "'cursor' is not a cursor from an earlier page.", { param: 'cursor' });
    }
    const current = await this.current();
    const newest = cursor === undefined ? current.version : Math.min(Number(cursor), current.version);
    const oldest = Math.max(1, newest - limit + 1);
    const numbers = Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, at) => newest - at);
    const past = numbers.filter((number) => number !== current.version);
    const found = await batchGet(
      this.client,
      this.tableName,
      past.map((number) => this.nameOf(number)),
    );
    const versions = numbers.flatMap((number) => {
      if (number === current.version) return current;
      const item = found.get(this.nameOf(number));
      return item === undefined ? [] : toVersion<Content>(item as unknown as DocumentItem);
    });
    const kept = firstThatFit(versions);
    const last = kept.length < versions.length ? (kept.at(-1)?.version ?? oldest) : oldest;
    return { versions: kept, ...(last > 1 && { nextCursor: String(last - 1) }) };
  }

  private nameOf(version: number): string {
    return `${this.prefix}version#${version}`;
  }

  private async read(pk = `${this.prefix}current`): Promise<DocumentItem | undefined> {
    if (this.reads !== undefined) return (await this.reads.get(pk)) as DocumentItem | undefined;
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: { pk }, ConsistentRead: true }));
    return (await reachStore('policies table', read)).Item as DocumentItem | undefined;
  }

  private async put(item: DocumentItem, condition?: string, values?: { ':version': number }): Promise<boolean> {
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: item,
          ConditionExpression: condition,
          // DynamoDB refuses names that no expression uses.
          ExpressionAttributeNames: condition === undefined ? undefined : { '#version': 'version' },
          ExpressionAttributeValues: values,
        }),
      );
    return isWritten('policies table', write);
  }
}

/** The first versions that fit in a page; at least one. */
function firstThatFit<Content>(versions: readonly DocumentVersion<Content>[]): readonly DocumentVersion<Content>[] {
  let bytes = 0;
  const over = versions.findIndex(({ settings }, at) => {
    bytes += Buffer.byteLength(JSON.stringify(settings));
    return at > 0 && bytes > MAX_PAGE_BYTES;
  });
  return over < 0 ? versions : versions.slice(0, over);
}

function toItem(pk: string, { version, settings, createdAt, createdBy }: DocumentVersion<unknown>): DocumentItem {
  return { pk, version, settings: JSON.stringify(settings), createdAt: createdAt ?? '', createdBy: createdBy ?? '' };
}

function toVersion<Content>({ version, settings, createdAt, createdBy }: DocumentItem): DocumentVersion<Content> {
  return {
    version,
    settings: JSON.parse(settings) as Content,
    createdAt: createdAt || null,
    createdBy: createdBy || null,
  };
}
