import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { IssuerKeys } from '../../functions/adapters/http/issuer-keys.ts';
import { Identities, IdentityStates } from '../../functions/control/identities/index.ts';
import { MemoryIdentities } from '../../functions/control/identities/memory-identities.fixture.ts';
import { LayeredAdmission, type LimitStore, limitsOf, SharedAdmission } from '../../functions/control/limits/index.ts';
import { MemoryLimitStore } from '../../functions/control/limits/memory-limit-store.fixture.ts';
import { type SharedLimit, tagLimitsOf, teamLimitsOf } from '../../functions/control/limits/shared-limits.ts';
import { issuersSchema } from '../../functions/kernel/identity/index.ts';
import { BackgroundTasks } from '../../functions/kernel/tasks/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { table } from '../detection/figures.ts';
import { startMeasuredStore } from '../lib/measured-store.ts';
import { figure, median } from './figures.ts';

const KEYS = 40;
const FUNCTIONS = 4;
const ROUNDS = 10;
const CPU_ROUNDS = 9;
const CPU_REQUESTS = 2_000;
const NEED = { tokens: 500, nanoUsd: 2_000_000 };
const ROOM = {
  rateLimit: { requests: 1_000_000, period: 'minute' as const },
  tokenLimit: { tokens: 1_000_000_000, period: 'minute' as const },
  budget: { usd: 100_000, period: 'day' as const },
  maxConcurrent: 1_000,
};
const START = Date.parse('2026-11-30T00:00:00Z');
const SHARED: Readonly<Record<string, (id: string) => readonly SharedLimit[]>> = {
  'its key alone': () => [],
  'a tag budget': (id) => tagLimitsOf({ app: id }, [{ tag: 'app', value: id, ...ROOM.budget }]),
  'a team with a rate and a budget': (id) =>
    teamLimitsOf({
      ...{ id, name: id, tokenLimit: null, maxConcurrent: null },
      rateLimit: ROOM.rateLimit,
      budget: ROOM.budget,
    }),
  'a team with every limit': (id) => teamLimitsOf({ id, name: id, ...ROOM }),
  'a team with every limit, and a tag budget': (id) => [
    ...teamLimitsOf({ id, name: id, ...ROOM }),
    ...tagLimitsOf({ app: id }, [{ tag: 'app', value: id, ...ROOM.budget }]),
  ],
};

/** What 40 keys that share a team cost in calls, and what teams and tokens cost in CPU. */
export async function teamsSection(): Promise<string> {
  const stores = await startEmbeddedStores();
  const measured = await startMeasuredStore(stores.dynamodbUrl);
  // Without the functions' short deadlines: a busy machine changes no count.
  const patient = createDynamoClient(embeddedAccess(measured.url));
  const clients = { client: patient, settling: patient };
  const clock = { now: () => START, monotonic: () => performance.now() };
  const rows: string[][] = [];
  for (const [name, sharedOf] of Object.entries(SHARED)) {
    const row = [name];
    for (const atOnce of [1, KEYS]) {
      const id = `${atOnce}-${rows.length}`;
      const shared = sharedOf(`team_${id}`);
      measured.take();
      const admit = functionsOf(new DynamoLimitStore(clients, 'limits', clock));
      let refused = 0;
      for (let at = 0; at < ROUNDS * KEYS; at += atOnce) {
        const some = Array.from({ length: atOnce }, (_, one) =>
          admit(at + one, `key_${id}_${(at + one) % KEYS}`, shared),
        );
        refused += (await Promise.all(some)).filter((admitted) => !admitted).length;
      }
      const calls = measured.take();
      const count = (call: string) => figure(calls.filter((one) => one.name === call).length / (ROUNDS * KEYS));
      row.push(count('admission'), count('settlement'), String(refused));
    }
    rows.push(row);
  }
  measured.stop();
  await stores.stop();
  const heads = [
    'A request of',
    'Writes before',
    'Writes after',
    'Refused',
    `Before, ${KEYS} at once`,
    `After, ${KEYS} at once`,
    'Refused',
  ];
  return `## What a team costs

${KEYS} keys of one team with roomy limits of every kind, ${FUNCTIONS} functions in turn, ${ROUNDS * KEYS} requests. Calls of one request run at the same time where they can: the
team's and tags' before the key's, so that two round trips decide. A function that has several requests of the same limit in flight shares their writes. A write that
meets a conflict is repeated and counts here too.

${table(heads, rows)}

${await cpuText()}`;
}

