import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';

const PAGE = 'https://app.example.com';
const contract = new Contract(
  (providers) => startLocalProcess(providers, { ...WITHOUT_EVENTS, SVC_CORS_ORIGINS: PAGE }),
  {},
);
beforeAll(() => contract.start());
afterAll(() => contract.stop());

const preflight = (path: string, origin: string) =>
  fetch(contract.service.baseUrl + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });

describe('a page in a browser', () => {
  test.each(['/chat/completions', '/messages', '/admin/keys'])('of an allowed origin may call %s', async (path) => {
    const { status, headers } = await preflight(path, PAGE);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(headers.get('access-control-allow-headers')).toBe('authorization,content-type');
  });

  test('reads responses, streams and errors with their headers', async () => {
    for (const body of [saying('Hi', 'echo'), { ...saying('Hi', 'echo'), stream: true }, { model: 'echo' }]) {
      const { headers } = await contract.chat(body, { headers: { origin: PAGE } });
      expect(headers.get('access-control-allow-origin')).toBe(PAGE);
      expect(headers.get('access-control-expose-headers')).toContain('x-svc-request-id');
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  test('of another origin reads nothing', async () => {
    const asked = await preflight('/chat/completions', 'https://evil.example');
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([405, null]);
    const { status, headers } = await contract.chat(saying('Hi', 'echo'), {
      headers: { origin: 'https://evil.example' },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });
});
