import { agreedScore, bestWindow } from '../functions/inspection/classification/window-score.ts';
import { readWordClasses } from '../functions/inspection/detectors/classifier/classifier.ts';
import { type TrainOptions, toExamples, train } from './linear-model.ts';
import { OWN_FAMILY, type Sample } from './samples.ts';
import { TextFeatures } from './text-features.ts';

const FOLDS = 6;
/** Weight of an attack when families are divided into folds of about equal size. */
const ATTACK_WEIGHT = 10;
/** The score of a text without a single token. */
const NOTHING = -20;

/** A sample with its score by a model that did not see its family. */
export interface Judged {
  readonly sample: Sample;
  readonly score: number;
  /** The window with the highest score: tokens from `first` up to `end`; absent if the text is too short to be scored. */
  readonly window: { readonly first: number; readonly end: number } | undefined;
}

/** A model whose score is added to that of another, and that trained on no family of the data. */
export interface Added {
  readonly weights: Float32Array;
  readonly bias: number;
}

/** Scores every sample of the data with models trained without its family; all models train on our texts. */
export function judgeOutOfFold(samples: readonly Sample[], options: TrainOptions, added?: Added): Judged[] {
  const features = new TextFeatures(readWordClasses());
  const scoreBy = (text: string, weights: Float32Array) => {
    features.read(text, weights);
    const window = bestWindow(features);
    return { window, score: window === undefined ? NOTHING : agreedScore(text, features, window) };
  };
  return folds(samples).flatMap((held) => {
    const { weights, bias } = train(toExamples(samples.filter(({ family }) => !held.has(family))), options);
    return samples
      .filter(({ family }) => held.has(family))
      .map((sample) => {
        const more = added === undefined ? 0 : scoreBy(sample.text, added.weights).score + added.bias;
        const { window, score } = scoreBy(sample.text, weights);
        return { sample, score: score + bias + more, window };
      });
  });
}

/** Divides families into so many groups of about equal size. */
export function folds(samples: readonly Sample[]): Set<string>[] {
  const sizes = new Map<string, number>();
  for (const { family, attack } of samples) {
    if (family !== OWN_FAMILY) sizes.set(family, (sizes.get(family) ?? 0) + (attack ? ATTACK_WEIGHT : 1));
  }
  const groups = Array.from({ length: FOLDS }, () => ({ families: new Set<string>(), size: 0 }));
  for (const [family, size] of [...sizes].sort((a, b) => b[1] - a[1])) {
    const smallest = groups.reduce((least, group) => (group.size < least.size ? group : least));
    smallest.families.add(family);
    smallest.size += size;
  }
  return groups.map(({ families }) => families);
}

/** Harmless texts that look like attacks; their false alarms are counted separately. */
const HARD = /hard_neg|roleplay|security|trigger|system_prompt|lobe_agents/;
/** Texts that people write; other ordinary texts are documents and tool results. */
const TALK = /^(?:chat|question|instruction|customer_support|benign)$/;

type Kind = 'talk' | 'documents' | 'hard';
/** The largest share of false alarms. */
interface Share {
  readonly ordinary: number;
  /** On ordinary texts that people write. */
  readonly talk: number;
  /** On ordinary texts that are not English. */
  readonly otherLanguages: number;
  /** On harmless texts that look like attacks. */
  readonly hard: number;
}
/** Limits for a model's false alarms, not including those of the rules. */
export interface Shares {
  readonly flagged: Share;
  readonly blocked: Share;
}
/** The policies' thresholds: flagged from 0.5, attacks blocked by default from 0.85. */
const FLAG = 0.5;
const BLOCK = 0.85;
export function kindOf(one: Judged): Kind {
  if (isHard(one)) return 'hard';
  return TALK.test(one.sample.category) ? 'talk' : 'documents';
}

export interface Calibration {
  /** Scores from which a text is flagged and blocked. */
  readonly flagFrom: number;
  readonly blockFrom: number;
  /** From a score to a probability. */
  readonly line: { readonly slope: number; readonly offset: number };
}

export function isHard({ sample }: { readonly sample: Pick<Judged['sample'], 'category' | 'set'> }): boolean {
  return HARD.test(sample.category) || HARD.test(sample.set);
}

/** Thresholds by their false alarms on texts of families that the model did not see. */
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

/** The score that this share of the texts exceeds; none if all may. */
function exceededBy(judged: readonly Judged[], share: number): number {
  const scores = judged.map(({ score }) => score).sort((a, b) => b - a);
  return scores[Math.floor(scores.length * share)] ?? Number.NEGATIVE_INFINITY;
}

/** A report of the scores out of fold: recall by family, false alarms, and AUC. */
export function report(judged: readonly Judged[], { flagFrom, blockFrom }: Calibration): string {
  const attacks = judged.filter(({ sample }) => sample.attack);
  const harmless = judged.filter(({ sample }) => !sample.attack);
  const families = [...new Set(attacks.map(({ sample }) => sample.family))].sort();
  const rows = families.map((family) => {
    const own = attacks.filter(({ sample }) => sample.family === family);
    return { family, count: own.length, flagged: share(own, flagFrom), blocked: share(own, blockFrom) };
  });
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const ordinary = harmless.filter((one) => !isHard(one));
  return [
    'family                   texts  flagged  blocked   (judged by a model that never saw the family)',
    ...rows.map(({ family, count, flagged, blocked }) => line(family, count, flagged, blocked)),
    line(
      'mean of families',
      attacks.length,
      mean(rows.map((row) => row.flagged)),
      mean(rows.map((row) => row.blocked)),
    ),
    ...(['talk', 'documents', 'hard'] as const).map((kind) => {
      const own = harmless.filter((one) => kindOf(one) === kind);
      return line(`${kind}, false alarms`, own.length, share(own, flagFrom), share(own, blockFrom));
    }),
    `area under the curve: ${auc(attacks, ordinary).toFixed(3)} against ordinary text, ${auc(attacks, harmless).toFixed(3)} against all`,
  ].join('\n');
}

function line(name: string, count: number, flagged: number, blocked: number): string {
  return `${name.padEnd(23)}${String(count).padStart(7)}${percent(flagged)}${percent(blocked)}`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(2)} %`.padStart(9);
}

function share(judged: readonly Judged[], from: number): number {
  return judged.filter(({ score }) => score >= from).length / judged.length;
}

/** The probability that an attack scores higher than another text, equal scores counted half (Mann and Whitney). */
export function auc(attacks: readonly { score: number }[], others: readonly { score: number }[]): number {
  const all = [
    ...attacks.map(({ score }) => ({ score, attack: true })),
    ...others.map(({ score }) => ({ score, attack: false })),
  ].sort((a, b) => a.score - b.score);
  let ranks = 0;
  for (let from = 0, to = 0; from < all.length; from = to) {
    let equalAttacks = 0;
    for (; to < all.length && all[to]?.score === all[from]?.score; to++) equalAttacks += all[to]?.attack ? 1 : 0;
    ranks += equalAttacks * ((from + 1 + to) / 2);
  }
  return (ranks - (attacks.length * (attacks.length + 1)) / 2) / (attacks.length * others.length);
}
