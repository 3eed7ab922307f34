import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import { type HttpClient, HttpFailure, type HttpRequest, type HttpResponse } from '../../core/base/http-client.ts';
import {
  type OutsideDetector,
  type OutsideFinding,
  type OutsideText,
  type OutsideVerdict,
  outsideRule,
} from '../../core/inspect/outside/outside-detector.ts';
import type { Rule } from '../../core/inspect/rule.ts';
import type { Severity } from '../../core/model/threat.ts';
import { type DetectorFailure, httpFailure, MAX_ANSWER_BYTES, statusFailure } from '../http/detector-call.ts';
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

  judge(texts: readonly OutsideText[], signal: AbortSignal): readonly Promise<OutsideVerdict>[] {
    const lanes: Promise<unknown>[] = [];
    return texts.map((text, at) => {
      const turn = lanes[at % CONCURRENT_CALLS] ?? Promise.resolve();
      const judgement = turn.then(() => this.judgeOne(text, signal));
      lanes[at % CONCURRENT_CALLS] = judgement;
      return judgement;
    });
  }

  private async judgeOne(given: OutsideText, signal: AbortSignal): Promise<OutsideVerdict> {
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

const NAME = /^[A-Z][A-Z_]{0,63}$/;
const detected = z.boolean().optional();
const matched = z.object({ match: z.string(), detected });

/**
 * What is read of an answer: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ApplyGuardrail.html.
 * Contextual grounding and automated reasoning are not: they need a source to compare with, which we do not send.
 */
const answerSchema = z.object({
  action: z.enum(['NONE', 'GUARDRAIL_INTERVENED']),
  assessments: z
    .array(
      z.object({
        contentPolicy: z
          .object({ filters: z.array(z.object({ type: z.string(), confidence: z.string(), detected })) })
          .nullish(),
        topicPolicy: z.object({ topics: z.array(z.object({ detected })) }).nullish(),
        wordPolicy: z
          .object({ customWords: z.array(matched), managedWordLists: z.array(matched) })
          .partial()
          .nullish(),
        sensitiveInformationPolicy: z
          .object({ piiEntities: z.array(matched.extend({ type: z.string() })), regexes: z.array(matched) })
          .partial()
          .nullish(),
      }),
    )
    .default([]),
});
type Assessment = z.infer<typeof answerSchema>['assessments'][number];

/** How sure it is, on our scale: HIGH is blocked by `balanced`, MEDIUM by `strict`, LOW is told. */
const CONFIDENCE_SCORES: ReadonlyMap<string, number> = new Map([
  ['HIGH', 0.95],
  ['MEDIUM', 0.8],
  ['LOW', 0.5],
]);
/** Topics, words and patterns are its owner's own and match or do not. */
const OWN_LIST_SCORE = 0.95;
/** Entities come without a confidence. */
const ENTITY_SCORE = 0.8;

/**
 * An answer of ApplyGuardrail in our terms; `unreadable` where it has no such form, or intervened for a reason that is
 * not known here. The matches that it quotes are used to find their places and forgotten.
 */
function toBedrockJudgement(json: unknown, given: OutsideText): OutsideVerdict {
  const answer = answerSchema.safeParse(json);
  if (!answer.success) return { failure: 'unreadable' };
  const findings = answer.data.assessments.flatMap((assessment) => [
    ...contentFindings(assessment, given),
    ...listFindings(assessment, given),
    ...sensitiveFindings(assessment, given),
  ]);
  if (findings.length === 0 && answer.data.action !== 'NONE') return { failure: 'unreadable', detail: 'intervened' };
  return { findings };
}

function contentFindings({ contentPolicy }: Assessment, given: OutsideText): OutsideFinding[] {
  return (contentPolicy?.filters ?? []).filter(isDetected).flatMap(({ type, confidence }) => {
    const score = CONFIDENCE_SCORES.get(confidence);
    if (score === undefined) return [];
    const rule = type === 'PROMPT_ATTACK' ? promptAttackRule(given) : toxicityRule(nameOf(type), 'high');
    return [whole(rule, score, given)];
  });
}

function listFindings({ topicPolicy, wordPolicy }: Assessment, given: OutsideText): OutsideFinding[] {
  const topics = (topicPolicy?.topics ?? []).filter(isDetected);
  const words = distinct(wordPolicy?.customWords);
  const managed = distinct(wordPolicy?.managedWordLists);
  return [
    ...topics.map(() => whole(toxicityRule('denied_topic', 'medium'), OWN_LIST_SCORE, given)),
    ...words.flatMap(({ match }) => places(toxicityRule('denied_word', 'medium'), OWN_LIST_SCORE, match, given)),
    ...managed.flatMap(({ match }) => places(toxicityRule('profanity', 'low'), OWN_LIST_SCORE, match, given)),
  ];
}

function sensitiveFindings({ sensitiveInformationPolicy: policy }: Assessment, given: OutsideText): OutsideFinding[] {
  const entities = distinct(policy?.piiEntities);
  const regexes = distinct(policy?.regexes);
  return [
    ...entities.flatMap(({ type, match }) => places(entityRule(nameOf(type)), ENTITY_SCORE, match, given)),
    ...regexes.flatMap(({ match }) => places(entityRule('custom_pattern'), OWN_LIST_SCORE, match, given)),
  ];
}

function isDetected({ detected }: { readonly detected?: boolean | undefined }): boolean {
  return detected !== false;
}

/** The matches that were detected, each once: all its places are found at once, however often it is told. */
function distinct<
  T extends { readonly match: string; readonly type?: string; readonly detected?: boolean | undefined },
>(matches: readonly T[] = []): T[] {
  return [...new Map(matches.filter(isDetected).map((one) => [`${one.type} ${one.match}`, one])).values()];
}

/** Its names are like ours; what is none says nothing. */
function nameOf(type: string): string {
  return NAME.test(type) ? (OUR_NAMES[type] ?? type.toLowerCase()) : 'other';
}

const OUR_NAMES: Readonly<Record<string, string>> = {
  CREDIT_DEBIT_CARD_NUMBER: 'payment_card',
  INTERNATIONAL_BANK_ACCOUNT_NUMBER: 'iban',
  US_SOCIAL_SECURITY_NUMBER: 'us_ssn',
};
const SECRETS = new Set(['aws_access_key', 'aws_secret_key', 'password', 'pin']);

function promptAttackRule({ surface }: OutsideText): Rule {
  const indirect = surface === 'tool';
  return outsideRule({
    id: indirect ? 'bedrock-guardrails/indirect-prompt-attack' : 'bedrock-guardrails/prompt-attack',
    type: indirect ? 'indirect_injection' : 'prompt_injection',
    category: 'prompt_attack',
    severity: 'high',
    message: 'Amazon Bedrock Guardrails sees a jailbreak or a prompt injection.',
    owasp: 'LLM01:2025',
    atlas: indirect ? 'AML.T0051.001' : 'AML.T0051.000',
  });
}

function toxicityRule(category: string, severity: Severity): Rule {
  return outsideRule({
    id: `bedrock-guardrails/${category.replaceAll('_', '-')}`,
    type: 'toxicity',
    category,
    severity,
    message: 'Amazon Bedrock Guardrails sees content that the guardrail filters.',
    owasp: 'LLM05:2025',
    atlas: null,
  });
}

function entityRule(category: string): Rule {
  return outsideRule({
    id: `bedrock-guardrails/${category.replaceAll('_', '-')}`,
    type: SECRETS.has(category) ? 'secret' : 'pii',
    category,
    severity: 'medium',
    message: 'Amazon Bedrock Guardrails sees sensitive information.',
    owasp: 'LLM02:2025',
    atlas: 'AML.T0057',
  });
}

function whole(rule: Rule, score: number, { text }: OutsideText): OutsideFinding {
  return { rule, score, start: 0, end: text.length };
}

/** Where the match stands; the whole text where it stands nowhere as it is quoted, since somewhere it is. */
function places(rule: Rule, score: number, match: string, given: OutsideText): OutsideFinding[] {
  const found: OutsideFinding[] = [];
  let start = match === '' ? -1 : given.text.indexOf(match);
  while (start >= 0) {
    found.push({ rule, score, start, end: start + match.length });
    start = given.text.indexOf(match, start + match.length);
  }
  return found.length === 0 ? [whole(rule, score, given)] : found;
}
