import type { BedrockRuntime } from '../translation/index.ts';
import { SdkBedrockRuntime, type SdkBedrockRuntimeOptions } from './aws/sdk-bedrock-runtime.ts';
import { UndiciHttpClient } from './http/undici-http-client.ts';

/** How this process reaches providers: by HTTP, and Amazon Bedrock through the AWS SDK. */
export function providerConnections() {
  const bedrockRuntime = (options: SdkBedrockRuntimeOptions): BedrockRuntime => new SdkBedrockRuntime(options);
  return { http: new UndiciHttpClient(), bedrockRuntime };
}
