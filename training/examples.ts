import { TextView } from '../functions/core/inspect/views/text-view.ts';
import type { Row } from './read-sets.ts';

/** A text as the model learns from it and is judged by it. */
export interface Sample {
  readonly id: string;
  readonly set: string;
  readonly family: string;
  readonly category: string;
  /** BCP-47, or `und`. */
  readonly lang: string;
  /** Whether it is what the model is to find: an attack, or a harmful request. */
  readonly attack: boolean;
  /** What a text of our own counts for beside others of its kind; 1 where absent. */
  readonly worth?: number;
  /** Whole, folded. */
  readonly text: string;
  /** Where an attack's place in its document is known, that place with what is around it; else the whole. */
  readonly lesson: string;
}

/** Labels that are no attack; `harmful` is neither (the data's README), and a web payload is no sentence. */
const NO_ATTACK = new Set(['benign', 'pii', 'secret', 'toxic']);
/** Cannot be told from an ordinary request without its context: no miss, so no lesson either. */
const UNTEACHABLE = 'indirect_payload_bare';
/** Characters around an attack that are taught with it. */
const AROUND_SPAN = 80;

/** The rows that teach, in order. */
export function toSamples(rows: readonly Row[]): Sample[] {
  return rows.flatMap((row) => {
    const attack = row.label === 'attack';
    if (attack ? row.category === UNTEACHABLE : !NO_ATTACK.has(row.label)) return [];
    const { id, set, family, category, lang } = row;
    return [
      {
        id,
        set,
        family,
        category,
        lang,
        attack,
        text: folded(row.text),
        lesson: folded(attack ? placeOf(row) : row.text),
      },
    ];
  });
}

function placeOf({ text, spans = [] }: Row): string {
  const span = spans.find(({ type }) => type === 'INJECTION');
  if (span === undefined) return text;
  return [...text].slice(Math.max(0, span.start - AROUND_SPAN), span.end + AROUND_SPAN).join('');
}

/** As the classifier is shown it. */
export function folded(text: string): string {
  const view = new TextView('folded');
  return view.push(text) + view.end();
}
