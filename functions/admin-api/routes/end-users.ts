import { audit } from '../../core/audit/audit-change.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { checkName } from '../../core/pipeline/request-context.ts';
import { type AdminDeps, requireAdmin } from '../admin-deps.ts';
import type { EndUserDeletion } from '../contract.ts';

/** `DELETE /v1/admin/end-users/{id}`: deletes all data of an end user. The response has the same form if there is none. */
export function deleteEndUserRoute(deps: AdminDeps): Route {
  return {
    method: 'DELETE',
    path: '/v1/admin/end-users/{id}',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const endUserId = checkName('The id of an end user', routed.params.id as string, 'id');
      // The audit record is kept for years: it must not name the end user whose data is deleted.
      const target = { type: 'end_user', id: await deps.hasher.pseudonym(endUserId) } as const;
      await audit(caller, { action: 'end_user.deleted', target, before: null, after: null }, deps);
      const counts = await Promise.all(deps.endUserStores.map((store) => store.deleteEndUser(endUserId)));
      const deletion: EndUserDeletion = { object: 'end_user.deletion', deleted: Object.assign({}, ...counts) };
      return jsonResponse(200, deletion);
    },
  };
}
