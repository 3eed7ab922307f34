import { isLoopbackAddress, isPublicAddress } from '../control/webhooks/index.ts';
import type { HttpClient } from '../kernel/http/index.ts';
import type { BedrockRuntime } from '../translation/index.ts';
import { SdkBedrockRuntime, type SdkBedrockRuntimeOptions } from './aws/sdk-bedrock-runtime.ts';
import { BoundHttpClient, type BoundOf } from './http/bound-http-client.ts';
import { UndiciHttpClient } from './http/undici-http-client.ts';

/**
 * How this process reaches providers: by HTTP, those of the admin API at public addresses only, and Amazon Bedrock through the AWS SDK.
 * @param boundOf where a value may be sent
 * @param allowLoopback whether those of the admin API may be on this machine
 */
export function providerConnections(boundOf: BoundOf, allowLoopback = false) {
  const bedrockRuntime = (options: SdkBedrockRuntimeOptions): BedrockRuntime => new SdkBedrockRuntime(options);
  const allows = (address: string) => isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));
  const bound = (http: HttpClient) => new BoundHttpClient(http, boundOf);
  return { http: bound(new UndiciHttpClient()), publicHttp: bound(new UndiciHttpClient(allows)), bedrockRuntime };
}
