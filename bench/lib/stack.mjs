import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SERVICE_OPTIONS, SERVICE_VARIABLES } from '../../bin/start.ts';
import { mintApiKey } from '../../functions/control/keys/index.ts';
import { freePort } from '../../test/support/free-port.ts';
import { PausedCounter } from './counter.mjs';
import { nextMessage, Processes } from './processes.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
/**
 * No load of ours empties this bucket, and it is never full while in use: each request costs one write, as for any key
 * that is used faster than its rate refills it.
 */
const RATE_LIMIT = { requests: 10, period: 'second', burst: 1_000_000_000 };

/** Without one it does not start. */
const LITELLM_KEY = `sk-${randomUUID()}`;

/**
 * Starts everything that a bench needs, each in a separate process on 127.0.0.1: the mock provider, the stores with their
 * tables in memory (reached at the address that `throughStore` returns), the gateway from `gatewayScript` with the options of `npm start`,
 * the load generator and `peers`: the bare proxy, Portkey and, where its `python` has it, LiteLLM. `targets` are the receivers of a load: a
 * chat completions URL with headers, and the process behind it.
 */
export async function startStack({
  gatewayScript,
  gatewayArgv = [],
  gatewayEnv = {},
  upstreamScript = path.join(ROOT, 'test/support/mock-upstream/main.ts'),
  throughStore = async (url) => url,
  peers,
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
    if (peers) Object.assign(targets, await startPeers(processes, upstream.url, dataDir, peers));
    const generator = processes.fork(path.join(ROOT, 'bench/load.mjs'));
    return { targets, stores, counter, gateway, generator, processes, failures: [], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What the gateway is compared with; LiteLLM only with the `python` that has it. */
async function startPeers(processes, upstreamUrl, dataDir, { python }) {
  const proxy = await processes.start('proxy', path.join(ROOT, 'bench/bare-proxy.mjs'), { args: [upstreamUrl] });
  const portkey = await processes.start('portkey', path.join(ROOT, 'bench/peers/portkey.mjs'), {
    env: { NODE_ENV: 'production' },
  });
  const route = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstreamUrl}/v1` };
  const peers = {
    proxy: { ...at(proxy.url), process: proxy },
    portkey: { ...at(portkey.url, 'bench', route), process: portkey },
  };
  if (python === undefined) return peers;
  const litellm = await startLiteLlm(processes, upstreamUrl, dataDir, python);
  return { ...peers, litellm: { ...at(litellm.url, LITELLM_KEY), process: litellm } };
}

/** LiteLLM's proxy with one worker, its master key and no database, set up as its page on production recommends. */
async function startLiteLlm(processes, upstreamUrl, dataDir, python) {
  const config = path.join(dataDir, 'litellm.yaml');
  const models = ['mock-fixed', 'mock-paced'].map((model) => ({
    model_name: model,
    litellm_params: { model: `openai/${model}`, api_base: `${upstreamUrl}/v1`, api_key: 'bench' },
  }));
  // JSON is YAML.
  await writeFile(config, JSON.stringify({ model_list: models, litellm_settings: { telemetry: false } }));
  const command = [path.join(path.dirname(python), 'litellm'), '--config', config, '--num_workers', '1'];
  const port = String(await freePort());
  return await processes.startProgram('litellm', [python, ...command, '--host', '127.0.0.1', '--port', port], {
    url: `http://127.0.0.1:${port}`,
    healthPath: '/health/liveliness',
    env: {
      LITELLM_MASTER_KEY: LITELLM_KEY,
      LITELLM_MODE: 'PRODUCTION',
      LITELLM_LOG: 'ERROR',
      // It would fetch a list of prices.
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    },
  });
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
