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

export interface BedrockGuardrailsOptions extends BedrockDetectorOptions {
  /** The guardrail's id or ARN. An ARN's region overrides `region`. */
  readonly guardrail: string;
  /** A number, or `DRAFT`. */
  readonly version: string;
}

/** Amazon Bedrock Guardrails (ApplyGuardrail), one text per call, since the response does not say which of several texts it means. */
export class BedrockGuardrails implements OutsideDetector {
  readonly name = 'bedrock_guardrails';
  /** 25 text units of 1,000 characters: the smallest limit of any region and filter. */
  readonly maxChars = 25_000;
  private readonly options: BedrockGuardrailsOptions;
  private readonly client: BedrockDetectorClient;

  constructor(options: BedrockGuardrailsOptions) {
    this.options = options;
    const { guardrail, version: _, ...client } = options;
    const region = guardrail.startsWith('arn:') && { region: guardrail.split(':')[3] as string };
    this.client = new BedrockDetectorClient({ ...client, ...region });
  }

  inspect(texts: readonly OutsideText[], signal: AbortSignal): readonly Promise<OutsideVerdict>[] {
    return inspectEach(texts, (text) => this.inspectOne(text, signal));
  }

  private async inspectOne(given: OutsideText, signal: AbortSignal): Promise<OutsideVerdict> {
    const { guardrail, version } = this.options;
    const { ApplyGuardrailCommand } = await import('./bedrock.ts');
    const command = new ApplyGuardrailCommand({
      guardrailIdentifier: guardrail,
      guardrailVersion: version,
      source: given.surface === 'output' ? 'OUTPUT' : 'INPUT',
      content: [{ text: { text: given.text } }],
    });
    try {
      const client = await this.client.get();
      return toBedrockJudgement(await client.send(command, { abortSignal: signal }), given);
    } catch (error) {
      return toDetectorFailure(error);
    }
  }
}

const detected = z.boolean().optional();
const matched = z.object({ match: z.string(), detected });

/**
 * The fields of a response that are read: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ApplyGuardrail.html.
 * Contextual grounding and automated reasoning are not: they need a source to compare with, which is not sent.
 */
const responseSchema = z.object({
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
type Assessment = z.infer<typeof responseSchema>['assessments'][number];

/** Confidence as a score: `balanced` blocks HIGH, `strict` blocks MEDIUM, LOW is reported. */
const CONFIDENCE_SCORES: ReadonlyMap<string, number> = new Map([
  ['HIGH', 0.95],
  ['MEDIUM', 0.8],
  ['LOW', 0.5],
]);
/** Topics, words and patterns are defined by the guardrail's owner and match or do not. */
const OWN_LIST_SCORE = 0.95;
/** Entities have no confidence. */
const ENTITY_SCORE = 0.8;

/**
 * The findings of an ApplyGuardrail response; `unreadable` if it does not match the schema, or intervened for an unknown reason. Quoted
 * matches are used to find their locations and then dropped.
 */
function toBedrockJudgement(json: unknown, given: OutsideText): OutsideVerdict {
  const response = responseSchema.safeParse(json);
  if (!response.success) return { failure: 'unreadable' };
  const findings = response.data.assessments.flatMap((assessment) => [
    ...contentFindings(assessment, given),
    ...listFindings(assessment, given),
    ...sensitiveFindings(assessment, given),
  ]);
  if (findings.length === 0 && response.data.action !== 'NONE') return { failure: 'unreadable', detail: 'intervened' };
  return { findings };
}

function contentFindings({ contentPolicy }: Assessment, given: OutsideText): DetectorFinding[] {
  return (contentPolicy?.filters ?? []).filter(isDetected).flatMap(({ type, confidence }) => {
    const score = CONFIDENCE_SCORES.get(confidence);
    if (score === undefined) return [];
    const rule = type === 'PROMPT_ATTACK' ? attackRule(type, given) : toxicityRule(nameOf(type), 'high');
    return [whole(rule, score, given)];
  });
}

function listFindings({ topicPolicy, wordPolicy }: Assessment, given: OutsideText): DetectorFinding[] {
  const topics = (topicPolicy?.topics ?? []).filter(isDetected);
  const words = distinct(wordPolicy?.customWords);
  const managed = distinct(wordPolicy?.managedWordLists);
  return [
    ...topics.map(() => whole(toxicityRule('denied_topic', 'medium'), OWN_LIST_SCORE, given)),
    ...words.flatMap(({ match }) => places(toxicityRule('denied_word', 'medium'), OWN_LIST_SCORE, match, given)),
    ...managed.flatMap(({ match }) => places(toxicityRule('profanity', 'low'), OWN_LIST_SCORE, match, given)),
  ];
}

function sensitiveFindings({ sensitiveInformationPolicy: policy }: Assessment, given: OutsideText): DetectorFinding[] {
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

/** The detected matches without duplicates: all locations of a match are found at once. */
function distinct<
  T extends { readonly match: string; readonly type?: string; readonly detected?: boolean | undefined },
>(matches: readonly T[] = []): T[] {
  return [...new Map(matches.filter(isDetected).map((one) => [`${one.type} ${one.match}`, one])).values()];
}

/** All locations of the match; the whole text if the quoted match does not occur in it. */
function places(rule: DetectorFinding['rule'], score: number, match: string, given: OutsideText): DetectorFinding[] {
  const found: DetectorFinding[] = [];
  let start = match === '' ? -1 : given.text.indexOf(match);
  while (start >= 0) {
    found.push({ rule, score, start, end: start + match.length });
    start = given.text.indexOf(match, start + match.length);
  }
  return found.length === 0 ? [whole(rule, score, given)] : found;
}
