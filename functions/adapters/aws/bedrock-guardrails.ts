import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { type HttpClient, HttpFailure, type HttpRequest, type HttpResponse } from '../../core/base/http-client.ts';
import type { OutsideDetector, OutsideJudgement, OutsideText } from '../../core/inspect/outside/outside-detector.ts';
import { type DetectorFailure, httpFailure, MAX_ANSWER_BYTES, statusFailure } from '../http/detector-call.ts';
import { toBedrockJudgement } from './bedrock-guardrails-findings.ts';
import { type AwsClientOptions, TRY_ONCE } from './clients.ts';

/** Region, credentials and endpoint are the environment's where absent. */
export interface BedrockGuardrailsOptions extends Pick<AwsClientOptions, 'region' | 'credentials' | 'endpoint'> {
  readonly http: HttpClient;
  /** Its id, or its ARN, whose region counts then. */
  readonly guardrail: string;
  /** A number, or `DRAFT`. */
  readonly version: string;
  /** Longest wait for an answer's head, and between its pieces, milliseconds. */
  readonly timeoutMs: number;
}

/** Calls of one question on their way at once: an account has a quota of calls a second, which other requests need too. */
const CONCURRENT_CALLS = 16;

/** Amazon Bedrock Guardrails (ApplyGuardrail). One text a call: the answer does not say which of several it means. */
export class BedrockGuardrails implements OutsideDetector {
  readonly name = 'bedrock_guardrails';
  /** 25 text units of 1,000 characters: the least that a region and a filter take in a call. */
  readonly maxChars = 25_000;
  private readonly options: BedrockGuardrailsOptions;
  private client: BedrockRuntimeClient | undefined;

  constructor(options: BedrockGuardrailsOptions) {
    this.options = options;
  }

  judge(texts: readonly OutsideText[], signal: AbortSignal): readonly Promise<OutsideJudgement>[] {
    const lanes: Promise<unknown>[] = [];
    return texts.map((text, at) => {
      const turn = lanes[at % CONCURRENT_CALLS] ?? Promise.resolve();
      const judgement = turn.then(() => this.judgeOne(text, signal));
      lanes[at % CONCURRENT_CALLS] = judgement;
      return judgement;
    });
  }

  private async judgeOne(given: OutsideText, signal: AbortSignal): Promise<OutsideJudgement> {
    const { guardrail, version } = this.options;
    const { ApplyGuardrailCommand, createBedrockClient } = await import('./bedrock.ts');
    const command = new ApplyGuardrailCommand({
      guardrailIdentifier: guardrail,
      guardrailVersion: version,
      source: given.surface === 'output' ? 'OUTPUT' : 'INPUT',
      content: [{ text: { text: given.text } }],
    });
    try {
      this.client ??= createBedrockClient(this.clientOptions());
      return toBedrockJudgement(await this.client.send(command, { abortSignal: signal }), given);
    } catch (error) {
      return toDetectorFailure(error);
    }
  }

  private clientOptions() {
    const { http, guardrail, ...options } = this.options;
    const region = guardrail.startsWith('arn:') && { region: guardrail.split(':')[3] as string };
    return { ...options, ...region, http: new DetectorHttp(http), retries: TRY_ONCE };
  }
}

/** Answers are small; one that is not is no answer. */
class DetectorHttp implements HttpClient {
  private readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { status, headers, body } = await this.http.send({ ...request, once: false });
    return { status, headers, body: limited(body) };
  }
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = MAX_ANSWER_BYTES;
  for await (const bytes of body) {
    left -= bytes.length;
    if (left < 0) throw new Error('answer too large');
    yield bytes;
  }
}

/** What the SDK throws, as far as it is read: messages may quote what was sent. */
interface SdkError {
  readonly name?: string;
  readonly $response?: { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> };
}

function toDetectorFailure(error: unknown): DetectorFailure {
  if (error instanceof HttpFailure) return httpFailure(error);
  const { name, $response: response } = error as SdkError;
  // The SDK's own error where the caller's signal ends the call.
  if (name === 'AbortError') return { failure: 'timeout' };
  if (response === undefined) return { failure: 'refused', detail: `no credentials or region: ${name}` };
  const { statusCode, headers } = response;
  return statusCode >= 200 && statusCode < 300 ? { failure: 'unreadable' } : statusFailure(statusCode, headers);
}
