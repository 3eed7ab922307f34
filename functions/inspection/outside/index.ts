export {
  type CostBearer,
  inspectEach,
  type OutsideDetector,
  type OutsideFailureReason,
  type OutsideFinding,
  type OutsideText,
  type OutsideVerdict,
  outsideRule,
  type ScoredText,
} from './outside-detector.ts';
export {
  type AskingRequest,
  isIn,
  OutsideDetectors,
  type OutsideFailure,
  type OutsideResult,
  type ScoreRange,
} from './outside-detectors.ts';
