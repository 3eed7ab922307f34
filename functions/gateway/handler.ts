import { createFrontDoor } from '../adapters/aws/front-door.ts';
import { RenewableSecret, secretSource } from '../adapters/aws/secrets-manager.ts';
import { readTables } from '../adapters/dynamo/tables.ts';
import { settingsIn } from '../adapters/env.ts';
import { createHttpHandler } from '../adapters/lambda/http-handler.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logError, logFinishedRequest, logUnreadableSettings } from '../adapters/telemetry/json-log.ts';
import { setLogLevel } from '../adapters/telemetry/logger.ts';
import { BackgroundTasks } from '../core/base/background-tasks.ts';
import { toGatewayError } from '../core/base/errors.ts';
import { newTrace } from '../core/base/request-trace.ts';
import { withCors } from '../core/http/cors.ts';
import { MAX_BODY_BYTES } from '../core/http/request-body.ts';
import { errorResponse } from '../core/http/responses.ts';
import { type App, newRequestId } from '../core/http/router.ts';
import { createInspector } from '../detectors/index.ts';
import { composeGateway } from './compose.ts';
import { GATEWAY_SETTINGS, gatewayEnvSchema } from './env.ts';
import { providerSettingsIn } from './providers.ts';

const env = gatewayEnvSchema.parse(process.env);
const settings = settingsIn(GATEWAY_SETTINGS, env);
setLogLevel(settings.logLevel);
const providersSecret = new RenewableSecret(env.SVC_PROVIDERS_SECRET_ARN);
const providerSettings = providerSettingsIn(() => providersSecret.read(), logUnreadableSettings);

/** Prepared during the function's initialization, when Lambda gives it the most CPU and no client waits yet. */
const inspector = createInspector();
inspector.warmUp();

const headersArn = settings.otlpHeadersSecretArn;
let app: Promise<App> | undefined;

const backgroundTasks = new BackgroundTasks();

/** The gateway, composed at the first request: the providers' base URLs are in a secret. */
async function gateway(): Promise<App> {
  app ??= providerSettings().then((baseUrls) =>
    composeGateway({
      tables: readTables('gateway', env),
      settings,
      // The process serves one request at a time and is billed by the millisecond.
      records: { lingerMs: 0, pendingIndex: false },
      eventsQueueUrl: env.SVC_EVENTS_QUEUE_URL,
      pepper: secretSource(env.SVC_PEPPER_SECRET_ARN),
      providerSettings,
      credentials: providersSecret,
      baseUrls,
      // Bedrock is called with the function's role.
      bedrock: settings.bedrock,
      echo: settings.echo ?? env.SVC_STAGE !== 'Production',
      alone: false,
      maxBodyBytes: MAX_BODY_BYTES,
      inspector,
      backgroundTasks,
      telemetry: {
        stage: env.SVC_STAGE,
        otlpHeaders: headersArn === undefined ? async () => '' : secretSource(headersArn),
        // Waiting spans would be frozen with the function.
        lingerMs: 0,
      },
    }),
  );
  // A failed start is not cached: the next request tries again.
  app.catch(() => {
    app = undefined;
  });
  return app;
}

/** Returns 503 while the gateway cannot be composed, and logs why. */
const lazyGateway: App = async (request, context) => {
  const { monotonic } = systemClock;
  const startedAt = monotonic();
  let composed: App;
  try {
    composed = await gateway();
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const { traceId } = newTrace();
    const { requestId, headers } = newRequestId({ traceId });
    const ref = { requestId, traceId };
    const { code, status } = error;
    const { method } = request;
    logError(ref, error);
    logFinishedRequest({ ...ref, method, route: null, status, errorCode: code, durationMs: monotonic() - startedAt });
    return errorResponse(error, requestId, headers);
  }
  return composed(request, context);
};

export const handler = createHttpHandler({
  app: withCors(lazyGateway, settings.corsOrigins),
  frontDoor: createFrontDoor(
    env.SVC_ORIGIN_SECRET_ARN,
    settings.onlyThroughDistribution,
    env.SVC_DISTRIBUTION_TIMEOUT_MS,
  ),
  backgroundTasks,
});
