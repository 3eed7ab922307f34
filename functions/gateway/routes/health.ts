import type { Clock } from '../../core/base/clock.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';

/** `GET /healthz`: the process answers; says nothing of the stores. */
export function healthRoute(version: string): Route {
  return {
    method: 'GET',
    path: '/healthz',
    open: true,
    handle: async () => jsonResponse(200, { status: 'ok', version }),
  };
}

/** Anybody may ask whether the stores are in reach; the stores are asked at most once in this time. */
const FRESH_MS = 1_000;

/**
 * `GET /readyz`: 200 when every store answers, 503 that names those that do not, as seen within the last second. `checks`
 * reject where the store is out of reach.
 */
export function readinessRoute(checks: Readonly<Record<string, () => Promise<unknown>>>, clock: Clock): Route {
  let seen: { readonly at: number; readonly states: ReturnType<typeof statesOf> } | undefined;
  return {
    method: 'GET',
    path: '/readyz',
    async handle() {
      const now = clock.monotonic();
      if (seen === undefined || now - seen.at >= FRESH_MS) seen = { at: now, states: statesOf(checks) };
      const states = await seen.states;
      const ready = Object.values(states).every((state) => state === 'ok');
      return jsonResponse(ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', stores: states });
    },
  };
}

async function statesOf(checks: Readonly<Record<string, () => Promise<unknown>>>) {
  const states = Object.entries(checks).map(async ([store, check]) => {
    const state = await check().then(
      () => 'ok' as const,
      () => 'unavailable' as const,
    );
    return [store, state] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}
