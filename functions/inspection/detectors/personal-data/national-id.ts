import type { Rule } from '../../matching/index.ts';
import { matchesOf } from '../published-examples.ts';
import { namesAThing, SHARED } from './number-checks.ts';

/** A number that a state gives a person. */
export interface NationalId {
  /** The rule's id without its family: country and name. */
  readonly thing: string;
  /** As in "a Spanish DNI". */
  readonly name: string;
  readonly patterns: readonly string[];
  readonly ignoreCase?: boolean;
  /** Whether it can have been issued: check digits, dates, ranges. Receives upper case without separators. */
  readonly isValid: (id: string) => boolean;
  /** Keywords before it; read in 64 characters of lower case. */
  readonly context: RegExp;
  /**
   * The score without such a keyword before it: undefined if the form alone is too weak. A function decides by
   * the text as written: separators may make it unmistakable.
   */
  readonly bare?: number | ((written: string) => number | undefined);
  /** Finds the values of `Rule.documented`. Global. */
  readonly documented?: RegExp;
}

const WITH_CONTEXT = 0.93;
/** At least so many equal digits are a placeholder in forms and tests. */
const REPEATED_DIGITS = 6;

export function nationalIdRule({
  thing,
  name,
  patterns,
  ignoreCase = false,
  isValid,
  context,
  bare,
  documented,
}: NationalId): Rule {
  // A longer number is another number: the digits that follow are read too, and then match no form.
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
      if (goesOn(before, match) || !whole.test(match)) return undefined;
      if (!isValid(match.replace(/[\s.\-/:()]/g, '').toUpperCase()) || isRepeated(match.replace(/\D/g, '')))
        return undefined;
      if (context.test(before.toLowerCase())) return WITH_CONTEXT;
      if (namesAThing(before)) return undefined;
      return typeof bare === 'function' ? bare(match) : bare;
    },
    ...(documented && { documented: matchesOf(documented) }),
    message: `Text contains what looks like ${name}.`,
  };
}

function isRepeated(digits: string): boolean {
  return digits.length >= REPEATED_DIGITS && new Set(digits).size === 1;
}

const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const FULL_STOP = 0x2e;
const WITHIN_NUMBERS: ReadonlySet<number> = new Set(Array.from('.,/-', (mark) => mark.charCodeAt(0)));

/** Whether a match continues a number that begins before it. In rows of numbers every form calls it. */
function goesOn(before: string, match: string): boolean {
  if (before === '' || !isDigit(match.charCodeAt(0))) return false;
  const last = before.charCodeAt(before.length - 1);
  if (!isDigit(last) && !WITHIN_NUMBERS.has(last)) return false;
  // A full stop that ends a sentence or an abbreviation.
  return last !== FULL_STOP || before.length === 1 || isDigit(before.charCodeAt(before.length - 2));
}

function isDigit(unit: number): boolean {
  return unit >= DIGIT_0 && unit <= DIGIT_9;
}

/** For `bare`: this score where the number is written with separators. */
export function whereGrouped(score: number): (written: string) => number | undefined {
  return (written) => (/[\s.\-/]/.test(written) ? score : undefined);
}
