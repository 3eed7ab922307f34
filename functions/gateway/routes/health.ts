import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';

/** `GET /healthz`: the process answers; says nothing of the stores. */
export function healthRoute(version: string): Route {
  return {
    method: 'GET',
    path: '/healthz',
    handle: async () => jsonResponse(200, { status: 'ok', version }),
  };
}

/** `GET /readyz`: 200 when every store answers, 503 that names those that do not. */
export function readinessRoute(checks: Readonly<Record<string, () => Promise<unknown>>>): Route {
  return {
    method: 'GET',
    path: '/readyz',
    async handle() {
      const results = await Promise.all(
        Object.entries(checks).map(
          async ([store, check]) =>
            [
              store,
              await check().then(
                () => 'ok',
                () => 'unavailable',
              ),
            ] as const,
        ),
      );
      const ready = results.every(([, state]) => state === 'ok');
      return jsonResponse(ready ? 200 : 503, {
        status: ready ? 'ok' : 'unavailable',
        stores: Object.fromEntries(results),
      });
    },
  };
}
