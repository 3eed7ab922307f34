import { GatewayError } from '../../../kernel/errors/index.ts';
import type { OperationName } from '../../protocols/protocol.ts';
import { type ChatCall, type ChatProvider, modelSegment, type ProviderResponse } from '../../routing/index.ts';
import { AnthropicProvider } from '../anthropic/anthropic-provider.ts';
import { GeminiProvider, type GeminiProviderOptions } from '../gemini/gemini-provider.ts';

/** Embeddings of Gemini have another API here. */
const NOT_SERVED: ReadonlySet<OperationName> = new Set(['gemini-embed-content', 'gemini-batch-embed-contents']);

/**
 * Gemini and Claude in Google's Vertex AI, each in its own protocol. The base URL ends in the location, as in
 * `https://aiplatform.googleapis.com/v1/projects/P/locations/global`.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference and
 * https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai
 */
export class VertexProvider implements ChatProvider {
  readonly name: string;
  readonly protocol = 'vertex';
  readonly keyless: boolean;
  readonly serves: ReadonlySet<OperationName>;
  private readonly claude: AnthropicProvider;
  private readonly gemini: GeminiProvider;

  constructor(options: GeminiProviderOptions) {
    const { baseUrl } = options;
    this.name = options.name;
    this.keyless = options.keyless ?? false;
    this.claude = new AnthropicProvider({
      ...options,
      vertexUrl: (call) => `${baseUrl}/publishers/anthropic/models/${methodOf(call)}`,
    });
    this.gemini = new GeminiProvider({ ...options, modelsPath: '/publishers/google/models' });
    const all = [...this.claude.serves, ...this.gemini.serves];
    this.serves = new Set(all.filter((operation) => !NOT_SERVED.has(operation)));
  }

  isNative(operation: OperationName, model: string): boolean {
    return this.serves.has(operation) && this.providerOf(model).isNative(operation);
  }

  signs(): boolean {
    return true;
  }

  complete(call: ChatCall): Promise<ProviderResponse> {
    const provider = this.providerOf(call.model);
    // A count of tokens in the protocol of the other models.
    if (!provider.serves.has(call.operation)) {
      const message = `The model '${call.model}' of the provider '${this.name}' does not serve this path: choose another model.`;
      return Promise.reject(new GatewayError('invalid_value', message, { param: 'model' }));
    }
    return provider.complete(call);
  }

  private providerOf(model: string): AnthropicProvider | GeminiProvider {
    return /^claude/i.test(model) ? this.claude : this.gemini;
  }
}

/** The model and the method of a call, as Anthropic's SDK for Vertex AI makes them. */
function methodOf({ operation, model, request }: ChatCall): string {
  if (operation === 'anthropic-count-tokens') return 'count-tokens:rawPredict';
  // Versions have an @, which Google's own clients do not encode.
  const name = modelSegment(model).replaceAll('%40', '@');
  return `${name}:${request.stream ? 'streamRawPredict' : 'rawPredict'}`;
}
