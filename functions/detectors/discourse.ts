import { opensNarration } from '../core/inspect/fusion/passage-wording.ts';
import type { MatchContext } from '../core/inspect/rule.ts';

const NEGATED =
  /(?:\bnot|\bnever|n't|\bcannot|\bwithout|\brefuse to|\bavoid|\bprevent(?:s|ed)?|\bresist(?:s)?|\bunable to)(?: \w+){0,2}\s+$/;
const REPORTED =
  /\b(?:such as|like|e\.g\.,?|i\.e\.,?|for example,?|examples? of|phrases?|strings?|words|prompts?|text|says?|saying|said|attackers?|injections?|jailbreaks?|attacks?|attempts?|payloads?|tries|trying|tricks?|tricked|tricking|manipulates?|persuad\w+|convinc\w+|causes?|causing|makes?|making|gets?|getting|instructs|instructing|tells|telling|asks|asking|commands) (?:(?:the|an?|your?|me|us|any|our|this|its|that|it|them|him|her) )?(?:(?:llm|ai|model|chatbot|bot|assistant|agent|system|application|user)s? )?(?:to |into |that )?(?:\w+ )?["'`*_([]*$/;
const THIRD_PERSON =
  /\b(?:i|we|they|he|she|who|which|people|users|employees|students|attackers?|models?|llms?|humans)(?:'ll|'d)? (?:(?:can|could|should|may|might|will|would|must|to|want to|tried to|try to|often|always|just|simply|then|also|accidentally) ){0,3}$/;
/** "do not forget to ignore": what is negated is not the command. */
const NOT_OMITTED =
  /(?:\bnot|\bnever|n't|\bwithout) (?:forget|fail|hesitate|neglect|omit|refuse|miss|delay|failing|hesitating)(?: to| in)?\s+$/;
/** What kind of words is quoted: `a jailbreak: "...`. */
const NAMED = /\b(?:jailbreaks?|injections?|attacks?|payloads?|attempts?|phrases?|examples?)(?: \w+)?: ?["'`]+$/;
const QUOTED = /[a-z,]\s?["'`]+$/;

/**
 * The score of a command, given how the sentence uses it: undefined where it is negated ("never ignore ..."), at most 0.4
 * where it is told about ("attackers write ..."), at most 0.6 where it is only quoted. Reads the folded view.
 */
export function scoreAsCommand(score: number, { before }: MatchContext): number | undefined {
  if (NEGATED.test(before) && !NOT_OMITTED.test(before)) return undefined;
  if (NAMED.test(before) || REPORTED.test(before) || THIRD_PERSON.test(before) || opensNarration(before))
    return Math.min(score, 0.4);
  return QUOTED.test(before) ? Math.min(score, 0.6) : score;
}
