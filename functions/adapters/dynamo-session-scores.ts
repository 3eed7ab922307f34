import { type AttributeValue, type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../core/ports/clock.ts';
import type { HttpClient } from '../core/ports/http-client.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';
import type { SessionScores } from '../core/ports/session-scores.ts';
import type { SessionScore } from '../core/session/suspicion.ts';
import { reachStore } from './aws-clients.ts';
import { DynamoWriter } from './dynamo-writer.ts';
import { NodeHttpClient } from './node-http-client.ts';

/** A request waits for its session's past only so long. */
const READ_TIMEOUT_MS = 250;
/** Requests of one session at the same moment are few. */
const MAX_CONFLICTS = 5;
/** After so long a score has decayed to nothing. */
const KEPT_SECONDS = 24 * 60 * 60;

interface Stored {
  readonly score: SessionScore;
  readonly version: number;
}

/** An item for each session that was ever suspicious, changed only by who has seen its present version. */
export class DynamoSessionScores implements SessionScores {
  private readonly client: DynamoDBClient;
  private readonly writer: DynamoWriter;
  private readonly tableName: string;

  constructor(client: DynamoDBClient, tableName: string, clock: Clock, http: HttpClient = new NodeHttpClient()) {
    this.client = client;
    this.writer = new DynamoWriter(client, http, clock);
    this.tableName = tableName;
  }

  async read(keyId: string, sessionId: string): Promise<SessionScore | undefined> {
    return (await this.find(partitionKey(keyId, sessionId)))?.score;
  }

  async update(
    keyId: string,
    sessionId: string,
    change: (known: SessionScore | undefined) => SessionScore,
  ): Promise<void> {
    const pk = partitionKey(keyId, sessionId);
    for (let attempt = 0; attempt < MAX_CONFLICTS; attempt++) {
      const known = await this.find(pk);
      if (await this.replace(pk, known?.version, change(known?.score))) return;
    }
    throw new StoreUnavailable('sessions table: too many at once');
  }

  /** false where another version than this stands there. */
  private async replace(pk: string, version: number | undefined, score: SessionScore): Promise<boolean> {
    const { ok } = await this.writer.update({
      TableName: this.tableName,
      Key: { pk: { S: pk } },
      UpdateExpression:
        'SET #highest = :highest, #accumulated = :accumulated, #at = :at, #version = :next, #expiresAt = :expiresAt',
      ConditionExpression: version === undefined ? 'attribute_not_exists(#version)' : '#version = :version',
      ExpressionAttributeNames: {
        '#highest': 'highest',
        '#accumulated': 'accumulated',
        '#at': 'at',
        '#version': 'version',
        '#expiresAt': 'expiresAt',
      },
      ExpressionAttributeValues: {
        ':highest': number(score.highest),
        ':accumulated': number(score.accumulated),
        ':at': number(score.at),
        ':next': number((version ?? 0) + 1),
        ':expiresAt': number(Math.ceil(score.at / 1000) + KEPT_SECONDS),
        ...(version !== undefined && { ':version': number(version) }),
      },
    });
    return ok;
  }

  private async find(pk: string): Promise<Stored | undefined> {
    const command = new GetItemCommand({ TableName: this.tableName, Key: { pk: { S: pk } }, ConsistentRead: true });
    const abortSignal = AbortSignal.timeout(READ_TIMEOUT_MS);
    const { Item } = await reachStore('sessions table', () => this.client.send(command, { abortSignal }));
    return Item && toStored(Item);
  }
}

/** Sessions of different keys never meet: a key's id holds no `#`. */
function partitionKey(keyId: string, sessionId: string): string {
  return `${keyId}#${sessionId}`;
}

function toStored({ highest, accumulated, at, version }: Record<string, AttributeValue>): Stored {
  return {
    score: { highest: Number(highest?.N ?? 0), accumulated: Number(accumulated?.N ?? 0), at: Number(at?.N ?? 0) },
    version: Number(version?.N ?? 0),
  };
}

/** At most six decimals: a store refuses numbers of more digits than it keeps. */
function number(value: number): { N: string } {
  return { N: String(Math.round(value * 1e6) / 1e6) };
}
