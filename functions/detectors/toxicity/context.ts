import type { MatchContext } from '../../core/inspect/rule.ts';

/** Text that speaks about a word or an act instead of doing it. */
const MENTIONED =
  /\b(?:words?|terms?|slurs?|phrases?|insults?|epithets?|called|calling|says?|said|saying|wrote|quotes?|quoted|lyrics?|meaning|mean|means|translat\w+|etymology|define[ds]?|definition|hate ?speech|examples?|such as|classif\w+|detect\w*|moderat\w+|label\w*|offensive|derogatory|reported|accused|alleged\w*|testified|threatened|character|novel|scene|dialogue|script|story|song|title[ds]?|film|movie|book)\b[^.!?\n]{0,32}$/;
const QUOTED = /["'`“‘«(]$/;
const NEGATED =
  /\b(?:not|never|don't|didn't|wouldn't|won't|shouldn't|can't|isn't|aren't|without|nobody|no one|if|does|do|why|whether|that)\b[^.!?\n]{0,12}$/;

/** The score where the words are used; undefined where they are quoted or spoken about. Reads the folded view. */
export function scoreInUse(score: number, { before }: MatchContext): number | undefined {
  return QUOTED.test(before) || MENTIONED.test(before) ? undefined : score;
}

/** The same for statements, which a negation or a question takes back. */
export function scoreAsStatement(score: number, context: MatchContext): number | undefined {
  return NEGATED.test(context.before) ? undefined : scoreInUse(score, context);
}
