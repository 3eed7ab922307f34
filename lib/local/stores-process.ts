import type { StoresMessage } from './child-processes.ts';
import { lockDataFolder } from './data-folder.ts';
import { startEmbeddedStores } from './embedded-stores.ts';

/** The embedded stores in a separate process, so that the gateway's CPU and memory can be measured alone. */
process.title = 'svc-stores';
// Files are readable only to their owner.
process.umask(0o077);

const send = (message: StoresMessage) => new Promise((resolve) => process.send?.(message, resolve));

async function start(folder: string | undefined) {
  try {
    if (folder !== undefined) lockDataFolder(folder);
    return await startEmbeddedStores(folder);
  } catch (error) {
    await send({ failure: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}

const { stop: stopStores, ...addresses } = await start(process.argv[2]);
await send(addresses);

const stop = () => void stopStores().finally(() => process.exit(0));
process.once('SIGTERM', stop);
// The parent has exited, perhaps before the stores had started.
process.once('disconnect', stop);
if (!process.connected) stop();
// Ctrl-C reaches the whole process group: the gateway stops the stores.
process.on('SIGINT', () => {});
