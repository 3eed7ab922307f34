import { createHash } from 'node:crypto';
import { DeleteCommand, GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { EndUserStore } from '../../control/analytics/index.ts';
import type {
  IdentityList,
  IdentityPage,
  IdentityStore,
  SeenIdentity,
  StoredIdentity,
} from '../../control/identities/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, writeIf } from './dynamo-calls.ts';
import { listNewest, teamPartition } from './list-newest.ts';

/** Beside the keys in their index `list`. */
const LIST_PARTITION = 'identities';
/** The `listSk` of an identity, which ends with its id. */
const LISTED = /^[\w:.+-]{1,40}#idn_[0-9a-f]{32}$/;
/** New identities on a UTC day, in all processes together. */
const MAX_NEW_PER_DAY: NewPerDay = { issuer: 10_000, team: 2_000 };
const USE_NOTED_EVERY_MS = 60_000;

/** Most new identities of an issuer, and of a team, on a UTC day. */
interface NewPerDay {
  readonly issuer: number;
  readonly team: number;
}

interface IdentityItem extends Omit<StoredIdentity, 'id' | 'teamId'> {
  /** `identity#<id>` */
  readonly pk: string;
  readonly listPk: typeof LIST_PARTITION;
  readonly listSk: string;
  /** With a team: its partition of the index `byTeam`. */
  readonly teamPk?: string;
}

/** Identities in the table of keys. An item of each issuer and team counts its new ones of the day, so that strangers cannot fill the table. */
export class DynamoIdentityStore implements IdentityStore, IdentityList, EndUserStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;
  private readonly maxNewPerDay: NewPerDay;

  constructor(client: DynamoClient, tableName: string, clock: Clock, maxNewPerDay = MAX_NEW_PER_DAY) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
    this.maxNewPerDay = maxNewPerDay;
  }

  async get(id: string): Promise<StoredIdentity | undefined> {
    const read = () =>
      this.client.send(
        new GetCommand({ TableName: this.tableName, Key: { pk: `identity#${id}` }, ConsistentRead: true }),
      );
    const { Item } = await reachStore('keys table', read);
    return Item && toStored(Item as IdentityItem);
  }

  async add(seen: SeenIdentity): Promise<StoredIdentity | undefined> {
    const { id, teamId, ...fields } = seen;
    // The team first: what a full team refuses does not use up the issuer.
    const { issuer, team } = this.maxNewPerDay;
    if (teamId !== null && !(await this.countNew(teamId, team))) return undefined;
    if (!(await this.countNew(seen.issuer, issuer))) return undefined;
    const firstSeenAt = new Date(this.clock.now()).toISOString();
    const listed = { listPk: LIST_PARTITION, listSk: `${firstSeenAt}#${id}` } as const;
    const ofTeam = teamId !== null && { teamPk: teamPartition(LIST_PARTITION, teamId) };
    const item = { ...fields, state: 'active', firstSeenAt, ...listed, ...ofTeam } as const;
    const names = Object.keys(item);
    const added = await this.update({
      Key: { pk: `identity#${id}` },
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: Object.fromEntries(['pk', ...names].map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(Object.entries(item).map(([name, value]) => [`:${name}`, value])),
    });
    // Another process, or an attempt whose response was lost, may have stored it.
    return added === undefined ? this.get(id) : toStored({ pk: `identity#${id}`, ...item });
  }

  async noteUse({ id, ruleId, lastSeenAt, subject, teamId }: SeenIdentity): Promise<void> {
    const before = new Date(Date.parse(lastSeenAt) - USE_NOTED_EVERY_MS).toISOString();
    await this.update({
      Key: { pk: `identity#${id}` },
      UpdateExpression: `SET #lastSeenAt = :lastSeenAt, #ruleId = :ruleId, #subject = :subject${teamId === null ? ' REMOVE #teamPk' : ', #teamPk = :teamPk'}`,
      ConditionExpression: `attribute_exists(#pk) AND (#lastSeenAt <= :before OR #ruleId <> :ruleId OR ${teamId === null ? 'attribute_exists(#teamPk)' : 'attribute_not_exists(#teamPk) OR #teamPk <> :teamPk'})`,
      ExpressionAttributeNames: {
        '#pk': 'pk',
        '#lastSeenAt': 'lastSeenAt',
        '#ruleId': 'ruleId',
        '#subject': 'subject',
        '#teamPk': 'teamPk',
      },
      ExpressionAttributeValues: {
        ':lastSeenAt': lastSeenAt,
        ':before': before,
        ':ruleId': ruleId,
        ':subject': subject,
        ...(teamId !== null && { ':teamPk': teamPartition(LIST_PARTITION, teamId) }),
      },
    });
  }

  async setState(id: string, state: StoredIdentity['state']): Promise<StoredIdentity | undefined> {
    const changed = await this.update({
      Key: { pk: `identity#${id}` },
      UpdateExpression: 'SET #state = :state',
      ConditionExpression: 'attribute_exists(#pk)',
      ExpressionAttributeNames: { '#pk': 'pk', '#state': 'state' },
      ExpressionAttributeValues: { ':state': state },
      ReturnValues: 'ALL_NEW',
    });
    return changed?.Attributes && toStored(changed.Attributes as IdentityItem);
  }

  /** Deletes an identity by its id. Of a disabled one the subject alone, so that its tokens are still refused. */
  async deleteEndUser(id: string): Promise<{ identities: number }> {
    if (!isIdentityId(id)) return { identities: 0 };
    const Key = { pk: `identity#${id}` };
    const active = { '#pk': 'pk', '#state': 'state' };
    const deleted = await writeIf('keys table', () =>
      this.client.send(
        new DeleteCommand({
          ...{ TableName: this.tableName, Key, ConditionExpression: 'attribute_exists(#pk) AND #state = :active' },
          ...{ ExpressionAttributeNames: active, ExpressionAttributeValues: { ':active': 'active' } },
        }),
      ),
    );
    if (deleted !== undefined) return { identities: 1 };
    const cleared = await this.update({
      Key,
      UpdateExpression: 'SET #subject = :deleted',
      ConditionExpression: 'attribute_exists(#pk) AND #subject <> :deleted',
      ExpressionAttributeNames: { '#pk': 'pk', '#subject': 'subject' },
      ExpressionAttributeValues: { ':deleted': 'deleted' },
    });
    return { identities: cleared === undefined ? 0 : 1 };
  }

  async list(limit: number, cursor: string | undefined, teamId?: string): Promise<IdentityPage> {
    const before = cursor === undefined ? undefined : readCursor(cursor);
    const page = { partition: LIST_PARTITION, limit, before, teamId } as const;
    const { items, next } = await listNewest(this.client, this.tableName, page);
    const listed = items as unknown as IdentityItem[];
    const identities = teamId === undefined ? listed.map(toStored) : await this.current(listed, teamId);
    return { identities, ...(next !== undefined && { nextCursor: writeCursor(next) }) };
  }

  /** The identities of keys in the index of a team, without those that have just left it. */
  private async current(listed: readonly IdentityItem[], teamId: string): Promise<StoredIdentity[]> {
    const pks = listed.map(({ pk }) => pk);
    const found = await batchGet(this.client, this.tableName, pks);
    const all = pks.flatMap((pk) => (found.get(pk) as unknown as IdentityItem | undefined) ?? []);
    return all.map(toStored).filter((one) => one.teamId === teamId);
  }

  /** @returns false if the issuer or team had too many new identities on this day */
  private async countNew(source: string, most: number): Promise<boolean> {
    const day = new Date(this.clock.now()).toISOString().slice(0, 10);
    const Key = { pk: `identities#${createHash('sha256').update(source).digest('hex')}` };
    const ExpressionAttributeNames = { '#day': 'day', '#added': 'added' };
    const countOne = () =>
      this.update({
        Key,
        UpdateExpression: 'SET #added = #added + :one',
        // The day of a process whose clock is ahead.
        ConditionExpression: '#day >= :day AND #added < :most',
        ExpressionAttributeNames,
        ExpressionAttributeValues: { ':day': day, ':one': 1, ':most': most },
      });
    if ((await countOne()) !== undefined) return true;
    const begun = await this.update({
      Key,
      UpdateExpression: 'SET #day = :day, #added = :one',
      ConditionExpression: 'attribute_not_exists(#day) OR #day < :day',
      ExpressionAttributeNames,
      ExpressionAttributeValues: { ':day': day, ':one': 1 },
    });
    // Another process may have begun the day.
    return begun !== undefined || (await countOne()) !== undefined;
  }

  /** undefined if the condition fails. */
  private update(input: Omit<UpdateCommandInput, 'TableName'>) {
    return writeIf('keys table', () => this.client.send(new UpdateCommand({ ...input, TableName: this.tableName })));
  }
}

/** Whether it is the id of an identity, which is the `keyId` of its requests. */
export function isIdentityId(id: string): boolean {
  return /^idn_[0-9a-f]{32}$/.test(id);
}

function toStored({ pk, teamPk, ...identity }: IdentityItem): StoredIdentity {
  const { issuer, subject, state, ruleId, firstSeenAt, lastSeenAt } = identity;
  const teamId = teamPk?.slice(`${LIST_PARTITION}#`.length) ?? null;
  return { id: pk.slice('identity#'.length), issuer, subject, state, ruleId, teamId, firstSeenAt, lastSeenAt };
}

function writeCursor(listSk: string): string {
  return Buffer.from(listSk).toString('base64url');
}

/** The `listSk` of a cursor. */
function readCursor(cursor: string): string {
  const listSk = Buffer.from(cursor, 'base64url').toString();
  if (LISTED.test(listSk)) return listSk;
  throw new GatewayError('invalid_value', "'cursor' is not a cursor from an earlier page.", { param: 'cursor' });
}
