import type { Steps } from '../base/steps.ts';
import type { Surface } from '../model/threat.ts';
import type { Finding, RuleHit } from './finding.ts';
import type { Rule, Signal } from './rule.ts';

/** A text that is inspected as it arrives. Any split of it gives the same findings. */
export interface FindingStream {
  /** The findings that have become final, in order of position. */
  push(piece: string): Finding[];
  /** The remaining findings; with `piece`, as if it had been pushed before. Closes the stream. */
  end(piece?: string): Finding[];
  /** The findings that are final and were to be given later: for a text of which no more will be read. */
  catchUp(): Finding[];
  /** Raw offset that text may be released up to: no finding of an acting rule will start or reach before it. */
  readonly settled: number;
}

/** How a text is inspected that was put together from inspected texts. */
export interface JoinedReading {
  /** Whether a finding is one that those texts do not show: a shadow policy counts no other. */
  readonly isNew: (finding: Finding) => boolean;
  /** Whether the classifier judges it. */
  readonly isJudged: boolean;
}

/**
 * How a text that arrives in pieces is read: `whole`; `unjudged`, by rules without the classifier, for names and ids; `shallow`, by
 * rules alone, without decoding.
 */
export type Reading = 'whole' | 'unjudged' | 'shallow';

/** Judges texts: the built-in rules, or these as a key's policy changes them. */
export interface TextInspector {
  /**
   * All findings in a whole text, ordered by position; ranges in UTF-16 code units of the text. `detectors` look for what
   * only this exchange shows.
   */
  inspect(text: string, surface: Surface, detectors?: readonly ResponseDetector[], joined?: JoinedReading): Finding[];
  /** The same in steps; of a text whose inspection is ended early, the findings of its beginning. */
  inspectSteps(
    text: string,
    surface: Surface,
    detectors?: readonly ResponseDetector[],
    joined?: JoinedReading,
  ): Steps<Finding[]>;
  /** The rules for what shows in no single text. */
  rulesForSignal(signal: Signal, surface: Surface): readonly Rule[];
  /**
   * Inspects a text that arrives in pieces; only rules for which `acts` holds keep text from being settled. `isNew`: which
   * findings a shadow policy counts, of a text that is inspected again.
   */
  open(
    surface: Surface,
    acts: (rule: Rule) => boolean,
    detectors?: readonly ResponseDetector[],
    isNew?: (finding: Finding) => boolean,
    reading?: Reading,
  ): FindingStream;
}

/** What a classifier thinks of a text. */
export interface Judgement {
  /** The rule that reports it; a rule without patterns. */
  readonly rule: Rule;
  /** 0..1, calibrated: how likely the text is of the rule's type. */
  readonly score: number;
  /** The part with the highest score, half-open, in UTF-16 code units of the text as given. */
  readonly start: number;
  readonly end: number;
}

/** Scores texts by their wording, where no rule applies. Pure and fast; never throws. */
export interface TextClassifier {
  /** `text` as the folded view shows it; by each of the surface's rules, none where there is nothing to judge. */
  judge(text: string, surface: Surface): readonly Judgement[];
  /** The rules that texts of this surface are judged by; none where they are not judged. */
  rulesFor(surface: Surface): readonly Rule[];
}

/**
 * Looks in an answer for what only its exchange shows: the operator's prompt, a marker planted in it. Made for one
 * exchange; each text of the answer, and each payload decoded in one, is read apart.
 */
export interface ResponseDetector {
  open(): ResponseReader;
}

/** Reads one text that arrives in pieces. Any split gives the same hits. */
export interface ResponseReader {
  /** The hits that have become final, in offsets of the raw text. */
  read(piece: string, last: boolean): RuleHit[];
  /** Raw offset before which no later hit starts; Infinity where no text need be held for it. */
  readonly settled: number;
  /** The same, whether text is held or not. */
  readonly seen: number;
}
