import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import {
  type CancellationStore,
  CONFIRMED_WITHIN_MS,
  LOOK_EVERY_MS,
  RunningStreams,
  type StreamRef,
} from './running-streams.ts';

const STREAM: StreamRef = { keyId: 'key_1', requestId: 'req_1' };
const LISTENING = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Simulated time that always advances to the earliest sleeper. */
class Time {
  now = 0;
  private sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  readonly clock = { now: () => this.now, monotonic: () => this.now };
  readonly sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.sleepers.push({ until: this.now + milliseconds, wake: resolve });
      signal.addEventListener('abort', () => resolve(), { once: true });
    });

  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      await turn();
      const next = this.sleepers.toSorted((a, b) => a.until - b.until)[0];
      if (next === undefined || next.until > end) break;
      this.sleepers = this.sleepers.filter((one) => one !== next);
      this.now = Math.max(this.now, next.until);
      next.wake();
    }
    this.now = end;
    await turn();
  }
}

/** Marks in memory, shared by several processes. */
class Marks implements CancellationStore {
  readonly marks = new Map<string, boolean>();
  looks = 0;
  failing = false;

  async ask(stream: StreamRef): Promise<boolean> {
    this.reach();
    const confirmed = this.marks.get(name(stream)) ?? false;
    this.marks.set(name(stream), confirmed);
    return confirmed;
  }

  async asked(streams: readonly StreamRef[]): Promise<readonly StreamRef[]> {
    this.looks += 1;
    this.reach();
    return streams.filter((stream) => this.marks.has(name(stream)));
  }

  async confirm(stream: StreamRef): Promise<void> {
    this.reach();
    this.marks.set(name(stream), true);
  }

  async isConfirmed(stream: StreamRef): Promise<boolean> {
    this.reach();
    return this.marks.get(name(stream)) ?? false;
  }

  private reach(): void {
    if (this.failing) throw new StoreUnavailable('marks');
  }
}
const name = ({ keyId, requestId }: StreamRef) => `${keyId} ${requestId}`;

function world() {
  const time = new Time();
  const store = new Marks();
  /** `alone`: no other process serves its keys, so there is no store. */
  const processOf = ({ alone = false } = {}) => {
    const { clock, sleep } = time;
    return new RunningStreams({
      store: alone ? undefined : store,
      clock,
      sleep,
      backgroundTasks: new BackgroundTasks(),
    });
  };
  const ended: string[] = [];
  /** A stream that ends once it is cancelled. */
  const begin = (streams: RunningStreams, stream: StreamRef = STREAM) => {
    const over = streams.add({
      ...stream,
      cancel: () => {
        ended.push(stream.requestId);
        over();
      },
    });
    return over;
  };
  return { time, processOf, ended, begin, store };
}

describe('a stream of the same process', () => {
  it('ends at once, with the same result for a repeated cancellation', async () => {
    const { time, processOf, ended, begin, store } = world();
    const streams = processOf();
    begin(streams);
    expect(await streams.cancel(STREAM, LISTENING)).toBe(true);
    expect(await streams.cancel(STREAM, LISTENING)).toBe(true);
    expect([ended, time.now, store.marks.size]).toEqual([['req_1'], 0, 0]);
  });

  it('is unknown after it has ended, or 15 minutes after it was cancelled', async () => {
    const { time, processOf, begin } = world();
    const alone = processOf({ alone: true });
    expect(await alone.cancel(STREAM, LISTENING)).toBe(false);
    begin(alone)();
    expect(await alone.cancel(STREAM, LISTENING)).toBe(false);
    begin(alone);
    expect(await alone.cancel(STREAM, LISTENING)).toBe(true);
    await time.pass(15 * 60_000 - 1);
    expect(await alone.cancel(STREAM, LISTENING)).toBe(true);
    await time.pass(1);
    expect(await alone.cancel(STREAM, LISTENING)).toBe(false);
  });

  it('is not ended by another key', async () => {
    const { time, processOf, begin, ended } = world();
    const streams = processOf();
    begin(streams);
    const asked = streams.cancel({ ...STREAM, keyId: 'key_2' }, LISTENING);
    await time.pass(CONFIRMED_WITHIN_MS);
    expect([await asked, ended]).toEqual([false, []]);
  });
});

describe('a stream of another process', () => {
  it('ends when that process polls next, and the caller gets the result', async () => {
    const { time, processOf, begin, ended } = world();
    const [one, other] = [processOf(), processOf()];
    begin(one);
    begin(one, { ...STREAM, requestId: 'req_2' });
    await time.pass(100);
    const asked = other.cancel(STREAM, LISTENING);
    await time.pass(LOOK_EVERY_MS - 101);
    expect(ended).toEqual([]);
    await time.pass(1);
    expect(ended).toEqual(['req_1']);
    await time.pass(CONFIRMED_WITHIN_MS);
    expect(await asked).toBe(true);
    expect(await other.cancel(STREAM, LISTENING)).toBe(true);
    expect(ended).toEqual(['req_1']);
  });

  it('returns the same result to concurrent callers', async () => {
    const { time, processOf, begin, ended } = world();
    begin(processOf());
    const asked = Array.from({ length: 8 }, () => processOf().cancel(STREAM, LISTENING));
    await time.pass(CONFIRMED_WITHIN_MS);
    expect(await Promise.all(asked)).toEqual(Array(8).fill(true));
    expect(ended).toEqual(['req_1']);
  });

  it('is not found without a confirmation within five seconds', async () => {
    const { time, processOf, begin } = world();
    begin(processOf(), { ...STREAM, requestId: 'req_2' });
    const asked = processOf().cancel(STREAM, LISTENING);
    await time.pass(CONFIRMED_WITHIN_MS);
    expect(await asked).toBe(false);
  });

  it('is not waited for after the caller disconnects', async () => {
    const { time, processOf } = world();
    const leaving = new AbortController();
    const asked = processOf().cancel(STREAM, leaving.signal);
    await time.pass(600);
    leaving.abort();
    expect(await asked).toBe(false);
  });
});

describe('polling', () => {
  it('makes no reads for streams of less than two seconds, and one read every two seconds for all others', async () => {
    const { time, processOf, begin, store } = world();
    const streams = processOf();
    for (let at = 0; at < 5; at += 1) {
      const over = begin(streams);
      await time.pass(LOOK_EVERY_MS - 1);
      over();
    }
    expect(store.looks).toBe(0);
    const overs = ['a', 'b', 'c'].map((requestId) => begin(streams, { ...STREAM, requestId }));
    await time.pass(10 * LOOK_EVERY_MS);
    expect(store.looks).toBe(10);
    for (const over of overs) over();
    await time.pass(10 * LOOK_EVERY_MS);
    expect(store.looks).toBe(10);
  });

  it('continues while the store is unavailable, and ends no stream', async () => {
    const { time, processOf, begin, ended, store } = world();
    const [one, other] = [processOf(), processOf()];
    begin(one);
    store.failing = true;
    await time.pass(3 * LOOK_EVERY_MS);
    await expect(other.cancel(STREAM, LISTENING)).rejects.toThrow(StoreUnavailable);
    expect([store.looks, ended]).toEqual([3, []]);
    store.failing = false;
    const asked = other.cancel(STREAM, LISTENING);
    await time.pass(CONFIRMED_WITHIN_MS);
    expect([await asked, ended]).toEqual([true, ['req_1']]);
  });
});
