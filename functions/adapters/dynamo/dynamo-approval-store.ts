import { DeleteCommand, GetCommand, QueryCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { EndUserStore } from '../../control/analytics/index.ts';
import {
  type Approval,
  type ApprovalChange,
  type ApprovalDesk,
  type ApprovalPage,
  type ApprovalQuery,
  type ApprovalStore,
  stateOf,
  VALID_MS,
} from '../../control/approvals/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { GatewayEvent } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { type Item, isLive, isWritten } from './dynamo-calls.ts';
import { isIdentityId } from './dynamo-identity-store.ts';
import { addingToOutbox } from './dynamo-outbox.ts';
import { LIST_SHARDS, partitionOf, readList } from './sharded-list.ts';

const WHAT = 'approvals table';
const ID = /^appr_[0-9a-f]{32}$/;
const CURSOR = /^\d{4}-[\d:.TZ-]{19}#appr_[0-9a-f]{32}$/;
const LIST = 'approvals';
/** Pages read for one page of a list by state. */
const MAX_ROUNDS = 10;
/** How long an approval is shown after it expires. */
const SHOWN_SECONDS = 24 * 60 * 60;
const HOUR_MS = 60 * 60_000;
/** An index may lag behind its table, so the search repeats until it finds nothing. */
const MAX_PASSES = 5;

/** What never changes, as JSON. */
type Facts = Omit<Approval, 'id' | 'sealedCall' | keyof ApprovalChange>;

interface ApprovalItem {
  readonly pk: string;
  readonly sk: string;
  readonly id: string;
  readonly facts: string;
  readonly call: string;
  readonly state: Approval['state'];
  /** Empty before a decision, like `decidedBy`. */
  readonly decidedAt: string;
  readonly decidedBy: string;
  /** Identifies the write that set the state. */
  readonly attempt: string;
}

/**
 * Approvals in DynamoDB, one item for each call of a session. Every write requires the approval and the state that were read, so that exactly
 * one of many makes a change. A write whose response was lost is repeated and finds its own attempt.
 */
export class DynamoApprovalStore implements ApprovalStore, ApprovalDesk, EndUserStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Pick<Clock, 'now'>;

  constructor(client: DynamoClient, tableName: string, clock: Pick<Clock, 'now'>) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
  }

  async find(call: Pick<Approval, 'keyId' | 'sessionId' | 'digest'>): Promise<Approval | undefined> {
    // Also one that DynamoDB will delete soon: the next one replaces it.
    const item = await this.read(keyOf(call));
    return item && toApproval(item);
  }

  async ofSession(keyId: string, sessionId: string | null): Promise<readonly Approval[]> {
    const items = await this.query({ name: 'pk', value: partitionKey(keyId, sessionId) });
    return items.flatMap((item) => this.live(item as unknown as ApprovalItem) ?? []);
  }

  create(approval: Approval, replaced: Approval | undefined, event: GatewayEvent): Promise<boolean> {
    const { id, sealedCall, state: _, decidedAt: __, decidedBy: ___, ...facts } = approval;
    const shard = Number.parseInt(id.slice(-8), 16) % LIST_SHARDS;
    const person = approval.endUserId ?? (isIdentityId(approval.keyId) ? approval.keyId : undefined);
    const fields: Item = {
      id,
      facts: JSON.stringify(facts satisfies Facts),
      call: sealedCall,
      listPk: partitionOf(LIST, shard),
      listSk: `${approval.createdAt}#${id}`,
      expiresAt: Math.ceil(Date.parse(approval.expiresAt) / 1000) + SHOWN_SECONDS,
      ...(person !== undefined && { endUserPk: person }),
      ...(approval.teamId !== undefined && { teamPk: partitionOf(approval.teamId, shard) }),
    };
    return this.write(approval, approval, fields, event, replaced);
  }

  change(read: Approval, change: ApprovalChange, event?: GatewayEvent): Promise<boolean> {
    return this.write(read, change, {}, event, read);
  }

  async countGuess(keyId: string, most: number): Promise<boolean> {
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: this.guessesOf(keyId),
          UpdateExpression: 'ADD #wrong :one SET #expiresAt = :expiresAt',
          ConditionExpression: 'attribute_not_exists(#wrong) OR #wrong < :most',
          ExpressionAttributeNames: { '#wrong': 'wrong', '#expiresAt': 'expiresAt' },
          ExpressionAttributeValues: {
            ':one': 1,
            ':most': most,
            ':expiresAt': Math.ceil((this.clock.now() + 2 * HOUR_MS) / 1000),
          },
        }),
      );
    return isWritten(WHAT, write);
  }

  async forgetGuess(keyId: string): Promise<void> {
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: this.guessesOf(keyId),
          UpdateExpression: 'ADD #wrong :less',
          ConditionExpression: '#wrong > :none',
          ExpressionAttributeNames: { '#wrong': 'wrong' },
          ExpressionAttributeValues: { ':less': -1, ':none': 0 },
        }),
      );
    await isWritten(WHAT, write);
  }

  async get(id: string): Promise<Approval | undefined> {
    if (!ID.test(id)) return undefined;
    const [found] = await this.query({ name: 'id', value: id, index: 'byId' });
    const item = found && (await this.read({ pk: found.pk as string, sk: found.sk as string }));
    return item?.id === id ? this.live(item) : undefined;
  }

  async list({ teamId, state, limit, cursor }: ApprovalQuery): Promise<ApprovalPage> {
    if (cursor !== undefined && !CURSOR.test(cursor)) {
      throw new GatewayError('invalid_value', "'cursor' is not a cursor from an earlier page.", { param: 'cursor' });
    }
    const now = this.clock.now();
    const approvals: Approval[] = [];
    let after = cursor;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const { items, next } = await readList(this.client, {
        tableName: this.tableName,
        ...(teamId === undefined
          ? { index: 'byTime', partitionKey: 'listPk', list: LIST }
          : { index: 'byTeam', partitionKey: 'teamPk', list: teamId }),
        sortKey: 'listSk',
        // An older one has expired.
        from: state === 'pending' ? new Date(now - VALID_MS).toISOString() : undefined,
        after,
        limit: limit - approvals.length,
      });
      const live = items.flatMap((item) => this.live(item as unknown as ApprovalItem) ?? []);
      approvals.push(...live.filter((one) => state === undefined || stateOf(one, now) === state));
      after = next;
      if (after === undefined || approvals.length >= limit) break;
    }
    return { approvals, nextCursor: after };
  }

  async deleteEndUser(endUserId: string): Promise<{ approvals: number }> {
    let approvals = 0;
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      const found = await this.query({ name: 'endUserPk', value: endUserId, index: 'byEndUser' });
      if (found.length === 0) break;
      for (const { pk, sk } of found) {
        const Key = { pk, sk };
        await reachStore(WHAT, () => this.client.send(new DeleteCommand({ TableName: this.tableName, Key })));
      }
      if (pass === 1) approvals = found.length;
    }
    return { approvals };
  }

  /** Sets the state of an approval's item with other fields. @returns false if the item has not what was read */
  private async write(
    approval: Approval,
    { state, decidedAt, decidedBy }: ApprovalChange,
    fields: Item,
    event: GatewayEvent | undefined,
    read: Approval | undefined,
  ): Promise<boolean> {
    const attempt = crypto.randomUUID();
    const set: Item = { ...fields, state, decidedAt: decidedAt ?? '', decidedBy: decidedBy ?? '', attempt };
    const added = addingToOutbox(event);
    const input: UpdateCommandInput = {
      TableName: this.tableName,
      Key: keyOf(approval),
      UpdateExpression: `SET ${Object.keys(set)
        .map((name) => `#${name} = :${name}`)
        .join(', ')}${added.set}`,
      ConditionExpression: read === undefined ? 'attribute_not_exists(#id)' : '#id = :readId AND #state = :readState',
      ExpressionAttributeNames: {
        ...Object.fromEntries(Object.keys(set).map((name) => [`#${name}`, name])),
        '#id': 'id',
        ...added.names,
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
        ...(read !== undefined && { ':readId': read.id, ':readState': read.state }),
        ...added.values,
      },
    };
    if (await isWritten(WHAT, () => this.client.send(new UpdateCommand(input)))) return true;
    return (await this.read(keyOf(approval)))?.attempt === attempt;
  }

  private async read(Key: { readonly pk: string; readonly sk: string }): Promise<ApprovalItem | undefined> {
    const read = () => this.client.send(new GetCommand({ TableName: this.tableName, Key, ConsistentRead: true }));
    return (await reachStore(WHAT, read)).Item as ApprovalItem | undefined;
  }

  /** All items of a partition; those of an index are not the newest. */
  private async query({ name, value, index }: { name: string; value: string; index?: string }): Promise<Item[]> {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const read = () =>
        this.client.send(
          new QueryCommand({
            TableName: this.tableName,
            IndexName: index,
            KeyConditionExpression: '#name = :value',
            ExpressionAttributeNames: { '#name': name },
            ExpressionAttributeValues: { ':value': value },
            ConsistentRead: index === undefined,
            ExclusiveStartKey: start,
          }),
        );
      const { Items = [], LastEvaluatedKey } = await reachStore(WHAT, read);
      items.push(...Items);
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return items;
  }

  private live(item: ApprovalItem | undefined): Approval | undefined {
    return item === undefined || !isLive(item as unknown as Item, this.clock.now()) ? undefined : toApproval(item);
  }

  private guessesOf(keyId: string): { pk: string; sk: string } {
    return { pk: `wrong#${keyId}`, sk: new Date(this.clock.now()).toISOString().slice(0, 'YYYY-MM-DDTHH'.length) };
  }
}

function keyOf({ keyId, sessionId, digest }: Pick<Approval, 'keyId' | 'sessionId' | 'digest'>) {
  return { pk: partitionKey(keyId, sessionId), sk: digest };
}

/** Ids of keys have no `#`, and no session has an empty name. */
function partitionKey(keyId: string, sessionId: string | null): string {
  return `${keyId}#${sessionId ?? ''}`;
}

function toApproval({ id, facts, call, state, decidedAt, decidedBy }: ApprovalItem): Approval {
  return {
    ...(JSON.parse(facts) as Facts),
    ...{ id, state },
    sealedCall: call,
    decidedAt: decidedAt || null,
    decidedBy: decidedBy || null,
  };
}
