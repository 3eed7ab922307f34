import type { Threat } from '../../api/client.ts';

/** The longest literal of the API. */
const MAX_LITERAL = 200;

/** An entry of a policy's `allow`. */
export interface Exception {
  readonly literal?: string;
  readonly rules: readonly string[];
  readonly surfaces: readonly string[];
}

/**
 * The narrowest exception that drops a finding: of its rule, in its direction, and of its exact text if that is known and not longer than
 * 200 characters.
 */
export function exceptionFor(
  { rule, location }: Pick<Threat, 'rule' | 'location'>,
  text: string | undefined,
): Exception {
  const { part, start, end } = location;
  const matched = text?.slice(start, end) ?? '';
  return {
    ...(matched !== '' && matched.length <= MAX_LITERAL && { literal: matched }),
    rules: [rule],
    surfaces: [part],
  };
}

/** A policy's settings with one more exception. */
export function withException<T extends { readonly allow?: readonly unknown[] | undefined }>(
  settings: T,
  exception: Exception,
): T {
  return { ...settings, allow: [...(settings.allow ?? []), exception] };
}
