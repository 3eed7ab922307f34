import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { toKeyView } from '../../core/model/api-key.ts';
import { type AdminDeps, keyNotFound, publishKeyEvent, requireAdmin } from '../admin-service.ts';

/** `DELETE /v1/admin/keys/{id}`: revokes for good; the key stays listed. Answers the same when repeated. */
export function revokeKeyRoute(deps: AdminDeps): Route {
  return {
    method: 'DELETE',
    path: '/v1/admin/keys/{id}',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const id = routed.params.id as string;
      const revoked = await deps.keys.update(id, { state: 'revoked' });
      if (revoked) await publishKeyEvent('key.revoked', revoked, deps);
      const key = revoked ?? (await deps.keys.get(id));
      if (!key) throw keyNotFound();
      return jsonResponse(200, toKeyView(key, deps.clock.now()));
    },
  };
}