/** Functions in turn, each with its own memory. @returns admits and settles a request */
function functionsOf(store: LimitStore) {
  const clock = { now: () => START, monotonic: () => performance.now() };
  const all = Array.from({ length: FUNCTIONS }, () => {
    const tasks = new BackgroundTasks();
    const admission = new LayeredAdmission(new SharedAdmission(store, clock, { onUnsettled: () => {} }), tasks);
    return { tasks, admission };
  });
  const limits = limitsOf(ROOM);
  return async (at: number, key: string, shared: readonly SharedLimit[]): Promise<boolean> => {
    const { admission, tasks } = all[at % FUNCTIONS] as (typeof all)[number];
    const verdict = await admission.admit(key, limits, NEED, shared);
    if (verdict.admitted) await verdict.reservation?.settle(NEED);
    await tasks.idle();
    return verdict.admitted;
  };
}

/** CPU time in alternating rounds, with limits and identities in memory. */
async function cpuText(): Promise<string> {
  const measures: Record<string, () => Promise<void>> = {};
  for (const [name, sharedOf] of Object.entries(SHARED)) {
    const admit = functionsOf(new MemoryLimitStore(() => START) as unknown as LimitStore);
    const shared = sharedOf('team_cpu');
    measures[name] = async () => {
      for (let at = 0; at < CPU_REQUESTS; at += 1) await admit(at, `key_${at % KEYS}`, shared);
    };
  }
  const { known, unknown } = await tokens();
  const micros: Record<string, number[]> = {};
  for (let round = 0; round < CPU_ROUNDS; round += 1) {
    for (const [name, run] of [...Object.entries(measures), ['known', known], ['new', unknown]] as const) {
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      micros[name] = [...(micros[name] ?? []), (user + system) / (name === 'new' ? NEW_TOKENS : CPU_REQUESTS)];
    }
  }
  const of = (name: string) => median(micros[name] ?? []);
  const alone = of('its key alone');
  const rows = Object.keys(SHARED).map((name) => [name, figure(of(name)), figure(of(name) / alone)]);
  return `CPU time of admission and settlement, with the limits in memory, so without the SDK of AWS, which each call needs besides (medians of ${CPU_ROUNDS} rounds in turn; the ratios
matter, the times are of one busy machine):

${table(['A request of', 'Microseconds', 'To its key alone'], rows)}

A token that was verified before costs ${figure(of('known'))} microseconds (a digest, and the identity's state in memory), a new one ${figure(of('new'))} (its ES256 signature and rules).`;
}

const NEW_TOKENS = 200;

/** Finds callers by tokens: by one that is known, and by new ones. */
async function tokens() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = 'https://login.example.com';
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' };
  const rules = [{ id: 'all', match: { sub: ['*'] } }];
  const issuers = issuersSchema.parse([{ issuer, audience: ['svc'], jwksUrl: `${issuer}/keys`, rules }]);
  const version = { version: 1, settings: { issuers }, createdAt: null, createdBy: null };
  const [policy, teams] = [{}, { teams: [] }];
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const keys = Buffer.from(JSON.stringify({ keys: [jwk] }));
  const answer = {
    status: 200,
    headers: new Headers(),
    body: (async function* () {
      yield keys;
    })(),
  };
  const http = { send: async () => answer } as never;
  const identities = new Identities({
    document: { current: async () => version },
    policy: { settings: async () => policy },
    teams: { settings: async () => teams },
    signatures: new IssuerKeys({ http, publicHttp: http, clock, inBackground: () => {}, onUnreadable: () => {} }),
    states: new IdentityStates(new MemoryIdentities(), clock),
    hasher: { hashes: async (text) => [text], pseudonym: async (text) => text },
    clock,
  });
  const known = tokenOf({ iss: issuer, sub: 'sue' }, privateKey);
  let made = 0;
  return {
    known: async () => {
      for (let at = 0; at < CPU_REQUESTS; at += 1) await identities.find(known, '192.0.2.1');
    },
    unknown: async () => {
      made += NEW_TOKENS;
      const some = Array.from({ length: NEW_TOKENS }, (_, at) =>
        tokenOf({ iss: issuer, sub: 'sue', jti: String(made + at) }, privateKey),
      );
      for (const one of some) await identities.find(one, '192.0.2.1');
    },
  };
}

function tokenOf(claims: object, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const text = `${part({ alg: 'ES256', kid: 'one' })}.${part({ aud: 'svc', exp, ...claims })}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}
