import type { HttpFailure } from '../base/http-client.ts';
import type { RequestDocument } from '../base/request-document.ts';
import type { ChatCompletion, ChatDelta, ChatRequest } from '../model/chat.ts';
import type { ProtocolName } from '../protocols/protocol.ts';

/** One call to a provider, already admitted and inspected. */
export interface ChatCall {
  readonly request: ChatRequest;
  /** What the caller speaks. */
  readonly protocol: ProtocolName;
  /** The caller's body; a provider of the same protocol sends it on with the stated splices and no other change. */
  readonly source: RequestDocument;
  /** The model's name at the provider: the `provider/` prefix is gone. */
  readonly model: string;
  /** The bound on the answer where the key's limits or policy need one: the only one that is sent. It is in `request` too. */
  readonly imposedMaxTokens?: number | undefined;
  /** Headers of the caller's that belong to his protocol; for a provider of the same. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that tell the trace which the call belongs to, where the deployment tells providers. */
  readonly trace?: Readonly<Record<string, string>>;
  /** Aborts the upstream call: the caller left, a block, or the deadline passed. */
  readonly signal: AbortSignal;
}

/**
 * What a provider answers. `native` answers are JSON texts in the caller's own protocol, passed on as they are; `translated`
 * ones are in the gateway's model. A stream gives what has come, as many steps as came at once. A streamed answer ends normally or throws a GatewayError; it never ends short silently.
 */
export type ProviderResponse =
  | { readonly kind: 'native'; readonly body: string }
  | { readonly kind: 'translated'; readonly completion: ChatCompletion }
  | { readonly kind: 'native-stream'; readonly chunks: AsyncIterable<readonly string[]> }
  | { readonly kind: 'translated-stream'; readonly deltas: AsyncIterable<readonly ChatDelta[]> };

/** A provider of chat completions. Throws GatewayError for everything that goes wrong (errors.ts says which). */
export interface ChatProvider {
  readonly name: string;
  /** Whether it can be called without a key of ours. */
  readonly keyless?: boolean;
  /** What it can answer, by itself or by translation. */
  readonly serves: ReadonlySet<ProtocolName>;
  /** Of these, what it answers by itself: such bodies pass as they are. None where this is absent. */
  readonly nativeProtocols?: ReadonlySet<ProtocolName>;
  /** What bounds an answer where nobody says so: tokens, or `input`: as long as what was sent. Else the model does. */
  readonly longestOutput?: number | 'input';
  complete(call: ChatCall): Promise<ProviderResponse>;
}

/** Where the credentials for providers stand; they may be changed while the gateway runs. */
export interface CredentialSource {
  /** Another number once the credentials are others. */
  readonly version: number;
  /**
   * Reads them again for the provider that refused those of `version`, unless they are others already or were just now read
   * for it in vain. Answers whether they are others now. Never throws: what cannot be read has not changed.
   */
  renewedSince(version: number, provider: string): Promise<boolean>;
}

/** A call of Amazon Bedrock's Converse API. */
export interface BedrockCall {
  /** A model's id, an inference profile's, or an ARN. */
  readonly modelId: string;
  /** As https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html has it, but for the model; bytes are a Uint8Array. */
  readonly request: object;
  /** A Bedrock API key; where absent the call is signed with AWS's credentials. */
  readonly apiKey: string | undefined;
  readonly signal: AbortSignal;
}

export interface BedrockResponse {
  /** What AWS calls the request; empty where it does not say. */
  readonly requestId: string;
  readonly answer: unknown;
}

export interface BedrockStream {
  readonly requestId: string;
  /** The events in order, each an object with one member that names it. Throws BedrockFailure. */
  readonly events: AsyncIterable<unknown>;
}

/** What AWS answered in the place of an answer, or why it could not be asked or understood. */
export class BedrockFailure extends Error {
  /** The exception's name, such as `ThrottlingException`. */
  readonly exception: string;
  /** undefined for an exception within a stream, and where there was no answer. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;

  /** @param cause an HttpFailure where an answer broke off */
  constructor(
    exception: string,
    message: string,
    status?: number,
    { retryAfter, cause }: { retryAfter?: string | undefined; cause?: HttpFailure } = {},
  ) {
    super(message, { cause });
    this.name = 'BedrockFailure';
    this.exception = exception;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Amazon Bedrock's Converse API; a call is made once. Throws BedrockFailure and HttpFailure. */
export interface BedrockRuntime {
  converse(call: BedrockCall): Promise<BedrockResponse>;
  converseStream(call: BedrockCall): Promise<BedrockStream>;
}
