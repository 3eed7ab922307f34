import * as z from 'zod';
import {
  type AskingRequest,
  type OutsideDetector,
  type OutsideText,
  type OutsideVerdict,
  outsideRule,
} from '../../inspection/index.ts';
import { addressSchema, type HttpClient } from '../../kernel/http/index.ts';
import { isInRange, type ScoreRange, type ThreatType } from '../../kernel/model/index.ts';
import { callDetector, type DetectorFinding } from './detector-call.ts';
import { inspectEach } from './inspect-each.ts';

const MAX_DETECTORS = 4;
const BUILT_IN = new Set(['bedrock_guardrails', 'bedrock_guardrail_checks', 'openai_moderation', 'model_judge']);
/** The text of a request's template that is replaced by the inspected text, and of a header by the secret. */
const TEXT = '{text}';
const SECRET = '{secret}';

/** A member, an index, `*` for every element, or `*[label=MALICIOUS]` for those with a member of this value; joined by dots. */
const PATH =
  /^(?:\*(?:\[[\w-]{1,64}=[\w -]{1,64}\])?|[\w-]{1,64})(?:\.(?:\*(?:\[[\w-]{1,64}=[\w -]{1,64}\])?|[\w-]{1,64})){0,15}$/;

/** What a detector may report. Third-party text with `prompt_injection` is reported as `indirect_injection`. */
const TYPES = ['prompt_injection', 'jailbreak', 'toxicity', 'pii'] as const satisfies readonly ThreatType[];

const template = z
  .union([z.record(z.string(), z.json()), z.array(z.json())])
  .refine((body) => JSON.stringify(body).includes(TEXT), `must contain ${TEXT}`);

const detectorSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,31}$/, 'must consist of lower-case letters, digits and _')
      .refine((name) => !BUILT_IN.has(name), 'is the name of a built-in detector'),
    url: addressSchema,
    headers: z.record(z.string().regex(/^[\w-]{1,64}$/), z.string().max(1_024)).optional(),
    secret: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'must consist of upper-case letters, digits and _')
      .optional(),
    request: template,
    thirdPartyRequest: template.optional(),
    score: z.array(z.string().regex(PATH, 'must be a path such as results.*.flagged')).min(1).max(8),
    type: z.enum(TYPES).optional(),
    scoreIfTrue: z.number().min(0.5).max(1).optional(),
    responses: z.boolean().optional(),
    maxChars: z.int().min(500).max(100_000).optional(),
    when: z.enum(['always', 'uncertain']).optional(),
    deadlineMs: z.int().min(10).max(99_999).optional(),
    onFailure: z.enum(['policy', 'ignore']).optional(),
  })
  .refine(
    ({ headers = {}, secret }) =>
      (secret !== undefined) === Object.values(headers).some((text) => text.includes(SECRET)),
    `secret and a header with ${SECRET} need each other`,
  );

/** Detectors of the deployment, by any HTTP API with JSON: docs/detection.md has examples. */
export const httpDetectorsSchema = z
  .array(detectorSchema)
  .max(MAX_DETECTORS)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names must differ');

export type HttpDetectorSettings = z.output<typeof detectorSchema>;

export interface HttpDetectorOptions {
  readonly http: HttpClient;
  readonly settings: HttpDetectorSettings;
  /** Returns the value of the secret; undefined if there is none. Called each time, so that a rotated one is used at once. */
  readonly secret: () => Promise<string | undefined>;
  /** The scores by our rules that are uncertain. */
  readonly uncertain: ScoreRange;
  /** Maximum wait for the response head, and between chunks of the body, in milliseconds. */
  readonly timeoutMs: number;
}

/** A detector with an HTTP API of JSON: a template of the request, and paths to the scores in the response. One text per call. */
export class HttpDetector implements OutsideDetector {
  readonly name: string;
  readonly maxChars: number;
  readonly isOptional: boolean;
  readonly needs: OutsideDetector['needs'];
  private readonly options: HttpDetectorOptions;
  private readonly rule: DetectorFinding['rule'];
  private readonly thirdPartyRule: DetectorFinding['rule'];

  constructor(options: HttpDetectorOptions) {
    const { name, maxChars = 8_000, onFailure, type = 'prompt_injection' } = options.settings;
    this.options = options;
    this.name = name;
    this.maxChars = maxChars;
    this.isOptional = onFailure === 'ignore';
    this.needs = needsOf(options);
    this.rule = ruleOf(name, type);
    this.thirdPartyRule = type === 'prompt_injection' ? ruleOf(name, 'indirect_injection') : this.rule;
  }

