import type { endUserOperations } from '../../contract/index.ts';
import { audit } from '../../control/audit/index.ts';
import { checkName } from '../../pipeline/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';

/** Deletes all data of an end user. The response has the same form if there is none. */
export const END_USER_HANDLERS: Handlers<typeof endUserOperations, AdminDeps> = {
  async deleteEndUser({ params, caller }, deps) {
    const endUserId = checkName('The id of an end user', params.id, 'id');
    // The audit record is kept for years: it must not name the end user whose data is deleted.
    const target = { type: 'end_user', id: await deps.hasher.pseudonym(endUserId) } as const;
    await audit(caller, { action: 'end_user.deleted', target, before: null, after: null }, deps);
    const counts = await Promise.all(deps.endUserStores.map((store) => store.deleteEndUser(endUserId)));
    return { object: 'end_user.deletion', deleted: Object.assign({}, ...counts) };
  },
};
