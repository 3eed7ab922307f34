import { CHAT_PROTOCOLS } from '../../core/protocols/protocol.ts';
import {
  BedrockFailure,
  type BedrockRuntime,
  type ChatCall,
  type ChatProvider,
  type ProviderResponse,
} from '../../core/routing/provider.ts';
import { modelPath } from '../../core/routing/route-model.ts';
import { toProviderFailure } from '../provider-failures.ts';
import { notConfigured, toBedrockError } from './bedrock-errors.ts';
import { fromConverse, readConverseStream } from './from-converse.ts';
import { toConverseRequest } from './to-converse-request.ts';

export interface BedrockProviderOptions {
  readonly runtime: BedrockRuntime;
  /** Whether AWS credentials are available to sign calls. */
  readonly keyless: boolean;
  /** A Bedrock API key, which takes precedence. Read at every call, so that a rotated key takes effect immediately. */
  readonly apiKey: () => Promise<string | undefined>;
}

/** Amazon Bedrock: every request is translated to Converse, and every response back. */
export class BedrockProvider implements ChatProvider {
  readonly name = 'bedrock';
  readonly serves = CHAT_PROTOCOLS;
  readonly keyless: boolean;
  private readonly options: BedrockProviderOptions;

  constructor(options: BedrockProviderOptions) {
    this.keyless = options.keyless;
    this.options = options;
  }

  async complete({ request, model, translation, signal }: ChatCall): Promise<ProviderResponse> {
    const { runtime, keyless } = this.options;
    const apiKey = (await this.options.apiKey()) || undefined;
    if (!keyless && apiKey === undefined) throw notConfigured('no credentials configured');
    const call = { modelId: modelPath(model), request: toConverseRequest(request, model, translation), apiKey, signal };
    try {
      if (!request.stream) return { kind: 'translated', completion: fromConverse(await runtime.converse(call), model) };
      return { kind: 'translated-stream', deltas: readConverseStream(await runtime.converseStream(call), model) };
    } catch (error) {
      throw error instanceof BedrockFailure
        ? toBedrockError(error, model, apiKey)
        : toProviderFailure(this.name, error);
    }
  }
}
