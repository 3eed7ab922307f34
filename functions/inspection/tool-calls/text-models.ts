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
    weigher.read(masked(text));
    const window = bestWindow(weigher.weighed[lane] as Parameters<typeof bestWindow>[0]);
    return window === undefined ? UNKNOWN : window.score * scale + bias;
  };
  return {
    orders: (folded) => score(folded, 0, models.orders),
    defers: (folded) => score(folded, 1, models.defers),
  };
}

const ADDRESS_SIGN = /@|:\/\/|\.(?=\p{L})/gu;
const ADDRESS_END = /[\s"'<>()[\]]/;

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
