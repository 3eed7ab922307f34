import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Delivery, DeliveryStore, TurnState } from '../../functions/control/webhooks/index.ts';
import { aWebhook, MemoryWebhooks } from '../../functions/control/webhooks/memory-webhooks.fixture.ts';
import { type ReceiveDeps, receive } from '../../functions/control/webhooks/receive.ts';
import { ATTEMPTS_AT_ONCE, PACE } from '../../functions/webhook-delivery/compose.ts';
import { quantile } from '../lib/statistics.ts';
import { PUBLISHED } from './limits.ts';

const START_MS = Date.parse('2026-11-21T00:00:00Z');
/** Turns of the event loop in a millisecond of the clock: what is due in it can happen. */
const TURNS = 4;
/** About as long as DynamoDB and SQS take for a call. */
const CALL_MS = 5;
const BACKOFF_MS = 50;
const BATCH = 10;
const LATEST_MS = 5_000;
const BUSY = 'wh_busy';

export interface BusyEndpoint {
  readonly shards: number;
  /** Events a second for the busy endpoint. */
  readonly rate: number;
  readonly seconds: number;
  /** Endpoints with an event a second each. */
  readonly quiet: number;
  /** Of each receiver. */
  readonly responseMs: number;
  /** Of an environment, for an attempt: it makes no two at once. */
  readonly cpuMs: number;
  readonly batchesAtOnce: { readonly events: number; readonly deliveries: number };
}

export interface BusyEndpointOutcome {
  /** Of the busy endpoint's events but for the last five seconds': the share that was delivered. */
  readonly deliveredShare: number;
  /** From the event to its attempt. */
  readonly busyP99Ms: number;
  readonly quietP99Ms: number;
  readonly mostWorkers: number;
  readonly twice: number;
}

/** Deliveries to a busy endpoint and quiet ones: the code of the deliveries over stores, a queue and environments on a clock that this moves. */
export async function simulateBusyEndpoint(scenario: BusyEndpoint): Promise<BusyEndpointOutcome> {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START_MS });
  const clock = { now: () => Date.now(), monotonic: () => Date.now() };
  const ids = [BUSY, ...Array.from({ length: scenario.quiet }, (_, at) => `wh_quiet${at}`)];
  const deliveries = new SimulatedDeliveries(scenario.shards);
  const turns = new SimulatedTurns();
  const queue: { readonly id: string; readonly body: string; readonly at: number }[] = [];
  const waits = { busy: [] as number[], quiet: [] as number[] };
  const sent = new Set<string>();
  const beforeMs = START_MS + scenario.seconds * 1_000 - LATEST_MS;
  const events: { readonly webhookId: string; readonly atMs: number }[] = [];
  let [running, creating, delivered, twice] = [0, 0, 0, 0];
  const webhooks = new MemoryWebhooks(...ids.map((id) => aWebhook({ id })));
  const depsOf = (environment: Environment): ReceiveDeps => ({
    webhooks,
    deliveries,
    digests: undefined as never,
    topics: undefined as never,
    turns,
    waker: {
      wake: async (wake, delayMs, worker) => {
        await pause(CALL_MS);
        queue.push({ id: crypto.randomUUID(), body: JSON.stringify({ wake, worker }), at: clock.now() + delayMs });
      },
    },
    sender: {
      send: async ({ headers }) => {
        await environment.compute(scenario.cpuMs);
        const id = headers['x-svc-delivery-id'] ?? '';
        const { webhookId, createdAt } = deliveries.all.get(id) as Delivery;
        if (sent.has(id)) twice += 1;
        sent.add(id);
        waits[webhookId === BUSY ? 'busy' : 'quiet'].push(clock.now() - Date.parse(createdAt));
        await pause(scenario.responseMs);
        if (webhookId === BUSY && Date.parse(createdAt) < beforeMs) delivered += 1;
        return { answer: { status: 204, text: '' } };
      },
    },
    clock,
    turnMs: PACE.workMs,
    attemptsAtOnce: ATTEMPTS_AT_ONCE,
    shards: scenario.shards,
    random: () => 0.5,
    onDead: () => {},
  });
  const take = () => {
    const now = clock.now();
    while (running < scenario.batchesAtOnce.deliveries) {
      const batch = queue.filter(({ at }) => at <= now).slice(0, BATCH);
      if (batch.length === 0) return;
      for (const message of batch) queue.splice(queue.indexOf(message), 1);
      running += 1;
      void receive(batch, depsOf(new Environment())).then(() => {
        running -= 1;
      });
    }
  };
  const waker = depsOf(new Environment()).waker;
  const takeEvents = () => {
    while (events.length > 0 && creating < scenario.batchesAtOnce.events) {
      const batch = events.splice(0, BATCH);
      creating += 1;
      const create = async () => {
        await Promise.all(batch.map(({ webhookId, atMs }) => deliveries.add(webhookId, atMs)));
        // A batch wakes an endpoint once.
        await Promise.all([...new Set(batch.map(({ webhookId }) => webhookId))].map((id) => waker.wake(id, 0)));
        creating -= 1;
      };
      void create();
    }
  };
  let due = 0;
  for (let ms = 0; ms < scenario.seconds * 1_000; ms += 1) {
    const atMs = clock.now();
    for (due += scenario.rate / 1_000; due >= 1; due -= 1) events.push({ webhookId: BUSY, atMs });
    for (const [at, webhookId] of ids.entries())
      if (webhookId !== BUSY && (ms + at * 37) % 1_000 === 0) events.push({ webhookId, atMs });
    takeEvents();
    take();
    mock.timers.tick(1);
    for (let at = 0; at < TURNS; at += 1) await turn();
  }
  const outcome = {
    deliveredShare: delivered / ((scenario.rate * (beforeMs - START_MS)) / 1_000),
    busyP99Ms: quantile(waits.busy, 0.99),
    quietP99Ms: quantile(waits.quiet, 0.99),
    mostWorkers: turns.most,
    twice,
  };
  mock.timers.reset();
  return outcome;
}

