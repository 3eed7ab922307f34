import type { Shares } from '../calibrate.ts';
import { folded, type Sample } from '../examples.ts';
import type { Row } from '../read-sets.ts';

/** What the judge of harmful requests may cost, beside the judge of injections; it judges what people write themselves. */
export const FLAGGED_HARM: Shares = {
  flagged: { ordinary: 0.003, talk: 0.002, otherLanguages: 0.002, hard: 0.015 },
  blocked: { ordinary: 0.0002, talk: 0.0002, otherLanguages: 0.0002, hard: 0.002 },
};

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

/** The rows that teach what a harmful request is, in order; attacks teach neither side. */
export function toHarmRows(rows: readonly Row[]): Sample[] {
  let documents = 0;
  return rows.flatMap((row) => {
    const isHarm = row.label === 'harmful' && !BY_POLICY_ALONE.has(row.category);
    if (row.set === UNKNOWN || !(isHarm || NO_HARM.has(row.label))) return [];
    if (!isHarm && row.text.length > DOCUMENT_UNITS && documents++ % ONE_DOCUMENT_IN !== 0) return [];
    const { id, set, family, category, lang } = row;
    const text = folded(row.text.slice(0, LESSON_UNITS));
    return [{ id, set, family, category, lang, attack: isHarm, text, lesson: text }];
  });
}
