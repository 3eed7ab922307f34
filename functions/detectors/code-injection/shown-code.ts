import type { Rule } from '../../core/inspect/rule.ts';

/** What a payload that is only shown scores at most: a hint. */
const SHOWN = 0.4;

/**
 * An inline code span that opens shortly before and has not closed. A mark at the very start of the context may as well close
 * one, so that something has to stand before it.
 */
const IN_SPAN = /[\s([{"'>:,;]`{1,2}[^`\n]{0,60}$/;
/** A fenced block that opens shortly before: only an opening fence names a language. */
const IN_FENCE = /```[a-z][\w+-]{0,15}\n[^`]*$/i;
/** An example is announced. */
const AS_EXAMPLE = /\b(?:such as|like|e\.g\.,?|for example,?|for instance,?|examples? of) {1,2}["'`“‘(]{0,2}$/i;

/**
 * The rule with a low score where what it finds is shown and does nothing: in Markdown's code spans and blocks, which are
 * escaped where they are rendered, and as an announced example.
 */
export function quietWhereShown(rule: Rule): Rule {
  return {
    ...rule,
    check: (match, context) => {
      const score = rule.check === undefined ? rule.score : rule.check(match, context);
      return score !== undefined && isShown(context.before) ? Math.min(score, SHOWN) : score;
    },
  };
}

function isShown(before: string): boolean {
  return IN_SPAN.test(before) || IN_FENCE.test(before) || AS_EXAMPLE.test(before);
}
