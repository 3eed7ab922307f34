import type { auditOperations } from '../../contract/index.ts';
import { findEntries } from '../../control/audit/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';

/** Actions of administrators, newest first. */
export const AUDIT_HANDLERS: Handlers<typeof auditOperations, AdminDeps> = {
  async listAudit({ query: { limit, cursor, ...filter } }, deps) {
    const page = await findEntries(filter, limit, cursor, deps.audit);
    return {
      object: 'list',
      data: page.entries.map(({ record, hash }) => ({ ...record, object: 'audit.entry', hash })),
      nextCursor: page.nextCursor ?? null,
      head: page.head ?? null,
      ...(Object.keys(filter).length > 0 && { searchedTo: page.searchedTo ?? null }),
    };
  },
};
