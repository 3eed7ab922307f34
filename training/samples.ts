import { TextView } from '../functions/inspection/views/index.ts';
import type { Row } from './read-sets.ts';

/** A text for training and evaluation. */
export interface Sample {
  readonly id: string;
  readonly set: string;
  readonly family: string;
  readonly category: string;
  /** BCP-47, or `und`. */
  readonly lang: string;
  /** Whether the model should find it: an attack, or a harmful request. */
  readonly attack: boolean;
  /** Relative weight of one of our texts among its kind; 1 if absent. */
  readonly worth?: number;
  /** The full text, folded. */
  readonly text: string;
  /** An attack with its surroundings if its place in the document is known; else the full text. */
  readonly lesson: string;
}

/** Texts that we wrote: in all training data, in no evaluation. */
export const OWN_FAMILY = 'own-phrases';

/** Labels that are not attacks. `harmful` is neither (the data's README), and a web payload is not a sentence. */
const NO_ATTACK = new Set(['benign', 'pii', 'secret', 'toxic']);
/** Not distinguishable from an ordinary request without context, so it is left out of training. */
const UNTEACHABLE = 'indirect_payload_bare';
/** Characters around an attack that are part of its training text. */
const AROUND_SPAN = 80;

/** Returns the training rows of injections, in order. */
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
  const before = [...text].slice(0, span.start).join('').length;
  const inside = [...text].slice(span.start, span.end).join('').length;
  return aroundSpan(text, before, before + inside);
}

/** An attack with its surroundings; offsets in UTF-16 code units. */
export function aroundSpan(text: string, start: number, end: number): string {
  return text.slice(Math.max(0, start - AROUND_SPAN), end + AROUND_SPAN);
}

const NO_HARM = new Set(['benign', 'pii', 'secret']);
/** Expert advice, campaigns and adult topics: harmful only by a provider's policy. */
const BY_POLICY_ALONE = new Set([
  'Legal Opinion',
  'Financial Advice',
  'Health Consultation',
  'Political Lobbying',
  'Economic Harm',
  'Pornography',
]);
/** Its label `benign` only means no injection: it contains requests of AdvBench word for word. */
const UNKNOWN = 'neuralchemy_pi_train';
/** Units used of a text and of a document; one document in so many is used. Requests are short. */
const LESSON_UNITS = 3_000;
const DOCUMENT_UNITS = 1_500;
const ONE_DOCUMENT_IN = 3;

/** Returns the training rows of harmful requests, in order; attacks are in neither class. */
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

/** Returns a text in the classifier's form. */
export function folded(text: string): string {
  const view = new TextView('folded');
  return view.push(text) + view.end();
}
