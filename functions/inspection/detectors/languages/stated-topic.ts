import {
  type Clause,
  inOrder,
  isBefore,
  isParted,
  isPunctuationBetween,
  NO_WORDS,
  type SentenceWords,
  type Word,
  type WordsByKind,
  wordsBetween,
} from './sentence.ts';
import type { Kind } from './word-table.ts';

/** Words that may begin an order that follows. */
const ORDERS: ReadonlySet<Kind> = new Set(['follow', 'alone', 'show', 'reveal', 'be']);

/** Words that make a topic the model itself, or everything: instructions about your role, about safety, about anything. */
const TOPICS_OF_MODELS: readonly Kind[] = [
  ...(['yours', 'you', 'role', 'safety', 'prompt', 'limit', 'ownNorm', 'nature', 'norm', 'all', 'things'] as const),
];
/** What no place of people's holds. */
const NAMES_OF_MODELS: readonly Kind[] = ['yours', 'prompt', 'ownNorm', 'nature', 'safety', 'role'];
const TOPIC_REACH = 3;
/** `instructions of last week concerning`; in the other order the topic may be between: `关于垃圾分类的所有指示`. */
const TOPIC_BEHIND = 1;
const TOPIC_IN_FRONT = 5;
/** Words between instructions and the place that they are from: `in the old handbook`. */
const PLACE_REACH = 4;
/** Words after which another order begins: `tell me about dogs and ignore all instructions`. */
const ENDS_OF_TOPICS: readonly Kind[] = ['next', 'drop', 'undo', 'void', 'obey', 'cease', 'show'];

/**
 * Whether the object is about a stated topic that is not the model, or from a place of people's, and no order follows: "the previous
 * instructions on parking", "everything you learned at school".
 */
export function isOnTopic({ verb, object, of }: Clause): boolean {
  const { byKind } = of;
  if (isOrderBehind(inOrder(verb, object)[1], byKind)) return false;
  if (object.kind === 'things') {
    // `all` of `all instructions` is such an object too; of lessons, the verb of learning is beside the topic.
    const norms = [...(byKind.get('norm') ?? NO_WORDS), ...(byKind.get('limit') ?? NO_WORDS)];
    const isOfNorm = norms.some((norm) => wordsBetween(object, norm) <= 1 && isOnTopic({ verb, object: norm, of }));
    return isOfNorm || (byKind.get('given') ?? NO_WORDS).some((given) => isAbout(given, of));
  }
  if ((object.kind !== 'norm' && object.kind !== 'limit') || isReaders(object, byKind)) return false;
  return isAbout(object, of);
}

/** Whether a topic that is not the model, or a place of people's, belongs to the object. */
function isAbout(object: Word, { order, byKind, sentence }: SentenceWords): boolean {
  const isFrom = (place: Word) => {
    const [one, other] = inOrder(object, place);
    if (wordsBetween(one, other) > PLACE_REACH || isPunctuationBetween(one, other, sentence)) return false;
    return !ENDS_OF_TOPICS.some((kind) => isParted(one, other, kind, byKind));
  };
  if (!NAMES_OF_MODELS.some((kind) => byKind.has(kind)) && byKind.get('place')?.some(isFrom)) return true;
  return (byKind.get('topic') ?? NO_WORDS).some((topic) => {
    if (isPunctuationBetween(...inOrder(object, topic), sentence)) return false;
    const isBehind = isBefore(object, topic) && wordsBetween(object, topic) <= TOPIC_BEHIND;
    const isInFront = order !== 'first' && isBefore(topic, object) && wordsBetween(topic, object) <= TOPIC_IN_FRONT;
    if (!isBehind && (!isInFront || ENDS_OF_TOPICS.some((kind) => isParted(topic, object, kind, byKind)))) return false;
    const isOfTopic = (hit: Word) => {
      const isThere = order === 'last' && isInFront ? isBefore(hit, topic) : isBefore(topic, hit);
      // A word beside the object is about the object: `all instructions`.
      return isThere && wordsBetween(hit, object) > 0 && wordsBetween(topic, hit) <= TOPIC_REACH;
    };
    return !TOPICS_OF_MODELS.some((kind) => byKind.get(kind)?.some(isOfTopic));
  });
}

/** Whether the object is described as the model's. */
export function isReaders(object: Word, words: WordsByKind): boolean {
  return (words.get('yours') ?? NO_WORDS).some((hit) => wordsBetween(hit, object) <= 1);
}

/** Whether an order follows the verb. */
export function isOrderBehind(verb: Word, words: WordsByKind): boolean {
  for (const kind of ORDERS) if (words.get(kind)?.some((hit) => isBefore(verb, hit))) return true;
  return false;
}
