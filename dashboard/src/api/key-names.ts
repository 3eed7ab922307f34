import { retrying } from './client.ts';
import { call } from './operations.ts';

/** The most that one call takes. */
const MAX_IDS = 100;

interface Batch {
  readonly ids: string[];
  readonly names: Promise<ReadonlyMap<string, string>>;
}

let open: Batch | undefined;

/** The name of a key or a team, null if there is none. Lookups that begin together share a call. */
export async function readKeyName(id: string): Promise<string | null> {
  if (open === undefined || open.ids.length === MAX_IDS) open = startBatch();
  open.ids.push(id);
  return (await open.names).get(id) ?? null;
}

function startBatch(): Batch {
  const ids: string[] = [];
  const names = new Promise<void>((resolve) => setTimeout(resolve)).then(async () => {
    if (open?.ids === ids) open = undefined;
    const { data } = await retrying(() => call('listKeyNames', { query: { ids: ids.join(',') } }));
    return new Map(data.map(({ id, name }) => [id, name]));
  });
  return { ids, names };
}
