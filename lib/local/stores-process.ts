import { startEmbeddedStores } from './embedded-stores.ts';

/** The embedded stores as a process of their own, so that the gateway's CPU and memory can be read apart. */
process.title = 'svc-stores';

const [folder] = process.argv.slice(2);
const stores = await startEmbeddedStores(folder);
const { stop: _, ...addresses } = stores;
process.send?.(addresses);

const stop = () => void stores.stop().finally(() => process.exit(0));
process.once('SIGTERM', stop);
// The parent is gone, however it went: nobody is left to serve.
process.once('disconnect', stop);
// Ctrl-C reaches the whole group: the gateway decides when the stores go.
process.on('SIGINT', () => {});
