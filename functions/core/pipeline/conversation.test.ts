import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../base/errors.ts';
import { createKeySchema } from '../model/api-key.ts';
import type { AnswerPiece } from '../protocols/answer-format.ts';
import type { NamedId } from '../protocols/protocol.ts';
import { noSessions } from '../sessions/no-sessions.fixture.ts';
import type { GivenId, GivenIdStore } from '../sessions/session-store.ts';
import { type SessionScore, withTurn } from '../sessions/suspicion.ts';
import { Exchange, type PipelineDeps } from './exchange.ts';
import { readPast, rememberConversation } from './session-past.ts';

const NOW = 1_795_231_800_000;
const clock = { now: () => NOW, monotonic: () => 0 };
const SUSPICIOUS = withTurn(undefined, 0.9, NOW);

class FakeIds implements GivenIdStore {
  readonly kept = new Map<string, GivenId>();
  readonly calls: string[] = [];
  /** What is bound between the first look and the second. */
  late: (() => void) | undefined;

  async find(ids: readonly string[]) {
    this.calls.push(`find ${ids.join(' ')}`);
    const found = ids.flatMap((id): [string, GivenId][] => {
      const given = this.kept.get(id);
      return given === undefined ? [] : [[id, given]];
    });
    return new Map(found);
  }

  async keep(ids: readonly string[], given: GivenId, endUserId: string | null) {
    this.calls.push(`keep ${ids.join(' ')} for ${given.keyId}, ${endUserId}`);
    for (const id of ids) this.kept.set(id, given);
  }

  async update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore) {
    this.calls.push(`update ${id}`);
    this.kept.set(id, { keyId, score: change(this.kept.get(id)?.score) });
  }
}

const ofKey = (score?: SessionScore, keyId: string | null = 'key_1'): GivenId => ({ keyId, score });

function exchangeOf(score = 0, keyId = 'key_1'): Exchange {
  const known = createKeySchema.parse({ name: 'test' });
  const key = { ...known, id: keyId, state: 'active' as const, last4: 'aaaa', createdAt: '', secretHash: '' };
  const exchange = new Exchange({ requestId: 'req_1', route: '/', key, clock, startedAt: 0 });
  exchange.tracking = { ...exchange.tracking, endUserId: 'ann' };
  exchange.lastTurnScore = score;
  return exchange;
}

const depsWith = (givenIds: GivenIdStore, foreignIds: readonly string[] = []) =>
  ({
    givenIds,
    foreignIds,
    sessions: noSessions,
    clock,
    sleep: async () => (givenIds as FakeIds).late?.(),
  }) as unknown as PipelineDeps;
const after = (id: string): NamedId[] => [
  { id, what: 'Previous response', param: 'previous_response_id', continues: true },
];
const answering = (gives: readonly string[], shows = gives) => ({ gives, shows }) as unknown as AnswerPiece;

describe('what came before a request', () => {
  it('is not looked for where it names nothing, or speaks to a provider that keeps nothing', async () => {
    const ids = new FakeIds();
    expect(await readPast(exchangeOf(), undefined, true, depsWith(ids))).toBe(0);
    expect(await readPast(exchangeOf(), [], true, depsWith(ids))).toBe(0);
    expect(await readPast(exchangeOf(), after('resp_1'), false, depsWith(ids))).toBe(0);
    expect(ids.calls).toEqual([]);
  });

  it('is as suspicious as the most suspicious of what it names', async () => {
    const ids = new FakeIds();
    await ids.keep(['resp_1'], ofKey(), null);
    await ids.keep(['msg_1'], ofKey(SUSPICIOUS), null);
    const item = { id: 'msg_1', what: 'Item', param: 'input[0].id' };
    expect(await readPast(exchangeOf(), after('resp_1'), true, depsWith(ids))).toBe(0);
    expect(await readPast(exchangeOf(), [...after('resp_1'), item], true, depsWith(ids))).toBeCloseTo(0.6);
  });

  it("is nobody else's: an id of another key is not found, and told no otherwise than one that never was", async () => {
    const ids = new FakeIds();
    await ids.keep(['resp_1'], ofKey(), null);
    const told = async (id: string) =>
      readPast(exchangeOf(0, 'key_2'), after(id), true, depsWith(ids)).catch((error) => error);
    const [other, never] = [await told('resp_1'), await told('resp_2')];
    expect([other.code, other.status, other.param]).toEqual(['not_found', 404, 'previous_response_id']);
    expect(other.message.replace('resp_1', 'resp_2')).toBe(never.message);
    expect((await told('<b>what is this')).message).toBe('Previous response not found.');
  });

  it('is found on a second look, since ids are bound behind the answers that give them', async () => {
    const ids = new FakeIds();
    ids.late = () => void ids.kept.set('resp_1', ofKey(SUSPICIOUS));
    expect(await readPast(exchangeOf(), after('resp_1'), true, depsWith(ids))).toBeCloseTo(0.6);
    expect(ids.calls).toEqual(['find resp_1', 'find resp_1']);
  });

  describe('by an id that a prefix lets through', () => {
    const FOREIGN = ['file-', 'files/'];
    const told = (ids: FakeIds, id: string) =>
      readPast(exchangeOf(), [{ id, what: 'File', param: 'file_id' }], true, depsWith(ids, FOREIGN)).catch(
        (error) => error.code,
      );

    it('is nothing, and is not looked for twice', async () => {
      const ids = new FakeIds();
      expect(await told(ids, 'file-outside')).toBe(0);
      expect(ids.calls).toEqual(['find file-outside']);
    });

    it('is not found where the id is another key’s, or nobody’s', async () => {
      const ids = new FakeIds();
      ids.kept.set('file-1', ofKey(undefined, 'key_2'));
      ids.kept.set('file-2', ofKey(undefined, null));
      expect([await told(ids, 'file-1'), await told(ids, 'file-2')]).toEqual(['not_found', 'not_found']);
    });

    it.each(['file-1 ', ' file-1', 'file-%31', 'file-1?x', 'file-1#x', 'file-1\u200b', 'xfile-1'])(
      'is not found where the id could be read as another: %j',
      async (id) => expect(await told(new FakeIds(), id)).toBe('not_found'),
    );
  });

  it('is refused where more is named than can be looked up', async () => {
    const ids = new FakeIds();
    const many = Array.from({ length: 2_049 }, (_, at) => ({ id: `f${at}`, what: 'File', param: 'file_ids' }));
    const failure = await readPast(exchangeOf(), many, true, depsWith(ids)).catch((error) => error);
    expect([failure.code, failure.param, ids.calls]).toEqual(['invalid_value', 'file_ids', []]);
  });

  it('stays unknown where the store is away: then nothing goes on', async () => {
    const away = { find: () => Promise.reject(new StoreUnavailable('sessions table')) } as unknown as GivenIdStore;
    await expect(readPast(exchangeOf(), after('resp_1'), true, depsWith(away))).rejects.toBeInstanceOf(
      StoreUnavailable,
    );
  });
});

