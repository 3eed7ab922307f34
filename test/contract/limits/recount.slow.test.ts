import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recount } from '../../support/recount.ts';
import { startLocalProcess } from '../local-process.ts';
import { PLANTED, type Service } from '../service.ts';

let service: Service;
beforeAll(async () => {
  service = await startLocalProcess({
    OPENAI_API_KEY: PLANTED.openaiKey,
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    ANTHROPIC_API_KEY: PLANTED.anthropicKey,
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  });
});
afterAll(() => service?.stop());

/** 10,000 take some minutes: `SVC_TEST_REQUESTS=10000`, and `npm run bench stores -- --only recount`. */
const REQUESTS = Number(process.env.SVC_TEST_REQUESTS ?? 600);

test(`analytics equal a recount of the raw records after ${REQUESTS} requests of every kind, many at once`, async () => {
  const { baseUrl, adminKey } = service;
  const { records, kinds, compared, differences } = await recount({
    baseUrl,
    adminKey,
    requests: REQUESTS,
    atOnce: 24,
  });
  expect(differences).toEqual([]);
  expect(records).toBe(REQUESTS);
  for (const kind of ['completed', 'completed, streamed', 'blocked (content_filter)', 'failed (rate_limit_exceeded)']) {
    expect(kinds).toContain(kind);
  }
  expect(kinds).toContain('failed (provider_error)');
  expect(compared).toBeGreaterThan(200);
}, 900_000);
