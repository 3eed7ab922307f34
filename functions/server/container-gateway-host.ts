import type { FrontDoor } from '../adapters/aws/front-door.ts';
import { logRunning } from '../adapters/telemetry/json-log.ts';
import type { DeployedGateway } from '../gateway/deployed-gateway.ts';
import { CONTAINER_METRICS } from '../gateway/env.ts';
import { MAX_BODY_BYTES } from '../kernel/http/index.ts';
import { type HttpHost, startHttpHost } from './http-host.ts';
import { clientThrough } from './web-function-host.ts';

/** Longer than the load balancer's idle timeout (lib/constructs/fargate-gateway.ts), so that it closes a connection first. */
const KEEP_ALIVE_MS = 910_000;
/** The container is killed 120 s after SIGTERM: https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_ContainerDefinition.html */
const GRACE_MS = 110_000;
/** Tasks are added and removed by the mean of these values. */
const REPORT_EVERY_MS = 30_000;

/**
 * Serves the gateway of a deployment behind a load balancer, which appends the connecting address to `X-Forwarded-For`. `stop` waits for
 * running requests: the load balancer has sent no new ones since it began to drain.
 */
export async function startContainerGateway(
  {
    app,
    frontDoor,
    backgroundTasks,
  }: Pick<DeployedGateway, 'app' | 'backgroundTasks'> & { readonly frontDoor: FrontDoor },
  at: { readonly host: string; readonly port: number },
): Promise<HttpHost> {
  const host = await startHttpHost(app, {
    ...at,
    maxBodyBytes: MAX_BODY_BYTES,
    client: clientThrough(frontDoor),
    keepAliveMs: KEEP_ALIVE_MS,
  });
  const report = () => {
    const { requests, streams } = host.running();
    logRunning({ [CONTAINER_METRICS.requests]: requests, [CONTAINER_METRICS.streams]: streams });
  };
  const reporting = setInterval(report, REPORT_EVERY_MS).unref();
  return {
    ...host,
    stop: async (graceMs = GRACE_MS) => {
      clearInterval(reporting);
      await host.stop(graceMs);
      await backgroundTasks.idle();
    },
  };
}
