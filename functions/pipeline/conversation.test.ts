import { describe, expect, it } from '@jest/globals';
import { type IssuedId, type IssuedIdStore, type SessionScore, withTurn } from '../control/sessions/index.ts';
import { noSessions } from '../control/sessions/no-sessions.fixture.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { createKeySchema, type ResponsePiece } from '../kernel/model/index.ts';
import type { NamedId, Target } from '../translation/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { bindUnread, rememberConversation } from './remember.ts';
import type { RunningRequest } from './request-outcome.ts';
import { runningRequest } from './running-request.fixture.ts';
import { findConversation, type Naming } from './session-past.ts';

const NOW = 1_795_231_800_000;
const clock = { now: () => NOW, monotonic: () => 0 };
const SUSPICIOUS = withTurn(undefined, 0.9, NOW);

class FakeIds implements IssuedIdStore {
  readonly kept = new Map<string, IssuedId>();
  readonly calls: string[] = [];
  /** Called between the first lookup and the second. */
  late: (() => void) | undefined;

  async find(ids: readonly string[]) {
    this.calls.push(`find ${ids.join(' ')}`);
    const found = ids.flatMap((id): [string, IssuedId][] => {
      const given = this.kept.get(id);
      return given === undefined ? [] : [[id, given]];
    });
    return new Map(found);
  }

  async keep(ids: readonly string[], given: IssuedId, endUserId: string | null) {
    this.calls.push(`keep ${ids.join(' ')} for ${given.keyId}, ${endUserId}`);
    for (const id of ids) this.kept.set(id, given);
  }

  async read(keyId: string, id: string, isWithheld: boolean) {
    this.calls.push(`read ${id}${isWithheld ? ', withheld' : ''}`);
    const known = this.kept.get(id);
    if (known?.keyId !== keyId || !known.isUnread) return false;
    this.kept.set(id, { keyId: isWithheld ? null : keyId, score: known.score });
    return true;
  }

  async update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore) {
    this.calls.push(`update ${id}`);
    this.kept.set(id, { keyId, score: change(this.kept.get(id)?.score) });
  }
}

const ofKey = (score?: SessionScore, keyId: string | null = 'key_1'): IssuedId => ({ keyId, score });

function requestOf(score = 0, keyId = 'key_1'): RunningRequest {
  const known = createKeySchema.parse({ name: 'test' });
  const key = { ...known, id: keyId, state: 'active' as const, last4: 'aaaa', createdAt: '', secretHash: '' };
  const tracking = { sessionId: null, endUserId: 'ann', environment: null, appVersion: null, tags: {} };
  const request = runningRequest({ key, clock, tracking });
  request.outcome.inspection.scored(score);
  return request;
}

/** The suspicion of the conversation that a request continues. */
function readPast(
  { context, lifetime, outcome }: RunningRequest,
  named: readonly NamedId[],
  isSupported: boolean,
  deps: PipelineDeps,
  start: Naming['start'] = {},
  targets: readonly Target[] = [],
): Promise<number> {
  return outcome.continues(findConversation(context, lifetime.signal, { named, isSupported, start, targets }, deps));
}

function bind({ context, outcome }: RunningRequest, deps: PipelineDeps): void {
  const { conversation, inspection, target } = outcome;
  if (conversation) bindUnread(context, conversation, { lastTurnScore: inspection.lastTurnScore, target }, deps);
}

const depsWith = (issuedIds: IssuedIdStore, foreignIds: readonly string[] = []) =>
  ({
    issuedIds,
    foreignIds,
    sessions: noSessions,
    clock,
    backgroundTasks: { add: () => {} },
    sleep: async () => (issuedIds as FakeIds).late?.(),
  }) as unknown as PipelineDeps;
const after = (id: string): NamedId[] => [
  { id, what: 'Previous response', param: 'previous_response_id', continues: true },
];
const pieceWith = (issuedIds: readonly string[], pendingIds = issuedIds) =>
  ({ issuedIds, pendingIds }) as unknown as ResponsePiece;

