import type { HttpFailure } from '../base/http-client.ts';

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

export interface BedrockAnswer {
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
  converse(call: BedrockCall): Promise<BedrockAnswer>;
  converseStream(call: BedrockCall): Promise<BedrockStream>;
}
