import { beforeEach, describe, expect, it } from '@jest/globals';
import { DynamoToolPinStore } from '../../functions/adapters/dynamo/dynamo-tool-pin-store.ts';
import { ToolPins } from '../../functions/control/tool-pins/index.ts';
import { versionOf } from '../../functions/kernel/model/index.ts';
import { BackgroundTasks } from '../../functions/kernel/tasks/index.ts';
import { availableEngines } from './engines.ts';
import { freshName, startStores } from './stores-setup.ts';

const DAY_MS = 86_400_000;
const toolOf = (name: string, description: string) => ({ name, version: versionOf({ definition: { description } }) });

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const connect = startStores(engine);
  const clock = { now: () => clock.time, monotonic: () => clock.time, time: Date.parse('2026-06-01T00:00:00Z') };
  const backgroundTasks = new BackgroundTasks();
  const storeOf = () => new DynamoToolPinStore(connect(), 'limits');
  let keyId = '';
  beforeEach(() => {
    keyId = freshName();
  });

  it('of many concurrent versions of a tool, in any function, exactly one is pinned, and every other is a change', async () => {
    const functions = Array.from({ length: 6 }, () => new ToolPins(storeOf(), clock, backgroundTasks));
    const checks = await Promise.all(
      Array.from({ length: 30 }, (__, at) =>
        (functions[at % 6] as ToolPins).check(keyId, [toolOf('send', `version ${at % 10}`), toolOf('same', 'as ever')]),
      ),
    );
    const changed = checks.map((check) => check.changed.map(({ tool }) => tool.name).join());
    expect(changed.filter((names) => names === '')).toHaveLength(3);
    expect(changed.filter((names) => names === 'send')).toHaveLength(27);
    const { pins } = await storeOf().read(keyId);
    const winner = changed.indexOf('');
    expect(pins.get('send')?.digest).toBe(toolOf('', `version ${winner}`).version.digest);
  });

  it('a change is pending until it is accepted, by its digest only', async () => {
    const store = storeOf();
    const pins = () => new ToolPins(store, clock, backgroundTasks);
    await pins().check(keyId, [toolOf('send', 'a')]);
    const { changed } = await pins().check(keyId, [toolOf('send', 'b')]);
    expect(changed).toMatchObject([{ fields: ['description'] }]);
    await backgroundTasks.idle();
    const pending = (await store.read(keyId)).pins.get('send')?.pending;
    expect(pending?.digest).toBe(toolOf('', 'b').version.digest);
    if (pending === undefined) throw new Error('nothing is pending');
    expect(await store.accept(keyId, 'send', { ...pending, digest: 'another' })).toBe(false);
    expect(await store.accept(keyId, 'send', pending)).toBe(true);
    expect(await store.accept(keyId, 'send', pending)).toBe(false);
    expect((await pins().check(keyId, [toolOf('send', 'b')])).changed).toEqual([]);
    expect((await pins().check(keyId, [toolOf('send', 'a')])).changed).toHaveLength(1);
  });

  it('the first definition after a removal is pinned', async () => {
    const store = storeOf();
    const pins = () => new ToolPins(store, clock, backgroundTasks);
    await pins().check(keyId, [toolOf('send', 'a')]);
    expect([await store.remove(keyId, 'send'), await store.remove(keyId, 'send')]).toEqual([true, false]);
    expect((await pins().check(keyId, [toolOf('send', 'b')])).changed).toEqual([]);
    expect((await pins().check(keyId, [toolOf('send', 'a')])).changed).toHaveLength(1);
    await backgroundTasks.idle();
  });

  it('pins any names, hundreds at once, for each key by itself', async () => {
    const odd = ['a.b', 'crm/search', '__proto__', 'pk', 'expiresAt', 'ü 🚀', "it's #1"];
    const names = [...odd, ...Array.from({ length: 300 }, (__, at) => `tool_${at}`)];
    const tools = names.map((name) => toolOf(name, name));
    expect(await new ToolPins(storeOf(), clock, backgroundTasks).check(keyId, tools)).toEqual({
      changed: [],
      unpinned: [],
    });
    const { pins } = await storeOf().read(keyId);
    expect([...pins.keys()].sort()).toEqual([...names].sort());
    expect((await storeOf().read(freshName())).pins.size).toBe(0);
  });

  it('are kept 90 days after the last use', async () => {
    const store = storeOf();
    const pins = () => new ToolPins(store, clock, backgroundTasks);
    const began = clock.time;
    await pins().check(keyId, [toolOf('send', 'a')]);
    expect((await store.read(keyId)).expiresAtMs).toBe(began + 90 * DAY_MS);
    for (const [hours, days] of [
      [23, 90],
      [25, 90 + 25 / 24],
    ] as const) {
      clock.time = began + hours * 3_600_000;
      await pins().check(keyId, [toolOf('send', 'a')]);
      await backgroundTasks.idle();
      expect((await store.read(keyId)).expiresAtMs).toBe(began + days * DAY_MS);
    }
    clock.time = began;
  });
});
