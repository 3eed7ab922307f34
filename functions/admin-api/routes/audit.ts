import { readPageQuery } from '../../core/http/request-body.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AdminDeps, requireAdmin } from '../admin-deps.ts';
import type { AuditList } from '../contract.ts';

/** `GET /v1/admin/audit?limit&cursor`: actions of administrators, newest first. */
export function auditRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/audit',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { limit, cursor } = readPageQuery(routed.request.url);
      const page = await deps.audit.list(limit, cursor);
      const list: AuditList = {
        object: 'list',
        data: page.entries.map(({ record, hash }) => ({ ...record, object: 'audit.entry', hash })),
        nextCursor: page.nextCursor ?? null,
        head: page.head ?? null,
      };
      return jsonResponse(200, list);
    },
  };
}
