import { STSClient } from '@aws-sdk/client-sts';
import { type AwsClientOptions, lean, restConfigOf } from './clients.ts';

/** The parts of STS's SDK in use. Loaded at the first call: most deployments never need it. */
export { GetWebIdentityTokenCommand } from '@aws-sdk/client-sts';

const STS_MS = 2_000;

/** Calls the endpoint of its region: the global one has no identity tokens. */
export function createStsClient(options: AwsClientOptions = {}): STSClient {
  return lean(new STSClient({ ...restConfigOf(options, STS_MS), useGlobalEndpoint: false }));
}
