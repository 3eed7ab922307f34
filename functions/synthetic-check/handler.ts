import { secretSource } from '../adapters/aws/secrets-manager.ts';
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { createHandler } from '../adapters/lambda/event-handler.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logSyntheticCheck } from '../adapters/telemetry/json-log.ts';
import { runCheck } from './check.ts';
import { syntheticCheckEnvSchema } from './env.ts';

const env = syntheticCheckEnvSchema.parse(process.env);
const deps = {
  baseUrl: env.SVC_BASE_URL,
  key: secretSource(env.SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN),
  http: new UndiciHttpClient(),
  clock: systemClock,
};

/** Checks the deployment through its front door, every minute. A failed check is a metric, not a failed invocation. */
export const handler = createHandler(async () => {
  logSyntheticCheck(await runCheck(deps));
});
