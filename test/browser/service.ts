import type { CreateKey, KeyView } from '../../functions/contract/index.ts';
import { startLocalProcess } from '../contract/local-process.ts';

export const BLOCKED = 'SVC-TEST-BLOCK-7f3a';
export const FLAGGED = 'SVC-TEST-FLAG-7f3a';
const ROOMY = { requests: 1_000_000, period: 'hour' } as const;

type Headers = Readonly<Record<string, string>>;
export type NewKey = KeyView & { readonly key: string };

/** The running local service, and calls of it as an application and its administrators make them. */
export interface Dashboard {
  /** Ends in `/`. */
  readonly url: string;
  readonly adminKey: string;
  /** Calls the API; GET without a body. Throws on an error status. */
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the path
  api(path: string, body?: object, method?: string): Promise<any>;
  createKey(fields?: Partial<CreateKey>): Promise<NewKey>;
  /** A chat with the model `echo`, whatever its status. */
  chat(key: string, content: string, headers?: Headers, more?: object): Promise<Response>;
  stop(): Promise<void>;
}

/** `settings` are additional environment variables. */
export async function startDashboard(settings: Readonly<Record<string, string>> = {}): Promise<Dashboard> {
  const nobody = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
  const service = await startLocalProcess(nobody, settings);
  const { baseUrl, adminKey } = service;
  const send = (path: string, key: string, body?: object, method = body ? 'POST' : 'GET', headers: Headers = {}) =>
    fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const api: Dashboard['api'] = async (path, body, method) => {
    const answer = await send(path, adminKey, body, method);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    url: new URL('/', baseUrl).href,
    adminKey,
    api,
    createKey: (fields = {}) => api('/admin/keys', { name: 'Shop', rateLimit: ROOMY, ...fields }),
    chat: async (key, content, headers = {}, more = {}) => {
      const body = { model: 'echo', messages: [{ role: 'user', content }], ...more };
      const answer = await send('/chat/completions', key, body, 'POST', headers);
      await answer.text();
      return answer;
    },
    stop: () => service.stop(),
  };
}
