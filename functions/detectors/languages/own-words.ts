import {
  FARTHEST,
  inOrder,
  isBefore,
  isParted,
  isPunctuationBetween,
  NO_WORDS,
  type Sentence,
  type Word,
  type WordsByKind,
  wordsBetween,
} from './sentence.ts';
import type { Grammar, Kind } from './words.ts';

/** Behind the words that users take back, these turn the model to something else. */
export const TAKEOVERS: readonly Kind[] = ['role', 'alone', 'asIf', 'prompt', 'maker'];

/** How far `my` stands from the verb: `ignore my`, and where verbs come last, `my message of yesterday ignore`. */
const MINE_BEHIND = 2;
const MINE_BEFORE = 6;
/** How far behind or before a limit the thing is named that it limits. */
const SCOPE_BEHIND = 2;
const SCOPE_BEFORE = 1;

/** Whether a verb that disregards takes back what the writer said: "forget what I wrote", "ignore my last message". */
export function isOfWriter(verb: Word, order: Grammar['order'], words: WordsByKind, sentence: Sentence): boolean {
  if (TAKEOVERS.some((kind) => words.has(kind))) return false;
  const isObject = (own: Word) =>
    isOnObjectSide(verb, own, order) && wordsBetween(verb, own) <= FARTHEST && !isParted(verb, own, 'next', words);
  if ((words.get('said') ?? NO_WORDS).some(isObject)) return true;
  return (words.get('mine') ?? NO_WORDS).some((own) => {
    const most = isBefore(verb, own) ? MINE_BEHIND : MINE_BEFORE;
    return isObject(own) && wordsBetween(verb, own) <= most && !isPunctuationBetween(...inOrder(verb, own), sentence);
  });
}

/** Whether a limit is one of a thing, which a text, a tariff or a game has, or that thing: "no limit on the number of words". */
export function isScoped(object: Word, order: Grammar['order'], words: WordsByKind): boolean {
  const limits = object.kind === 'limit' ? [object] : (words.get('limit') ?? NO_WORDS);
  return (words.get('scope') ?? NO_WORDS).some((scope) => {
    if (object.kind !== 'limit' && object.start !== scope.start) return false;
    return limits.some((limit) => {
      const between = wordsBetween(limit, scope);
      return isBefore(limit, scope) ? between <= SCOPE_BEHIND : order !== 'first' && between <= SCOPE_BEFORE;
    });
  });
}

function isOnObjectSide(verb: Word, own: Word, order: Grammar['order']): boolean {
  return order !== 'last' || isBefore(own, verb);
}
