import { createFrontDoor, type FrontDoor } from '../adapters/aws/front-door.ts';
import { RenewableSecret, secretSource } from '../adapters/aws/secrets-manager.ts';
import { readTables } from '../adapters/dynamo/tables.ts';
import { settingsIn } from '../adapters/env.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { providerSettingsIn } from '../adapters/provider-settings.ts';
import { logError, logFinishedRequest, logUnreadableSettings } from '../adapters/telemetry/json-log.ts';
import { setLogLevel } from '../adapters/telemetry/logger.ts';
import { createInspector } from '../inspection/index.ts';
import { toGatewayError } from '../kernel/errors/index.ts';
import { type App, errorResponse, MAX_BODY_BYTES, newRequestId, newTrace, withCors } from '../kernel/http/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import { composeGateway } from './compose.ts';
import { GATEWAY_SETTINGS, gatewayEnvSchema } from './env.ts';

export interface DeployedGateway {
  readonly app: App;
  readonly frontDoor: FrontDoor;
  /** Must be awaited before the process stops or is frozen. */
  readonly backgroundTasks: BackgroundTasks;
}

/** How long records and spans wait for others, milliseconds. */
export interface Lingering {
  readonly recordsMs: number;
  readonly spansMs: number;
}

/**
 * The gateway of a deployment, from the function's environment. It is composed at the first request, since the providers' base URLs are in a
 * secret; the inspector is prepared at once, when Lambda gives the function the most CPU and no client waits yet.
 */
export function deployedGateway(
  variables: Readonly<Record<string, string | undefined>>,
  { recordsMs, spansMs }: Lingering,
): DeployedGateway {
  // Parsed once: zod's compiled parser would take 2 % of the start.
  const env = gatewayEnvSchema.parse(variables, { jitless: true });
  const settings = settingsIn(GATEWAY_SETTINGS, env);
  setLogLevel(settings.logLevel);
  const providersSecret = new RenewableSecret(env.SVC_PROVIDERS_SECRET_ARN);
  const providerSettings = providerSettingsIn(() => providersSecret.read(), logUnreadableSettings);
  const inspector = createInspector();
  inspector.warmUp();
  const headersArn = settings.otlpHeadersSecretArn;
  const backgroundTasks = new BackgroundTasks();
  const compose = async (): Promise<App> =>
    composeGateway({
      tables: readTables('gateway', env),
      settings,
      records: { lingerMs: recordsMs, pendingIndex: false },
      eventsQueueUrl: env.SVC_EVENTS_QUEUE_URL,
      pepper: secretSource(env.SVC_PEPPER_SECRET_ARN),
      credentialsKey: secretSource(env.SVC_CREDENTIALS_SECRET_ARN),
      providerSettings,
      credentials: providersSecret,
      baseUrls: await providerSettings(),
      onProviderFault: logUnreadableSettings,
      // Bedrock is called with the function's role.
      bedrock: settings.bedrock,
      hasAwsIdentity: true,
      echo: settings.echo ?? env.SVC_STAGE !== 'Production',
      alone: false,
      maxBodyBytes: MAX_BODY_BYTES,
      inspector,
      backgroundTasks,
      telemetry: {
        stage: env.SVC_STAGE,
        otlpHeaders: headersArn === undefined ? async () => '' : secretSource(headersArn),
        lingerMs: spansMs,
      },
    });
  return {
    app: withCors(composedLater(compose), settings.corsOrigins),
    frontDoor: createFrontDoor(
      env.SVC_ORIGIN_SECRET_ARN,
      settings.onlyThroughDistribution,
      env.SVC_DISTRIBUTION_TIMEOUT_MS,
    ),
    backgroundTasks,
  };
}

/** An app that is composed at its first request. Returns 503 while it cannot be, and logs why. */
function composedLater(compose: () => Promise<App>): App {
  let composing: Promise<App> | undefined;
  return async (request, context) => {
    const { monotonic } = systemClock;
    const startedAt = monotonic();
    let app: App;
    try {
      composing ??= compose().catch((error: unknown) => {
        // The next request tries again.
        composing = undefined;
        throw error;
      });
      app = await composing;
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
    return app(request, context);
  };
}
