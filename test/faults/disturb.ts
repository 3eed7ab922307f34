import type { Fault } from '../support/faulty-store.ts';
import { type Instance, PARTS } from './instance.ts';
import type { Disturbance } from './ledger.ts';
import type { QueueFault, QueueProxy } from './queue-proxy.ts';
import type { Random } from './random.ts';
import type { SoakReceiver } from './receiver.ts';

/** Minutes that a clock is set forward or back: less than the 15 after which a reservation is given back. */
const CLOCK_MINUTES = 5;

export interface Disturbed {
  readonly random: Random;
  readonly now: () => number;
  readonly instances: readonly Instance[];
  readonly store: { fail(fault: Fault, times: number, every?: number): void; mend(): void };
  readonly queue: QueueProxy;
  readonly receivers: readonly SoakReceiver[];
  readonly storm: { on: boolean };
  readonly noted: Disturbance[];
  /** Starts that are under way, or were. */
  readonly restarting: Promise<void>[];
}

const refused = (type: string, status = 400): Fault => ({ kind: 'refused', type, status });

/** What the stores do: to all calls, or to every so many-th. */
const STORE_FAULTS: readonly { readonly what: string; readonly fault: Fault; readonly every: number }[] = [
  { what: 'store: every second call throttled', fault: refused('ProvisionedThroughputExceededException'), every: 2 },
  { what: 'store: all calls throttled', fault: refused('ThrottlingException'), every: 1 },
  { what: 'store: unavailable', fault: refused('InternalServerError', 500), every: 1 },
  {
    what: 'store: every third connection cut before its call is done',
    fault: { kind: 'cut off before it is done' },
    every: 3,
  },
  { what: 'store: every third response lost', fault: { kind: 'cut off when it is done' }, every: 3 },
  {
    what: 'store: every third call done but reported as failed',
    fault: { kind: 'done, but reported as failed' },
    every: 3,
  },
  { what: 'store: every third call without a response', fault: { kind: 'never answered' }, every: 3 },
  { what: 'store: batches done in part', fault: { kind: 'batches done in part' }, every: 1 },
];
const QUEUE_FAULTS: readonly QueueFault[] = ['refused', 'cut off when it is done'];

/** Every kind of interference, each for itself to its end. */
export const DISTURBANCES = {
  store: async (soak) => {
    const { what, fault, every } = soak.random.pick(STORE_FAULTS);
    await during(soak, { what, excuses: 'stores' }, soak.random.between(700, 3_000), () => {
      soak.store.fail(fault, Number.POSITIVE_INFINITY, every);
      return () => soak.store.mend();
    });
  },
  queue: async (soak) => {
    const fault = soak.random.pick(QUEUE_FAULTS);
    await during(soak, { what: `queue: ${fault}`, excuses: 'queues' }, soak.random.between(700, 4_000), () => {
      soak.queue.fail(fault);
      return () => soak.queue.mend();
    });
  },
  'kill the gateway': async (soak) => {
    const instance = servingOne(soak);
    if (instance === undefined) return;
    restarted(soak, instance, 'all processes killed', () => instance.kill());
  },
  'kill a part': async (soak) => {
    const { random, noted, now } = soak;
    const instance = servingOne(soak);
    if (instance === undefined) return;
    const part = random.pick(PARTS);
    if (await instance.killPart(part)) {
      noted.push({ what: `${part} killed`, instance: instance.number, from: now(), to: now(), excuses: 'nothing' });
    }
    await sleep(random.between(500, 2_500));
    restarted(soak, instance, 'stopped and started', () => instance.stop(), 'refused connections');
  },
  'stop and start': async (soak) => {
    const instance = servingOne(soak);
    if (instance === undefined) return;
    restarted(soak, instance, 'stopped and started', () => instance.stop(), 'refused connections');
  },
  clock: async (soak) => {
    const instance = soak.random.pick(soak.instances);
    const minutes = soak.random.pick([-1, 1]) * soak.random.between(1, CLOCK_MINUTES);
    const what = `clock set ${minutes > 0 ? 'forward' : 'back'}`;
    await instance.setClock(minutes * 60_000);
    await during(
      soak,
      { what, instance: instance.number, excuses: 'clocks' },
      soak.random.between(1_500, 4_000),
      () => () => {},
    );
    await instance.setClock(0);
  },
  receiver: async (soak) => {
    const receiver = soak.random.pick(soak.receivers);
    await during(soak, { what: 'a receiver away', excuses: 'nothing' }, soak.random.between(1_000, 4_000), () => {
      receiver.away = true;
      return () => {
        receiver.away = false;
      };
    });
  },
  storm: async (soak) => {
    await during(soak, { what: 'storm of 429', excuses: 'nothing' }, soak.random.between(500, 1_500), () => {
      soak.storm.on = true;
      return () => {
        soak.storm.on = false;
      };
    });
  },
} as const satisfies Record<string, (soak: Disturbed) => Promise<void>>;

export type DisturbanceName = keyof typeof DISTURBANCES;

/** What may happen in a stretch: the first kind leaves every request's end known to the token. */
export const THEMES: readonly (readonly DisturbanceName[])[] = [
  ['queue', 'kill a part', 'clock', 'receiver', 'storm'],
  ['kill the gateway', 'stop and start', 'clock', 'storm'],
  ['store', 'queue', 'store', 'clock'],
  ['store', 'queue', 'kill the gateway', 'kill a part', 'stop and start', 'clock', 'receiver', 'storm'],
];

/** One after another, each of a theme once in a round, in an order by lot, until the time is over. */
export async function disturb(soak: Disturbed, theme: readonly DisturbanceName[], untilMs: number): Promise<void> {
  while (soak.now() < untilMs) {
    const round = [...theme];
    while (round.length > 0 && soak.now() < untilMs) {
      const [name] = round.splice(soak.random.between(0, round.length - 1), 1);
      await DISTURBANCES[name as DisturbanceName](soak);
      await sleep(soak.random.between(200, 700));
    }
  }
}

async function during(
  { noted, now }: Disturbed,
  what: Pick<Disturbance, 'what' | 'excuses'> & { readonly instance?: number },
  ms: number,
  begin: () => () => void,
): Promise<void> {
  const disturbance: Disturbance = { ...what, from: now(), to: Number.POSITIVE_INFINITY };
  noted.push(disturbance);
  const end = begin();
  await sleep(ms);
  end();
  disturbance.to = now();
}

/** One that serves: not one that is on its way down or up. */
function servingOne({ instances, random }: Disturbed): Instance | undefined {
  const serving = instances.filter(({ baseUrl }) => baseUrl !== undefined);
  return serving.length === 0 ? undefined : random.pick(serving);
}

/** Ends an instance, and starts it again while the next thing goes wrong already. */
function restarted(
  { noted, now, random, restarting }: Disturbed,
  instance: Instance,
  what: string,
  end: () => Promise<void>,
  excuses: Disturbance['excuses'] = 'broken requests',
): void {
  const disturbance: Disturbance = {
    what,
    instance: instance.number,
    from: now(),
    to: Number.POSITIVE_INFINITY,
    excuses,
  };
  noted.push(disturbance);
  const ended = end().then(async () => {
    disturbance.to = now();
    await sleep(random.between(100, 800));
    await instance.startAgain();
  });
  restarting.push(ended);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
