import { type App, type AppOptions, createApp, type Route } from '../core/http/router.ts';
import type { AdminDeps } from './admin-service.ts';
import { auditRoute } from './routes/audit.ts';
import { createKeyRoute } from './routes/create-key.ts';
import { deleteEndUserRoute } from './routes/delete-end-user.ts';
import { getKeyRoute } from './routes/get-key.ts';
import { listKeysRoute } from './routes/list-keys.ts';
import { getPolicyRoute, listPolicyVersionsRoute, putPolicyRoute } from './routes/policy.ts';
import { revokeKeyRoute } from './routes/revoke-key.ts';
import { rotateKeyRoute } from './routes/rotate-key.ts';
import { updateKeyRoute } from './routes/update-key.ts';

/** The admin API's routes. */
export function adminRoutes(deps: AdminDeps): Route[] {
  return [
    createKeyRoute(deps),
    listKeysRoute(deps),
    getKeyRoute(deps),
    updateKeyRoute(deps),
    revokeKeyRoute(deps),
    rotateKeyRoute(deps),
    getPolicyRoute(deps),
    putPolicyRoute(deps),
    listPolicyVersionsRoute(deps),
    deleteEndUserRoute(deps),
    auditRoute(deps),
  ];
}

export function createAdminApp(deps: AdminDeps, options: AppOptions): App {
  return createApp(adminRoutes(deps), options);
}
