import { toValidationError } from '../../core/base/first-fault.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { currentHash } from '../../core/keys/make-key.ts';
import { type ApiKey, acceptedSecrets, type RetiredSecret, toKeyView } from '../../core/model/api-key.ts';
import { readOptionalAdminBody } from '../admin-body.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { changeKey } from '../change-key.ts';
import { type CreatedKey, rotateKeySchema } from '../contract.ts';

/** The secret itself and so many before it: with more in their grace the oldest ends early. */
const MAX_RETIRED = 5;

/** `POST /v1/admin/keys/{id}/rotate`: 200 with the key and, this once, its new secret. The old one stays for the grace. */
export function rotateKeyRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/keys/{id}/rotate',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const value = await readOptionalAdminBody(routed.request);
      const fields = rotateKeySchema.safeParse(value);
      if (!fields.success) throw toValidationError(fields.error, value);
      let secret = '';
      const rotate = async (key: ApiKey): Promise<ApiKey> => {
        secret = await deps.hasher.mint();
        const secretHash = await currentHash(secret, deps.hasher);
        const retiredSecrets = retired(key, fields.data.graceSeconds, deps.clock.now());
        return { ...key, secretHash, last4: secret.slice(-4), retiredSecrets };
      };
      const key = await changeKey(routed.params.id as string, 'key.rotated', rotate, caller, deps);
      const created: CreatedKey = { ...toKeyView(key, deps.clock.now()), key: secret };
      return jsonResponse(200, created);
    },
  };
}

/** The secrets before the new one, none of them valid for longer than the grace. */
function retired(key: ApiKey, graceSeconds: number, nowMs: number): RetiredSecret[] {
  const validUntil = new Date(nowMs + graceSeconds * 1000).toISOString();
  const all = [...acceptedSecrets(key, nowMs), { hash: key.secretHash, last4: key.last4, validUntil }];
  return all
    .map((secret) => (secret.validUntil < validUntil ? secret : { ...secret, validUntil }))
    .filter((secret) => nowMs < Date.parse(secret.validUntil))
    .slice(-MAX_RETIRED);
}
