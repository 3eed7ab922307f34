import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { type OutsideText, outsideRule } from '../../inspection/index.ts';
import { type HttpClient, HttpFailure, type HttpRequest, type HttpResponse } from '../../kernel/http/index.ts';
import type { Severity } from '../../kernel/model/index.ts';
import {
  type DetectorFailure,
  type DetectorFinding,
  httpFailure,
  MAX_RESPONSE_BYTES,
  statusFailure,
} from '../http/detector-call.ts';
import { type AwsClientOptions, TRY_ONCE } from './clients.ts';

/** Region, credentials and endpoint default to the environment's. */
export interface BedrockDetectorOptions extends Pick<AwsClientOptions, 'region' | 'credentials' | 'endpoint'> {
  readonly http: HttpClient;
  /** Maximum wait for the response head, and between chunks of the body, in milliseconds. */
  readonly timeoutMs: number;
}

/** The SDK's client of a detector, loaded at the first call. */
export class BedrockDetectorClient {
  private readonly options: BedrockDetectorOptions;
  private client: BedrockRuntimeClient | undefined;

  constructor(options: BedrockDetectorOptions) {
    this.options = options;
  }

  async get(): Promise<BedrockRuntimeClient> {
    const { createBedrockClient } = await import('./bedrock.ts');
    const { http, ...options } = this.options;
    this.client ??= createBedrockClient({ ...options, http: new DetectorHttp(http), retries: TRY_ONCE });
    return this.client;
  }
}

/** An HTTP client that refuses large responses: a guardrail's are small. */
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
  let left = MAX_RESPONSE_BYTES;
  for await (const bytes of body) {
    left -= bytes.length;
    if (left < 0) throw new Error('response too large');
    yield bytes;
  }
}

/** The fields of an SDK error that are read: its messages may quote the input. */
interface SdkError {
  readonly name?: string;
  readonly $response?: { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> };
}

/** Why there is no verdict, by the error of the SDK. */
export function toDetectorFailure(error: unknown): DetectorFailure {
  if (error instanceof HttpFailure) return httpFailure(error);
  const { name, $response: response } = error as SdkError;
  // The SDK's own error when the caller's signal aborts the call.
  if (name === 'AbortError') return { failure: 'timeout' };
  if (response === undefined) return { failure: 'refused', detail: `no credentials or region: ${name}` };
  const { statusCode, headers } = response;
  return statusCode >= 200 && statusCode < 300 ? { failure: 'unreadable' } : statusFailure(statusCode, headers);
}

const NAME = /^[A-Z][A-Z_]{0,63}$/;
/** Bedrock's name in the gateway's terms; `other` if it is not a plain name. */
export function nameOf(type: string): string {
  return NAME.test(type) ? (OUR_NAMES[type] ?? type.toLowerCase()) : 'other';
}

const OUR_NAMES: Readonly<Record<string, string>> = {
  CREDIT_DEBIT_CARD_NUMBER: 'payment_card',
  INTERNATIONAL_BANK_ACCOUNT_NUMBER: 'iban',
  US_SOCIAL_SECURITY_NUMBER: 'us_ssn',
};
const SECRETS = new Set(['aws_access_key', 'aws_secret_key', 'password', 'pin']);

/** A jailbreak or an injection, by Bedrock's name. */
export function attackRule(type: string, { surface }: OutsideText): DetectorFinding['rule'] {
  const indirect = surface === 'tool';
  const direct = type === 'JAILBREAK' ? 'jailbreak' : 'prompt_injection';
  return outsideRule({
    id: `bedrock-guardrails/${indirect ? 'indirect-' : ''}${nameOf(type).replaceAll('_', '-')}`,
    type: indirect ? 'indirect_injection' : direct,
    category: nameOf(type),
    severity: 'high',
    message: 'Amazon Bedrock Guardrails detected a jailbreak or a prompt injection.',
    owasp: 'LLM01:2025',
    atlas: indirect ? 'AML.T0051.001' : direct === 'jailbreak' ? 'AML.T0054' : 'AML.T0051.000',
  });
}

export function toxicityRule(category: string, severity: Severity): DetectorFinding['rule'] {
  return outsideRule({
    id: `bedrock-guardrails/${category.replaceAll('_', '-')}`,
    type: 'toxicity',
    category,
    severity,
    message: 'Amazon Bedrock Guardrails detected content that the guardrail filters.',
    owasp: 'LLM05:2025',
    atlas: null,
  });
}

export function entityRule(category: string): DetectorFinding['rule'] {
  return outsideRule({
    id: `bedrock-guardrails/${category.replaceAll('_', '-')}`,
    type: SECRETS.has(category) ? 'secret' : 'pii',
    category,
    severity: 'medium',
    message: 'Amazon Bedrock Guardrails detected sensitive information.',
    owasp: 'LLM02:2025',
    atlas: 'AML.T0057',
  });
}

export function whole(rule: DetectorFinding['rule'], score: number, { text }: OutsideText): DetectorFinding {
  return { rule, score, start: 0, end: text.length };
}
