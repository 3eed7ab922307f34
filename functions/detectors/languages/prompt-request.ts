import type { MatchContext } from '../../core/inspect/rule.ts';
import type { Hit } from './lexicon.ts';
import {
  cuesFor,
  isBefore,
  isPunctuationBetween,
  isQuotationBetween,
  isTakenBack,
  overlap,
  type Sentence,
  scoreByLanguage,
  wordsBetween,
} from './sentence.ts';
import type { Grammar, Kind } from './words.ts';

/** What such a sentence may be found by. */
export const PROMPT_REQUEST_CUES = cuesFor('prompt', 'verbatim', 'reveal');

/** `Your system prompt`. */
const FOR_YOURS = 0.86;
/** `What your developer told you`, and with a weaker verb `your first instructions`. */
const FOR_MAKERS = 0.75;
/** `The system prompt`, and `all the text above`. */
const FOR_ONE = 0.65;

type Word = Hit<Kind>;

const VERBS: ReadonlySet<Kind> = new Set(['ask', 'show', 'reveal']);

/** The score of a candidate: how surely it asks the model for its system prompt. */
export function scorePromptRequest(match: string, context: MatchContext): number | undefined {
  return scoreByLanguage(match, context, FOR_YOURS, scoreInLanguage);
}

function scoreInLanguage(sentence: Sentence, { order }: Grammar, words: readonly Word[]): number {
  let best = 0;
  const verbs = words.filter(({ kind }) => VERBS.has(kind));
  if (verbs.length === 0) return 0;
  for (const asked of words) {
    const [revealed, shown] = [scoreOf(asked, true, words), scoreOf(asked, false, words)];
    if (Math.max(revealed, shown) <= best) continue;
    for (const verb of verbs) {
      const score = verb.kind === 'reveal' ? revealed : shown;
      if (score <= best || !asksFor(verb, asked, order, sentence) || isUndone(verb, order, words, sentence)) continue;
      best = Math.max(best, Math.min(score, sentence.mostOf(Math.min(verb.start, asked.start))));
    }
  }
  return best;
}

/** The score if a verb asks for it. */
function scoreOf(asked: Word, isReveal: boolean, words: readonly Word[]): number {
  const near = (kind: Kind, most: number) => words.some((hit) => hit.kind === kind && wordsBetween(hit, asked) <= most);
  const isVerbatim = () => words.some(({ kind }) => kind === 'verbatim');
  switch (asked.kind) {
    case 'prompt':
      // Anybody may want to write or explain a system prompt.
      return near('yours', 2) ? FOR_YOURS : isReveal ? FOR_ONE : 0;
    case 'maker':
      if (!near('norm', 6) && !near('text', 6) && !near('things', 6) && !near('given', 4)) return 0;
      return near('yours', 1) || isVerbatim() ? FOR_MAKERS : 0;
    case 'told':
      return isReveal && (near('all', 3) || isVerbatim()) ? FOR_ONE : 0;
    case 'norm':
      if (near('yours', 1) && near('prior', 2)) return isReveal ? FOR_YOURS : FOR_MAKERS;
      return isReveal && near('prior', 4) && (near('all', 3) || isVerbatim()) ? FOR_ONE : 0;
    case 'text':
      return isReveal && near('prior', 4) && (near('all', 3) || isVerbatim()) ? FOR_ONE : 0;
    default:
      return 0;
  }
}

function asksFor(verb: Word, asked: Word, order: Grammar['order'], sentence: Sentence): boolean {
  if (overlap(verb, asked)) return false;
  const isVerbFirst = isBefore(verb, asked);
  const [one, other] = isVerbFirst ? [verb, asked] : [asked, verb];
  if (isQuotationBetween(one, other, sentence)) return false;
  const between = wordsBetween(verb, asked);
  if (verb.kind === 'ask') return asked.kind === 'prompt' && between <= 3;
  if (isVerbFirst) return order !== 'last' && between <= (asked.kind === 'prompt' ? 5 : 7);
  return order !== 'first' && between <= (asked.kind === 'prompt' ? 3 : 5);
}

/** Whether it is asked not to: where verbs come last, what takes them back may stand behind another verb. */
function isUndone(verb: Word, order: Grammar['order'], words: readonly Word[], sentence: Sentence): boolean {
  if (isTakenBack(verb, words, sentence)) return true;
  const isBehind = (hit: Word) => isBefore(verb, hit) && wordsBetween(verb, hit) <= 2;
  return (
    order === 'last' &&
    words.some((hit) => hit.kind === 'not' && isBehind(hit) && !isPunctuationBetween(verb, hit, sentence))
  );
}
