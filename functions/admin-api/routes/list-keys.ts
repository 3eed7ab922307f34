import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { findKeys } from '../../core/keys/find-keys.ts';
import { toKeyView } from '../../core/model/api-key.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { keysQuerySchema, readQuery } from '../analytics/query.ts';
import type { KeyList } from '../contract.ts';

/** `GET /v1/admin/keys?limit&cursor&search&environment&state`: newest first, revoked ones too. */
export function listKeysRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/keys',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { limit, cursor, ...filter } = readQuery(routed.request.url, keysQuerySchema);
      const page = await findKeys(filter, limit, cursor, deps.keys, deps.clock.now());
      const list: KeyList = {
        object: 'list',
        data: page.keys.map(({ key }) => toKeyView(key, deps.clock.now())),
        nextCursor: page.nextCursor ?? null,
      };
      return jsonResponse(200, list);
    },
  };
}