describe('the conversation before a request', () => {
  it('is not looked up without ids, or for a provider that stores nothing', async () => {
    const ids = new FakeIds();
    expect(await readPast(requestOf(), [], true, depsWith(ids))).toBe(0);
    expect(await readPast(requestOf(), after('resp_1'), false, depsWith(ids))).toBe(0);
    expect(ids.calls).toEqual([]);
  });

  it('has the suspicion of its most suspicious id', async () => {
    const ids = new FakeIds();
    await ids.keep(['resp_1'], ofKey(), null);
    await ids.keep(['msg_1'], ofKey(SUSPICIOUS), null);
    const item = { id: 'msg_1', what: 'Item', param: 'input[0].id' };
    expect(await readPast(requestOf(), after('resp_1'), true, depsWith(ids))).toBe(0);
    expect(await readPast(requestOf(), [...after('resp_1'), item], true, depsWith(ids))).toBeCloseTo(0.6);
  });

  it('belongs to one key: an id of another key has the same error as an unknown one', async () => {
    const ids = new FakeIds();
    await ids.keep(['resp_1'], ofKey(), null);
    const lookUp = async (id: string) =>
      readPast(requestOf(0, 'key_2'), after(id), true, depsWith(ids)).catch((error) => error);
    const [other, never] = [await lookUp('resp_1'), await lookUp('resp_2')];
    expect([other.code, other.status, other.param]).toEqual(['not_found', 404, 'previous_response_id']);
    expect(other.message.replace('resp_1', 'resp_2')).toBe(never.message);
    expect((await lookUp('<b>what is this')).message).toBe('Previous response not found.');
    // Both are looked up twice: the time does not show which of them exists.
    expect(ids.calls.filter((call) => call === 'find resp_1')).toHaveLength(2);
    expect(ids.calls.filter((call) => call === 'find resp_2')).toHaveLength(2);
  });

  it('is refused if it was not fetched yet, unless another request has just fetched it', async () => {
    const ids = new FakeIds();
    ids.kept.set('resp_1', { ...ofKey(), isUnread: true });
    const failure = await readPast(requestOf(), after('resp_1'), true, depsWith(ids)).catch((error) => error);
    expect([failure.code, failure.param]).toEqual(['invalid_value', 'previous_response_id']);
    ids.late = () => void ids.kept.set('resp_1', ofKey());
    expect(await readPast(requestOf(), after('resp_1'), true, depsWith(ids))).toBe(0);
    ids.kept.set('resp_2', { ...ofKey(undefined, 'key_2'), isUnread: true });
    await expect(readPast(requestOf(), after('resp_2'), true, depsWith(ids))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is found by a second lookup, since ids are bound after the response that contains them', async () => {
    const ids = new FakeIds();
    ids.late = () => void ids.kept.set('resp_1', ofKey(SUSPICIOUS));
    expect(await readPast(requestOf(), after('resp_1'), true, depsWith(ids))).toBeCloseTo(0.6);
    expect(ids.calls).toEqual(['find resp_1', 'find resp_1']);
  });

  describe('with an id that a prefix admits', () => {
    const FOREIGN = ['file-', 'files/'];
    const lookUp = (ids: FakeIds, id: string) =>
      readPast(requestOf(), [{ id, what: 'File', param: 'file_id' }], true, depsWith(ids, FOREIGN)).catch(
        (error) => error.code,
      );

    it('is empty, and is not looked up twice', async () => {
      const ids = new FakeIds();
      expect(await lookUp(ids, 'file-outside')).toBe(0);
      expect(ids.calls).toEqual(['find file-outside']);
    });

    it('is not found if the id belongs to another key or to none', async () => {
      const ids = new FakeIds();
      ids.kept.set('file-1', ofKey(undefined, 'key_2'));
      ids.kept.set('file-2', ofKey(undefined, null));
      expect([await lookUp(ids, 'file-1'), await lookUp(ids, 'file-2')]).toEqual(['not_found', 'not_found']);
    });

    it.each(['file-1 ', ' file-1', 'file-%31', 'file-1?x', 'file-1#x', 'file-1\u200b', 'xfile-1'])(
      'is not found if the id could be read as another: %j',
      async (id) => expect(await lookUp(new FakeIds(), id)).toBe('not_found'),
    );
  });

  it('is rejected for too many ids', async () => {
    const ids = new FakeIds();
    const many = Array.from({ length: 10_001 }, (_, at) => ({ id: `f${at}`, what: 'File', param: 'file_ids' }));
    const failure = await readPast(requestOf(), many, true, depsWith(ids)).catch((error) => error);
    expect([failure.code, failure.param, ids.calls]).toEqual(['invalid_value', 'file_ids', []]);
  });

  it('fails the request if the store is unavailable', async () => {
    const away = { find: () => Promise.reject(new StoreUnavailable('sessions table')) } as unknown as IssuedIdStore;
    await expect(readPast(requestOf(), after('resp_1'), true, depsWith(away))).rejects.toBeInstanceOf(StoreUnavailable);
  });
});

describe('the stored data of a conversation', () => {
  async function left(score: number, given: string[], previous?: SessionScore) {
    const ids = new FakeIds();
    ids.kept.set('resp_1', ofKey(previous));
    const request = requestOf(score);
    await readPast(request, after('resp_1'), true, depsWith(ids));
    request.outcome.conversation?.took(pieceWith(given), false);
    ids.calls.length = 0;
    await rememberConversation(request, depsWith(ids));
    return { ids, request };
  }

  it('are the ids of the response, with the score of the conversation', async () => {
    const { ids } = await left(0.7, ['resp_2', 'msg_2'], SUSPICIOUS);
    expect(ids.calls).toEqual(['keep resp_2 msg_2 for key_1, ann']);
    expect(ids.kept.get('resp_2')?.score?.accumulated).toBeCloseTo(1);
    const quiet = await left(0.1, ['resp_2'], SUSPICIOUS);
    expect(quiet.ids.kept.get('resp_2')?.score).toEqual(SUSPICIOUS);
  });

  it('is the score at the previous response, if the response is not stored', async () => {
    const { ids } = await left(0.9, [], SUSPICIOUS);
    expect(ids.calls).toEqual(['update resp_1']);
    expect(ids.kept.get('resp_1')?.score?.accumulated).toBeCloseTo(1.2);
    expect((await left(0.1, [])).ids.calls).toEqual([]);
  });

  it('are ids that no request may name, for a response that was cut', async () => {
    const ids = new FakeIds();
    ids.kept.set('resp_1', ofKey());
    const request = requestOf(0.9);
    await readPast(request, after('resp_1'), true, depsWith(ids));
    request.outcome.conversation?.took(pieceWith([], ['resp_2']), false);
    request.outcome.conversation?.took(pieceWith(['ig_1'], []), false);
    request.outcome.conversation?.took(pieceWith(['msg_2', 'cntr_1'], ['msg_2']), true);
    ids.calls.length = 0;
    await rememberConversation(request, depsWith(ids));
    expect(ids.calls).toEqual(['keep ig_1 cntr_1 for key_1, ann', 'keep resp_2 msg_2 for null, null', 'update resp_1']);
  });

  describe('of a background response', () => {
    const unread = { unreadId: 'resp_2' } as unknown as ResponsePiece;
    async function begun() {
      const ids = new FakeIds();
      const request = requestOf();
      await readPast(request, [], true, depsWith(ids));
      request.outcome.routed = {
        targets: [{ provider: 'openai', model: 'gpt' }],
        alternativeModels: [],
        route: undefined,
      };
      request.outcome.conversation?.took(unread, false);
      bind(request, depsWith(ids));
      bind(request, depsWith(ids));
      return { ids, request };
    }

    it('are its unread id, bound once before it ends', async () => {
      const { ids, request } = await begun();
      expect(ids.calls).toEqual(['keep resp_2 for key_1, ann']);
      expect(ids.kept.get('resp_2')).toMatchObject({ isUnread: true, madeBy: { provider: 'openai', model: 'gpt' } });
      request.outcome.endsAs('failed');
      await rememberConversation(request, depsWith(ids));
      expect(ids.kept.get('resp_2')?.isUnread).toBe(true);
    });

    it('are usable ids once all of it was sent', async () => {
      const { ids, request } = await begun();
      request.outcome.conversation?.took(pieceWith(['resp_2', 'msg_2'], []), false);
      request.outcome.endsAs('completed');
      await rememberConversation(request, depsWith(ids));
      expect(ids.kept.get('resp_2')).toEqual({
        keyId: 'key_1',
        score: undefined,
        madeBy: { provider: 'openai', model: 'gpt' },
      });
    });

    it('are an id of no key if it was blocked', async () => {
      const { ids, request } = await begun();
      request.outcome.endsAs('blocked');
      await rememberConversation(request, depsWith(ids));
      expect(ids.calls.at(-1)).toBe('read resp_2, withheld');
      expect(ids.kept.get('resp_2')?.keyId).toBeNull();
    });
  });

  it('is empty if the request was refused, or its API has no ids', async () => {
    const ids = new FakeIds();
    const request = requestOf(0.9);
    await rememberConversation(request, depsWith(ids));
    await readPast(request, [], true, depsWith(ids));
    request.outcome.conversation?.took(pieceWith(['resp_1']), false);
    request.outcome.endsAs('refused');
    await rememberConversation(request, depsWith(ids));
    expect(ids.calls).toEqual([]);
  });

  it('is only noted in the record as missing if the store is unavailable', async () => {
    const request = requestOf();
    const away = { keep: () => Promise.reject(new StoreUnavailable('sessions table')) } as unknown as IssuedIdStore;
    await readPast(request, [], true, depsWith(away));
    request.outcome.conversation?.took(pieceWith(['resp_1']), false);
    await rememberConversation(request, depsWith(away));
    expect(request.outcome.internal).toBe('ids not bound: sessions table');
  });
});
