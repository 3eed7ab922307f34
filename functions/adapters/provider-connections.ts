import { isLoopbackAddress, isPublicAddress } from '../control/webhooks/index.ts';
import type { BedrockRuntime } from '../translation/index.ts';
import { SdkBedrockRuntime, type SdkBedrockRuntimeOptions } from './aws/sdk-bedrock-runtime.ts';
import { UndiciHttpClient } from './http/undici-http-client.ts';

/**
 * How this process reaches providers: by HTTP, those of the admin API at public addresses only, and Amazon Bedrock through the AWS SDK.
 * @param allowLoopback whether those of the admin API may be on this machine
 */
export function providerConnections(allowLoopback = false) {
  const bedrockRuntime = (options: SdkBedrockRuntimeOptions): BedrockRuntime => new SdkBedrockRuntime(options);
  const allows = (address: string) => isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));
  return { http: new UndiciHttpClient(), publicHttp: new UndiciHttpClient(allows), bedrockRuntime };
}
