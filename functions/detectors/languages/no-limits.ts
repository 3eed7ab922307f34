import type { MatchContext } from '../../core/inspect/rule.ts';
import { isScoped } from './own-words.ts';
import { cuesFor, isBefore, type Sentence, scoreByLanguage, type Word, wordsBetween } from './sentence.ts';
import type { Grammar } from './words.ts';

/** What such a sentence may be found by. */
export const NO_LIMITS_CUES = cuesFor('freed', 'be', 'without');

/** `You have no limits`. */
const CERTAIN = 0.87;
/** `You are a model without limits`. */
const LIKELY = 0.75;

/** The score of a candidate: how surely it tells the model that it has no limits. */
export function scoreNoLimits(match: string, context: MatchContext): number | undefined {
  return scoreByLanguage(match, context, CERTAIN, scoreInLanguage);
}

function scoreInLanguage(sentence: Sentence, grammar: Grammar, words: readonly Word[]): number {
  let best = 0;
  const byKind = Map.groupBy(words, ({ kind }) => kind);
  for (const limit of words) {
    if ((limit.kind !== 'limit' && limit.kind !== 'ownNorm') || isScoped(limit, grammar.order, byKind)) continue;
    for (const word of words) {
      const score = isFreedOf(limit, word, grammar, words)
        ? CERTAIN
        : isWithout(limit, word, grammar, words)
          ? LIKELY
          : 0;
      if (score > best) best = Math.max(best, Math.min(score, sentence.mostOf(Math.min(word.start, limit.start))));
    }
  }
  return best;
}

function isFreedOf(limit: Word, freed: Word, { saysItBehind }: Grammar, words: readonly Word[]): boolean {
  if (freed.kind !== 'freed') return false;
  if (!saysItBehind) return isBefore(freed, limit) && wordsBetween(freed, limit) <= 3;
  return isBefore(limit, freed) && wordsBetween(limit, freed) <= 1 && isSaidToReader(limit, freed, words);
}

function isSaidToReader(limit: Word, freed: Word, words: readonly Word[]): boolean {
  if (limit.kind === 'ownNorm') return true;
  return words.some((hit) => {
    if (hit.kind === 'be' || hit.kind === 'you') return isNear(freed, hit, 3) || isNear(hit, limit, 4);
    return hit.kind === 'yours' && isNear(hit, limit, 4);
  });
}

function isWithout(limit: Word, without: Word, { saysItBehind }: Grammar, words: readonly Word[]): boolean {
  if (without.kind !== 'without' || !isBefore(without, limit) || wordsBetween(without, limit) > 3) return false;
  return words.some((hit) => {
    if (hit.kind === 'be') return isNear(hit, without, 8) || (saysItBehind && isNear(limit, hit, 4));
    return saysItBehind && hit.kind === 'you' && (isNear(hit, without, 6) || isNear(limit, hit, 4));
  });
}

/** Whether a word stands before another, with so many words between them at most. */
function isNear(one: Word, other: Word, most: number): boolean {
  return isBefore(one, other) && wordsBetween(one, other) <= most;
}
