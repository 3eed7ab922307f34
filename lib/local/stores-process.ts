import path from 'node:path';
import { exitOnFault } from '../../functions/adapters/node/exit-on-fault.ts';
import { logProcessFault } from '../../functions/adapters/telemetry/json-log.ts';
import type { StoresMessage } from './child-processes.ts';
import { lockDataFolder, removeStoreAddress, writeStoreAddress } from './data-folder.ts';
import { DamagedStore, startEmbeddedStores } from './embedded-stores.ts';
import { setUpLocalLog } from './local-log.ts';

/** The embedded stores in a separate process, so that the gateway's CPU and memory can be measured alone. */
process.title = 'svc-stores';
setUpLocalLog();
// Files are readable only to their owner.
process.umask(0o077);

const send = (message: StoresMessage) => new Promise((resolve) => process.send?.(message, resolve));

/** Dynalite throws outside of any call if a table cannot be read. */
exitOnFault(
  async ({ message }) => {
    if (!isDamage(message)) return;
    const place = path.join(process.argv[2] ?? '', 'dynamodb');
    await fail(new DamagedStore(place, `cannot be read: ${message.split('\n')[0]}`));
  },
  // The service reports damage.
  (error) => isDamage(error.message) || logProcessFault(error),
);

function isDamage(message: string): boolean {
  return /^(?:Corruption|IO error)\b/.test(message);
}

async function fail(error: unknown): Promise<never> {
  await send({ failure: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}

async function start(folder: string | undefined) {
  try {
    if (folder !== undefined) {
      lockDataFolder(folder);
      // Of a process that was killed.
      await removeStoreAddress(folder);
    }
    const stores = await startEmbeddedStores(folder);
    if (folder !== undefined) await writeStoreAddress(folder, stores.dynamodbUrl);
    return stores;
  } catch (error) {
    return fail(error);
  }
}

const folder = process.argv[2];
const { stop: stopStores, ...addresses } = await start(folder);
await send(addresses);

const stop = async () => {
  if (folder !== undefined) await removeStoreAddress(folder).catch(() => {});
  await stopStores().finally(() => process.exit(0));
};
process.once('SIGTERM', () => void stop());
// The parent has exited, perhaps before the stores had started.
process.once('disconnect', () => void stop());
if (!process.connected) void stop();
// Ctrl-C reaches the whole process group: the gateway stops the stores.
process.on('SIGINT', () => {});
