import * as z from 'zod';
import { type OutsideDetector, type OutsideText, type OutsideVerdict, outsideRule } from '../../inspection/index.ts';
import type { HttpClient } from '../../kernel/http/index.ts';
import type { Severity } from '../../kernel/model/index.ts';
import { callDetector, type DetectorFinding } from './detector-call.ts';

export interface OpenAiModerationOptions {
  readonly http: HttpClient;
  /** Returns undefined if no key is configured. Called each time, so that a rotated key is used at once. */
  readonly apiKey: () => Promise<string | undefined>;
  /** Ends with `/v1`; undefined if the one that is configured cannot be used. */
  readonly baseUrl: string | undefined;
  /** Maximum wait for the response head, and between chunks of the body, in milliseconds. */
  readonly timeoutMs: number;
}

const MODEL = 'omni-moderation-latest';

/** https://platform.openai.com/docs/api-reference/moderations/object */
const answerSchema = z.object({
  results: z.array(
    z.object({
      categories: z.record(z.string(), z.boolean().nullable()),
      category_scores: z.record(z.string(), z.number().min(0).max(1).nullable()),
    }),
  ),
});
type Result = z.infer<typeof answerSchema>['results'][number];

/** Policies report a finding from this score on. OpenAI's thresholds differ by category, and its verdict decides. */
const TOLD_FROM = 0.5;
const UNTOLD_BELOW = 0.49;

/** OpenAI's moderation: all texts in one call. Every category is `toxicity` here; it does not detect attacks. */
export class OpenAiModeration implements OutsideDetector {
  readonly name = 'openai_moderation';
  /** Longer texts are scored less accurately, and a request has a token limit. */
  readonly maxChars = 8_000;
  private readonly options: OpenAiModerationOptions;

  constructor(options: OpenAiModerationOptions) {
    this.options = options;
  }

  inspect(texts: readonly OutsideText[], signal: AbortSignal): readonly Promise<OutsideVerdict>[] {
    const asked = this.ask(texts, signal);
    return texts.map(async (_, at) => {
      const verdicts = await asked;
      return 'failure' in verdicts ? verdicts : (verdicts[at] as OutsideVerdict);
    });
  }

  private async ask(texts: readonly OutsideText[], signal: AbortSignal) {
    const { http, baseUrl, timeoutMs } = this.options;
    if (baseUrl === undefined) return { failure: 'refused', detail: 'no valid base URL configured' } as const;
    const key = await this.options.apiKey().catch(() => undefined);
    if (!key) return { failure: 'refused', detail: 'no API key configured' } as const;
    const answer = await callDetector(http, {
      method: 'POST',
      url: `${baseUrl}/moderations`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ model: MODEL, input: texts.map(({ text }) => text) }),
      headTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
      signal,
    });
    if ('failure' in answer) return answer;
    const { data } = answerSchema.safeParse(answer.json);
    if (data?.results.length !== texts.length) return { failure: 'unreadable' } as const;
    return data.results.map((result, at) => ({ findings: toFindings(result, texts[at] as OutsideText) }));
  }
}

function toFindings({ categories, category_scores }: Result, { text }: OutsideText): DetectorFinding[] {
  return Object.entries(category_scores).flatMap(([name, score]) => {
    if (score === null || !NAME.test(name)) return [];
    const ours = categories[name] === true ? Math.max(score, TOLD_FROM) : Math.min(score, UNTOLD_BELOW);
    return [{ rule: toxicityRule(name), score: ours, start: 0, end: text.length }];
  });
}

/** Such as `self-harm/instructions`. */
const NAME = /^[a-z][a-z/-]{0,63}$/;

const SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['sexual/minors', 'critical'],
  ['self-harm/instructions', 'high'],
  ['illicit/violent', 'high'],
  ['hate/threatening', 'high'],
  ['harassment/threatening', 'high'],
]);

function toxicityRule(name: string) {
  return outsideRule({
    id: `openai-moderation/${name.replaceAll('/', '-')}`,
    type: 'toxicity',
    category: name.replaceAll(/[/-]/g, '_'),
    severity: SEVERITIES.get(name) ?? 'medium',
    message: 'OpenAI moderation detected harmful content.',
    owasp: 'LLM05:2025',
    atlas: null,
  });
}
