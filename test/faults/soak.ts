import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RequestRecord, Session, Summary } from '../../functions/contract/index.ts';
import { mintApiKey } from '../../functions/control/keys/index.ts';
import { buildLocalService } from '../contract/local-process.ts';
import { compareAnalytics, readList } from '../support/compare-analytics.ts';
import { startFaultyStore } from '../support/faulty-store.ts';
import { type Admin, adminOf, makeKey, type WantedKey } from './administer.ts';
import { disturb, THEMES } from './disturb.ts';
import { Instance } from './instance.ts';
import { missingWebhooks } from './invariants/webhooks.ts';
import {
  type Asked,
  BEHIND_MS,
  type Disturbance,
  type Ledger,
  metKill,
  metStores,
  NANO_USD,
  type SoakKey,
} from './ledger.ts';
import { startSoakProvider } from './provider.ts';
import { startQueueProxy } from './queue-proxy.ts';
import { seeded } from './random.ts';
import { startSoakReceiver } from './receiver.ts';
import { readStandstills, watchStandstills } from './standstills.ts';
import { type StoreName, startSoakStores } from './stores.ts';
import { askOne, MESSAGES_MODEL, MODEL, ROUGH_PROVIDERS, STEADY, type TrafficDeps } from './traffic.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly store: StoreName;
  readonly say: (line: string) => void;
}

const INSTANCES = [0, 1];
const PROVIDER_TIMEOUT_MS = 1_500;
/** A call of the stores that takes longer may be given up by who made it. */
const SLOW_STORE_MS = 500;
const SLOW_STORE = 'the store was slow by itself';
/** Records and settlements are written within this time after the last response. */
const QUIET_MS = 6_000;
/** What dead processes had reserved is given back 15 to 17.5 minutes later. */
const EXPIRY_MS = 20 * 60_000;
const HOUR_MS = 3_600_000;
const DRAIN_MS = 120_000;
/** Each stretch of the soak has separate keys, so that its disturbances do not affect other stretches. */
const STRETCH_SECONDS = 12;
const MOST_STRETCHES = 16;
/** However long it took to begin. */
const LEAST_STRETCH_MS = 6_000;
/** Users of a stretch, by what their key is for. */
const USERS = { exact: 8, rough: 4, busy: 1, narrow: 4, limited: 1, poor: 1 } as const;
/** Of a busy key so many are asked at once: from eight in a quarter of a second on a process puts some aside. */
const BURST = 24;

/** The keys of a stretch. Practically nothing refills while the soak runs, whatever its clocks say. */
const KEYS: readonly WantedKey[] = [
  { purpose: 'exact', requests: 1_000_000, tokens: 100_000, nanoUsd: 100e9, maxConcurrent: 50 },
  { purpose: 'rough', requests: 1_000_000, tokens: 1_000_000, nanoUsd: 100e9, maxConcurrent: 50 },
  { purpose: 'busy', requests: 160, tokens: 1_000_000, nanoUsd: 100e9, maxConcurrent: 64 },
  { purpose: 'narrow', requests: 1_000_000, maxConcurrent: 2 },
  { purpose: 'limited', requests: 12 },
  { purpose: 'poor', requests: 1_000_000, nanoUsd: 2e6 },
];

