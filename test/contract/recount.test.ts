import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recount } from '../support/recount.ts';
import { startLocalProcess } from './local-process.ts';
import { PLANTED, type Service } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startLocalProcess({
    OPENAI_API_KEY: PLANTED.openaiKey,
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    ANTHROPIC_API_KEY: PLANTED.anthropicKey,
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  });
}, 120_000);
afterAll(() => service?.stop());

// bench/analytics.ts does the same with 10,000.
test('analytics equal a recount of the raw records after 600 requests of every kind, many at once', async () => {
  const { baseUrl, adminKey } = service;
  const { records, compared, differences } = await recount({ baseUrl, adminKey, requests: 600, atOnce: 24 });
  expect(differences).toEqual([]);
  expect(records).toBe(600);
  expect(compared).toBeGreaterThan(150);
}, 120_000);
