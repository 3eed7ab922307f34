import { readJsonBody } from '../../core/http/request-body.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';

/** No key's limit counts what is tried here: a call's length bounds what it costs. */
const MAX_BODY_BYTES = 256 * 1024;

/** `POST /v1/admin/playground/guard`: what the guard would answer, without a key to try it with. Leaves no record. */
export function playgroundGuardRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/playground/guard',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const document = await readJsonBody(routed.request, MAX_BODY_BYTES);
      const [{ settings }, { inspector }, { tryGuard }] = await Promise.all([
        deps.policies.current(),
        deps.engine(),
        import('../../core/replay/try-guard.ts'),
      ]);
      const { requestId } = routed;
      return jsonResponse(200, tryGuard(document, settings, inspector, { requestId, clock: deps.clock }));
    },
  };
}
