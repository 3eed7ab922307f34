import type { Surface } from '../../kernel/model/index.ts';
import { finish, type Steps } from '../../kernel/tasks/index.ts';
import type { Finding, RuleHit } from './finding.ts';
import type { Rule, Signal } from './rule.ts';

/** Inspects a text as it arrives. Any split of it has the same findings. */
export interface FindingStream {
  /** The findings that have become final, in order of position. */
  push(piece: string): Finding[];
  /** The remaining findings; `piece` is pushed first. Closes the stream. */
  end(piece?: string): Finding[];
  /** Final findings that are not reported yet, for a text of which no more will be read. */
  catchUp(): Finding[];
  /** Raw offset that text may be released up to: no finding of an acting rule will start or reach before it. */
  readonly settled: number;
}

/** A piece of a text in a text joined from several. */
export interface TextPiece {
  readonly text: string;
  /** Its offset in `text`. */
  readonly from: number;
  readonly length: number;
  /** Its offset in the joined text. */
  readonly start: number;
  /** Before it, unless it is the first one. */
  readonly separator: string;
}

/** How a text that was joined from inspected texts is inspected. */
export interface ConcatenatedReading {
  /** Whether a finding is not in the single texts: a shadow policy counts no other. */
  readonly isNew: (finding: Finding) => boolean;
  /** Whether the classifier scores it. */
  readonly isClassified: boolean;
  /** What the text consists of, if these texts were inspected too. */
  readonly pieces?: readonly TextPiece[];
  /** Whether rules read all of it, not only the text around the boundaries of its pieces. */
  readonly isReadWhole?: boolean;
}

/**
 * How a text that arrives in pieces is inspected: `whole`; `unclassified`, by rules without the classifier, for names and ids; `shallow`, by
 * rules alone, without decoding.
 */
export type Reading = 'whole' | 'unclassified' | 'shallow';

/** Inspects texts by the built-in rules, or by these with a key's policy applied. */
export abstract class TextInspector {
  /**
   * All findings in a whole text, ordered by position; ranges in UTF-16 code units of the text. `detectors` look for what is specific to this
   * request.
   */
  inspect(
    text: string,
    surface: Surface,
    detectors?: readonly ResponseDetector[],
    joined?: ConcatenatedReading,
  ): Finding[] {
    return finish(this.inspectSteps(text, surface, detectors, joined));
  }

  /** The same in steps; if ended early, the findings at the start of the text. */
  abstract inspectSteps(
    text: string,
    surface: Surface,
    detectors?: readonly ResponseDetector[],
    joined?: ConcatenatedReading,
  ): Steps<Finding[]>;

  /** The values in a whole text that documentation publishes as examples; no other method reports them. */
  abstract findExamples(text: string, surface: Surface): Finding[];

  /** The rules for signals that no pattern matches. */
  abstract rulesForSignal(signal: Signal, surface: Surface): readonly Rule[];

  /**
   * Inspects a text that arrives in pieces; only rules for which `acts` holds keep text from being settled. `isNew`: for a text that is
   * inspected again, which findings a shadow policy counts.
   */
  abstract open(
    surface: Surface,
    acts: (rule: Rule) => boolean,
    detectors?: readonly ResponseDetector[],
    isNew?: (finding: Finding) => boolean,
    reading?: Reading,
  ): FindingStream;
}

/** A classifier's score for a text. */
export interface ClassifierVerdict {
  /** The rule that reports it; a rule without patterns. */
  readonly rule: Rule;
  /** 0..1, calibrated: the probability that the text is of the rule's type. */
  readonly score: number;
  /** The part with the highest score, half-open, in UTF-16 code units of the text as passed. */
  readonly start: number;
  readonly end: number;
}

/** Scores texts by their wording, where no rule applies. Pure and fast; never throws. */
export interface TextClassifier {
  /** `text` as in the folded view. Returns a score for each of the surface's rules, or none if there is too little text. */
  classify(text: string, surface: Surface): readonly ClassifierVerdict[];
  /** The classifier's rules for texts of this surface; none if it does not score them. */
  rulesFor(surface: Surface): readonly Rule[];
}

/**
 * Looks in a response for what is specific to its request: the system prompt, a marker planted in it. Created for one request; each text of the
 * response, and each payload decoded in one, has a separate reader.
 */
export interface ResponseDetector {
  open(): ResponseReader;
}

/** Reads one text that arrives in pieces. Any split has the same hits. */
export interface ResponseReader {
  /** The hits that have become final, in offsets of the raw text. */
  read(piece: string, last: boolean): RuleHit[];
  /** Raw offset before which no later hit starts; Infinity if no text is held back for it. */
  readonly settled: number;
  /** The same, whether text is held back or not. */
  readonly seen: number;
}
