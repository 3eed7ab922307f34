import type { Surface } from '../model/threat.ts';
import type { Rule } from './rule.ts';

/** What a classifier thinks of a text. */
export interface Judgement {
  /** The type of threat and how it is told; a rule without patterns. */
  readonly rule: Rule;
  /** 0..1, calibrated: how likely the text holds what the rule says. */
  readonly score: number;
  /** The part that speaks loudest, half-open, in UTF-16 code units of the text as given. */
  readonly start: number;
  readonly end: number;
}

/** Judges texts by what they say, where no rule can. Pure and fast; never throws. */
export interface TextClassifier {
  /** `text` as the folded view shows it; by each of the surface's rules, none where there is nothing to judge. */
  judge(text: string, surface: Surface): readonly Judgement[];
  /** The rules that texts of this surface are judged by; none where they are not judged. */
  rulesFor(surface: Surface): readonly Rule[];
}