describe('what a request leaves behind', () => {
  async function left(score: number, given: string[], previous?: SessionScore) {
    const ids = new FakeIds();
    ids.kept.set('resp_1', ofKey(previous));
    const exchange = exchangeOf(score);
    await readPast(exchange, after('resp_1'), true, depsWith(ids));
    exchange.conversation?.took(answering(given), false);
    ids.calls.length = 0;
    await rememberConversation(exchange, depsWith(ids));
    return { ids, exchange };
  }

  it('are the ids of its answer, with what its conversation adds up to by then', async () => {
    const { ids } = await left(0.7, ['resp_2', 'msg_2'], SUSPICIOUS);
    expect(ids.calls).toEqual(['keep resp_2 msg_2 for key_1, ann']);
    expect(ids.kept.get('resp_2')?.score?.accumulated).toBeCloseTo(1);
    const quiet = await left(0.1, ['resp_2'], SUSPICIOUS);
    expect(quiet.ids.kept.get('resp_2')?.score).toEqual(SUSPICIOUS);
  });

  it('is what it scored, at the answer that it went on from, where nothing of its own is kept', async () => {
    const { ids } = await left(0.9, [], SUSPICIOUS);
    expect(ids.calls).toEqual(['update resp_1']);
    expect(ids.kept.get('resp_1')?.score?.accumulated).toBeCloseTo(1.2);
    expect((await left(0.1, [])).ids.calls).toEqual([]);
  });

  it('are ids that nobody may name, of an answer that was cut', async () => {
    const ids = new FakeIds();
    ids.kept.set('resp_1', ofKey());
    const exchange = exchangeOf(0.9);
    await readPast(exchange, after('resp_1'), true, depsWith(ids));
    exchange.conversation?.took(answering([], ['resp_2']), false);
    exchange.conversation?.took(answering(['ig_1'], []), false);
    exchange.conversation?.took(answering(['msg_2', 'cntr_1'], ['msg_2']), true);
    ids.calls.length = 0;
    await rememberConversation(exchange, depsWith(ids));
    expect(ids.calls).toEqual(['keep ig_1 cntr_1 for key_1, ann', 'keep resp_2 msg_2 for null, null', 'update resp_1']);
  });

  it('is nothing where it was refused, or its API has no ids', async () => {
    const ids = new FakeIds();
    const exchange = exchangeOf(0.9);
    await rememberConversation(exchange, depsWith(ids));
    await readPast(exchange, [], true, depsWith(ids));
    exchange.conversation?.took(answering(['resp_1']), false);
    exchange.outcome = 'refused';
    await rememberConversation(exchange, depsWith(ids));
    expect(ids.calls).toEqual([]);
  });

  it('is missed in the record, and nowhere else, where the store is away', async () => {
    const exchange = exchangeOf();
    const away = { keep: () => Promise.reject(new StoreUnavailable('sessions table')) } as unknown as GivenIdStore;
    await readPast(exchange, [], true, depsWith(away));
    exchange.conversation?.took(answering(['resp_1']), false);
    await rememberConversation(exchange, depsWith(away));
    expect(exchange.internal).toBe('ids not bound: sessions table');
  });
});
