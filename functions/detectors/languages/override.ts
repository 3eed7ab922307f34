import type { MatchContext } from '../../core/inspect/rule.ts';
import { isOfWriter, isScoped } from './own-words.ts';
import {
  cuesFor,
  FARTHEST,
  inOrder,
  isBefore,
  isParted,
  isPunctuationBetween,
  isQuotationBetween,
  isTakenBack,
  NO_WORDS,
  overlap,
  type Sentence,
  scoreByLanguage,
  type Word,
  type WordsByKind,
  wordsBetween,
} from './sentence.ts';
import { partsOf, readable } from './word-table.ts';
import type { Grammar, Kind } from './words.ts';

/** What such a sentence may be found by: what is disregarded is said with too many words. */
export const OVERRIDE_CUES = cuesFor('drop', 'undo', 'void', 'asIf', 'alone', 'obey');

/** What may be disregarded; of most, only where one of these is said of it too (`scoreOf`). */
const OBJECTS: ReadonlyMap<Kind, readonly Kind[]> = new Map([
  ['norm', ['yours', 'prior', 'given', 'all', 'things']],
  ['limit', ['yours', 'prior', 'given', 'all', 'things', 'safety']],
  ['ownNorm', []],
  ['nature', ['yours']],
  ['prompt', []],
  ['things', ['prior', 'given']],
  ['told', []],
  ['text', ['prior']],
]);

const CERTAIN = 0.9;
/** What makes void is often said of settings and entries. */
const CERTAIN_VOID = 0.85;
const LIKELY = 0.7;
const DOUBTFUL = 0.6;
/** As much as is said of what somebody tells of himself or others. */
const MOST_OF_OTHERS = 0.4;

/** What an order that follows may begin with. */
const ORDERS: ReadonlySet<Kind> = new Set(['follow', 'alone', 'show', 'reveal', 'be']);
/** "not only": then it is done all the same. */
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
export const VERBS: ReadonlySet<Kind> = new Set(['drop', 'undo', 'void']);

/** What users take back of their own words: it is no order to drop the model's instructions. */
const SAID_BY_USERS: ReadonlySet<Kind> = new Set(['things', 'told', 'text']);
/** What users cannot have given. */
const NOT_OF_WRITERS: ReadonlySet<Kind> = new Set(['prompt', 'ownNorm']);

/** The score of a candidate: how surely it orders the model to disregard what it was told. */
export function scoreOverride(match: string, context: MatchContext): number | undefined {
  return scoreByLanguage(match, context, CERTAIN, (sentence, { order }, words) =>
    scoreInLanguage(sentence, order, words, context.isThirdPartys === true),
  );
}

function scoreInLanguage(
  sentence: Sentence,
  order: Grammar['order'],
  words: readonly Word[],
  isThirdPartys: boolean,
): number {
  const objects = words.filter(({ kind }) => OBJECTS.has(kind));
  if (objects.length === 0 && words.every(({ kind }) => kind !== 'alone')) return 0;
  let best = 0;
  const take = (score: number, start: number) => {
    if (score > best) best = Math.max(best, Math.min(score, sentence.mostOf(start)));
  };
  for (const word of words) take(scoreAlone(word, objects), word.start);
  if (objects.length === 0) return best;
  const byKind = Map.groupBy(words, ({ kind }) => kind);
  const told = objects.filter((object) => isEnoughSaid(object.kind, byKind) && !isScoped(object, order, byKind));
  if (told.length === 0) return best;
  for (const verb of verbsOf(words, byKind, order, sentence)) {
    const isOwn = isOfWriter(verb, order, byKind, sentence);
    for (const object of told) {
      // Nothing is surer: of a long row of orders the first tells all.
      if (best >= CERTAIN) return best;
      if (isOwn && SAID_BY_USERS.has(object.kind)) continue;
      if (!isObjectOf(verb, object, order, byKind, sentence)) continue;
      const isOwnNorm = isOwn && !isThirdPartys && !NOT_OF_WRITERS.has(object.kind) && !isReaders(object, byKind);
      const most = isOwnNorm || isDoneByOthers(verb, object, order, byKind) ? MOST_OF_OTHERS : 1;
      if (most > best) take(Math.min(scoreOf(verb, object, byKind), most), inOrder(verb, object)[0].start);
    }
  }
  return best;
}

