import { audit, auditVoid, type Caller, changedFields } from '../core/audit/audit-change.ts';
import { GatewayError } from '../core/base/errors.ts';
import { keyEvent } from '../core/keys/make-key.ts';
import { type ApiKey, keyState, toKeyView } from '../core/model/api-key.ts';
import { isPermitted } from '../core/model/permissions.ts';
import { type AdminDeps, keyNotFound } from './admin-service.ts';

/** Administrators who change one key at the same moment are few. */
const MAX_CONFLICTS = 5;
const LIST_PAGE = 100;

/**
 * Puts what `change` makes of a key in its place, and tells of it; asks again where another change came between.
 * @throws GatewayError `not_found` for a key that is revoked or none; `conflict` where the last admin key would be lost
 */
export async function changeKey(
  id: string,
  action: 'key.updated' | 'key.rotated' | 'key.revoked',
  change: (key: ApiKey) => ApiKey | Promise<ApiKey>,
  caller: Caller,
  deps: AdminDeps,
): Promise<ApiKey> {
  for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt += 1) {
    const stored = await deps.keys.get(id);
    if (stored === undefined || stored.key.state === 'revoked') throw keyNotFound();
    const changed = await change(stored.key);
    await keepAnAdmin(stored.key, changed, deps);
    const now = deps.clock.now();
    const difference = changedFields(toKeyView(stored.key, now), toKeyView(changed, now));
    const entry = await audit(caller, { action, target: { type: 'key', id }, ...difference }, deps);
    if (await deps.keys.replace(stored, changed, keyEvent(action, changed, now))) return changed;
    await auditVoid(caller, entry, deps);
  }
  throw new GatewayError('conflict', 'The key is being changed by others. Try again.');
}

/** Nobody locks everybody out: the way back in would need access to the deployment itself. */
async function keepAnAdmin(before: ApiKey, after: ApiKey, { keys, clock }: AdminDeps): Promise<void> {
  const isAdmin = (key: ApiKey) => keyState(key, clock.now()) === 'active' && isPermitted(key, 'admin');
  if (!isAdmin(before) || isAdmin(after)) return;
  let cursor: string | undefined;
  do {
    const page = await keys.list(LIST_PAGE, cursor);
    if (page.keys.some(({ key }) => key.id !== before.id && isAdmin(key))) return;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const message = 'This is the last active key with the permission admin. Make another one first.';
  throw new GatewayError('conflict', message);
}
