import type { Judged } from './folds.ts';

/** Texts that look like attacks and are none; told apart from ordinary ones wherever false alarms are counted. */
const HARD = /hard_neg|roleplay|security|trigger|system_prompt|lobe_agents/;
/** What people write themselves; the rest of what is ordinary is documents and tool results. */
const TALK = /^(?:chat|question|instruction|customer_support|benign)$/;

type Kind = 'talk' | 'documents' | 'hard';
/** The largest share of false alarms. */
interface Share {
  readonly ordinary: number;
  /** On those of the ordinary texts that people write themselves. */
  readonly talk: number;
  /** On those of the ordinary texts that are not English. */
  readonly otherLanguages: number;
  /** On text that looks like what is to be found. */
  readonly hard: number;
}
/** What a model's judgements may cost. The rules' own false alarms come on top. */
export interface Shares {
  readonly flagged: Share;
  readonly blocked: Share;
}
/** What the policies act on: flagged from 0.5 on, attacks blocked by default from 0.85 on. */
const FLAG = 0.5;
const BLOCK = 0.85;
export const FLAGGED_INJECTIONS: Shares = {
  flagged: { ordinary: 0.0095, talk: 1, otherLanguages: 1, hard: 0.048 },
  blocked: { ordinary: 0.0002, talk: 1, otherLanguages: 1, hard: 0.002 },
};

export function kindOf(one: Judged): Kind {
  if (isHard(one)) return 'hard';
  return TALK.test(one.sample.category) ? 'talk' : 'documents';
}

export interface Calibration {
  /** Scores from which on a text is flagged and blocked. */
  readonly flagFrom: number;
  readonly blockFrom: number;
  /** From a score to a probability. */
  readonly line: { readonly slope: number; readonly offset: number };
}

export function isHard({ sample }: { readonly sample: Pick<Judged['sample'], 'category' | 'set'> }): boolean {
  return HARD.test(sample.category) || HARD.test(sample.set);
}

/** Thresholds by the false alarms that they cost on texts of families that the model had not seen. */
export function calibrate(judged: readonly Judged[], { flagged, blocked }: Shares): Calibration {
  const harmless = judged.filter(({ sample }) => !sample.attack);
  const hard = harmless.filter(isHard);
  const ordinary = harmless.filter((one) => !isHard(one));
  const talk = ordinary.filter((one) => kindOf(one) === 'talk');
  const foreign = ordinary.filter(isOtherLanguage);
  const threshold = (share: Share) =>
    Math.max(
      exceededBy(ordinary, share.ordinary),
      exceededBy(talk, share.talk),
      exceededBy(foreign, share.otherLanguages),
      exceededBy(hard, share.hard),
    );
  const [flagFrom, blockFrom] = [threshold(flagged), threshold(blocked)];
  const logit = (probability: number) => Math.log(probability / (1 - probability));
  const slope = (logit(BLOCK) - logit(FLAG)) / (blockFrom - flagFrom);
  return { flagFrom, blockFrom, line: { slope, offset: logit(FLAG) - slope * flagFrom } };
}

/** Whether a text is known to be in a language other than English. */
export function isOtherLanguage({ sample: { lang } }: { readonly sample: Pick<Judged['sample'], 'lang'> }): boolean {
  return lang !== 'en' && lang !== 'und' && lang !== 'hi-Latn';
}

/** The score that so large a share of the texts exceeds; none where all may. */
function exceededBy(judged: readonly Judged[], share: number): number {
  const scores = judged.map(({ score }) => score).sort((a, b) => b - a);
  return scores[Math.floor(scores.length * share)] ?? Number.NEGATIVE_INFINITY;
}

/** Weights as signed bytes, the largest few cut off, and what a unit of them is worth. */
export function quantised(weights: Float32Array): { packed: Int8Array; scale: number } {
  const sizes = weights
    .map(Math.abs)
    .filter((size) => size > 0)
    .sort();
  const largest = sizes[Math.floor(sizes.length * 0.9995)] ?? 1;
  const scale = largest / 127;
  return {
    packed: Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / scale)))),
    scale,
  };
}
