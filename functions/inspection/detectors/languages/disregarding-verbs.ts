import {
  FARTHEST,
  inOrder,
  isBefore,
  isNegated,
  isParted,
  isPunctuationBetween,
  NO_WORDS,
  overlap,
  type Sentence,
  type SentenceWords,
  type Word,
  wordsBetween,
} from './sentence.ts';
import { type Grammar, type Kind, partsOf, readable } from './word-table.ts';

/** After withdrawn words, these turn the model to something else. */
export const TAKEOVERS: readonly Kind[] = ['role', 'alone', 'asIf', 'prompt', 'maker'];

/** Maximum distance of `my` from the verb: `ignore my`; in verb-final languages `my message of yesterday ignore`. */
const MINE_BEHIND = 2;
const MINE_BEFORE = 6;
/** Maximum distance between a limit and the thing that it limits. */
const SCOPE_BEHIND = 2;
const SCOPE_BEFORE = 1;

/** Whether the verb withdraws the writer's own words: "forget what I wrote", "ignore my last message". */
export function isAboutWritersWords(verb: Word, { order, byKind, sentence }: SentenceWords): boolean {
  if (TAKEOVERS.some((kind) => byKind.has(kind))) return false;
  const isObject = (own: Word) =>
    isOnObjectSide(verb, own, order) && wordsBetween(verb, own) <= FARTHEST && !isParted(verb, own, 'next', byKind);
  if ((byKind.get('said') ?? NO_WORDS).some(isObject)) return true;
  return (byKind.get('mine') ?? NO_WORDS).some((own) => {
    const most = isBefore(verb, own) ? MINE_BEHIND : MINE_BEFORE;
    return isObject(own) && wordsBetween(verb, own) <= most && !isPunctuationBetween(...inOrder(verb, own), sentence);
  });
}

/** Whether a limit belongs to a text, a tariff or a game: "no limit on the number of words". */
export function limitsSomethingElse(object: Word, { order, byKind }: SentenceWords): boolean {
  const limits = object.kind === 'limit' ? [object] : (byKind.get('limit') ?? NO_WORDS);
  return (byKind.get('scope') ?? NO_WORDS).some((scope) => {
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

/** "not only" does not negate. */
const ONLY: ReadonlySet<string> = new Set(
  partsOf(
    `nur | bloß | lediglich | allein | alleen | slechts | enkel | bara | endast | bare | kun | vain | csak | sadece | yalnızca | μόνο
      | solo | sólo | solamente | només | só | apenas | somente | seulement | soltanto | doar | numai | только | лишь | тільки | лише
      | tylko | jen | pouze | iba | len | samo | само | chỉ | hanya | cuma | 只 | 仅 | 僅`,
  ).map(readable),
);

const NEXT_WORD = /^ ?([\p{L}\p{M}]+)/u;
const ONLY_UNITS = 16;
const CLAUSE_END = /^\s*(?:$|[.!?,;:。！？、，])/;

export const DISREGARDING: ReadonlySet<Kind> = new Set(['drop', 'undo', 'void']);

/** Words that disregard: verbs that are not negated, and negated verbs of obeying. */
export function disregardingVerbs(of: SentenceWords): readonly Word[] {
  const { words, byKind, sentence } = of;
  const nots = byKind.get('not') ?? NO_WORDS;
  const verbs = words.filter((word) => DISREGARDING.has(word.kind));
  const keeps = byKind.get('keep') ?? NO_WORDS;
  const ands = byKind.get('next') ?? NO_WORDS;
  const drops = verbs.filter((verb) => !isKept(verb, { keeps, nots, verbs, ands }, sentence));
  for (const keep of keeps) if (isOnlyBehind(keep, sentence)) drops.push({ ...keep, kind: 'drop' });
  const obeys = byKind.get('obey');
  if (obeys === undefined) return drops;
  const refusals = [...nots, ...(byKind.get('cease') ?? NO_WORDS).filter((cease) => !isNegated(cease, nots, sentence))];
  for (const obey of obeys) {
    for (const not of refusals) {
      const start = startOfRefusal(not, obey, of);
      if (start !== undefined) drops.push({ ...obey, ...start, kind: 'drop' });
    }
  }
  return drops;
}

/** Whether the verb is negated: "do not forget", and at the end of a clause, `ignoriere die Regeln nicht`. */
function isKept(
  verb: Word,
  { keeps, nots, verbs, ands }: Readonly<Record<'keeps' | 'nots' | 'verbs' | 'ands', readonly Word[]>>,
  sentence: Sentence,
): boolean {
  if (keeps.some((keep) => overlap(keep, verb) && !isOnlyBehind(keep, sentence))) return true;
  const isBetween = (word: Word, one: Word, other: Word) => isBefore(one, word) && isBefore(word, other);
  return nots.some((not) => {
    if (isOnlyBehind(not, sentence)) return false;
    // "do not forget to ignore": the negation belongs to forgetting.
    if (isNegated(verb, [not], sentence)) return !verbs.some((other) => isBetween(other, not, verb));
    if (!isBefore(verb, not) || !CLAUSE_END.test(sentence.text.slice(not.end))) return false;
    const isApart = [...verbs, ...ands].some((word) => isBetween(word, verb, not));
    return !isApart && wordsBetween(verb, not) <= FARTHEST && !isPunctuationBetween(verb, not, sentence);
  });
}

function isOnlyBehind({ end }: Word, { text }: Sentence): boolean {
  const word = NEXT_WORD.exec(text.slice(end, end + ONLY_UNITS))?.[1] ?? '';
  // Some scripts do not separate words.
  return ONLY.has(word) || ONLY.has(word.charAt(0));
}

/** Where a negated verb of obeying begins; undefined if none is negated. */
function startOfRefusal(
  not: Word,
  obey: Word,
  { order, byKind, sentence }: SentenceWords,
): Pick<Word, 'first' | 'start'> | undefined {
  const between = wordsBetween(not, obey);
  if (between > FARTHEST || overlap(not, obey)) return undefined;
  const [one, other] = inOrder(not, obey);
  const isApart = isParted(one, other, 'next', byKind) || isPunctuationBetween(one, other, sentence);
  if (one === not && between <= 3 && !isApart) return { first: not.first, start: not.start };
  if (order !== 'free') return undefined;
  // The verb or its negation may be at the end of the sentence.
  const isAround = one === not ? not.kind === 'cease' && between <= 6 : between <= 5 && !isApart;
  return isAround ? { first: obey.first, start: obey.start } : undefined;
}
