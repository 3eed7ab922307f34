import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { BACKGROUND_ONCE, BACKGROUND_RETRIES, TRY_ONCE } from '../../functions/adapters/aws/clients.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { DynamoApprovalStore } from '../../functions/adapters/dynamo/dynamo-approval-store.ts';
import { DynamoIssuedIds } from '../../functions/adapters/dynamo/dynamo-issued-ids.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { DynamoRecordReader, DynamoRequestRecords } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { DynamoSessionStore } from '../../functions/adapters/dynamo/dynamo-session-store.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import { limitsOf, NO_NEED } from '../../functions/control/limits/index.ts';
import { withTurn } from '../../functions/control/sessions/index.ts';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import { FakeClock, T0 } from './fake-clock.ts';
import { clientFor, makeKey } from './stores-setup.ts';

/** Of a call, each of at most a second: two commands, three attempts each. */
const MOST_ATTEMPTS = 6;

describe('an unavailable store', () => {
  const givenIdsAt = (url: string) => new DynamoIssuedIds(clientFor(url), 'sessions');
  const limitsAt = (url: string) =>
    new DynamoLimitStore(
      { client: clientFor(url), settling: clientFor(url, BACKGROUND_ONCE) },
      'limits',
      new FakeClock(),
    );
  const sessionsAt = (url: string) =>
    new DynamoSessionStore(clientFor(url), 'sessions', new FakeClock(), { idleMs: 1_800_000 });
  const aggregatesAt = (url: string) => new DynamoAggregates(clientFor(url), 'aggregates', new FakeClock());
  const recordSettings = { keptDays: 1, lingerMs: 0, pendingIndex: false };
  const recordsAt = (url: string) =>
    new DynamoRequestRecords(
      { together: clientFor(url, TRY_ONCE), alone: clientFor(url, BACKGROUND_RETRIES) },
      'records',
      recordSettings,
    );
  const approvalsAt = (url: string) => new DynamoApprovalStore(clientFor(url), 'approvals', new FakeClock());
  const calls: [string, (url: string) => Promise<unknown>][] = [
    ['finding an approval', (url) => approvalsAt(url).find({ keyId: 'key_a', sessionId: null, digest: 'd' })],
    ['counting a guess', (url) => approvalsAt(url).countGuess('key_a', 10)],
    ['listing approvals', (url) => approvalsAt(url).list({ state: undefined, limit: 1, cursor: undefined })],
    ['taking from the limits', (url) => limitsAt(url).take('key_a', limitsOf(makeKey()), { needs: [NO_NEED] })],
    [
      'settling',
      (url) => limitsAt(url).settle('key_a', { release: new Map(), used: { tokenPicos: 1n, nanoUsd: new Map() } }),
    ],
    ['the readiness check', (url) => limitsAt(url).check()],
    ['looking up a key', (url) => new DynamoKeyStore(clientFor(url), 'keys').find(['hash'])],
    ['looking up keys by id', (url) => new DynamoKeyStore(clientFor(url), 'keys').getMany(['key_a'])],
    ['listing', (url) => new DynamoKeyStore(clientFor(url), 'keys').list(1, undefined)],
    ['creating', (url) => new DynamoKeyStore(clientFor(url), 'keys').create(makeKey())],
    [
      'changing',
      (url) => new DynamoKeyStore(clientFor(url), 'keys').replace({ key: makeKey(), version: 1 }, makeKey()),
    ],
    [
      'noting a use',
      (url) => new DynamoKeyStore(clientFor(url), 'keys').noteUse(makeKey(), { usedAt: new Date(T0).toISOString() }),
    ],
    ["reading a session's score", (url) => sessionsAt(url).read('key_a', 's')],
    [
      "changing a session's score",
      (url) => sessionsAt(url).update({ keyId: 'key_a', name: 's' }, (known) => withTurn(known, 1, T0)),
    ],
    ['looking up an id', (url) => givenIdsAt(url).find(['a'])],
    ['looking up ids', (url) => givenIdsAt(url).find(['a', 'b'])],
    ['binding ids', (url) => givenIdsAt(url).keep(['a', 'b'], { keyId: 'key_a', score: undefined }, null)],
    ["changing an id's score", (url) => givenIdsAt(url).update('key_a', 'a', (known) => withTurn(known, 1, T0))],
    ["joining an end user's session", (url) => sessionsAt(url).join('key_a', 'ann')],
    ['writing a record', (url) => recordsAt(url).write(recordOf())],
    [
      'listing records',
      (url) =>
        new DynamoRecordReader(clientFor(url), 'records', new FakeClock()).page({ withFindings: false }, 1, undefined),
    ],
    ['reading aggregates', (url) => aggregatesAt(url).read([{ pk: 'a', sk: 'b' }])],
    [
      'adding up',
      (url) => aggregatesAt(url).replace({ key: { pk: 'a', sk: 'b' }, value: {}, expiresAt: 1 }, undefined),
    ],
    ['reading a range', (url) => aggregatesAt(url).range('a', 'b', 'c')],
  ];

  async function failuresOf(url: string): Promise<unknown[]> {
    const results = await Promise.allSettled(calls.map(([, call]) => call(url)));
    return results.map((result) => (result.status === 'rejected' ? result.reason : result.value));
  }

  async function listening(server: Server): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('fails as unavailable: the connection is refused', async () => {
    const server = createServer();
    const url = await listening(server);
    server.close();
    await once(server, 'close');
    for (const failure of await failuresOf(url)) expect(failure).toBeInstanceOf(StoreUnavailable);
  });

  it('fails as unavailable after a few attempts: it accepts connections and never responds', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}));
    const sockets = new Set<{ destroy(): void }>();
    server.on('connection', (socket) => sockets.add(socket));
    // Only their own deadline ends these.
    for (const failure of await failuresOf(await listening(server))) expect(failure).toBeInstanceOf(StoreUnavailable);
    const opened = sockets.size;
    for (const socket of sockets) socket.destroy();
    server.close();
    expect(opened).toBeLessThanOrEqual(MOST_ATTEMPTS * calls.length);
  });

  it('fails as unavailable: it returns errors', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () =>
        socket.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
      );
    });
    for (const failure of await failuresOf(await listening(server))) expect(failure).toBeInstanceOf(StoreUnavailable);
    server.close();
  });
});
