import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { type OutboxItem, relayEvents } from './relay-events.ts';

const item = (key: number, ...events: string[]): OutboxItem => ({ table: 'keys', key: { key }, events });
const [a, b, c] = ['a', 'b', 'c'].map((id) => JSON.stringify({ id })) as [string, string, string];

/** What reached the queue, and what was cleared then. */
function world(failing: { publish?: boolean; clear?: boolean } = {}) {
  const steps: string[] = [];
  const queue = {
    publish: async (events: readonly string[]) => {
      if (failing.publish) throw new StoreUnavailable('events queue: timeout');
      steps.push(`sent ${events.join()}`);
    },
  };
  const outbox = {
    clear: async ({ key }: OutboxItem) => {
      if (failing.clear) throw new StoreUnavailable('keys table: timeout');
      steps.push(`cleared ${(key as { key: number }).key}`);
    },
  };
  const onSkipped = (table: string, error: unknown) => void steps.push(`skipped ${table}: ${(error as Error).name}`);
  return { steps, deps: { queue, outbox, onSkipped, findings: undefined } };
}

describe('events', () => {
  it('are sent, each once, before they are taken out of their items', async () => {
    const { steps, deps } = world();
    await relayEvents([item(1, a), item(1, a, b), item(2, c)], deps);
    expect(steps).toEqual([`sent ${a},${b},${c}`, 'cleared 1', 'cleared 1', 'cleared 2']);
  });

  it('with findings go to a queue of their own besides, behind the others, and no other event does', async () => {
    const { steps, deps } = world();
    const events = ['threat.detected', 'key.created', 'request.blocked'].map((type) => JSON.stringify({ type }));
    const findings = { publish: async (found: readonly string[]) => void steps.push(`found ${found.join()}`) };
    await relayEvents([item(1, ...events)], { ...deps, findings });
    expect(steps).toEqual([`sent ${events.join()}`, `found ${events[0]},${events[2]}`, 'cleared 1']);
    steps.splice(0);
    await relayEvents([item(1, events[1] as string)], { ...deps, findings });
    expect(steps).toEqual([`sent ${events[1]}`, 'cleared 1']);
  });

  it('stay where they are while the queue does not take them', async () => {
    const { steps, deps } = world({ publish: true });
    await expect(relayEvents([item(1, a)], deps)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(steps).toEqual([]);
  });

  it('come again where they were sent and could not be taken out', async () => {
    const { steps, deps } = world({ clear: true });
    await expect(relayEvents([item(1, a)], deps)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(steps).toEqual([`sent ${a}`]);
  });

  it.each([
    ['no JSON', 'planted', 'SyntaxError'],
    ['no object', '7', 'TypeError'],
    ['too long', JSON.stringify({ text: 'x'.repeat(256 * 1024) }), 'RangeError'],
  ])('that are %s are skipped and taken out with the others of their item', async (_name, poison, error) => {
    const { steps, deps } = world();
    await relayEvents([item(1, poison, a), item(2, b)], deps);
    expect(steps).toEqual([`skipped keys: ${error}`, `sent ${a},${b}`, 'cleared 1', 'cleared 2']);
  });

  it('that are none disturb nobody', async () => {
    const { steps, deps } = world({ publish: true });
    await relayEvents([], deps);
    expect(steps).toEqual([]);
  });
});
