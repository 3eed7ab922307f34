import { readLocalEnv } from '../lib/local/local-env.ts';
import { startLocalService } from '../lib/local/local-service.ts';

/** The whole service on one machine (npm start). */
const service = await startLocalService(readLocalEnv(process.env), (line) => process.stdout.write(`${line}\n`));

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    service.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
