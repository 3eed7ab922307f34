import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type ApiKey, toKeyView } from '../../core/model/api-key.ts';
import { type AdminDeps, keyNotFound, requireAdmin } from '../admin-service.ts';
import { changeKey } from '../change-key.ts';

/** `DELETE /v1/admin/keys/{id}`: revokes for good; the key stays listed. Answers the same when repeated. */
export function revokeKeyRoute(deps: AdminDeps): Route {
  return {
    method: 'DELETE',
    path: '/v1/admin/keys/{id}',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const id = routed.params.id as string;
      const stored = await deps.keys.get(id);
      if (stored === undefined) throw keyNotFound();
      if (stored.key.state === 'revoked') return jsonResponse(200, toKeyView(stored.key, deps.clock.now()));
      const revoke = (key: ApiKey): ApiKey => ({ ...key, state: 'revoked', retiredSecrets: [] });
      const key = await changeKey(id, 'key.revoked', revoke, caller, deps);
      return jsonResponse(200, toKeyView(key, deps.clock.now()));
    },
  };
}
