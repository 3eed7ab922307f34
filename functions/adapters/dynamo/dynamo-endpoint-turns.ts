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

/** Turns in the deliveries table, one item for each worker of an endpoint that ever had a delivery. */
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

  async take(webhookId: string, worker: number): Promise<Turn | undefined> {
    const holder = crypto.randomUUID();
    const key = keyOf(webhookId, worker);
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      const item = await this.claim(key, holder);
      if (item !== undefined) {
        const before = toState(item);
        return { state: before, end: (state) => this.end(key, holder, before, state) };
      }
      // If the turn ended just now, it may be available.
      if (await this.ask(key)) return undefined;
    }
    throw new StoreUnavailable(`${WHAT}: too many conflicts over a turn`);
  }

  async read(webhookId: string): Promise<TurnState> {
    const read = () => this.client.send(new GetCommand({ TableName: this.tableName, Key: keyOf(webhookId, 0) }));
    return toState(((await reachStore(WHAT, read)).Item ?? {}) as TurnItem);
  }

  async pause(webhookId: string, untilMs: number): Promise<void> {
    await this.update(keyOf(webhookId, 0), {
      UpdateExpression: 'SET #pausedUntil = :until',
      ConditionExpression: 'attribute_not_exists(#pausedUntil) OR #pausedUntil < :until',
      ExpressionAttributeNames: { '#pausedUntil': 'pausedUntil' },
      ExpressionAttributeValues: { ':until': Math.ceil(untilMs) },
    });
  }

  private claim(key: TurnKey, holder: string): Promise<TurnItem | undefined> {
    const now = this.clock.now();
    return this.update(key, {
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
  private async ask(key: TurnKey): Promise<boolean> {
    const held = await this.update(key, {
      UpdateExpression: 'SET #wanted = :yes',
      ConditionExpression: '#until > :now',
      ExpressionAttributeNames: { '#wanted': 'wanted', '#until': 'until' },
      ExpressionAttributeValues: { ':yes': true, ':now': this.clock.now() },
    });
    return held !== undefined;
  }

  private async end(key: TurnKey, holder: string, before: TurnState, state: TurnState): Promise<boolean> {
    const ending = (pause: boolean) =>
      this.update(key, {
        UpdateExpression: `SET #failures = :failures, #wakeAt = :wakeAt${pause ? ', #pausedUntil = :pausedUntil' : ''} REMOVE #holder, #until, #wanted`,
        ConditionExpression: `#holder = :holder${pause ? ' AND (attribute_not_exists(#pausedUntil) OR #pausedUntil = :before OR #pausedUntil <= :pausedUntil)' : ''}`,
        ExpressionAttributeNames: {
          '#failures': 'failures',
          '#wakeAt': 'wakeAt',
          '#holder': 'holder',
          '#until': 'until',
          '#wanted': 'wanted',
          ...(pause && { '#pausedUntil': 'pausedUntil' }),
        },
        ExpressionAttributeValues: {
          ':failures': state.failures,
          ':wakeAt': Math.ceil(state.wakeAtMs),
          ':holder': holder,
          ...(pause && { ':pausedUntil': Math.ceil(state.pausedUntilMs), ':before': before.pausedUntilMs }),
        },
        ReturnValues: 'ALL_OLD',
      });
    // Another worker paused the endpoint meanwhile: that stays.
    const ended = (await ending(true)) ?? (await ending(false));
    return ended?.wanted === true;
  }

  /** @returns the requested attributes (empty if none were); undefined if the condition failed */
  private async update(
    Key: TurnKey,
    input: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
  ): Promise<TurnItem | undefined> {
    const write = () => this.client.send(new UpdateCommand({ TableName: this.tableName, Key, ...input }));
    const written = await writeIf(WHAT, write);
    return written && (written.Attributes ?? {});
  }
}

interface TurnKey {
  readonly pk: string;
  readonly sk: 'turn';
}

/** The first worker's is that of earlier releases, and has the endpoint's state. */
function keyOf(webhookId: string, worker: number): TurnKey {
  return { pk: worker === 0 ? `turn#${webhookId}` : `turn#${webhookId}#${worker}`, sk: 'turn' };
}

function toState({ failures = 0, pausedUntil = 0, wakeAt = 0 }: TurnItem): TurnState {
  return { failures, pausedUntilMs: pausedUntil, wakeAtMs: wakeAt };
}
