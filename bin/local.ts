import { exitOnFault } from '../functions/adapters/node/exit-on-fault.ts';
import { readLocalEnv } from '../lib/local/local-env.ts';
import { type LocalService, startLocalService } from '../lib/local/local-service.ts';

/** The whole service on one machine (npm start). */
async function start(): Promise<LocalService> {
  try {
    return await startLocalService(readLocalEnv(process.env), (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`Not started: ${toSentence(error)}\n`);
    process.exit(1);
  }
}

function toSentence(error: unknown): string {
  const { code, port, address, message } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  const variable = process.env.SVC_METRICS_PORT === String(port) ? 'SVC_METRICS_PORT' : 'PORT';
  if (code === 'EADDRINUSE')
    return `port ${port} is in use. Stop what listens there, or set ${variable} to another one.`;
  if (code === 'EACCES') return `port ${port} may not be used. Set ${variable} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL')
    return `this machine does not have the address ${address}. Set SVC_HOST to one that it has.`;
  return message;
}

/** What is left when a process has ended that the service needs: its stores are gone, so nothing can be completed. */
const FAILED_STOP_MS = 2_000;

let stopping = false;
const starting = start();
exitOnFault(async () => {
  stopping = true;
  await (await starting).stop(0);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    // The service may still be starting: its helper processes are stopped with it.
    starting
      .then((service) => service.stop())
      .then(
        () => process.exit(),
        () => process.exit(1),
      );
  });
}
const service = await starting;

await service.failed;
if (!stopping) {
  setTimeout(() => process.exit(1), FAILED_STOP_MS);
  await service.stop().catch(() => {});
  process.exit(1);
}