  inspect(
    texts: readonly OutsideText[],
    signal: AbortSignal,
    { admitted }: Pick<AskingRequest, 'admitted'>,
  ): readonly Promise<OutsideVerdict>[] {
    const { deadlineMs } = this.options.settings;
    const ends = deadlineMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
    // Calls are billed, so a refused request makes none.
    const refused = { failure: 'failed', detail: 'request not admitted' } as const;
    return inspectEach(texts, (text) =>
      admitted.then(
        () => this.inspectOne(text, ends),
        () => refused,
      ),
    );
  }

  private async inspectOne({ text, surface }: OutsideText, signal: AbortSignal): Promise<OutsideVerdict> {
    const { http, settings, timeoutMs } = this.options;
    const { request, thirdPartyRequest, responses, score: paths, scoreIfTrue = 0.8 } = settings;
    if (surface === 'output' && responses !== true) return { findings: [] };
    const headers = await this.headers();
    if (headers === undefined) return { failure: 'refused', detail: 'no secret configured' };
    const isThirdParty = surface === 'tool';
    const answer = await callDetector(http, {
      method: 'POST',
      url: settings.url,
      headers,
      body: JSON.stringify(filled((isThirdParty && thirdPartyRequest) || request, text)),
      headTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
      signal,
    });
    if ('failure' in answer) return answer;
    const scores = paths
      .flatMap((path) => valuesAt(answer.json, path.split('.')))
      .map((value) => toScore(value, scoreIfTrue));
    if (scores.length === 0 || scores.includes(undefined)) return { failure: 'unreadable' };
    const score = (scores as number[]).reduce((highest, one) => Math.max(highest, one), 0);
    if (score === 0) return { findings: [] };
    return { findings: [{ rule: isThirdParty ? this.thirdPartyRule : this.rule, score, start: 0, end: text.length }] };
  }

  /** The headers with the secret; undefined if it is missing. */
  private async headers(): Promise<Record<string, string> | undefined> {
    const { headers = {}, secret: name } = this.options.settings;
    const secret = name === undefined ? '' : await this.options.secret().catch(() => undefined);
    if (secret === undefined || (name !== undefined && secret === '')) return undefined;
    const own = Object.entries(headers).map(([header, text]) => [
      header.toLowerCase(),
      text.replaceAll(SECRET, () => secret),
    ]);
    return { 'content-type': 'application/json', accept: 'application/json', ...Object.fromEntries(own) };
  }
}

/** Which texts are sent. Attacks are looked for where our rules are uncertain, and everything else as the deployment's setting says. */
function needsOf({ settings, uncertain }: HttpDetectorOptions): OutsideDetector['needs'] {
  const { type = 'prompt_injection', when } = settings;
  const isForAttacks = type === 'prompt_injection' || type === 'jailbreak';
  if (when === 'uncertain' || (when === undefined && isForAttacks))
    return ({ attackScore }) => isInRange(uncertain, attackScore);
  return when === 'always' ? () => true : undefined;
}

function ruleOf(name: string, type: ThreatType): DetectorFinding['rule'] {
  return outsideRule({
    id: `${name.replaceAll('_', '-')}/${type.replaceAll('_', '-')}`,
    type,
    category: 'outside_detector',
    severity: 'high',
    message: `The detector ${name} reported this text.`,
    owasp: type === 'toxicity' ? 'LLM05:2025' : type === 'pii' ? 'LLM02:2025' : 'LLM01:2025',
    atlas: null,
  });
}

/** The template with the text in each of its strings. */
function filled(part: unknown, text: string): unknown {
  if (typeof part === 'string') return part.replaceAll(TEXT, () => text);
  if (Array.isArray(part)) return part.map((one) => filled(one, text));
  if (part === null || typeof part !== 'object') return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, filled(value, text)]));
}

const FILTER = /^\*\[([\w-]+)=(.+)\]$/;

/** All values at a path. */
function valuesAt(json: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [json];
  if (json === null || typeof json !== 'object') return [];
  if (!step.startsWith('*')) {
    return Object.hasOwn(json, step) ? valuesAt((json as Record<string, unknown>)[step], rest) : [];
  }
  const [, member = '', wanted] = FILTER.exec(step) ?? [];
  return Object.values(json).flatMap((one: unknown) => {
    const isWanted = wanted === undefined || String((one as Record<string, unknown> | null)?.[member]) === wanted;
    return isWanted ? valuesAt(one, rest) : [];
  });
}

/** Undefined for what is neither a truth value nor a number from 0 to 1. */
function toScore(value: unknown, scoreIfTrue: number): number | undefined {
  if (typeof value === 'boolean') return value ? scoreIfTrue : 0;
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
}
