import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { createSecretSealer } from '../../functions/adapters/aws/secret-sealer.ts';
import { Sessions, singleSignOn } from '../../functions/admin-api/sign-in.ts';
import { assertCountable } from '../../functions/control/analytics/index.ts';
import { exportFindings, type OcsfFinding } from '../../functions/control/findings/index.ts';
import { deliveredEventSchema, eventBody } from '../../functions/control/webhooks/delivered-event.ts';
import { FINDINGS_EVENTS } from '../../functions/kernel/model/index.ts';
import { toBatch } from '../../functions/usage-counter/compose.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';
import { startAdminApp } from '../support/admin-app.ts';
import { CLIENT, Issuer } from '../support/issuer.ts';
import { type MockUpstream, startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { byDayOrNight } from '../support/night.ts';
import { changeEverything, Reader, readEverything, repeatRequests } from './read-back.ts';
import { readSamples } from './samples.ts';
import { type Tables, withLaterFields, writeTables } from './stored-items.ts';
import { type Call, callerOf, providersAt, SECRETS, type SigningIn } from './traffic.ts';

const SAMPLES = readSamples();
const NEWEST = SAMPLES.at(-1)?.name;
const UNLIMITED = { maxFindings: 1_000, maxBytes: 1e9, maxFindingBytes: 1e9 };
/** Each takes some seconds: on every change the first release and the newest. */
const CHOSEN = byDayOrNight(
  SAMPLES.filter((_, at, all) => at === 0 || at === all.length - 1),
  SAMPLES,
);
/** A canary's new version stores fields that the old one does not know. */
const LATER = SAMPLES.slice(-1).map((sample) => ({
  ...sample,
  name: `${sample.name} with fields of a later one`,
  tables: withLaterFields(sample.tables),
}));

describe.each([...CHOSEN, ...LATER])(
  'the data that the release $name stored',
  ({ name, adminKey, stored, tables, messages = [] }) => {
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
    });
    afterAll(async () => {
      await service?.stop();
      await upstream?.close();
      await stores?.stop();
    });

    test('is read and listed by the schemas of the API', async () => {
      await readEverything(reader, span);
      expect(reader.faults).toEqual([]);
      expect(reader.read.get('GET /analytics/requests/{id}')).toBe(tables.records?.filter((one) => one.record).length);
    });

    test('lets its keys go on: new requests, ids of providers and, from the newest, responses of the last day', async () => {
      const { replay, long, responseId, itemId, chat } = await repeatRequests(call, stored);
      expect([chat.status, chat.text]).toEqual([200, chat.text]);
      // The releases of 2026-11-21 and 22 bound ids to keys by the item's name, without a field; such ids are no longer found.
      const isFound = tables.sessions?.some(({ keyId }) => keyId !== undefined);
      if (responseId !== undefined)
        expect([responseId.status, responseId.text]).toEqual([isFound ? 200 : 404, responseId.text]);
      if (name !== NEWEST) return;
      expect([replay, long]).toEqual([
        [200, 'true', stored.repeated.text],
        [200, 'true', true],
      ]);
      expect([itemId?.status, itemId?.text]).toEqual([200, itemId?.text]);
    });

    test('has dashboard sessions that stay valid', async () => {
      const signedIn = newestIn(tables);
      const sealer = createSecretSealer(async () => SECRETS.SVC_SEALING_KEY, 'svc dashboard session');
      const sessions = new Sessions(sealer, { now: () => signedIn, monotonic: () => 0 }, false);
      const holderIn = async (cookie: string) => (await sessions.read(new Headers({ cookie })))?.holder;
      if (stored.cookie !== undefined) expect(await holderIn(stored.cookie)).toMatchObject({ type: 'key' });
      if (stored.personCookie === undefined) return;
      const person = { subject: 'sue-1', email: 'sue@example.com', permissions: ['admin'] };
      expect(await holderIn(stored.personCookie)).toEqual({ type: 'person', ...person });
    });

    test('left messages in queues that are processed', async () => {
      const left = messages.map((body, at) => ({ id: String(at), body }));
      const events = left.filter(({ body }) => !body.startsWith('{"wake":'));
      for (const { body } of events) {
        const event = deliveredEventSchema.parse(JSON.parse(body));
        expect(JSON.parse(eventBody(event))).toEqual(JSON.parse(body));
      }
      const found: OcsfFinding[] = [];
      const target = {
        ...UNLIMITED,
        send: async (sent: readonly OcsfFinding[]) => {
          found.push(...sent);
          return [];
        },
      };
      const findings = events.filter(({ body }) => FINDINGS_EVENTS.includes(JSON.parse(body).type));
      expect(await exportFindings(findings, { target, clock: { now: () => 0, monotonic: () => 0 } })).toEqual(
        new Map(),
      );
      if (messages.length > 0) expect(found.length).toBeGreaterThanOrEqual(findings.length);
    });

    test('is counted from the stream of its records', () => {
      const images = (tables.records ?? []).filter(({ record }) => record !== undefined);
      const Records = images.map((NewImage, at) => ({
        eventName: 'INSERT' as const,
        dynamodb: { SequenceNumber: String(at), NewImage: NewImage as Record<string, { readonly S?: string }> },
      }));
      const skipped: unknown[] = [];
      const days = { aggregateDays: 400, sessionDays: 30 };
      const batch = toBatch(
        { Records, shardId: 'shard' },
        (record) => assertCountable(record, days),
        (_, error) => skipped.push(error),
      );
      expect([skipped, batch.deliveries.length]).toEqual([[], images.length]);
    });

    test('is changed', async () => {
      await changeEverything(reader, span);
      expect(reader.faults).toEqual([]);
    });
  },
);