function isEnoughSaid(object: Kind, words: WordsByKind): boolean {
  const needed = OBJECTS.get(object) as readonly Kind[];
  return needed.length === 0 || needed.some((kind) => words.has(kind));
}

/** The score of what needs no verb: to act as if there were no rules, to listen to nobody else. */
function scoreAlone(word: Word, objects: readonly Word[]): number {
  if (word.kind === 'alone') return DOUBTFUL;
  if (word.kind !== 'asIf') return 0;
  const isNorm = ({ kind }: Word) => kind === 'norm' || kind === 'limit' || kind === 'ownNorm';
  return objects.some((object) => isNorm(object) && wordsBetween(word, object) <= 3) ? LIKELY : 0;
}

/** What disregards: verbs that are not taken back, and verbs of obeying that are. */
export function verbsOf(
  words: readonly Word[],
  byKind: WordsByKind,
  order: Grammar['order'],
  sentence: Sentence,
): readonly Word[] {
  const nots = byKind.get('not') ?? NO_WORDS;
  const verbs = words.filter((word) => VERBS.has(word.kind));
  const keeps = byKind.get('keep') ?? NO_WORDS;
  const ands = byKind.get('next') ?? NO_WORDS;
  const drops = verbs.filter((verb) => !isKept(verb, { keeps, nots, verbs, ands }, sentence));
  for (const keep of keeps) if (isOnlyBehind(keep, sentence)) drops.push({ ...keep, kind: 'drop' });
  const obeys = byKind.get('obey');
  if (obeys === undefined) return drops;
  const refusals = [
    ...nots,
    ...(byKind.get('cease') ?? NO_WORDS).filter((cease) => !isTakenBack(cease, nots, sentence)),
  ];
  for (const obey of obeys) {
    for (const not of refusals) {
      const end = endOfRefusal(not, obey, order, byKind, sentence);
      if (end !== undefined) drops.push({ ...obey, ...end, kind: 'drop' });
    }
  }
  return drops;
}

/** Whether it is told not to do what the verb says: "do not forget", and at the end of the clause, `ignoriere die Regeln nicht`. */
function isKept(
  verb: Word,
  { keeps, nots, verbs, ands }: Readonly<Record<'keeps' | 'nots' | 'verbs' | 'ands', readonly Word[]>>,
  sentence: Sentence,
): boolean {
  if (keeps.some((keep) => overlap(keep, verb) && !isOnlyBehind(keep, sentence))) return true;
  const isBetween = (word: Word, one: Word, other: Word) => isBefore(one, word) && isBefore(word, other);
  return nots.some((not) => {
    if (isOnlyBehind(not, sentence)) return false;
    // "do not forget to ignore": it is the forgetting that is not to be.
    if (isTakenBack(verb, [not], sentence)) return !verbs.some((other) => isBetween(other, not, verb));
    if (!isBefore(verb, not) || !CLAUSE_END.test(sentence.text.slice(not.end))) return false;
    const isApart = [...verbs, ...ands].some((word) => isBetween(word, verb, not));
    return !isApart && wordsBetween(verb, not) <= FARTHEST && !isPunctuationBetween(verb, not, sentence);
  });
}

function isOnlyBehind({ end }: Word, { text }: Sentence): boolean {
  const word = NEXT_WORD.exec(text.slice(end, end + ONLY_UNITS))?.[1] ?? '';
  // Some scripts part no words.
  return ONLY.has(word) || ONLY.has(word.charAt(0));
}

/** Where a verb of obeying begins if a word takes it back; undefined if none does. */
function endOfRefusal(
  not: Word,
  obey: Word,
  order: Grammar['order'],
  words: WordsByKind,
  sentence: Sentence,
): Pick<Word, 'first' | 'start'> | undefined {
  const between = wordsBetween(not, obey);
  if (between > FARTHEST || overlap(not, obey)) return undefined;
  const [one, other] = inOrder(not, obey);
  const isApart = isParted(one, other, 'next', words) || isPunctuationBetween(one, other, sentence);
  if (one === not && between <= 3 && !isApart) return { first: not.first, start: not.start };
  if (order !== 'free') return undefined;
  // The verb, or what takes it back, may stand at the end of the sentence.
  const isAround = one === not ? not.kind === 'cease' && between <= 6 : between <= 5 && !isApart;
  return isAround ? { first: obey.first, start: obey.start } : undefined;
}

