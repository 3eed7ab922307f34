import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import { getEndpointFromInstructions } from '@smithy/core/endpoints';
import type { HttpRequest } from '../../kernel/http/index.ts';
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

/** The request at the client's endpoint, of which it has the path. It is signed unless it has `authorization`. */
export async function toEndpoint({ config }: BedrockRuntimeClient, request: HttpRequest): Promise<HttpRequest> {
  const { url: endpoint } = await getEndpointFromInstructions({}, InvokeModelCommand, config);
  const url = new URL(`${endpoint.href.replace(/\/$/, '')}${request.url}`);
  if (request.headers.authorization !== undefined) return { ...request, url: url.href };
  const { method, headers, body } = request;
  const { protocol, hostname, pathname: path } = url;
  const query = queryOf(url);
  const signer = await config.signer();
  const signed = await signer.sign(
    { method, protocol, hostname, path, query, headers: { ...headers, host: url.host }, body },
    { signingDate: new Date(Date.now() + config.systemClockOffset) },
  );
  return { ...request, url: url.href, headers: signed.headers };
}

/** As the SDK signs it: of a repeated name, the list of its values. */
function queryOf({ searchParams }: URL): Record<string, string[]> {
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]));
}
