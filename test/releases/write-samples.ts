/**
 * Writes what a release stores to test/releases/samples: npm run generate samples -- COMMIT. Samples of earlier releases are never written
 * again: they are what the tables of a deployment may hold.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import { Issuer } from '../support/issuer.ts';
import { startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { startQueues } from './queues.ts';
import { buildRelease } from './release.ts';
import { SAMPLES_FOLDER } from './samples.ts';
import { readTables, toJson } from './stored-items.ts';
import { type Call, callerOf, providersAt, SECRETS, signInAt, storeEverything, storeUnrelayed } from './traffic.ts';

const [commit = ''] = process.argv.slice(2);
if (!/^[0-9a-f]{7,40}$/.test(commit)) throw new Error('usage: npm run generate samples -- COMMIT');

const release = buildRelease(commit);
const stores = await startEmbeddedStores();
const queues = await startQueues();
const issuer = new Issuer(Date.now);
await issuer.start();
const upstream = await startMockUpstream();
// The first releases read their secrets only from the data folder.
const dataDir = mkdtempSync(path.join(tmpdir(), 'svc-samples-'));
writeFileSync(path.join(dataDir, 'pepper'), SECRETS.SVC_PEPPER);
writeFileSync(path.join(dataDir, 'sealing-key'), SECRETS.SVC_SEALING_KEY);
const at = { AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodbUrl, AWS_ENDPOINT_URL_SQS: queues.url };
const settings = { SVC_DATA_DIR: dataDir, ...at, ...signInAt(issuer) };
const service = await startLocalProcess(providersAt(upstream), settings, release.entry);
try {
  const call = callerOf(service);
  const printing: Call = async (...args) => {
    const reply = await call(...args);
    if (reply.status >= 400) console.error(reply.status, args[0], args[1], reply.text.slice(0, 200));
    return reply;
  };
  const stored = await storeEverything(printing, service.adminKey, issuer);
  await queues.close();
  await storeUnrelayed(printing, stored);
  const tables = await readTables(createDynamoClient(embeddedAccess(stores.dynamodbUrl)));
  const { stdout: name } = spawnSync('git', ['show', '-s', '--format=%cs-%h', commit], { encoding: 'utf8' });
  const sample = [
    `"adminKey": ${JSON.stringify(service.adminKey)}`,
    `"stored": ${JSON.stringify(stored)}`,
    `"messages": ${JSON.stringify(queues.messages, null, 1)}`,
    `"tables": ${toJson(tables)}`,
  ];
  writeFileSync(path.join(SAMPLES_FOLDER, `${name.trim()}.generated.json`), `{\n${sample.join(',\n')}\n}\n`);
  for (const [name, items = []] of Object.entries(tables)) console.log(name, items.length);
} finally {
  await service.stop();
  await upstream.close();
  issuer.stop();
  await stores.stop();
  release.remove();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();
