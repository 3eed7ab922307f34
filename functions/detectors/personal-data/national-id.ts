import type { Rule } from '../../core/inspect/rule.ts';
import { namesAThing, SHARED } from './shared.ts';

/** A number that a state gives a person. */
export interface NationalId {
  /** The rule's id without its family: country and name. */
  readonly thing: string;
  /** As in "a Spanish DNI". */
  readonly name: string;
  readonly patterns: readonly string[];
  readonly ignoreCase?: boolean;
  /** Whether it can have been issued: check digits, dates, ranges. Gets upper case without separators. */
  readonly isValid: (id: string) => boolean;
  /** What people write before it; read in 64 characters of lower case. */
  readonly context: RegExp;
  /**
   * The score where no such word stands before it: undefined where the form alone says too little. A function tells by
   * the text as written: separators may make it unmistakable.
   */
  readonly bare?: number | ((written: string) => number | undefined);
}

const WITH_CONTEXT = 0.93;

export function nationalIdRule({
  thing,
  name,
  patterns,
  ignoreCase = false,
  isValid,
  context,
  bare,
}: NationalId): Rule {
  // A number that goes on is another number: what follows is read too, and then fits no form.
  const whole = new RegExp(`^(?:${patterns.join('|')})$`, ignoreCase ? 'i' : '');
  return {
    ...SHARED,
    id: `personal-data/${thing}`,
    category: thing.replaceAll('-', '_'),
    severity: 'high',
    score: WITH_CONTEXT,
    ignoreCase,
    patterns: patterns.map((pattern) => `${pattern}(?:[-./]\\d{1,19})?`),
    check: (match, { before }) => {
      if (/[\d.,/-]$/.test(before) && /^\d/.test(match) && !/[^\d]\.$|, $/.test(before)) return undefined;
      if (!whole.test(match) || !isValid(match.replace(/[\s.\-/:()]/g, '').toUpperCase())) return undefined;
      if (context.test(before.toLowerCase())) return WITH_CONTEXT;
      if (namesAThing(before)) return undefined;
      return typeof bare === 'function' ? bare(match) : bare;
    },
    message: `Text holds what looks like ${name}.`,
  };
}

/** For `bare`: this score where the number is written with separators. */
export function whereGrouped(score: number): (written: string) => number | undefined {
  return (written) => (/[\s.\-/]/.test(written) ? score : undefined);
}
