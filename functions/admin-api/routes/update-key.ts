import { toValidationError } from '../../core/base/first-fault.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type ApiKey, toKeyView } from '../../core/model/api-key.ts';
import { checkPolicy } from '../../core/policy/check-policy.ts';
import { readAdminBody } from '../admin-body.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { changeKey } from '../change-key.ts';
import { updateKeySchema } from '../contract.ts';

const bodySchema = updateKeySchema.superRefine(({ policy }, context) => checkPolicy(policy, context, ['policy']));

/** `PATCH /v1/admin/keys/{id}`: what is absent stays; 404 for a revoked key. */
export function updateKeyRoute(deps: AdminDeps): Route {
  return {
    method: 'PATCH',
    path: '/v1/admin/keys/{id}',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const value = await readAdminBody(routed.request);
      const changes = bodySchema.safeParse(value);
      if (!changes.success) throw toValidationError(changes.error, value);
      // An absent field parses to no property at all, so that it stays as it is.
      const change = (key: ApiKey): ApiKey => ({ ...key, ...(changes.data as Partial<ApiKey>) });
      const key = await changeKey(routed.params.id as string, 'key.updated', change, caller, deps);
      return jsonResponse(200, toKeyView(key, deps.clock.now()));
    },
  };
}
