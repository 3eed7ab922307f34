import { afterAll, beforeAll, expect } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { testOfLocalRun } from '../../stores/local-run.ts';
import { eventually } from '../../support/eventually.ts';
import { startLocalProcess } from '../local-process.ts';
import { PLANTED, type Service } from '../service.ts';

const queues = buildApp({ logger: false });
let service: Service;

beforeAll(async () => {
  const AWS_ENDPOINT_URL_SQS = await queues.listen({ port: 0, host: '127.0.0.1' });
  const providers = {
    OPENAI_API_KEY: PLANTED.openaiKey,
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    ANTHROPIC_API_KEY: PLANTED.anthropicKey,
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  };
  service = await startLocalProcess(providers, { AWS_ENDPOINT_URL_SQS });
});
afterAll(async () => {
  await service?.stop();
  await queues.close();
});

testOfLocalRun('one external store leaves the others embedded, and readiness reports them separately', async () => {
  const readiness = async () => {
    const answer = await fetch(new URL('/readyz', service.baseUrl));
    return { code: answer.status, ...((await answer.json()) as object) };
  };
  expect(await readiness()).toMatchObject({
    code: 200,
    status: 'ok',
    stores: { keys: 'ok', limits: 'ok', events: 'ok' },
  });
  await queues.close();
  // The result is cached for a second.
  expect(await eventually(readiness, ({ code }) => code !== 200)).toMatchObject({
    code: 503,
    status: 'unavailable',
    stores: { keys: 'ok', limits: 'ok', events: 'unavailable' },
  });
});
