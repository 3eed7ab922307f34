import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { type AwsClientOptions, lean, restConfigOf } from './clients.ts';

/** The parts of the Bedrock SDK in use. Loaded at the first call: most deployments never need it. */
export {
  ApplyGuardrailCommand,
  ConverseCommand,
  type ConverseCommandInput,
  ConverseStreamCommand,
  InvokeGuardrailChecksCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';

/** @param apiKey a Bedrock API key, instead of credentials */
export function createBedrockClient(
  options: AwsClientOptions & { readonly timeoutMs: number },
  apiKey?: string,
): BedrockRuntimeClient {
  const scheme =
    apiKey === undefined
      ? { authSchemePreference: ['sigv4'] }
      : { token: { token: apiKey }, authSchemePreference: ['httpBearerAuth'] };
  return lean(new BedrockRuntimeClient({ ...restConfigOf(options, options.timeoutMs), ...scheme }));
}
