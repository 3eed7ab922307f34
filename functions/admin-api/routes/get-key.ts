import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { toKeyView } from '../../core/model/api-key.ts';
import { type AdminDeps, keyNotFound, requireAdmin } from '../admin-service.ts';

/** `GET /v1/admin/keys/{id}` */
export function getKeyRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/keys/{id}',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const stored = await deps.keys.get(routed.params.id as string);
      if (!stored) throw keyNotFound();
      return jsonResponse(200, toKeyView(stored.key, deps.clock.now()));
    },
  };
}
