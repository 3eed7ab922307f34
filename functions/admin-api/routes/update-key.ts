import { readJsonBody } from '../../core/http/request-body.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type ApiKey, toKeyView } from '../../core/model/api-key.ts';
import { toValidationError } from '../../core/protocols/first-fault.ts';
import { type AdminDeps, keyNotFound, publishKeyEvent, requireAdmin } from '../admin-service.ts';
import { updateKeySchema } from '../contract.ts';

/** `PATCH /v1/admin/keys/{id}`: what is absent stays; 404 for a revoked key. */
export function updateKeyRoute(deps: AdminDeps): Route {
  return {
    method: 'PATCH',
    path: '/v1/admin/keys/{id}',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { value } = await readJsonBody(routed.request);
      const changes = updateKeySchema.safeParse(value);
      if (!changes.success) throw toValidationError(changes.error, value);
      // An absent field parses to no property at all, so that it stays as it is.
      const key = await deps.keys.update(routed.params.id as string, changes.data as Partial<ApiKey>);
      if (!key) throw keyNotFound();
      await publishKeyEvent('key.updated', key, deps);
      return jsonResponse(200, toKeyView(key, deps.clock.now()));
    },
  };
}
