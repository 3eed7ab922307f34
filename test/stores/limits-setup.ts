import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import { type Limits, type Reservation, SharedAdmission, type Verdict } from '../../functions/control/limits/index.ts';
import type { Bucket } from '../../functions/control/limits/limits.ts';
import type { HttpClient } from '../../functions/kernel/http/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import type { Engine } from './engines.ts';
import type { FakeClock } from './fake-clock.ts';

process.env.AWS_REGION = 'eu-central-1';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';

/** What clients call over. */
export const network = new UndiciHttpClient();

/** Fails the test: a settlement that the store rejects is never written. */
export const onUnsettled = (_: string, error: unknown) => {
  throw error;
};

let counter = 0;
export const freshName = () => {
  counter += 1;
  return `key_${process.pid}x${counter}`;
};
export const onlyRequests = (requests: Bucket): Limits => ({
  requests,
  tokens: undefined,
  budget: undefined,
  maxConcurrent: undefined,
});
/** A request limit that is never reached: other limits are tested. */
export const ROOMY = { requests: 1_000_000, period: 'second' } as const;
export const SLOW = { requests: 1, period: 'month' } as const;
export const admitted = (verdicts: readonly Verdict[]) => verdicts.filter((verdict) => verdict.admitted);
export const reservationOf = (verdict: Verdict | undefined) =>
  (verdict?.admitted ? verdict.reservation : undefined) as Reservation;

/** Starts an engine for the tests of a file. @returns the limits of functions over it */
export function startLimits(engine: Engine) {
  let stop = async () => {};
  let client: DynamoClient;
  let clientOver: (http: HttpClient) => DynamoClient;
  beforeAll(async () => {
    const started = await engine.start();
    stop = started.stop;
    process.env.AWS_ENDPOINT_URL_DYNAMODB = started.url;
    // For the processes that are started.
    clientOver = (http) => createDynamoClient({ ...embeddedAccess(started.url), http });
    client = clientOver(network);
  });
  afterAll(async () => {
    await stop();
  });
  const store = (clock: FakeClock, through = client) =>
    new DynamoLimitStore({ client: through, settling: through }, 'limits', clock);
  /** As many functions as clocks, each with its own memory. */
  const functionsAt = (clocks: readonly FakeClock[]) =>
    clocks.map((clock) => new SharedAdmission(store(clock), clock, { onUnsettled }));
  const functionAt = (clock: FakeClock) => functionsAt([clock])[0] as SharedAdmission;
  const itemOf = async (keyId: string) =>
    (await client.send(new GetCommand({ TableName: 'limits', Key: { pk: keyId }, ConsistentRead: true }))).Item;
  return { store, functionsAt, functionAt, itemOf, clientOver: (http: HttpClient) => clientOver(http) };
}
