import { describe, expect, it } from '@jest/globals';
import { DynamoOpenCircuits } from '../../functions/adapters/dynamo/dynamo-open-circuits.ts';
import { availableEngines } from './engines.ts';
import { startStores } from './stores-setup.ts';

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const connect = startStores(engine);
  const clock = { time: 1_000_000, now: () => clock.time };
  const store = () => new DynamoOpenCircuits(connect(), 'limits', clock);
  const circuit = (model: string, openMs = 15_000) => ({
    ...{ provider: 'bedrock', model: `eu.maker/${model}` },
    failures: 5,
    openUntil: clock.time + openMs,
  });
  const models = async () => (await store().list()).map(({ model }) => model).sort();

  it('every process reads the circuits that any has opened, until one closes them', async () => {
    expect(await store().list()).toEqual([]);
    await store().closed(circuit('never-open'));
    const [one, other] = [circuit('one'), circuit('other')];
    await Promise.all([store().opened(one), store().opened(other)]);
    expect(await models()).toEqual([one.model, other.model]);
    expect(await store().list()).toContainEqual(one);
    await store().opened({ ...one, openUntil: one.openUntil + 9 });
    expect(await store().list()).toContainEqual({ ...one, openUntil: one.openUntil + 9 });
    await store().closed(one);
    expect(await models()).toEqual([other.model]);
  });

  it('those that ended make room for others, and 200 at most are shared', async () => {
    clock.time += 60_000;
    for (let at = 0; at < 201; at += 1) await store().opened(circuit(`model-${at}`));
    expect(await models()).toHaveLength(200);
    clock.time += 60_000;
    await store().opened(circuit('later'));
    expect(await models()).toEqual(['eu.maker/later']);
  });
});