function isObjectOf(
  verb: Word,
  object: Word,
  order: Grammar['order'],
  words: WordsByKind,
  sentence: Sentence,
): boolean {
  const between = wordsBetween(verb, object);
  if (between > FARTHEST || overlap(verb, object)) return false;
  const [one, other] = inOrder(verb, object);
  if (isParted(one, other, 'message', words) || isQuotationBetween(one, other, sentence)) return false;
  if (one === verb) {
    if (order === 'last' || (verb.kind === 'undo' && isPunctuationBetween(one, other, sentence))) return false;
    return between <= (verb.kind === 'drop' ? 6 : 4);
  }
  // Behind its object a verb may belong to another order: "read the rules and ignore the noise".
  if (isParted(one, other, 'next', words)) return false;
  if (verb.kind === 'void') return between <= 6;
  // What was said is often a sentence of its own: "what I told you, forget it".
  if (object.kind === 'things' && order !== 'first') return between <= 8;
  if (isPunctuationBetween(one, other, sentence)) return false;
  if (order === 'last') return between <= 4;
  return order === 'free' ? between <= (verb.kind === 'drop' ? 2 : 3) : verb.kind === 'undo' && between < 1;
}

/** By what is said of the object: that it was given before, that it is the reader's, or only that it is all of them. */
function scoreOf(verb: Word, object: Word, words: WordsByKind): number {
  const near = (kind: Kind, most: number) =>
    (words.get(kind) ?? NO_WORDS).some((hit) => {
      if (overlap(hit, object) || overlap(hit, verb)) return false;
      return wordsBetween(hit, object) <= most && !isParted(hit, object, 'next', words);
    });
  const isDrop = verb.kind === 'drop';
  const isEarlier = () => near('prior', 2) || near('given', 4);
  const isAll = () => near('all', 2) || near('things', 1);
  switch (object.kind) {
    case 'prompt':
    case 'ownNorm':
      return isDrop ? CERTAIN : CERTAIN_VOID;
    case 'norm':
    case 'limit':
      if (near('yours', 1)) return isDrop ? CERTAIN : CERTAIN_VOID;
      if (isEarlier()) {
        // That old rules no longer hold is news, unless an order follows.
        if (verb.kind === 'void' && !isOrderBehind(verb, words)) return 0;
        return isDrop ? CERTAIN : isAll() ? LIKELY : DOUBTFUL;
      }
      if (object.kind === 'limit' && near('safety', 1)) return isDrop || isAll() ? LIKELY : 0;
      return isDrop && isAll() ? LIKELY : 0;
    case 'nature':
      return isDrop && near('yours', 1) ? LIKELY : 0;
    case 'things':
      if (!near('prior', 4) && !near('given', 4)) return 0;
      return isDrop ? CERTAIN : DOUBTFUL;
    case 'told':
      return isDrop ? LIKELY : verb.kind === 'void' ? DOUBTFUL : 0;
    default:
      return isDrop && near('prior', 2) ? DOUBTFUL : 0;
  }
}

/** Whether it is said to be the model's. */
function isReaders(object: Word, words: WordsByKind): boolean {
  return (words.get('yours') ?? NO_WORDS).some((hit) => wordsBetween(hit, object) <= 1);
}

function isOrderBehind(verb: Word, words: WordsByKind): boolean {
  for (const kind of ORDERS) if (words.get(kind)?.some((hit) => isBefore(verb, hit))) return true;
  return false;
}

/** Whether the sentence tells that the writer or somebody else disregards it. */
function isDoneByOthers(verb: Word, object: Word, order: Grammar['order'], words: WordsByKind): boolean {
  // Where verbs come last, who gave the instructions stands there too: "what I told you, forget it".
  if (order === 'last') return false;
  const [first] = inOrder(verb, object);
  const reach = first === verb ? 0 : 2;
  return (words.get('others') ?? NO_WORDS).some((hit) => isBefore(hit, first) && wordsBetween(hit, first) <= reach);
}
