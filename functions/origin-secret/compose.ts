import { setTimeout as pause } from 'node:timers/promises';
import { BACKGROUND_RETRIES, createCloudFrontClient, createSecretsManagerClient } from '../adapters/aws/clients.ts';
import { CloudFrontDistribution } from '../adapters/aws/cloudfront-distribution.ts';
import { SecretVersions } from '../adapters/aws/secrets-manager.ts';
import { UndiciHttpClient } from '../adapters/http/undici-http-client.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { type RotationEvent, rotate } from './rotation.ts';

export interface OriginSecretConfig {
  readonly arn: string;
  readonly distributionId: string;
  /** Without a trailing slash. */
  readonly distributionUrl: string;
}

const HEALTH_MS = 10_000;
const HEALTH_PAUSES_MS = [2_000, 5_000];

/** Rotates the origin secret on AWS, or on services with the same APIs. */
export function composeOriginSecret(config: OriginSecretConfig): (event: RotationEvent) => Promise<void> {
  const http = new UndiciHttpClient();
  const isHealthy = async (): Promise<boolean> => {
    const url = `${config.distributionUrl}/healthz`;
    const call = { method: 'GET', url, headers: {}, headTimeoutMs: HEALTH_MS, idleTimeoutMs: HEALTH_MS } as const;
    try {
      const { status, body } = await http.send(call);
      for await (const _ of body);
      return status === 200;
    } catch {
      return false;
    }
  };
  const deps = {
    arn: config.arn,
    versions: new SecretVersions(createSecretsManagerClient(), config.arn),
    distribution: new CloudFrontDistribution(
      createCloudFrontClient({ http, retries: BACKGROUND_RETRIES }),
      config.distributionId,
    ),
    isReached: async () => {
      for (const pauseMs of HEALTH_PAUSES_MS) {
        if (await isHealthy()) return true;
        await pause(pauseMs);
      }
      return isHealthy();
    },
    clock: systemClock,
    pause: (ms: number) => pause(ms),
  };
  return (event) => rotate(event, deps);
}
