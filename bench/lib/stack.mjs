import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SERVICE_OPTIONS, SERVICE_VARIABLES } from '../../bin/start.ts';
import { mintApiKey } from '../../functions/control/keys/index.ts';
import { PausedCounter } from './counter.mjs';
import { nextMessage, Processes } from './processes.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
/**
 * No load of ours empties this bucket, and it is never full while in use: each request costs one write, as for any key
 * that is used faster than its rate refills it.
 */
const RATE_LIMIT = { requests: 10, period: 'second', burst: 1_000_000_000 };

/**
 * Starts everything that a bench needs, each in a separate process on 127.0.0.1: the mock provider, the stores with their
 * tables in memory (reached at the address that `throughStore` returns), the gateway from `gatewayScript` with the options of `npm start`, the load generator and, with `peers`, the bare proxy and Portkey.
 * `targets` are the receivers of a load: a chat completions URL with headers, and the process behind it.
 */
export async function startStack({
  gatewayScript,
  gatewayArgv = [],
  gatewayEnv = {},
  upstreamScript = path.join(ROOT, 'test/support/mock-upstream/main.ts'),
  throughStore = async (url) => url,
  peers = true,
}) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'svc-bench-'));
  const processes = new Processes(dataDir);
  let counter;
  const stop = async () => {
    counter?.release();
    await processes.stopAll();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const upstream = await processes.start('upstream', upstreamScript);
    const storesChild = processes.fork(path.join(ROOT, 'dist/local/stores-process.mjs'));
    const stores = { pid: storesChild.pid, ...(await nextMessage(storesChild)) };
    const adminKey = mintApiKey();
    const gateway = await processes.start('gateway', gatewayScript, {
      execArgv: [...SERVICE_OPTIONS, ...gatewayArgv],
      env: {
        ...SERVICE_VARIABLES,
        PORT: '0',
        SVC_DATA_DIR: path.join(dataDir, 'gateway'),
        SVC_ADMIN_KEY: adminKey,
        OPENAI_API_KEY: 'bench',
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        AWS_ENDPOINT_URL_DYNAMODB: await throughStore(stores.dynamodbUrl),
        AWS_ENDPOINT_URL_SQS: stores.sqsUrl,
        ...gatewayEnv,
      },
    });
    const apiKey = await createKey(gateway.url, adminKey);
    counter = new PausedCounter({
      gatewayPid: gateway.pid,
      storesPid: stores.pid,
      summary: () => countedRequests(gateway.url, adminKey),
    });
    const targets = {
      direct: { ...at(upstream.url), process: upstream },
      gateway: { ...at(gateway.url.replace(/\/v1$/, ''), apiKey), modelPrefix: 'openai/', process: gateway },
    };
    if (peers) {
      const proxy = await processes.start('proxy', path.join(ROOT, 'bench/bare-proxy.mjs'), { args: [upstream.url] });
      const portkey = await processes.start('portkey', path.join(ROOT, 'bench/peers/portkey.mjs'), {
        env: { NODE_ENV: 'production' },
      });
      const route = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream.url}/v1` };
      targets.proxy = { ...at(proxy.url), process: proxy };
      targets.portkey = { ...at(portkey.url, 'bench', route), process: portkey };
    }
    const generator = processes.fork(path.join(ROOT, 'bench/load.mjs'));
    return { targets, stores, counter, gateway, generator, processes, failures: [], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function at(origin, key = 'bench', headers = {}) {
  const url = `${origin}/v1/chat/completions`;
  return { url, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers } };
}

async function createKey(baseUrl, adminKey) {
  const response = await fetch(`${baseUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', rateLimit: RATE_LIMIT, maxConcurrent: null }),
  });
  if (response.status !== 201) throw new Error(`no key for the bench: ${response.status} ${await response.text()}`);
  return (await response.json()).key;
}

async function countedRequests(baseUrl, adminKey) {
  const response = await fetch(`${baseUrl}/analytics/summary`, { headers: { authorization: `Bearer ${adminKey}` } });
  if (response.status !== 200) throw new Error(`no summary: ${response.status} ${await response.text()}`);
  return (await response.json()).requests;
}
