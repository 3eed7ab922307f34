import { describe, expect, it } from '@jest/globals';
import { createKeySchema } from '../model/api-key.ts';
import type { GivenId, GivenIdStore } from '../ports/given-id-store.ts';
import { StoreUnavailable } from '../ports/key-store.ts';
import type { AnswerFormat } from '../protocols/answer-format.ts';
import type { NamedId } from '../protocols/protocol.ts';
import { noSessions } from '../session/no-sessions.fixture.ts';
import { type SessionScore, withTurn } from '../session/suspicion.ts';
import { readPast, rememberConversation } from './conversation.ts';
import { Exchange, type PipelineDeps } from './exchange.ts';

const NOW = 1_795_231_800_000;
const clock = { now: () => NOW, monotonic: () => 0 };
const SUSPICIOUS = withTurn(undefined, 0.9, NOW);

class FakeIds implements GivenIdStore {
  readonly kept = new Map<string, GivenId>();
  readonly calls: string[] = [];
  /** What is bound between the first look and the second. */
  late: (() => void) | undefined;

  async find(keyId: string, ids: readonly string[]) {
    this.calls.push(`find ${ids.join(' ')}`);
    const found = ids.flatMap((id): [string, GivenId][] => {
      const given = this.kept.get(`${keyId} ${id}`);
      return given === undefined ? [] : [[id, given]];
    });
    return new Map(found);
  }

  async keep(keyId: string, ids: readonly string[], given: GivenId, endUserId: string | null) {
    this.calls.push(`keep ${ids.join(' ')} for ${endUserId}`);
    for (const id of ids) this.kept.set(`${keyId} ${id}`, given);
  }

  async update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore) {
    this.calls.push(`update ${id}`);
    this.kept.set(`${keyId} ${id}`, { score: change(this.kept.get(`${keyId} ${id}`)?.score) });
  }
}

function exchangeOf(score = 0, keyId = 'key_1'): Exchange {
  const known = createKeySchema.parse({ name: 'test' });
  const key = { ...known, id: keyId, state: 'active' as const, last4: 'aaaa', createdAt: '', secretHash: '' };
  const exchange = new Exchange({ requestId: 'req_1', route: '/', key, clock, startedAt: 0 });
  exchange.tracking = { ...exchange.tracking, endUserId: 'ann' };
  exchange.lastTurnScore = score;
  return exchange;
}

const depsWith = (givenIds: GivenIdStore) =>
  ({
    givenIds,
    sessions: noSessions,
    clock,
    sleep: async () => (givenIds as FakeIds).late?.(),
  }) as unknown as PipelineDeps;
const after = (id: string): NamedId[] => [
  { id, what: 'Previous response', param: 'previous_response_id', continues: true },
];
const answering = (...givenIds: string[]) => ({ givenIds }) as unknown as AnswerFormat;

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
    await ids.keep('key_1', ['resp_1'], { score: undefined }, null);
    await ids.keep('key_1', ['msg_1'], { score: SUSPICIOUS }, null);
    const item = { id: 'msg_1', what: 'Item', param: 'input[0].id' };
    expect(await readPast(exchangeOf(), after('resp_1'), true, depsWith(ids))).toBe(0);
    expect(await readPast(exchangeOf(), [...after('resp_1'), item], true, depsWith(ids))).toBeCloseTo(0.6);
  });

  it("is nobody else's: an id of another key is not found, and told no otherwise than one that never was", async () => {
    const ids = new FakeIds();
    await ids.keep('key_1', ['resp_1'], { score: undefined }, null);
    const told = async (id: string) =>
      readPast(exchangeOf(0, 'key_2'), after(id), true, depsWith(ids)).catch((error) => error);
    const [other, never] = [await told('resp_1'), await told('resp_2')];
    expect([other.code, other.status, other.param]).toEqual(['not_found', 404, 'previous_response_id']);
    expect(other.message.replace('resp_1', 'resp_2')).toBe(never.message);
    expect((await told('<b>what is this')).message).toBe('Previous response not found.');
  });

  it('is found on a second look, since ids are bound behind the answers that give them', async () => {
    const ids = new FakeIds();
    ids.late = () => void ids.kept.set('key_1 resp_1', { score: SUSPICIOUS });
    expect(await readPast(exchangeOf(), after('resp_1'), true, depsWith(ids))).toBeCloseTo(0.6);
    expect(ids.calls).toEqual(['find resp_1', 'find resp_1']);
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
    ids.kept.set('key_1 resp_1', { score: previous });
    const exchange = exchangeOf(score);
    await readPast(exchange, after('resp_1'), true, depsWith(ids));
    exchange.conversation?.answeredBy(answering(...given));
    ids.calls.length = 0;
    await rememberConversation(exchange, depsWith(ids));
    return { ids, exchange };
  }

  it('are the ids of its answer, with what its conversation adds up to by then', async () => {
    const { ids } = await left(0.7, ['resp_2', 'msg_2'], SUSPICIOUS);
    expect(ids.calls).toEqual(['keep resp_2 msg_2 for ann']);
    expect(ids.kept.get('key_1 resp_2')?.score?.accumulated).toBeCloseTo(1);
    const quiet = await left(0.1, ['resp_2'], SUSPICIOUS);
    expect(quiet.ids.kept.get('key_1 resp_2')?.score).toEqual(SUSPICIOUS);
  });

  it('is what it scored, at the answer that it went on from, where nothing of its own is kept', async () => {
    const { ids } = await left(0.9, [], SUSPICIOUS);
    expect(ids.calls).toEqual(['update resp_1']);
    expect(ids.kept.get('key_1 resp_1')?.score?.accumulated).toBeCloseTo(1.2);
    expect((await left(0.1, [])).ids.calls).toEqual([]);
  });

  it('is nothing where it was refused, or its API has no ids', async () => {
    const ids = new FakeIds();
    const exchange = exchangeOf(0.9);
    await rememberConversation(exchange, depsWith(ids));
    await readPast(exchange, [], true, depsWith(ids));
    exchange.conversation?.answeredBy(answering('resp_1'));
    exchange.outcome = 'refused';
    await rememberConversation(exchange, depsWith(ids));
    expect(ids.calls).toEqual([]);
  });

  it('is missed in the record, and nowhere else, where the store is away', async () => {
    const exchange = exchangeOf();
    const away = { keep: () => Promise.reject(new StoreUnavailable('sessions table')) } as unknown as GivenIdStore;
    await readPast(exchange, [], true, depsWith(away));
    exchange.conversation?.answeredBy(answering('resp_1'));
    await rememberConversation(exchange, depsWith(away));
    expect(exchange.internal).toBe('ids not bound: sessions table');
  });
});
