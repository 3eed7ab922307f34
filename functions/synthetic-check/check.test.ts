import { describe, expect, it, jest } from '@jest/globals';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import { type HttpClient, HttpFailure, type HttpRequest } from '../kernel/http/index.ts';
import { runCheck } from './check.ts';

const KEY = 'svc_sk_planted';
const svc = (action: string) => ({ request_id: 'req_1', action, threat_score: 0, coverage: {} });
const HARMLESS = { status: 200, body: JSON.stringify({ flagged: false, svc: svc('allow') }) };
const ERROR = { type: 'security_error', code: 'content_filter', message: 'blocked' };
const BLOCKED = { status: 400, body: JSON.stringify({ error: ERROR, svc: svc('block') }) };

type Response = { readonly status: number; readonly body: string } | Error | 'silence';

/** The deployment's responses to the harmless and the blocked text. */
async function check(harmless: Response, blocked: Response, key = async () => KEY) {
  const sent: HttpRequest[] = [];
  let now = 0;
  const http: HttpClient = {
    send: async (request) => {
      sent.push(request);
      const response = request.url.endsWith('/guard') ? harmless : blocked;
      now += 40;
      if (response instanceof Error) throw response;
      if (response === 'silence') {
        return new Promise((_, reject) => {
          request.signal?.addEventListener('abort', () => reject(new HttpFailure('aborted', true)));
        });
      }
      const body = (async function* () {
        yield Buffer.from(response.body);
      })();
      return { status: response.status, headers: {}, body };
    },
  };
  const clock = { now: () => now, monotonic: () => now };
  return { sent, result: await runCheck({ baseUrl: 'https://ai.example.com/v1', key, http, clock }) };
}

describe('the synthetic check', () => {
  it('succeeds if the harmless text passes and the test text is blocked, and names no model that exists', async () => {
    const { sent, result } = await check(HARMLESS, BLOCKED);
    expect(result).toEqual({ failures: [], durationMs: 40 });
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://ai.example.com/v1/guard',
      'POST https://ai.example.com/v1/chat/completions',
    ]);
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
    expect(String(sent[1]?.body)).toContain('SVC-TEST-BLOCK-7f3a');
    expect(String(sent[1]?.body)).toContain('openai/svc-synthetic-check');
  });

  it.each<[name: string, harmless: Response, blocked: Response, failures: string[]]>([
    ['a status', { ...HARMLESS, status: 502 }, BLOCKED, ['harmless: status 502']],
    ['a text that was not blocked', HARMLESS, HARMLESS, ['blocked: status 200']],
    [
      'another error code',
      HARMLESS,
      { status: 400, body: JSON.stringify({ error: { ...ERROR, code: 'invalid_value' }, svc: svc('block') }) },
      ['blocked: another response'],
    ],
    [
      'a response without svc',
      HARMLESS,
      { status: 400, body: JSON.stringify({ error: ERROR }) },
      ['blocked: another response'],
    ],
    [
      'a flagged harmless text',
      { status: 200, body: JSON.stringify({ flagged: true, svc: svc('flag') }) },
      BLOCKED,
      ['harmless: another response'],
    ],
    ['a page', { status: 200, body: '<html>planted</html>' }, BLOCKED, ['harmless: another response']],
    ['too long a response', { status: 200, body: 'x'.repeat(70_000) }, BLOCKED, ['harmless: another response']],
    ['no connection', new HttpFailure('connect', false), BLOCKED, ['harmless: connect']],
    ['an unexpected error', HARMLESS, new Error(`header ${KEY}`), ['blocked: unexpected error']],
  ])('reports %s, without key or response', async (_name, harmless, blocked, failures) => {
    const { result } = await check(harmless, blocked);
    expect(result.failures).toEqual(failures);
  });

  it('ends a request after ten seconds, and still sends the other', async () => {
    jest.useFakeTimers();
    const running = check('silence', BLOCKED);
    await jest.advanceTimersByTimeAsync(10_000);
    jest.useRealTimers();
    expect((await running).result.failures).toEqual(['harmless: no response within 10000 ms']);
  });

  it('reports a secret that cannot be read', async () => {
    const { sent, result } = await check(HARMLESS, BLOCKED, async () => {
      throw new StoreUnavailable('secrets: AccessDeniedException');
    });
    expect(sent).toEqual([]);
    expect(result.failures).toEqual(['harmless', 'blocked'].map((name) => `${name}: secrets: AccessDeniedException`));
  });
});
