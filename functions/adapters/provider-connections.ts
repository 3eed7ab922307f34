import type { BedrockRuntime } from '../translation/index.ts';
import { SdkBedrockRuntime, type SdkBedrockRuntimeOptions } from './aws/sdk-bedrock-runtime.ts';
import { BoundHttpClient, type HostsOf } from './http/bound-http-client.ts';
import { UndiciHttpClient } from './http/undici-http-client.ts';

/** How this process reaches providers: by HTTP, and Amazon Bedrock through the AWS SDK. A value with hosts is sent to these only. */
export function providerConnections(hostsOf: HostsOf) {
  const bedrockRuntime = (options: SdkBedrockRuntimeOptions): BedrockRuntime => new SdkBedrockRuntime(options);
  return { http: new BoundHttpClient(new UndiciHttpClient(), hostsOf), bedrockRuntime };
}
