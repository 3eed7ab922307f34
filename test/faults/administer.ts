import type { ReadAnalytics } from '../support/compare-analytics.ts';
import type { SoakKey } from './ledger.ts';

export interface Admin {
  /** Retries until it succeeds, as an administrator would. */
  post<T>(path: string, body: object): Promise<T>;
  readonly read: ReadAnalytics;
}

export type WantedKey = Omit<SoakKey, 'id' | 'secret'>;

const TRIES = 60;
const PAUSE_MS = 500;

export function adminOf(key: string, serving: () => readonly { readonly baseUrl: string }[]): Admin {
  const call = async <T>(path: string, body?: object): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const [where] = serving();
      const answer =
        where === undefined
          ? undefined
          : await fetch(`${where.baseUrl}${path}`, {
              method: body === undefined ? 'GET' : 'POST',
              headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
              ...(body !== undefined && { body: JSON.stringify(body) }),
            }).catch(() => undefined);
      if (answer?.ok) return (await answer.json()) as T;
      const isLater = answer === undefined || answer.status === 503;
      if (!isLater || tries === TRIES) throw new Error(`${path}: ${answer?.status} ${await answer?.text()}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  return { post: (path, body) => call(`/admin${path}`, body), read: (path) => call(path) };
}

/** Makes a key with the limits that are wanted. */
export async function makeKey(wanted: WantedKey, admin: Admin): Promise<SoakKey> {
  const { purpose, requests, tokens, nanoUsd, maxConcurrent = null } = wanted;
  const { id, key } = await admin.post<{ id: string; key: string }>('/keys', {
    name: `soak, ${purpose}`,
    rateLimit: { requests, period: 'month' },
    ...(tokens !== undefined && { tokenLimit: { tokens, period: 'month' } }),
    ...(nanoUsd !== undefined && { budget: { usd: nanoUsd / 1e9, period: 'month' } }),
    maxConcurrent,
  });
  return { ...wanted, id, secret: key };
}
