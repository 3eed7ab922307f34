import type { InvokeGuardrailChecksCommandInput } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import type { OutsideDetector, OutsideText, OutsideVerdict } from '../../inspection/index.ts';
import type { DetectorFinding } from '../http/detector-call.ts';
import { inspectEach } from '../http/inspect-each.ts';
import {
  attackRule,
  BedrockDetectorClient,
  type BedrockDetectorOptions,
  entityRule,
  nameOf,
  toDetectorFailure,
  toxicityRule,
  whole,
} from './bedrock-detector.ts';

/** A check that a deployment may choose, as the API names it. */
type GuardrailCheck = 'contentFilter' | 'promptAttack' | 'sensitiveInformation';

export interface BedrockGuardrailChecksOptions extends BedrockDetectorOptions {
  readonly checks: readonly GuardrailCheck[];
}

type Checks = NonNullable<InvokeGuardrailChecksCommandInput['checks']>;

/** All that the API detects, but addresses of pages: they are no personal data. */
const ENTITIES = [
  ...([
    'ADDRESS',
    'AGE',
    'AWS_ACCESS_KEY',
    'AWS_SECRET_KEY',
    'CA_HEALTH_NUMBER',
    'CA_SOCIAL_INSURANCE_NUMBER',
  ] as const),
  ...(['CREDIT_DEBIT_CARD_CVV', 'CREDIT_DEBIT_CARD_EXPIRY', 'CREDIT_DEBIT_CARD_NUMBER', 'DRIVER_ID', 'EMAIL'] as const),
  ...(['INTERNATIONAL_BANK_ACCOUNT_NUMBER', 'IP_ADDRESS', 'LICENSE_PLATE', 'MAC_ADDRESS', 'NAME', 'PASSWORD'] as const),
  ...(['PHONE', 'PIN', 'SWIFT_CODE', 'UK_NATIONAL_HEALTH_SERVICE_NUMBER', 'UK_NATIONAL_INSURANCE_NUMBER'] as const),
  ...(['UK_UNIQUE_TAXPAYER_REFERENCE_NUMBER', 'USERNAME', 'US_BANK_ACCOUNT_NUMBER', 'US_BANK_ROUTING_NUMBER'] as const),
  ...(['US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER', 'US_PASSPORT_NUMBER', 'US_SOCIAL_SECURITY_NUMBER'] as const),
  'VEHICLE_IDENTIFICATION_NUMBER' as const,
];
const CONFIGS: { readonly [Check in GuardrailCheck]: NonNullable<Checks[Check]> } = {
  contentFilter: {
    categories: (['HATE', 'INSULTS', 'MISCONDUCT', 'SEXUAL', 'VIOLENCE'] as const).map((category) => ({ category })),
  },
  promptAttack: {
    categories: (['JAILBREAK', 'PROMPT_INJECTION', 'PROMPT_LEAKAGE'] as const).map((category) => ({ category })),
  },
  sensitiveInformation: { entities: ENTITIES.map((type) => ({ type })) },
};

/** Checks of Amazon Bedrock Guardrails without a guardrail (InvokeGuardrailChecks), one text per call: its scores are those of a call. */
export class BedrockGuardrailChecks implements OutsideDetector {
  readonly name = 'bedrock_guardrail_checks';
  /** As of a guardrail: the API names no limit. */
  readonly maxChars = 25_000;
  private readonly checks: readonly GuardrailCheck[];
  private readonly client: BedrockDetectorClient;

  constructor({ checks, ...client }: BedrockGuardrailChecksOptions) {
    this.checks = checks;
    this.client = new BedrockDetectorClient(client);
  }

  inspect(texts: readonly OutsideText[], signal: AbortSignal): readonly Promise<OutsideVerdict>[] {
    return inspectEach(texts, (text) => this.inspectOne(text, signal));
  }

  private async inspectOne(given: OutsideText, signal: AbortSignal): Promise<OutsideVerdict> {
    // A response attacks no prompt.
    const checks = this.checks.filter((check) => check !== 'promptAttack' || given.surface !== 'output');
    if (checks.length === 0) return { findings: [] };
    const { InvokeGuardrailChecksCommand } = await import('./bedrock.ts');
    const command = new InvokeGuardrailChecksCommand({
      // Results of tools are checked as what a user sends.
      messages: [{ role: given.surface === 'output' ? 'assistant' : 'user', content: [{ text: given.text }] }],
      checks: Object.fromEntries(checks.map((check) => [check, CONFIGS[check]])),
    });
    try {
      const client = await this.client.get();
      return toVerdict(await client.send(command, { abortSignal: signal }), checks, given);
    } catch (error) {
      return toDetectorFailure(error);
    }
  }
}

const score = z.number().min(0).max(1);
const severities = z.object({ results: z.array(z.object({ category: z.string(), severityScore: score })) });
const offset = z.int().min(0);

/** The fields of a response that are read: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeGuardrailChecks.html */
const responseSchema = z.object({
  results: z.object({
    contentFilter: severities.nullish(),
    promptAttack: severities.nullish(),
    sensitiveInformation: z
      .object({
        results: z.array(
          z.object({ type: z.string(), confidenceScore: score, beginOffset: offset, endOffset: offset }),
        ),
        truncated: z.boolean().nullish(),
      })
      .nullish(),
  }),
});
type Results = z.infer<typeof responseSchema>['results'];

/** The findings of a response; `unreadable` if it does not match the schema, or lacks a check. */
function toVerdict(json: unknown, checks: readonly GuardrailCheck[], given: OutsideText): OutsideVerdict {
  const response = responseSchema.safeParse(json);
  if (!response.success) return { failure: 'unreadable' };
  const { results } = response.data;
  const missing = checks.find((check) => results[check] == null);
  if (missing !== undefined) return { failure: 'unreadable', detail: `no ${missing}` };
  const { contentFilter, promptAttack } = results;
  return {
    findings: [
      ...(contentFilter?.results ?? []).flatMap(({ category, severityScore }) =>
        severityScore === 0 ? [] : [whole(toxicityRule(nameOf(category), 'high'), severityScore, given)],
      ),
      ...(promptAttack?.results ?? []).flatMap(({ category, severityScore }) =>
        severityScore === 0 ? [] : [whole(attackRule(category, given), severityScore, given)],
      ),
      ...entityFindings(results.sensitiveInformation, given),
    ],
  };
}

function entityFindings(found: Results['sensitiveInformation'], given: OutsideText): DetectorFinding[] {
  const entities = (found?.results ?? []).filter(({ confidenceScore }) => confidenceScore > 0);
  const findings = entities.map(({ type, confidenceScore, beginOffset, endOffset }) => ({
    ...whole(entityRule(nameOf(type)), confidenceScore, given),
    ...rangeOf(given.text, beginOffset, endOffset),
  }));
  if (found?.truncated !== true) return findings;
  // There is more than it lists, anywhere in the text.
  const most = Math.max(...entities.map(({ confidenceScore }) => confidenceScore));
  return [...findings, whole(entityRule('other'), entities.length === 0 ? 1 : most, given)];
}

/**
 * The range of an entity in UTF-16 code units. The API counts characters and does not say of which kind: where that makes a difference,
 * the range includes both. The whole text if it is not in the text.
 */
function rangeOf(text: string, begin: number, end: number): { start: number; end: number } {
  const points = [...text.slice(0, end * 2)].slice(0, end).join('').length;
  if (begin >= end || end > text.length) return { start: 0, end: text.length };
  const isInsideCharacter = /[\udc00-\udfff]/.test(text[begin] ?? '');
  return { start: isInsideCharacter ? begin - 1 : begin, end: points };
}
