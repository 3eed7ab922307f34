import { GetCommand, UpdateCommand, type UpdateCommandInput, type UpdateCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { SessionRef, SessionStore } from '../../control/sessions/index.ts';
import { randomHex } from '../../kernel/crypto/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { GatewayEvent } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { writeIf } from './dynamo-calls.ts';
import { addingToOutbox } from './dynamo-outbox.ts';

/** Maximum time that a request waits for its session's state, and to join a session. */
const READ_WAIT_MS = 250;
const JOIN_WAIT_MS = 1_000;
/** Concurrent requests of one session are few. */
const MAX_CONFLICTS = 5;
/** After that a score has decayed to nothing, and an idle session is over. */
const KEPT_SECONDS = 24 * 60 * 60;

interface SessionSettings {
  /** Idle time after which an end user gets a new session. */
  readonly idleMs: number;
  /** Longer waits for tests on a busy machine. */
  readonly readWaitMs?: number;
  readonly joinWaitMs?: number;
}

/** The attributes read of a session's item. Times are milliseconds since 1970. */
interface SessionItem {
  /** Only for an end user's session. */
  readonly sessionId?: string;
  /** Absent until the session was suspicious, like the score. */
  readonly version?: number;
  readonly highest?: number;
  readonly accumulated?: number;
  readonly at?: number;
  readonly flaggedAt?: number;
  /** Digests, with a space between them. */
  readonly values?: string;
  readonly occurred?: string;
}

type SessionState = NonNullable<Awaited<ReturnType<SessionStore['read']>>>;
type Joined = Awaited<ReturnType<SessionStore['join']>>;

/**
 * One item for each named session that was suspicious, and one for each end user with the open or last session. A score is only changed by
 * a writer that has seen its current version.
 */
export class DynamoSessionStore implements SessionStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;
  private readonly idleMs: number;
  private readonly readWaitMs: number;
  private readonly joinWaitMs: number;
  /** Pending changes of this process: the next request waits for them. */
  private readonly pending = new Map<string, Promise<void>>();

  constructor(
    client: DynamoClient,
    tableName: string,
    clock: Clock,
    { idleMs, readWaitMs = READ_WAIT_MS, joinWaitMs = JOIN_WAIT_MS }: SessionSettings,
  ) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
    this.idleMs = idleMs;
    this.readWaitMs = readWaitMs;
    this.joinWaitMs = joinWaitMs;
  }

  read(keyId: string, name: string): Promise<SessionState | undefined> {
    const pk = nameKey(keyId, name);
    return inTime(this.readWaitMs, async () => {
      await this.pending.get(pk);
      return toState(await this.find(pk, AbortSignal.timeout(this.readWaitMs)));
    });
  }

  join(keyId: string, endUserId: string): Promise<Joined> {
    const pk = endUserKey(keyId, endUserId);
    return inTime(this.joinWaitMs, async () => {
      await this.pending.get(pk);
      const joined = (await this.touch(pk)) ?? (await this.open(pk, endUserId)) ?? (await this.touch(pk));
      if (joined === undefined) throw new StoreUnavailable('sessions table: session neither open nor over');
      return joined;
    });
  }

  async update(
    ref: SessionRef,
    change: Parameters<SessionStore['update']>[1],
    tell?: Parameters<SessionStore['update']>[2],
  ): Promise<void> {
    const pk = 'name' in ref ? nameKey(ref.keyId, ref.name) : endUserKey(ref.keyId, ref.endUserId);
    const changing = (this.pending.get(pk) ?? Promise.resolve()).then(() =>
      this.change(pk, 'name' in ref ? undefined : ref.sessionId, change, tell),
    );
    const settled = changing.catch(() => {});
    this.pending.set(pk, settled);
    try {
      await changing;
    } finally {
      if (this.pending.get(pk) === settled) this.pending.delete(pk);
    }
  }

  private async change(
    pk: string,
    sessionId: string | undefined,
    change: Parameters<SessionStore['update']>[1],
    tell: Parameters<SessionStore['update']>[2],
  ): Promise<void> {
    for (let attempt = 0; attempt < MAX_CONFLICTS; attempt++) {
      const item = await this.find(pk);
      if (sessionId !== undefined && item?.sessionId !== sessionId) return;
      const known = toState(item);
      const changed = change(known);
      if (await this.replace(pk, sessionId, item?.version, changed, tell?.(known, changed))) return;
    }
    throw new StoreUnavailable('sessions table: too many conflicts');
  }

  /** Joins the open session; undefined if there is none. */
  private async touch(pk: string): Promise<Joined | undefined> {
    const now = this.clock.now();
    const joined = await this.write(pk, {
      UpdateExpression: 'SET #lastAt = :now, #expiresAt = :expiresAt',
      ConditionExpression: '#lastAt > :openSince',
      ExpressionAttributeNames: { '#lastAt': 'lastAt', '#expiresAt': 'expiresAt' },
      ExpressionAttributeValues: {
        ':now': now,
        ':openSince': now - this.idleMs,
        ':expiresAt': this.expiryAt(now),
      },
      ReturnValues: 'ALL_NEW',
    });
    if (joined === undefined) return undefined;
    const item = joined.Attributes as SessionItem;
    return { sessionId: item.sessionId as string, score: toState(item) };
  }

  /** Opens a session if none is open; undefined if another process has just done so. */
  private async open(pk: string, endUserId: string): Promise<Joined | undefined> {
    const now = this.clock.now();
    const sessionId = `ses_${randomHex(32)}`;
    const forgotten = ['highest', 'accumulated', 'at', 'flaggedAt', 'values', 'occurred', 'version'];
    const names = ['sessionId', 'endUserPk', 'lastAt', 'expiresAt', ...forgotten];
    const written = await this.write(pk, {
      UpdateExpression: `SET #sessionId = :sessionId, #endUserPk = :endUser, #lastAt = :now, #expiresAt = :expiresAt REMOVE ${forgotten.map((name) => `#${name}`).join(', ')}`,
      ConditionExpression: 'attribute_not_exists(#lastAt) OR #lastAt <= :openSince',
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':sessionId': sessionId,
        ':endUser': endUserId,
        ':now': now,
        ':openSince': now - this.idleMs,
        ':expiresAt': this.expiryAt(now),
      },
    });
    return written && { sessionId, score: undefined };
  }

  /** @returns false if the version or the session has changed */
  private async replace(
    pk: string,
    sessionId: string | undefined,
    version: number | undefined,
    state: SessionState,
    event: GatewayEvent | undefined,
  ): Promise<boolean> {
    const { flaggedAt, values, occurred } = state;
    const optional = {
      ...(flaggedAt !== undefined && { flaggedAt: decimal(flaggedAt) }),
      ...(values !== undefined && { values: values.join(' ') }),
      ...(occurred !== undefined && { occurred: occurred.join(' ') }),
    };
    const set = Object.keys(optional);
    const names = [
      ...['highest', 'accumulated', 'at', 'version', 'expiresAt', ...set],
      ...(sessionId === undefined ? [] : ['sessionId']),
    ];
    const added = addingToOutbox(event);
    const written = await this.write(pk, {
      UpdateExpression: [
        'SET #highest = :highest, #accumulated = :accumulated, #at = :at, #version = :next, #expiresAt = :expiresAt',
        ...set.map((name) => `, #${name} = :${name}`),
        added.set,
      ].join(''),
      ConditionExpression: [
        version === undefined ? 'attribute_not_exists(#version)' : '#version = :version',
        ...(sessionId === undefined ? [] : ['#sessionId = :sessionId']),
      ].join(' AND '),
      ExpressionAttributeNames: { ...Object.fromEntries(names.map((name) => [`#${name}`, name])), ...added.names },
      ExpressionAttributeValues: {
        ...added.values,
        ...Object.fromEntries(Object.entries(optional).map(([name, value]) => [`:${name}`, value])),
        ':highest': decimal(state.highest),
        ':accumulated': decimal(state.accumulated),
        ':at': decimal(state.at),
        ':next': (version ?? 0) + 1,
        ':expiresAt': this.expiryAt(Math.max(state.at, this.clock.now())),
        ...(version !== undefined && { ':version': version }),
        ...(sessionId !== undefined && { ':sessionId': sessionId }),
      },
    });
    return written !== undefined;
  }

  /** @returns undefined if the condition fails */
  private write(
    pk: string,
    input: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
  ): Promise<UpdateCommandOutput | undefined> {
    const Key = { pk };
    return writeIf('sessions table', () =>
      this.client.send(new UpdateCommand({ TableName: this.tableName, Key, ...input })),
    );
  }

  /** Without a signal, the client's deadline and retries apply: no request waits for a change. */
  private async find(pk: string, signal?: AbortSignal): Promise<SessionItem | undefined> {
    const input = { TableName: this.tableName, Key: { pk }, ConsistentRead: true };
    const read = () => this.client.send(new GetCommand(input), { ...(signal && { abortSignal: signal }) });
    return (await reachStore('sessions table', read)).Item as SessionItem | undefined;
  }

  private expiryAt(nowMs: number): number {
    return Math.ceil((nowMs + this.idleMs) / 1000) + KEPT_SECONDS;
  }
}

/** Sessions of different keys never collide: a key's id contains no `#` and begins with `key_`. */
export function nameKey(keyId: string, name: string): string {
  return `${keyId}#${name}`;
}

function endUserKey(keyId: string, endUserId: string): string {
  return `user#${keyId}#${endUserId}`;
}

function toState(item: SessionItem | undefined): SessionState | undefined {
  if (item?.version === undefined) return undefined;
  const { highest = 0, accumulated = 0, at = 0, flaggedAt, values, occurred } = item;
  return {
    ...{ highest, accumulated, at },
    ...(flaggedAt !== undefined && { flaggedAt }),
    ...(values !== undefined && { values: digestsIn(values) }),
    ...(occurred !== undefined && { occurred: digestsIn(occurred) }),
  };
}

function digestsIn(text: string): string[] {
  return text.split(' ').filter((digest) => digest !== '');
}

/** Rounds to six decimals: a store refuses numbers with more digits than it keeps. */
export function decimal(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The result of the work. @throws StoreUnavailable if it takes longer than a request waits */
async function inTime<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable('sessions table: TimeoutError')), waitMs);
  });
  const working = work();
  working.catch(() => {});
  try {
    return await Promise.race([working, late]);
  } finally {
    clearTimeout(timer);
  }
}
