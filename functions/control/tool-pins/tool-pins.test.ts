import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { versionOf } from '../../kernel/model/index.ts';
import { BackgroundTasks } from '../../kernel/tasks/index.ts';
import type { KeyPins, SeenTools, ToolPin, ToolPinStore } from './tool-pin-store.ts';
import { ToolPins } from './tool-pins.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const toolOf = (name: string, description = 'x') => ({ name, version: versionOf({ definition: { description } }) });

class FakeStore implements ToolPinStore {
  readonly pins = new Map<string, ToolPin>();
  readonly calls: string[] = [];
  isDown = false;

  async read(): Promise<KeyPins> {
    this.called('read');
    return this.all();
  }

  async pin(_: string, tools: SeenTools): Promise<KeyPins> {
    this.called(`pin ${[...tools.keys()].slice(0, 3)}`);
    for (const [name, version] of tools) this.pins.set(name, this.pins.get(name) ?? { ...version, pending: undefined });
    return this.all();
  }

  async suggest(_: string, tools: SeenTools) {
    this.called(`suggest ${[...tools.keys()]}`);
    for (const [name, pending] of tools) this.pins.set(name, { ...(this.pins.get(name) as ToolPin), pending });
  }

  async renew() {
    this.called('renew');
  }

  async accept() {
    return false;
  }

  async remove() {
    return false;
  }

  private called(what: string): void {
    this.calls.push(what);
    if (this.isDown) throw new StoreUnavailable('limits table');
  }

  private all(): KeyPins {
    return { pins: new Map(this.pins), expiresAtMs: NOW + 90 * 86_400_000 };
  }
}

const clock = { time: 0, now: () => NOW + clock.time, monotonic: () => clock.time };
const backgroundTasks = new BackgroundTasks();
let store: FakeStore;
let pins: ToolPins;
const check = async (...tools: ReturnType<typeof toolOf>[]) => {
  store.calls.length = 0;
  const { changed, unpinned } = await pins.check('key_1', tools);
  await backgroundTasks.idle();
  return { changed: changed.map(({ tool }) => tool.name), unpinned: unpinned.map(({ name }) => name) };
};
beforeEach(() => {
  clock.time = 0;
  store = new FakeStore();
  pins = new ToolPins(store, clock, backgroundTasks);
});

describe('a request', () => {
  it('with known tools reads nothing for 10 s', async () => {
    await check(toolOf('a'), toolOf('b'));
    expect(store.calls).toEqual(['read', 'pin a,b']);
    clock.time = 9_999;
    expect(await check(toolOf('b'))).toEqual({ changed: [], unpinned: [] });
    expect(store.calls).toEqual([]);
    clock.time = 20_000;
    await check(toolOf('b'));
    expect(store.calls).toEqual(['read']);
  });

  it('with new tools writes once and reads nothing', async () => {
    await check(toolOf('a'));
    await check(toolOf('a'), toolOf('b'), toolOf('c'));
    expect(store.calls).toEqual(['pin b,c']);
  });

  it('with a changed tool stores the change once', async () => {
    await check(toolOf('a'));
    expect((await check(toolOf('a', 'other'))).changed).toEqual(['a']);
    expect(store.calls).toEqual(['suggest a']);
    expect((await check(toolOf('a', 'other'))).changed).toEqual(['a']);
    expect((await check(toolOf('a', 'a third'))).changed).toEqual(['a']);
    expect(store.calls).toEqual([]);
  });

  it('with two versions of a name has a change', async () =>
    expect((await check(toolOf('a'), toolOf('a', 'other'))).changed).toEqual(['a']));

  it('reads concurrently once', async () => {
    await Promise.all([pins.check('key_1', [toolOf('a')]), pins.check('key_1', [toolOf('a')])]);
    expect(store.calls.filter((call) => call === 'read')).toHaveLength(1);
  });
});

describe('bounds', () => {
  it('a key has 512 pins: further tools are reported, not compared', async () => {
    const names = Array.from({ length: 511 }, (_, at) => `tool_${at}`);
    await check(...names.map((name) => toolOf(name)));
    expect((await check(toolOf('b'), toolOf('c'))).unpinned).toEqual(['c']);
    expect(await check(toolOf('c', 'other'), toolOf('b', 'other'))).toEqual({ changed: ['b'], unpinned: ['c'] });
  });

  it('a name has at most 256 characters', async () => {
    const long = 'x'.repeat(257);
    expect((await check(toolOf(long), toolOf(long.slice(1)))).unpinned).toEqual([long]);
  });
});

describe('while the store is unavailable', () => {
  it('known pins are used for 30 s', async () => {
    await check(toolOf('a'));
    store.isDown = true;
    clock.time = 29_999;
    expect((await check(toolOf('a', 'other'))).changed).toEqual(['a']);
    clock.time = 30_000;
    await expect(pins.check('key_1', [toolOf('a')])).rejects.toThrow(StoreUnavailable);
  });

  it('new tools are refused, and work afterwards', async () => {
    store.isDown = true;
    await expect(pins.check('key_1', [toolOf('a')])).rejects.toThrow(StoreUnavailable);
    store.isDown = false;
    expect(await check(toolOf('a'))).toEqual({ changed: [], unpinned: [] });
  });
});
