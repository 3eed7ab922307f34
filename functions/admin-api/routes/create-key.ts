import { toValidationError } from '../../core/base/first-fault.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { makeKey, storeKey } from '../../core/keys/make-key.ts';
import { toKeyView } from '../../core/model/api-key.ts';
import { checkPolicy } from '../../core/policy/check-policy.ts';
import { readAdminBody } from '../admin-body.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { type CreatedKey, createKeySchema } from '../contract.ts';

const bodySchema = createKeySchema.superRefine(({ policy }, context) => checkPolicy(policy, context, ['policy']));

/** `POST /v1/admin/keys`: 201 with the key and, this once, its secret. */
export function createKeyRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/keys',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const value = await readAdminBody(routed.request);
      const fields = bodySchema.safeParse(value);
      if (!fields.success) throw toValidationError(fields.error, value);
      const { key, secret } = await makeKey(fields.data, deps.hasher, deps.clock);
      await storeKey(key, caller, deps);
      const created: CreatedKey = { ...toKeyView(key, deps.clock.now()), key: secret };
      return jsonResponse(201, created);
    },
  };
}
