import type { Clock } from '../core/ports/clock.ts';
import type { HttpClient } from '../core/ports/http-client.ts';
import type { OutsideDetector, OutsideJudgement, OutsideText } from '../core/ports/outside-detector.ts';
import { toBedrockJudgement } from './bedrock-guardrails-findings.ts';
import { callDetector, type DetectorFailure } from './detector-call.ts';
import { type AwsCredentials, encodeStrictly, signAwsRequest } from './sign-aws-request.ts';

export interface BedrockGuardrailsOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Its id, or its ARN, whose region counts then. */
  readonly guardrail: string;
  /** A number, or `DRAFT`. */
  readonly version: string;
  readonly region: () => Promise<string>;
  readonly credentials: () => Promise<AwsCredentials>;
  /** In the place of AWS's own address; for tests, and for private endpoints. */
  readonly endpoint?: string | undefined;
  /** Longest wait for an answer's head, and between its pieces, milliseconds. */
  readonly timeoutMs: number;
}

interface SignedTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls of one question on their way at once: an account has a quota of calls a second, which other requests need too. */
const CONCURRENT_CALLS = 16;

/**
 * Amazon Bedrock Guardrails (ApplyGuardrail), signed by our own signer: the SDK's client would be one more in the
 * function's bundle, for one call. One text a call: the answer does not say which of several it means.
 */
export class BedrockGuardrails implements OutsideDetector {
  readonly name = 'bedrock_guardrails';
  /** 25 text units of 1,000 characters: the least that a region and a filter take in a call. */
  readonly maxChars = 25_000;
  private readonly options: BedrockGuardrailsOptions;

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
    const source = given.surface === 'output' ? 'OUTPUT' : 'INPUT';
    const body = JSON.stringify({ source, content: [{ text: { text: given.text } }] });
    const signed = await this.sign(body);
    if ('failure' in signed) return signed;
    const { timeoutMs } = this.options;
    const answer = await callDetector(this.options.http, {
      method: 'POST',
      ...signed,
      body,
      headTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
      signal,
    });
    return 'failure' in answer ? answer : toBedrockJudgement(answer.json, given);
  }

  /** Where the call goes and its signed headers, or why it cannot be made. */
  private async sign(body: string): Promise<SignedTarget | DetectorFailure> {
    const { guardrail, version, endpoint, clock } = this.options;
    try {
      const region = guardrail.startsWith('arn:') ? (guardrail.split(':')[3] as string) : await this.options.region();
      const { origin, host, pathname } = new URL(endpoint ?? publicEndpoint(region));
      const path = `${pathname.replace(/\/$/, '')}/guardrail/${encodeStrictly(guardrail)}/version/${version}/apply`;
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const credentials = await this.options.credentials();
      const scope = { region, service: 'bedrock' };
      return {
        url: origin + path,
        headers: signAwsRequest({ host, path, headers, body }, credentials, scope, clock.now()),
      };
    } catch (error) {
      const detail = `no credentials or region: ${error instanceof Error ? error.name : typeof error}`;
      return { failure: 'refused', detail };
    }
  }
}

function publicEndpoint(region: string): string {
  return `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
