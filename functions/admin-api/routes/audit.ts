import type { auditOperations } from '../../contract/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';

/** Actions of administrators, newest first. */
export const AUDIT_HANDLERS: Handlers<typeof auditOperations, AdminDeps> = {
  async listAudit({ query: { limit, cursor } }, deps) {
    const page = await deps.audit.list(limit, cursor);
    return {
      object: 'list',
      data: page.entries.map(({ record, hash }) => ({ ...record, object: 'audit.entry', hash })),
      nextCursor: page.nextCursor ?? null,
      head: page.head ?? null,
    };
  },
};
