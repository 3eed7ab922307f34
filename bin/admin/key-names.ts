import { AdminApiError, type AdminClient } from './admin-client.ts';

/** The most that one call takes. */
const MAX_IDS = 100;

/** Names of keys by id; other ids have none. Empty if the operator's key may not read analytics. */
export async function keyNames(
  client: AdminClient,
  ids: Iterable<string | null | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set([...ids].filter((id) => id?.startsWith('key_')))];
  const names = new Map<string, string>();
  try {
    for (let at = 0; at < wanted.length; at += MAX_IDS) {
      const { data } = await client.call('listKeyNames', { query: { ids: wanted.slice(at, at + MAX_IDS).join() } });
      for (const { id, name } of data) names.set(id, name);
    }
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
  }
  return names;
}