/** Runs the whole soak and gives everything that was written down and found. */
export async function soak({ seconds, seed, store, say }: SoakOptions): Promise<Ledger> {
  buildLocalService();
  const random = seeded(seed);
  const now = () => performance.now();
  const disturbances: Disturbance[] = [];
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-soak-'));
  const standstills = path.join(folder, 'standstills');
  const stores = await startSoakStores(store, standstills);
  const faulty = await startFaultyStore(stores.dynamodbUrl, (ms) => {
    if (ms <= SLOW_STORE_MS) return;
    const last = disturbances.findLast(({ what }) => what === SLOW_STORE);
    if (last !== undefined && last.to >= now() - ms) last.to = now();
    else disturbances.push({ what: SLOW_STORE, from: now() - ms, to: now(), excuses: 'deadlines' });
  });
  const watching = watchStandstills(now, disturbances);
  const queue = await startQueueProxy(stores.sqsUrl, () => random.chance(0.2));
  const provider = await startSoakProvider(now);
  const receivers = [await startSoakReceiver('steady', 0, random), await startSoakReceiver('failing', 0.3, random)];
  const adminKey = mintApiKey();
  const providerKey = `sk-soak-${'p5Vn3'.repeat(6)}`;
  const planted = `Periwinkle${seed.toString(36)}gramophone`;
  const logs: string[][] = [];
  const env: Record<string, string> = {
    SVC_ADMIN_KEY: adminKey,
    SVC_PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
    AWS_ENDPOINT_URL_DYNAMODB: faulty.url,
    AWS_ENDPOINT_URL_SQS: queue.url,
    SVC_PROVIDERS: [STEADY, ...ROUGH_PROVIDERS].join(', '),
    ANTHROPIC_API_KEY: providerKey,
    ANTHROPIC_BASE_URL: provider.url,
    SVC_MODEL_PRICES: JSON.stringify(
      Object.fromEntries(
        [...[STEADY, ...ROUGH_PROVIDERS].map((name) => `${name}/${MODEL}`), `anthropic/${MESSAGES_MODEL}`].map(
          (name) => [name, { input: NANO_USD.input / 1_000, output: NANO_USD.output / 1_000 }],
        ),
      ),
    ),
  };
  for (const name of [STEADY, ...ROUGH_PROVIDERS]) {
    env[`${name.toUpperCase()}_BASE_URL`] = `${provider.url}/v1`;
    env[`${name.toUpperCase()}_API_KEY`] = providerKey;
  }
  const instances = INSTANCES.map(
    (number) =>
      new Instance({
        number,
        name: path.basename(folder),
        folder,
        env,
        standstills,
        onStart: () => {
          const printed: string[] = [];
          logs.push(printed);
          return (text) => void printed.push(text);
        },
      }),
  );
  const [first, second] = instances as [Instance, Instance];
  const keys: SoakKey[] = [];
  const asked: Asked[] = [];
  const tokensFrom = new Map<string, bigint>();
  const restarting: Promise<void>[] = [];
  const storm = { on: false };
  const serving = () =>
    instances.flatMap(({ number, baseUrl }) => (baseUrl === undefined ? [] : [{ number, baseUrl }]));
  const admin: Admin = adminOf(adminKey, serving);
  const deps: TrafficDeps = { random, provider, now, asked, planted, isStorm: () => storm.on, serving };
  try {
    // One after the other: the first makes the folder's secrets.
    await first.start();
    await second.start();
    for (const receiver of receivers) {
      const { secret } = await admin.post<{ secret: string }>('/webhooks', { url: receiver.url, events: EVENTS });
      receiver.secret = secret;
    }
    say(
      `serving: ${serving()
        .map(({ baseUrl }) => baseUrl)
        .join(', ')}`,
    );
    const startedAt = now();
    const startedMs = Date.now();
    await stretches(startedAt);
    await Promise.all(restarting);
    say(`${asked.length} requests; quiet`);
    await sleep(QUIET_MS);
    await first.stop();
    await second.kill();
    const lastId = asked.length;

    // Another version of the service, when all that was reserved is over.
    await first.setClock(EXPIRY_MS);
    await first.start();
    // The first request of a process shows it what has expired, the second takes it away.
    for (const key of [...keys, ...keys]) await askOne(key, deps, { fault: 'none' });
    const together = [];
    for (const key of keys.filter(({ purpose }) => purpose === 'narrow')) {
      const held = Array.from({ length: (key.maxConcurrent ?? 0) + 2 }, () =>
        askOne(key, deps, { fault: 'none', headDelayMs: 1_000 }),
      );
      const answers = await Promise.all(held);
      together.push({ keyId: key.id, ran: answers.filter((one) => one?.status === 200).length });
    }
    await sleep(QUIET_MS);
    say(`${asked.length - lastId} requests more, when what was reserved is over`);

    const range = {
      from: new Date(startedMs - 2 * HOUR_MS).toISOString(),
      to: new Date(startedMs + 3 * HOUR_MS).toISOString(),
    };
    const query = new URLSearchParams(range).toString();
    const read = admin.read;
    let records = await stores.records();
    let summary = await read<Summary>(`/analytics/summary?${query}`);
    await until(DRAIN_MS, async () => {
      records = await stores.records();
      summary = await read<Summary>(`/analytics/summary?${query}`);
      return summary.requests >= records.length;
    });
    const filters = [
      {},
      { model: MODEL },
      ...KEYS.flatMap(({ purpose }) => {
        const key = keys.find((one) => one.purpose === purpose);
        return key === undefined ? [] : [{ keyId: key.id }];
      }),
    ];
    const listed = await readList<RequestRecord>(read, `/analytics/requests?${query}`);
    const { compared, differences } = await compareAnalytics(read, listed, filters, range);
    const sessions = await readList<Session>(read, `/analytics/sessions?${query}`);

    const base = { keys, asked, disturbances, endpoints: receivers.map(({ name }) => name), found: { records } };
    const delivered = () => receivers.flatMap((receiver) => receiver.delivered);
    let hours = 0;
    await until(DRAIN_MS, async () => {
      if (missingWebhooks({ ...base, delivered: delivered() }).missing.length === 0) return true;
      // What failed waits for longer and longer.
      hours += 1;
      await first.setClock(EXPIRY_MS + hours * HOUR_MS);
      await sleep(3_000);
      return false;
    });
    await first.stop();
    disturbances.push(...readStandstills(standstills, now));
    const limits = await stores.limits();
    // The last line of a process that was killed may be cut off.
    const printed = logs.map((texts) => texts.join('').replace(/[^\n]*$/, ''));
    const lines = printed.flatMap((text) => text.split('\n'));
    const secrets = [
      { name: 'the admin key', text: adminKey },
      { name: "the provider's key", text: providerKey },
      { name: 'a text of requests', text: planted },
      ...keys.map(({ id, secret }) => ({ name: `the secret of ${id}`, text: secret })),
      ...receivers.map(({ name, secret }) => ({ name: `the secret of the endpoint ${name}`, text: secret })),
      { name: 'the pepper', text: (await readFile(path.join(folder, 'pepper'), 'utf8')).trim() },
      { name: 'the sealing key', text: (await readFile(path.join(folder, 'sealing-key'), 'utf8')).trim() },
    ];
    return {
      keys,
      asked,
      calls: provider.calls,
      disturbances,
      delivered: delivered(),
      endpoints: base.endpoints,
      found: {
        records,
        limits: keys.flatMap(({ id }) => {
          const item = limits.get(id);
          return item === undefined ? [] : [{ keyId: id, ...item }];
        }),
        lost: valuesOf(lines, 'record lost', 'requestId'),
        uncounted: valuesOf(lines, 'use not counted', 'keyId'),
        tokensFrom,
        analytics: {
          compared,
          differences,
          requests: summary.requests,
          sessions: new Map(sessions.map(({ id, keyId, requests }) => [`${id} of ${keyId}`, requests])),
        },
        together,
        logs: printed,
        stored: [
          ...(await stores.dump()),
          ...receivers.map(({ name, bodies }) => ({ name: `webhooks to ${name}`, text: bodies.join('\n') })),
        ],
        secrets,
      },
    };
  } finally {
    watching();
    for (const instance of instances) await instance.kill();
    for (const receiver of receivers) receiver.stop();
    await provider.stop();
    queue.stop();
    faulty.stop();
    await stores.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /** Runs the stretches in turn, each with separate keys and disturbances. */
  async function stretches(startedAt: number): Promise<void> {
    const soaked = { random, now, instances, store: faulty, queue, receivers, storm, noted: disturbances, restarting };
    const count = Math.max(1, Math.min(MOST_STRETCHES, Math.round(seconds / STRETCH_SECONDS)));
    for (let at = 0; at < count; at += 1) {
      await Promise.all(restarting);
      await sleep(at === 0 ? 0 : BEHIND_MS);
      const stretch: SoakKey[] = [];
      for (const wanted of KEYS) stretch.push(await makeKey(wanted, admin));
      keys.push(...stretch);
      await Promise.all(stretch.flatMap((key) => (key.purpose === 'exact' ? [anchor(key)] : [])));
      const end = Math.max(startedAt + ((at + 1) * seconds * 1_000) / count, now() + LEAST_STRETCH_MS);
      const users = stretch.flatMap((key) => Array.from({ length: USERS[key.purpose] }, () => user(key, end)));
      await Promise.all([...users, disturb(soaked, THEMES[at % THEMES.length] as (typeof THEMES)[number], end)]);
      say(`stretch ${at + 1} of ${count}: ${asked.length} requests, ${disturbances.length} disturbances`);
    }
  }

  /** The first request of a key: its bucket of tokens is owed from then on. */
  async function anchor(key: SoakKey): Promise<void> {
    const offsBefore = instances.map(({ clockOffMs }) => clockOffMs);
    const one = await askOne(key, deps, { fault: 'none', usage: { input: 20, output: 500 } });
    const endedMs = Date.now();
    const offMs = instances[one?.instance ?? 0]?.clockOffMs ?? 0;
    const isSure =
      one?.ending === 'whole' &&
      instances.every(({ clockOffMs }, at) => clockOffMs === 0 && offsBefore[at] === 0) &&
      !metStores(one, disturbances) &&
      !metKill(one, disturbances);
    if (isSure) tokensFrom.set(key.id, BigInt(endedMs + offMs) * 1_000_000_000n);
  }

  async function user(key: SoakKey, untilMs: number): Promise<void> {
    const runsOut = key.purpose === 'limited' || key.purpose === 'poor' || key.purpose === 'busy';
    const particular = key.purpose === 'narrow' ? ({ fault: 'none', headDelayMs: 150 } as const) : {};
    let refused = 0;
    while (now() < untilMs && !(runsOut && refused >= 3)) {
      const burst = Array.from({ length: key.purpose === 'busy' ? BURST : 1 }, () => askOne(key, deps, particular));
      const all = await Promise.all(burst);
      refused += all.filter((one) => one?.status === 429).length;
      // Waits before the next request if no instance serves or requests are refused.
      if (all.some((one) => one?.ending !== 'whole')) await sleep(random.between(50, 250));
    }
  }
}

const EVENTS = ['request.blocked', 'threat.detected', 'key.created', 'rate_limit.exceeded', 'budget.exceeded'];

/** The values of a field in the lines of a log with a message. */
function valuesOf(lines: readonly string[], message: string, field: string): string[] {
  return lines
    .filter((line) => line.includes(`"message":"${message}"`))
    .map((line) => String((JSON.parse(line) as Record<string, unknown>)[field]));
}

async function until(ms: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await isSo()) && performance.now() < deadline) await sleep(300);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
