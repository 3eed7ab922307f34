export { compareFindings, type Finding, findingKey, type RuleHit } from './finding.ts';
export { withoutDecoding } from './hidden-findings.ts';
export {
  isLateSignal,
  type MatchContext,
  type Rule,
  type RuleExamples,
  type SentenceCues,
  type Signal,
  type WordFinder,
} from './rule.ts';
export { patternSource, type RuleCodes, RuleLibrary } from './rule-library.ts';
export { isSentenceEnd } from './sentence-matcher.ts';
export { type HiddenTextInspector, planStream, type StreamPlan } from './stream-plan.ts';
export {
  type ClassifierVerdict,
  type ConcatenatedReading,
  type FindingStream,
  type Reading,
  type ResponseDetector,
  type ResponseReader,
  type TextClassifier,
  TextInspector,
} from './text-inspector.ts';
export { TextStream } from './text-stream.ts';
