import type { RequestText } from '../../kernel/model/index.ts';
import type { ResponseDetector } from '../matching/index.ts';
import type { Policy } from '../policy/index.ts';
import { CANARY_RULE, Canary } from './canary.ts';
import type { PlaceholderSources } from './lost-values.ts';
import { PROMPT_OVERLAP_RULE, PromptOverlap } from './prompt-overlap.ts';

/** Data of a request that its response is compared with. */
export interface ResponseContext {
  /** System prompts: text by the operator. */
  readonly prompts: readonly string[];
  /** Texts that the caller already has. */
  readonly known: readonly string[];
  /** The marker planted in the system prompt. */
  readonly marker?: string | undefined;
  /** Absent if the request's texts are unknown. */
  readonly sources?: PlaceholderSources;
}

/** Builds the comparison data of a response from the texts of its request. */
export function contextOf(texts: readonly RequestText[], marker?: string): ResponseContext {
  const contents = texts.filter(({ name }) => name === undefined);
  const prompts = contents.filter(({ author }) => author === 'operator');
  const known = contents.filter(({ author, message }) => author !== 'operator' && message !== null);
  return { prompts: prompts.map(toText), known: known.map(toText), marker, sources: sourcesOf(texts) };
}

function sourcesOf(texts: readonly RequestText[]): PlaceholderSources {
  const isAnswer = ({ author, isContent }: RequestText) => author === 'assistant' && isContent;
  return {
    own: texts.filter((one) => !isAnswer(one)).map(toText),
    answered: texts.filter(isAnswer).map(toText),
  };
}

function toText({ text }: RequestText): string {
  return text;
}

/** The detectors for the response to one request. */
export function responseDetectors({ prompts, known, marker }: ResponseContext, policy: Policy): ResponseDetector[] {
  const detectors: ResponseDetector[] = [];
  if (prompts.length > 0) detectors.push(new PromptOverlap(prompts, known, policy.actsOnOutput(PROMPT_OVERLAP_RULE)));
  if (marker !== undefined) detectors.push(new Canary(marker, policy.actsOnOutput(CANARY_RULE)));
  return detectors;
}
