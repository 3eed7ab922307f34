import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { createSecretSealer } from '../../functions/adapters/aws/secret-sealer.ts';
import { Sessions } from '../../functions/admin-api/sign-in.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';
import { type MockUpstream, startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { byDayOrNight } from '../support/night.ts';
import { changeEverything, Reader, readEverything, repeatRequests } from './read-back.ts';
import { readSamples } from './samples.ts';
import { type Tables, withLaterFields, writeTables } from './stored-items.ts';
import { type Call, callerOf, providersAt, SECRETS } from './traffic.ts';

const SAMPLES = readSamples();
const NEWEST = SAMPLES.at(-1)?.name;
/** Each takes some seconds: on every change the first release, the first with webhooks, and the newest. */
const CHOSEN = byDayOrNight(
  SAMPLES.filter((_, at, all) => at < 2 || at === all.length - 1),
  SAMPLES,
);
/** A canary's new version stores fields that the old one does not know. */
const LATER = SAMPLES.slice(-1).map((sample) => ({
  ...sample,
  name: `${sample.name} with fields of a later one`,
  tables: withLaterFields(sample.tables),
}));

describe.each([...CHOSEN, ...LATER])('the data that the release $name stored', ({ name, adminKey, stored, tables }) => {
  const span = spanOf(tables);
  let stores: EmbeddedStores;
  let upstream: MockUpstream;
  let service: Service;
  let call: Call;
  let reader: Reader;

  beforeAll(async () => {
    stores = await startEmbeddedStores();
    await writeTables(createDynamoClient(embeddedAccess(stores.dynamodbUrl)), tables);
    upstream = await startMockUpstream();
    const at = { AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodbUrl, AWS_ENDPOINT_URL_SQS: stores.sqsUrl };
    service = await startLocalProcess(providersAt(upstream), { ...SECRETS, ...at, SVC_ADMIN_KEY: adminKey });
    call = callerOf({ baseUrl: service.baseUrl, adminKey });
    reader = await Reader.start(call, service.baseUrl);
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await upstream?.close();
    await stores?.stop();
  });

  test('is read and listed by the schemas of the API', async () => {
    await readEverything(reader, span);
    expect(reader.faults).toEqual([]);
    expect(reader.read.get('GET /analytics/requests/{id}')).toBe(tables.records?.filter((one) => one.record).length);
  }, 60_000);

  test('lets its keys go on: new requests, ids of providers and, from the newest, responses of the last day', async () => {
    const { replay, responseId, itemId, chat } = await repeatRequests(call, stored);
    expect([chat.status, chat.text]).toEqual([200, chat.text]);
    // The releases of 2026-11-21 and 22 bound ids to keys by the item's name, without a field; such ids are no longer found.
    const isFound = tables.sessions?.some(({ keyId }) => keyId !== undefined);
    if (responseId !== undefined)
      expect([responseId.status, responseId.text]).toEqual([isFound ? 200 : 404, responseId.text]);
    if (name !== NEWEST) return;
    expect(replay).toEqual([200, 'true', stored.repeated.text]);
    expect([itemId?.status, itemId?.text]).toEqual([200, itemId?.text]);
  }, 60_000);

  test('has dashboard sessions that stay valid', async () => {
    if (stored.cookie === undefined) return;
    const times = tables.records?.map(({ sk }) => sk?.S?.split('#')[0] ?? '').filter((time) => time.startsWith('20'));
    const signedIn = Date.parse(times?.sort().at(-1) ?? '');
    const sealer = createSecretSealer(async () => SECRETS.SVC_SEALING_KEY, 'svc dashboard session');
    const sessions = new Sessions(sealer, { now: () => signedIn, monotonic: () => 0 }, false);
    const session = await sessions.read(new Headers({ cookie: stored.cookie }));
    expect(session?.holder).toMatchObject({ type: 'key' });
  });

  test('is changed', async () => {
    await changeEverything(reader, span);
    expect(reader.faults).toEqual([]);
  }, 60_000);
});

/** The days of the records. */
function spanOf({ records = [] }: Tables): { from: string; to: string } {
  const days = records.map(({ sk }) => sk?.S?.slice(0, 10) ?? '').filter((day) => day.startsWith('20'));
  const [from = ''] = days.sort();
  return { from, to: new Date(Date.parse(days.at(-1) ?? '') + 86_400_000).toISOString().slice(0, 10) };
}
