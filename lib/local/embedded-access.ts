import type { AwsClientOptions } from '../../functions/adapters/aws/clients.ts';

/** Longer than any answer takes, also on a machine that is busy. */
const PATIENCE_MS = 30_000;

/** How the embedded stores are reached, which check no signature. */
export function embeddedAccess(endpoint: string): AwsClientOptions {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return { endpoint, region: 'eu-central-1', credentials, timeoutMs: PATIENCE_MS };
}
