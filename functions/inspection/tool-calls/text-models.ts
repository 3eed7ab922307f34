import {
  bestWindow,
  type LinearModel,
  type ModelFile,
  readModel,
  TokenWeigher,
  type WordClasses,
} from '../classification/index.ts';
import defers from './defers.generated.json' with { type: 'json' };
import orders from './orders.generated.json' with { type: 'json' };
import { kindOf } from './value-kinds.ts';
import { CUES, type Cue, VERBS } from './word-groups.ts';
import { eachWord } from './word-units.ts';

/** Scores for two questions about a text, as log odds; trained by `npm run generate tool-calls`. */
export interface TextModels {
  /** Whether a passage of a third party makes its reader act, rather than informing it. */
  orders(folded: string): number;
  /** Whether a user leaves it to a document what to do, or with which value. */
  defers(folded: string): number;
}

/** What a text without words scores. */
const UNKNOWN = 0;

/** The models of the repository. */
export function readTextModels(classes: WordClasses): TextModels {
  return textModels({ orders: readModel(orders as ModelFile), defers: readModel(defers as ModelFile) }, classes);
}

export function textModels(
  models: { readonly orders: LinearModel; readonly defers: LinearModel },
  classes: WordClasses,
): TextModels {
  // The weigher has three lanes; the third is not read.
  const weigher = new TokenWeigher([models.orders.weights, models.defers.weights, models.defers.weights], classes);
  const score = (text: string, lane: 0 | 1, { scale, bias }: LinearModel) => {
    weigher.read(text);
    const window = bestWindow(weigher.weighed[lane] as Parameters<typeof bestWindow>[0]);
    return window === undefined ? UNKNOWN : window.score * scale + bias;
  };
  return {
    orders: (folded) => score(toOrdersText(folded), 0, models.orders),
    defers: (folded) => score(masked(folded), 1, models.defers),
  };
}

const ADDRESS_SIGN = /@|:\/\/|\.(?=\p{L})/gu;
const ADDRESS_END = /[\s"'<>()[\]]/;

/** Pseudo-words by the groups of a word. A model that knows them knows words of languages in which it has seen few texts. */
const CUE_MARKS: readonly (readonly [mark: string, cues: readonly Cue[]])[] = [
  ['zqorder', ['order']],
  ['zqchanged', ['changed']],
  ['zqonly', ['only']],
  ['zqelse', ['else']],
  [
    'zqkind',
    ['email', 'account', 'phone', 'link', 'number', 'amount', 'date', 'place', 'package', 'command', 'channel'],
  ],
];
const BITS = CUE_MARKS.map(([mark, cues]) => [mark, cues.reduce((set, cue) => set | CUES.bit(cue), 0)] as const);
const READ = VERBS.bit('read');
const MOST_KNOWN = 20_000;
const LONGEST_KNOWN = 24;
const known = new Map<string, string>();

function marksOf(word: string): string {
  const marks = known.get(word);
  if (marks !== undefined) return marks;
  const cues = CUES.ofWord(word);
  const verbs = VERBS.ofWord(word);
  const names = BITS.filter(([, bits]) => (cues & bits) !== 0).map(([mark]) => ` ${mark}`);
  if (verbs !== 0) names.push((verbs & ~READ) === 0 ? ' zqread' : ' zqact');
  const found = names.join('');
  if (known.size < MOST_KNOWN && word.length <= LONGEST_KNOWN) known.set(word, found);
  return found;
}

/** A folded text with a pseudo-word after each word that orders, acts, or names a kind of value. */
function marked(folded: string): string {
  let rest = '';
  let from = 0;
  eachWord(folded, (start, end) => {
    const marks = marksOf(folded.slice(start, end));
    if (marks === '') return;
    rest += folded.slice(from, end) + marks;
    from = end;
  });
  return rest + folded.slice(from);
}

/** What the model of orders reads of a folded text, which cannot bring pseudo-words itself. */
export function toOrdersText(folded: string): string {
  return marked(masked(folded.replaceAll('zq', 'q')));
}

/** A text with the kinds of its addresses in their place: their letters say nothing about what the text wants. */
export function masked(text: string): string {
  let rest = '';
  let from = 0;
  for (const { index } of text.matchAll(ADDRESS_SIGN)) {
    if (index < from) continue;
    let start = index;
    let end = index;
    while (start > from && !ADDRESS_END.test(text.charAt(start - 1))) start--;
    while (end < text.length && !ADDRESS_END.test(text.charAt(end))) end++;
    const kind = kindOf(text.slice(start, end).replace(/[.,;:!?]$/, ''));
    if (kind === 'email' || kind === 'url') rest += text.slice(from, start) + kind;
    else rest += text.slice(from, end);
    from = end;
  }
  return rest + text.slice(from);
}
