export {
  type AskingRequest,
  type OutsideDetector,
  type OutsideText,
  type OutsideVerdict,
  outsideRule,
  type ScoredText,
} from './outside-detector.ts';
export { OutsideDetectors, type OutsideFailure, type OutsideResult } from './outside-detectors.ts';
