import { expect } from '@jest/globals';
import { BACKGROUND_RETRIES } from '../../functions/adapters/aws/clients.ts';
import { T0 } from '../../functions/control/analytics/record.fixture.ts';
import { NO_NEED } from '../../functions/control/limits/index.ts';
import { withTurn } from '../../functions/control/sessions/index.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';
import {
  aggregates,
  type Case,
  cancellations,
  captures,
  caseOf,
  claimOf,
  count,
  endUsers,
  FINDING,
  freshName,
  idempotency,
  idsOf,
  issuedIds,
  LIMITS,
  limits,
  reader,
  recordsOf,
  sessions,
  storedOf,
  writeAll,
} from './store-calls.ts';

/** Calls that a request and its analytics make, and what they return or leave written. */
export const REQUEST_CASES: readonly Case[] = [
  caseOf({
    name: 'an answer is kept',
    prepare: async () => ({ name: freshName(), claim: claimOf() }),
    work: async (sdk, { name, claim }) => {
      const other = await idempotency(sdk).claim(name, claim);
      await idempotency(sdk).complete(name, claim, new Uint8Array([7]));
      return other;
    },
    after: async (sdk, { name }, told) => [told, (await idempotency(sdk).claim(name, claimOf()))?.answer],
    expected: [undefined, new Uint8Array([7])],
  }),
  caseOf({
    name: 'a stream is to be ended, and was',
    prepare: async () => ({ keyId: freshName(), requestId: freshName() }),
    work: async (sdk, stream) => {
      const before = await cancellations(sdk).ask(stream, T0);
      await cancellations(sdk).confirm(stream);
      return [before, await cancellations(sdk).isConfirmed(stream)];
    },
    after: async (sdk, stream, told) => [told, await cancellations(sdk).ask(stream, T0)],
    expected: [[false, true], true],
  }),
  caseOf({
    name: 'a text is captured and read',
    prepare: async () => freshName(),
    work: async (sdk, id) => {
      await captures(sdk).write(id, { mode: 'full', request: '{}', answer: [], truncated: false });
      return captures(sdk).read(id);
    },
    expected: { mode: 'full', request: '{}', answer: [], truncated: false },
  }),
  caseOf({
    name: "a session's score is read",
    prepare: async (sdk) => {
      const ref = { keyId: freshName(), name: 's' };
      await sessions(sdk).update(ref, (known) => withTurn(known, 0.9, T0));
      return ref;
    },
    work: async (sdk, { keyId, name }) => (await sessions(sdk).read(keyId, name))?.highest,
    expected: 0.9,
  }),
  caseOf({
    name: 'ids are bound to a key',
    prepare: async () => freshName(),
    work: (sdk, keyId) => issuedIds(sdk).keep(idsOf(keyId), { keyId, score: undefined }, null),
    after: async (sdk, keyId) => (await issuedIds(sdk).find([...idsOf(keyId), `${keyId} d`])).size,
    expected: 3,
  }),
  caseOf({
    name: 'an id is looked up',
    prepare: async (sdk) => {
      const keyId = freshName();
      await issuedIds(sdk).keep([`${keyId} a`], { keyId, score: undefined }, null);
      return keyId;
    },
    work: async (sdk, keyId) => (await issuedIds(sdk).find([`${keyId} a`])).get(`${keyId} a`)?.keyId === keyId,
    expected: true,
  }),
  caseOf({
    name: 'an unread id is marked as read',
    prepare: async (sdk) => {
      const keyId = freshName();
      await issuedIds(sdk).keep([`${keyId} a`], { keyId, score: undefined, isUnread: true }, null);
      return keyId;
    },
    work: (sdk, keyId) => issuedIds(sdk).read(keyId, `${keyId} a`, false),
    after: async (sdk, keyId) => (await issuedIds(sdk).find([`${keyId} a`])).get(`${keyId} a`),
    expected: expect.objectContaining({ score: undefined }),
  }),
  caseOf({
    name: "an end user's session is joined",
    prepare: async () => freshName(),
    work: async (sdk, keyId) => (await sessions(sdk).join(keyId, 'ann')).sessionId,
    after: async (sdk, keyId, told) => (await sessions(sdk).join(keyId, 'ann')).sessionId === told,
    expected: true,
  }),
  caseOf({
    name: 'a request is admitted',
    prepare: async () => freshName(),
    work: (sdk, keyId) => limits(sdk).take(keyId, LIMITS, { needs: [NO_NEED] }),
    after: async (sdk, keyId, { granted }) => {
      const { ledger } = await limits(sdk).peek(keyId);
      const takenOf = (ledger.fullAtMicros - T0 * 1000) / LIMITS.requests.intervalMicros;
      // Once, or twice if the first response was lost, but never zero times.
      return [granted, takenOf === 1 || takenOf === 2];
    },
    expected: [1, true],
  }),
  caseOf({
    name: 'a record is written',
    ...{ hot: true, attempts: BACKGROUND_RETRIES.attempts },
    prepare: async () => recordsOf(1),
    work: (_, records) => writeAll(records),
    after: (sdk, records) => storedOf(sdk, records),
    expected: 1,
  }),
  caseOf({
    name: 'many records are written together',
    ...{ hot: true, attempts: BACKGROUND_RETRIES.attempts },
    prepare: async () => recordsOf(30),
    work: (_, records) => writeAll(records, 5),
    after: (sdk, records) => storedOf(sdk, records),
    expected: 30,
  }),
  caseOf({
    name: 'records are listed and marked',
    prepare: async () => {
      const records = recordsOf(3, { findings: [FINDING] });
      await writeAll(records);
      return records;
    },
    work: async (sdk, records) => {
      const marked = await reader(sdk).mark(records[0] as RequestRecord, 0, 'confirmed');
      return [await storedOf(sdk, records), marked?.marks];
    },
    expected: [3, { 0: 'confirmed' }],
  }),
  caseOf({
    name: 'records are added up',
    prepare: async () => recordsOf(20, { endUserId: freshName(), sessionId: 'talk' }),
    work: (sdk, records) => count(sdk, records),
    after: async (sdk, records) => {
      const user = records[0]?.endUserId as string;
      const { values } = await aggregates(sdk).listSessions({ endUserId: user }, 10, undefined);
      return values.map((value) => (value as { totals: { requests: number } }).totals.requests);
    },
    expected: [20],
  }),
  caseOf({
    name: 'totals are read',
    prepare: async (sdk) => {
      const records = recordsOf(6, { endUserId: freshName() }).map((record, at) => ({
        ...record,
        sessionId: `talk ${at}`,
      }));
      await count(sdk, records);
      return records[0]?.endUserId as string;
    },
    work: async (sdk, endUserId) => (await aggregates(sdk).listSessions({ endUserId }, 10, undefined)).values.length,
    expected: 6,
  }),
  caseOf({
    name: "an end user's data is deleted",
    prepare: async (sdk) => {
      const records = recordsOf(5, { endUserId: freshName() });
      await writeAll(records);
      await count(sdk, records);
      return records[0]?.endUserId as string;
    },
    work: (sdk, endUserId) => endUsers(sdk).deleteEndUser(endUserId),
    after: async (sdk, endUserId, { records }) => [records, await endUsers(sdk).find(endUserId)],
    expected: [5, { records: 0, sessions: 0, aggregates: 0, captures: 0 }],
  }),
];