const NEWEST_SIGN_IN = SAMPLES.findLast(({ stored }) => stored.signingIn !== undefined);

test('a sign-in that began at an earlier release ends at this one', async () => {
  const { stored, tables } = NEWEST_SIGN_IN as (typeof SAMPLES)[number];
  const { cookie, address } = stored.signingIn as SigningIn;
  const issuer = new Issuer(() => newestIn(tables));
  await issuer.start();
  const app = await startAdminApp((deps) => {
    const sealingKey = async () => SECRETS.SVC_SEALING_KEY;
    const settings = {
      oidcIssuer: issuer.url,
      oidcClientId: CLIENT.id,
      oidcLabel: 'Example Inc.',
      oidcAdminGroups: ['security'],
      oidcAnalyticsGroups: [],
      oidcRoles: {},
      oidcGroupsClaim: 'cognito:groups',
      dashboardUrl: new URL(new URL(address).searchParams.get('redirect_uri') ?? '').origin,
    };
    const provider = singleSignOn(settings, async () => CLIENT.secret, sealingKey, false, deps.clock);
    return { ...deps, singleSignOn: provider };
  });
  try {
    app.clock.time = newestIn(tables);
    const path = `/v1/admin/session/oidc/callback?${issuer.authorize(address)}`;
    const response = await app.raw('GET', path, { cookie });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect(response.headers.getSetCookie()).toEqual(expect.arrayContaining([expect.stringMatching(/svc_session=\w/)]));
  } finally {
    await app.stop();
    issuer.stop();
  }
});

/** The time of the newest record. */
function newestIn({ records = [] }: Tables): number {
  const times = records.map(({ sk }) => sk?.S?.split('#')[0] ?? '').filter((time) => time.startsWith('20'));
  return Date.parse(times.sort().at(-1) ?? '');
}

/** The days of the records. */
function spanOf({ records = [] }: Tables): { from: string; to: string } {
  const days = records.map(({ sk }) => sk?.S?.slice(0, 10) ?? '').filter((day) => day.startsWith('20'));
  const [from = ''] = days.sort();
  return { from, to: new Date(Date.parse(days.at(-1) ?? '') + 86_400_000).toISOString().slice(0, 10) };
}
