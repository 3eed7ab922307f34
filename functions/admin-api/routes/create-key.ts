import { makeKey, storeKey } from '../../core/access/make-key.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { toKeyView } from '../../core/model/api-key.ts';
import { toValidationError } from '../../core/protocols/first-fault.ts';
import { readAdminBody } from '../admin-body.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { type CreatedKey, createKeySchema } from '../contract.ts';

/** `POST /v1/admin/keys`: 201 with the key and, this once, its secret. */
export function createKeyRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/keys',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const value = await readAdminBody(routed.request);
      const fields = createKeySchema.safeParse(value);
      if (!fields.success) throw toValidationError(fields.error, value);
      const { key, secret } = await makeKey(fields.data, deps.hasher, deps.clock);
      await storeKey(key, caller, deps);
      const created: CreatedKey = { ...toKeyView(key, deps.clock.now()), key: secret };
      return jsonResponse(201, created);
    },
  };
}
