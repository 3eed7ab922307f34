import { opensNarration } from '../fusion/index.ts';
import type { MatchContext, Rule } from '../matching/index.ts';

const NEGATED =
  /(?:\bnot|\bnever|n't|\bcannot|\bwithout|\brefuse to|\bavoid|\bprevent(?:s|ed)?|\bresist(?:s)?|\bunable to)(?: \w+){0,2}\s+$/;
const REPORTED =
  /\b(?:such as|like|e\.g\.,?|i\.e\.,?|for example,?|examples? of|phrases?|strings?|words|prompts?|text|says?|saying|said|attackers?|injections?|jailbreaks?|attacks?|attempts?|payloads?|tries|tried|trying|tricks?|tricked|tricking|manipulates?|persuad\w+|convinc\w+|causes?|causing|makes?|making|gets?|getting|instructs|instructing|tells|telling|asks|asking|commands) (?:(?:the|an?|your?|me|us|any|our|this|its|that|it|them|him|her) )?(?:(?:llm|ai|model|chatbot|bot|assistant|agent|system|application|user)s? )?(?:to |into |that )?(?:\w+ )?["'`*_([]*$/;
const THIRD_PERSON =
  /\b(?:i|we|they|he|she|who|which|people|users|employees|students|attackers?|models?|llms?|humans)(?:'ll|'d)? (?:(?:can|could|should|may|might|will|would|must|to|want to|tried to|try to|often|always|just|simply|then|also|accidentally) ){0,3}$/;
/** "do not forget to ignore": the negation does not belong to the command. */
const NOT_OMITTED =
  /(?:\bnot|\bnever|n't|\bwithout) (?:forget|fail|hesitate|neglect|omit|refuse|miss|delay|failing|hesitating)(?: to| in)?\s+$/;
/** Introduction of a quotation: `a jailbreak: "...`. */
const NAMED = /\b(?:jailbreaks?|injections?|attacks?|payloads?|attempts?|phrases?|examples?)(?: \w+)?: ?["'`]+$/;
const QUOTED = /[\p{L},]\s?["'`]+$/u;

/**
 * The score of a command by its use in the sentence: undefined if it is negated ("never ignore ..."), at most 0.4
 * if it is reported ("attackers write ..."), at most 0.6 if it is only quoted, 0.45 in third-party text. Reads the folded view.
 */
export function scoreAsCommand(score: number, { before, isThirdParty }: MatchContext): number | undefined {
  if (NEGATED.test(before) && !NOT_OMITTED.test(before)) return undefined;
  if (NAMED.test(before) || REPORTED.test(before) || THIRD_PERSON.test(before) || opensNarration(before))
    return Math.min(score, 0.4);
  return QUOTED.test(before) ? Math.min(score, isThirdParty ? 0.45 : 0.6) : score;
}

/** Text about a word or an act. */
const MENTIONED =
  /\b(?:words?|terms?|slurs?|phrases?|insults?|epithets?|called|calling|says?|said|saying|wrote|quotes?|quoted|lyrics?|meaning|mean|means|translat\w+|etymology|define[ds]?|definition|hate ?speech|examples?|such as|classif\w+|detect\w*|moderat\w+|label\w*|offensive|derogatory|reported|accused|alleged\w*|testified|threatened|character|novel|scene|dialogue|script|story|song|title[ds]?|film|movie|book)\b[^.!?\n]{0,32}$/;
const OPENING_QUOTE = /["'`“‘«(]$/;
const NEGATED_STATEMENT =
  /\b(?:not|never|don't|didn't|wouldn't|won't|shouldn't|can't|isn't|aren't|without|nobody|no one|if|does|do|why|whether|that)\b[^.!?\n]{0,12}$/;

/** The score if the words are used; undefined if they are quoted or mentioned. Reads the folded view. */
export function scoreUnlessMentioned(score: number, { before }: MatchContext): number | undefined {
  return OPENING_QUOTE.test(before) || MENTIONED.test(before) ? undefined : score;
}

/** The same for statements, which a negation or a question cancels. */
export function scoreAsStatement(score: number, context: MatchContext): number | undefined {
  return NEGATED_STATEMENT.test(context.before) ? undefined : scoreUnlessMentioned(score, context);
}

/** Highest score of a payload that is only shown: a hint. */
const SHOWN = 0.4;

/**
 * An inline code span that opens shortly before and has not closed. A mark at the start of the context may also close
 * one, so other text must precede it.
 */
const IN_SPAN = /[\s([{"'>:,;]`{1,2}[^`\n]{0,60}$/;
/** A fenced block that opens shortly before: only an opening fence names a language. */
const IN_FENCE = /```[a-z][\w+-]{0,15}\n[^`]*$/i;
/** An example is announced. */
const AS_EXAMPLE = /\b(?:such as|like|e\.g\.,?|for example,?|for instance,?|examples? of) {1,2}["'`“‘(]{0,2}$/i;

/**
 * The rule with a low score if its match is only shown and has no effect: in Markdown's code spans and blocks, which are
 * escaped when they are rendered, and as an announced example.
 */
export function lowerWhereShown(rule: Rule): Rule {
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

/** A text without punctuation at its end, as it ends an address in a sentence. Linear, unlike `/[...]+$/`. */
export function withoutEnding(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
