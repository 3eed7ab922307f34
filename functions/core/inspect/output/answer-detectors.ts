import type { Policy } from '../policy.ts';
import type { RequestText } from '../requests/request-text.ts';
import type { AnswerDetector } from './answer-detector.ts';
import { CANARY_RULE, Canary } from './canary.ts';
import { PROMPT_OVERLAP_RULE, PromptOverlap } from './prompt-overlap.ts';

/** What the answer of an exchange is compared with. */
export interface AnswerContext {
  /** The operator's own text. */
  readonly prompts: readonly string[];
  /** What the caller holds anyway. */
  readonly known: readonly string[];
  /** The marker that was planted in the operator's text. */
  readonly marker?: string | undefined;
}

/** What is known of an answer from the messages that it answers. */
export function contextOf(texts: readonly RequestText[], marker?: string): AnswerContext {
  const said = texts.filter(({ name }) => name === undefined);
  const prompts = said.filter(({ author }) => author === 'operator');
  const known = said.filter(({ author, message }) => author !== 'operator' && message !== null);
  return { prompts: prompts.map(({ text }) => text), known: known.map(({ text }) => text), marker };
}

/** The detectors for the answer of one exchange. */
export function answerDetectors({ prompts, known, marker }: AnswerContext, policy: Policy): AnswerDetector[] {
  const detectors: AnswerDetector[] = [];
  if (prompts.length > 0) detectors.push(new PromptOverlap(prompts, known, policy.actsOnOutput(PROMPT_OVERLAP_RULE)));
  if (marker !== undefined) detectors.push(new Canary(marker, policy.actsOnOutput(CANARY_RULE)));
  return detectors;
}