/** One process, which computes for one attempt at a time. */
class Environment {
  private freeAtMs = 0;

  async compute(ms: number): Promise<void> {
    this.freeAtMs = Math.max(this.freeAtMs, Date.now()) + ms;
    await pause(this.freeAtMs - Date.now());
  }
}

/** The table as far as deliveries that succeed use it. Each partition of the index takes as many writes a second as AWS publishes. */
class SimulatedDeliveries implements DeliveryStore {
  readonly all = new Map<string, Delivery>();
  private readonly shards: number;
  /** By partition, longest due first. */
  private readonly index = new Map<string, Set<string>>();
  private readonly left = new Map<string, { units: number; atMs: number }>();

  constructor(shards: number) {
    this.shards = shards;
  }

  async add(webhookId: string, atMs: number): Promise<void> {
    const id = `delivery_${crypto.randomUUID().replaceAll('-', '')}`;
    await this.writeIndex(this.partitionOf(id, webhookId), (due) => due.add(id));
    const now = new Date(atMs).toISOString();
    const delivery = { id, webhookId, eventId: `evt_${id}`, type: 'key.created', state: 'pending', attempts: [] };
    this.all.set(id, {
      ...delivery,
      createdAt: now,
      nextAttemptAt: now,
      since: now,
      body: '{}',
    } as unknown as Delivery);
  }

  async due(webhookId: string, limit: number, partitions?: readonly number[]): Promise<readonly string[]> {
    await pause(CALL_MS);
    const found = (partitions ?? [...Array(this.shards).keys()]).map((at) =>
      firstOf(this.index.get(`${webhookId}#${at}`) ?? [], limit),
    );
    // Those of several partitions in turn, as their times are.
    const inTurn: string[] = [];
    for (let at = 0; inTurn.length < limit && found.some(({ length }) => length > at); at += 1)
      inTurn.push(...found.flatMap((ids) => ids[at] ?? []));
    return inTurn.slice(0, limit);
  }

  async nextDueAt(webhookId: string): Promise<number | undefined> {
    return (await this.due(webhookId, 1)).length === 0 ? undefined : Date.now();
  }

  async read(ids: readonly string[]): Promise<readonly Delivery[]> {
    await pause(CALL_MS);
    return ids.flatMap((id) => this.all.get(id) ?? []);
  }

  async begin({ id, attempts, ...delivery }: Delivery): Promise<boolean> {
    await pause(CALL_MS);
    if (this.all.get(id)?.attempts.length !== attempts.length) return false;
    const begun = { at: '', durationMs: null, status: null, failure: 'unknown', response: null } as const;
    this.all.set(id, { id, ...delivery, attempts: [...attempts, begun] });
    return true;
  }

  async end({ id, webhookId }: Delivery): Promise<void> {
    await this.writeIndex(this.partitionOf(id, webhookId), (due) => due.delete(id));
    const delivery = this.all.get(id);
    if (delivery !== undefined) this.all.set(id, { ...delivery, state: 'delivered', nextAttemptAt: null });
  }

  create(): never {
    throw new TypeError('not simulated');
  }
  get = this.create;
  list = this.create;
  bury = this.create;
  redeliver = this.create;

  private partitionOf(id: string, webhookId: string): string {
    return `${webhookId}#${Number.parseInt(id.slice(-8), 16) % this.shards}`;
  }

  private async writeIndex(partition: string, change: (due: Set<string>) => unknown): Promise<void> {
    for (;;) {
      await pause(CALL_MS);
      const most = PUBLISHED.dynamodb.partitionWrites;
      const before = this.left.get(partition) ?? { units: most, atMs: START_MS };
      const units = Math.min(most, before.units + ((Date.now() - before.atMs) * most) / 1_000);
      const isTaken = units >= 1;
      this.left.set(partition, { units: isTaken ? units - 1 : units, atMs: Date.now() });
      if (isTaken) break;
      await pause(BACKOFF_MS * Math.random() * 4);
    }
    if (!this.index.has(partition)) this.index.set(partition, new Set());
    change(this.index.get(partition) as Set<string>);
  }
}

/** Without a copy of them all. */
function firstOf(ids: Iterable<string>, count: number): string[] {
  const found: string[] = [];
  for (const id of ids) {
    if (found.length === count) break;
    found.push(id);
  }
  return found;
}

class SimulatedTurns {
  /** Workers of an endpoint that had a turn at the same time. */
  most = 0;
  private readonly held = new Map<string, { wanted: boolean }>();
  private readonly states = new Map<string, TurnState>();

  async take(webhookId: string, worker: number) {
    await pause(CALL_MS);
    const name = `${webhookId}#${worker}`;
    const holder = this.held.get(name);
    if (holder !== undefined) {
      holder.wanted = true;
      return undefined;
    }
    const mine = { wanted: false };
    this.held.set(name, mine);
    const ofEndpoint = [...this.held.keys()].filter((one) => one.startsWith(`${webhookId}#`)).length;
    this.most = Math.max(this.most, ofEndpoint);
    const state = this.states.get(name) ?? { failures: 0, pausedUntilMs: 0, wakeAtMs: 0 };
    const end = async (next: TurnState) => {
      await pause(CALL_MS);
      this.states.set(name, next);
      this.held.delete(name);
      return mine.wanted;
    };
    return { state, end };
  }

  async read(): Promise<TurnState> {
    return { failures: 0, pausedUntilMs: 0, wakeAtMs: 0 };
  }

  async pause(): Promise<void> {}
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
