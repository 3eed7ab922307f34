/** One service that translates, and its provider, for the tests of a file that imports this. */
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { type CallOptions, Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { parsed } from '../reply.ts';
import type { ProviderSettings } from '../service.ts';

/** Anthropic first, then a server of OpenAI's protocol that has only chat completions: `mock` is the mock upstream. */
const ROUTES = [
  {
    models: 'mixed',
    targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }],
    fallbacks: [{ provider: 'steady', model: 'm' }],
  },
];
const settings = ({ OPENAI_BASE_URL }: ProviderSettings) => ({
  SVC_ROUTES: JSON.stringify(ROUTES),
  SVC_PROVIDERS: 'steady',
  STEADY_BASE_URL: OPENAI_BASE_URL,
});
export const contract = new Contract((providers) => {
  const { SVC_ROUTES, ...more } = settings(providers);
  return startLocalProcess({ ...providers, ...more } as ProviderSettings, { SVC_ROUTES, ...WITHOUT_EVENTS });
}, {});
let key: string;
beforeAll(async () => {
  await contract.start();
  key = await contract.newKey({ permissions: ['chat_completions', 'completions'] });
});
afterAll(() => contract.stop());
beforeEach(() => contract.upstream.reset());

export const CLAUDE = 'claude-sonnet-4-5';
export const GPT = 'gpt-4o-mini';
export const STRICT = { headers: { 'x-svc-translation': 'strict' } };
export const STREAM = { stream: true };
/** Three attempts at one target. */
export const failFirstTarget = () => {
  for (let attempt = 0; attempt < 3; attempt += 1)
    contract.upstream.next({ status: 503, headers: { 'retry-after': '0' } });
};

export interface Answer {
  readonly status: number;
  readonly count: string | null;
  readonly route: string | null;
  readonly text: string;
  /** Of a whole response, or of the event of a stream that has `svc`. */
  readonly warnings: readonly { readonly code: string; readonly field: string; readonly message: string }[] | undefined;
  /** The error's `param`. */
  readonly param: string | undefined;
}

export async function ask(path: string, body: object, options: CallOptions = {}): Promise<Answer> {
  const base = path.startsWith('/v1beta') ? contract.service.baseUrl.replace(/\/v1$/, '') : contract.service.baseUrl;
  const { status, headers, text } = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...options.headers },
    body: JSON.stringify(body),
  }).then(async (response) => ({ status: response.status, headers: response.headers, text: await response.text() }));
  const data = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [parsed(line.slice(6))] : []));
  // biome-ignore lint/suspicious/noExplicitAny: four APIs' responses
  const all = (data.length > 0 ? data : [parsed(text)]) as any[];
  const [svc, ...more] = all.flatMap((one) => [one?.svc, one?.response?.svc].filter((found) => found !== undefined));
  expect(more).toEqual([]);
  const { error } = all[0] ?? {};
  return {
    status,
    count: headers.get('x-svc-warnings'),
    route: headers.get('x-svc-route'),
    text,
    warnings: svc?.warnings,
    param: error?.param ?? error?.details?.[0]?.metadata?.param,
  };
}
