import type { settingsOperations } from '../../contract/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';

/** How the deployment is set up. It has no secret, and is read without a store. */
export const SETTINGS_HANDLERS: Handlers<typeof settingsOperations, AdminDeps> = {
  async getSettings(_, deps) {
    return { object: 'settings', ...deps.deployment };
  },
};
