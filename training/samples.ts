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

/** Texts that we wrote: in every training, judged in none. */
export const OWN_FAMILY = 'own-phrases';

/** Labels that are no attack; `harmful` is neither (the data's README), and a web payload is no sentence. */
const NO_ATTACK = new Set(['benign', 'pii', 'secret', 'toxic']);
/** Cannot be told from an ordinary request without its context: no miss, so no lesson either. */
const UNTEACHABLE = 'indirect_payload_bare';
/** Characters around an attack that are taught with it. */
const AROUND_SPAN = 80;

/** Returns the rows that teach what an injection is, in order. */
export function toSamples(rows: readonly Row[]): Sample[] {
  return rows.flatMap((row) => {
    const attack = row.label === 'attack';
    if (attack ? row.category === UNTEACHABLE : !NO_ATTACK.has(row.label)) return [];
    return [toSample(row, attack, row.text, attack ? placeOf(row) : row.text)];
  });
}

function placeOf({ text, spans = [] }: Row): string {
  const span = spans.find(({ type }) => type === 'INJECTION');
  if (span === undefined) return text;
  return [...text].slice(Math.max(0, span.start - AROUND_SPAN), span.end + AROUND_SPAN).join('');
}

const NO_HARM = new Set(['benign', 'pii', 'secret']);
/** Advice that needs an expert, campaigns, and questions about what is merely for adults: harmful by a provider's policy alone. */
const BY_POLICY_ALONE = new Set([
  'Legal Opinion',
  'Financial Advice',
  'Health Consultation',
  'Political Lobbying',
  'Economic Harm',
  'Pornography',
]);
/** Its `benign` says only that there is no injection: it holds wishes of AdvBench word for word. */
const UNKNOWN = 'neuralchemy_pi_train';
/** A wish is short; of documents the first part is enough to know what is none, and one in so many. */
const LESSON_UNITS = 3_000;
const DOCUMENT_UNITS = 1_500;
const ONE_DOCUMENT_IN = 3;

/** Returns the rows that teach what a harmful request is, in order; attacks teach neither side. */
export function toHarmSamples(rows: readonly Row[]): Sample[] {
  let documents = 0;
  return rows.flatMap((row) => {
    const isHarm = row.label === 'harmful' && !BY_POLICY_ALONE.has(row.category);
    if (row.set === UNKNOWN || !(isHarm || NO_HARM.has(row.label))) return [];
    if (!isHarm && row.text.length > DOCUMENT_UNITS && documents++ % ONE_DOCUMENT_IN !== 0) return [];
    const text = row.text.slice(0, LESSON_UNITS);
    return [toSample(row, isHarm, text, text)];
  });
}

function toSample({ id, set, family, category, lang }: Row, attack: boolean, text: string, lesson: string): Sample {
  return { id, set, family, category, lang, attack, text: folded(text), lesson: folded(lesson) };
}

/** Returns a text as the classifier sees it. */
export function folded(text: string): string {
  const view = new TextView('folded');
  return view.push(text) + view.end();
}
