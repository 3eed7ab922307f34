import type { KeyView } from '../../functions/admin-api/contract.ts';
import { AdminApiError, type AdminClient } from './admin-client.ts';

/** More keys than this are not searched for names. */
const MOST_KEYS = 2_000;

/** Names of keys by id; other ids have none. Empty if the key of the operator may not list keys: analytics has only ids. */
export async function keyNames(
  client: AdminClient,
  ids: Iterable<string | null | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set([...ids].filter((id) => id?.startsWith('key_')));
  const names = new Map<string, string>();
  if (wanted.size === 0) return names;
  try {
    for await (const { id, name } of client.list<KeyView>('/admin/keys', {}, MOST_KEYS)) {
      if (wanted.has(id)) names.set(id, name);
      if (names.size === wanted.size) break;
    }
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
  }
  return names;
}
