import type { Threat } from '../../api/client.ts';

/** The longest literal of the API. */
export const MAX_LITERAL = 200;

/** An entry of a policy's `allow`. */
export interface Exception {
  readonly literal?: string;
  readonly rules: readonly string[];
  readonly surfaces: readonly string[];
}

/**
 * An exception for findings of a rule, in its direction and within a text. Without a text it covers every finding of the rule.
 */
export function exceptionFor(
  { rule, location }: Pick<Threat, 'rule' | 'location'>,
  literal: string | undefined,
): Exception {
  return { ...(literal !== undefined && { literal }), rules: [rule], surfaces: [location.part] };
}

/**
 * The text that a narrow exception for a finding allows: the sentence or line around it, which says more than the finding alone. Shortened
 * to 200 characters; empty if the finding alone is longer.
 */
export function sentenceAround(text: string, { start, end }: Threat['location']): string {
  if (end - start > MAX_LITERAL) return '';
  const before = text.slice(0, start);
  const after = text.slice(end);
  const from = Math.max(...['\n', '. ', '! ', '? '].map((mark) => indexBehind(before, mark)));
  const ends = ['\n', '. ', '! ', '? '].map((mark) => after.indexOf(mark)).filter((at) => at >= 0);
  const to = end + (ends.length === 0 ? after.length : Math.min(...ends) + (after[Math.min(...ends)] === '\n' ? 0 : 1));
  const sentence = text.slice(from, to).trim();
  return sentence.length <= MAX_LITERAL ? sentence : text.slice(start, end);
}

function indexBehind(text: string, mark: string): number {
  const at = text.lastIndexOf(mark);
  return at < 0 ? 0 : at + mark.length;
}

/** A policy's settings with one more exception. */
export function withException<T extends { readonly allow?: readonly unknown[] | undefined }>(
  settings: T,
  exception: Exception,
): T {
  return { ...settings, allow: [...(settings.allow ?? []), exception] };
}
