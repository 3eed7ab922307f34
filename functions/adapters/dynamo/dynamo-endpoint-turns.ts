import { GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { EndpointTurns, Turn, TurnState } from '../../control/webhooks/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { writeIf } from './dynamo-calls.ts';

const WHAT = 'deliveries table';
const MAX_TRIES = 5;
const KEPT_SECONDS = 7 * 86_400;

/** Absent until a turn sets them. */
interface TurnItem {
  readonly failures?: number;
  readonly pausedUntil?: number;
  readonly wakeAt?: number;
  /** Whether another process requested the turn while it was held. */
  readonly wanted?: boolean;
}

/** Turns in the deliveries table, one item for each endpoint that ever had a delivery. */
export class DynamoEndpointTurns implements EndpointTurns {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;
  /** Longer than a turn with its last attempt: a holder older than that has crashed. */
  private readonly leaseMs: number;

  constructor(client: DynamoClient, tableName: string, clock: Clock, leaseMs: number) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
    this.leaseMs = leaseMs;
  }

  async take(webhookId: string): Promise<Turn | undefined> {
    const holder = crypto.randomUUID();
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const item = await this.claim(webhookId, holder);
      if (item !== undefined) {
        return { state: toState(item), end: (state) => this.end(webhookId, holder, state) };
      }
      // If the turn ended just now, it may be available.
      if (await this.ask(webhookId)) return undefined;
    }
    throw new StoreUnavailable(`${WHAT}: too many conflicts over a turn`);
  }

  async read(webhookId: string): Promise<TurnState> {
    const read = () => this.client.send(new GetCommand({ TableName: this.tableName, Key: keyOf(webhookId) }));
    return toState(((await reachStore(WHAT, read)).Item ?? {}) as TurnItem);
  }

  private claim(webhookId: string, holder: string): Promise<TurnItem | undefined> {
    const now = this.clock.now();
    return this.update(webhookId, {
      UpdateExpression: 'SET #holder = :holder, #until = :until, #expiresAt = :expiresAt REMOVE #wanted',
      // A call whose response came too late is repeated and finds its own turn.
      ConditionExpression: 'attribute_not_exists(#until) OR #until <= :now OR #holder = :holder',
      ExpressionAttributeNames: {
        '#holder': 'holder',
        '#until': 'until',
        '#expiresAt': 'expiresAt',
        '#wanted': 'wanted',
      },
      ExpressionAttributeValues: {
        ':holder': holder,
        ':now': now,
        ':until': now + this.leaseMs,
        ':expiresAt': Math.ceil(now / 1000) + KEPT_SECONDS,
      },
      ReturnValues: 'ALL_NEW',
    });
  }

  /** @returns whether another process has the turn, and will see that it was requested */
  private async ask(webhookId: string): Promise<boolean> {
    const held = await this.update(webhookId, {
      UpdateExpression: 'SET #wanted = :yes',
      ConditionExpression: '#until > :now',
      ExpressionAttributeNames: { '#wanted': 'wanted', '#until': 'until' },
      ExpressionAttributeValues: { ':yes': true, ':now': this.clock.now() },
    });
    return held !== undefined;
  }

  private async end(webhookId: string, holder: string, state: TurnState): Promise<boolean> {
    const before = await this.update(webhookId, {
      UpdateExpression:
        'SET #failures = :failures, #pausedUntil = :pausedUntil, #wakeAt = :wakeAt REMOVE #holder, #until, #wanted',
      ConditionExpression: '#holder = :holder',
      ExpressionAttributeNames: {
        '#failures': 'failures',
        '#pausedUntil': 'pausedUntil',
        '#wakeAt': 'wakeAt',
        '#holder': 'holder',
        '#until': 'until',
        '#wanted': 'wanted',
      },
      ExpressionAttributeValues: {
        ':failures': state.failures,
        ':pausedUntil': Math.ceil(state.pausedUntilMs),
        ':wakeAt': Math.ceil(state.wakeAtMs),
        ':holder': holder,
      },
      ReturnValues: 'ALL_OLD',
    });
    return before?.wanted === true;
  }

  /** @returns the requested attributes (empty if none were); undefined if the condition failed */
  private async update(
    webhookId: string,
    input: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
  ): Promise<TurnItem | undefined> {
    const Key = keyOf(webhookId);
    const write = () => this.client.send(new UpdateCommand({ TableName: this.tableName, Key, ...input }));
    const written = await writeIf(WHAT, write);
    return written && (written.Attributes ?? {});
  }
}

function keyOf(webhookId: string): { pk: string; sk: string } {
  return { pk: `turn#${webhookId}`, sk: 'turn' };
}

function toState({ failures = 0, pausedUntil = 0, wakeAt = 0 }: TurnItem): TurnState {
  return { failures, pausedUntilMs: pausedUntil, wakeAtMs: wakeAt };
}
