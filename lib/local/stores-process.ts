import type { StoresMessage } from './child-processes.ts';
import { lockDataFolder } from './data-folder.ts';
import { startEmbeddedStores } from './embedded-stores.ts';

/** The embedded stores as a process of their own, so that the gateway's CPU and memory can be read apart. */
process.title = 'svc-stores';
// Their files are readable to their owner alone.
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
// The parent is gone, however it went: nobody is left to serve.
process.once('disconnect', stop);
// Ctrl-C reaches the whole group: the gateway decides when the stores go.
process.on('SIGINT', () => {});
