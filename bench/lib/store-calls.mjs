import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintApiKey } from '../../functions/core/access/api-key-format.ts';
import { startCountingStore } from './counting-store.mjs';
import { prose } from './prose.mjs';
import { quantile } from './statistics.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROMPT_BYTES = 1_000;
const STEADY = 100;
const AT_ONCE = 64;
const HOT = 4_000;
const HELD_BACK_MS = 100;
const SETTLED_MS = 1_000;

/** Limits that nothing here reaches. */
const RATE = { rateLimit: { requests: 1_000_000, period: 'minute' } };
const KEYS = {
  'a rate limit alone': RATE,
  'every limit': {
    ...RATE,
    tokenLimit: { tokens: 1_000_000_000, period: 'minute' },
    budget: { usd: 100_000, period: 'day' },
    maxConcurrent: 1_000,
  },
};

/** Calls to DynamoDB a request, by key and by what happens: the key unknown to the process, known, and asked for often. */
export async function measureStoreCalls({ processes, stores, upstreamUrl, dataDir }) {
  const store = await startCountingStore(stores.dynamodbUrl);
  const adminKey = mintApiKey();
  const gateway = await processes.start('counted', path.join(ROOT, 'dist/local/index.mjs'), {
    env: {
      PORT: '0',
      SVC_DATA_DIR: path.join(dataDir, 'counted'),
      SVC_ADMIN_KEY: adminKey,
      OPENAI_API_KEY: 'bench',
      OPENAI_BASE_URL: `${upstreamUrl}/v1`,
      AWS_ENDPOINT_URL_DYNAMODB: store.url,
      AWS_ENDPOINT_URL_SQS: stores.sqsUrl,
    },
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
  try {
    const rows = [];
    for (const [name, fields] of Object.entries(KEYS)) {
      const key = await makeKey(gateway.url, adminKey, fields);
      const ask = () => post(agent, `${gateway.url}/chat/completions`, key, request());
      const counted = async (requests, work) => {
        store.take();
        await work();
        await sleep(SETTLED_MS);
        return perRequest(store.take(), requests);
      };
      const repeat = async (count) => {
        for (let at = 0; at < count; at += 1) await ask();
      };
      rows.push({ name, state: 'first request of a key', calls: await counted(1, () => repeat(1)) });
      rows.push({ name, state: 'one at a time', calls: await counted(STEADY, () => repeat(STEADY)) });
      const hot = () => Promise.all(Array.from({ length: AT_ONCE }, () => repeat(HOT / AT_ONCE)));
      rows.push({ name, state: `${AT_ONCE} at a time`, calls: await counted(HOT, hot) });
      // In turn, so that what slows the machine slows both.
      const [free, held] = [[], []];
      for (let at = 0; at < STEADY; at += 1) {
        store.delay('settlement', at % 2 === 0 ? 0 : HELD_BACK_MS);
        (at % 2 === 0 ? free : held).push(await ask());
      }
      store.delay('settlement', 0);
      await sleep(SETTLED_MS);
      Object.assign(rows.at(-2), { answerMs: quantile(free, 0.5), heldBackMs: quantile(held, 0.5) });
    }
    return { rows, heldBackMs: HELD_BACK_MS, logBytes: recordBytes(dataDir) };
  } finally {
    agent.destroy();
    store.stop();
    await gateway.stop();
  }
}

function request() {
  const messages = [{ role: 'user', content: prose(PROMPT_BYTES, Math.floor(Math.random() * 1_000)) }];
  return JSON.stringify({ model: 'gpt-4o-mini', max_tokens: 100, messages });
}

async function makeKey(baseUrl, adminKey, fields) {
  const response = await fetch(`${baseUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', ...fields }),
  });
  if (response.status !== 201) throw new Error(`no key: ${response.status} ${await response.text()}`);
  return (await response.json()).key;
}

/** The time to the whole answer, milliseconds; throws where it is not 200. */
function post(agent, url, key, body) {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const call = http.request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - startedAt);
        else reject(new Error(`status ${answer.statusCode}`));
      });
    });
    call.once('error', reject);
    call.end(body);
  });
}

function perRequest(calls, requests) {
  return Object.fromEntries(Object.entries(calls).map(([name, count]) => [name, count / requests]));
}

/** Bytes that a request's record has in the log, on average. */
function recordBytes(dataDir) {
  const lines = readFileSync(path.join(dataDir, 'counted.log'), 'utf8').split('\n');
  const records = lines.filter((line) => line.includes('"message":"request"'));
  return records.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) / records.length;
}
