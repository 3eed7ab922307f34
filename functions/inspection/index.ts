export { gatherSteps, isInspectedAsName } from './across-texts/index.ts';
export { checkPolicy } from './custom-rules/index.ts';
export { HARM_RULES, INJECTION_RULES } from './detectors/classifier/classifier.ts';
export { CONVERSATION_SIGNAL_RULES } from './detectors/conversation.ts';
export { ALL_RULES, createInspector } from './detectors/index.ts';
export {
  type DocumentReader,
  type DocumentText,
  describeSkipped,
  filesOf,
  lacksReader,
  readFiles,
  readTextFiles,
  withResponseFiles,
} from './files/index.ts';
export { type Evidence, fuseSteps } from './fusion/index.ts';
export {
  decideSteps,
  InputVerdict,
  inspectRequest,
  isUnreadableRule,
  lastTurnScore,
  unreadableRule,
} from './input/index.ts';
export { FindingCache, Inspector } from './inspector/index.ts';
export type { Finding, Rule, TextInspector } from './matching/index.ts';
export { moderationResult, OWN_MODERATION_MODEL, RequestedModeration } from './moderation/index.ts';
export {
  CANARY_RULE,
  contextOf,
  createMarker,
  InspectedResponse,
  KeyFilter,
  type KeyRange,
  LOST_VALUE_RULE,
  LostValues,
  type OutputFinding,
  OutputGuard,
  PROMPT_OVERLAP_RULE,
  PROVIDER_KEY_RULE,
  ProviderKeys,
  plantedText,
  type ResponseContext,
  responseDetectors,
  WHOLE_RESPONSE,
} from './output/index.ts';
export {
  type AskingRequest,
  type CostBearer,
  inspectEach,
  isIn,
  type OutsideDetector,
  OutsideDetectors,
  type OutsideFailure,
  type OutsideFailureReason,
  type OutsideFinding,
  type OutsideResult,
  type OutsideText,
  type OutsideVerdict,
  outsideRule,
  type ScoredText,
  type ScoreRange,
} from './outside/index.ts';
export {
  type DirectionPolicy,
  FLAG_FROM,
  Policy,
  PRESET_POLICIES,
  policyOf,
  Redaction,
  redacted,
  type ShadowRecord,
  ShadowTally,
  type TypePolicy,
  trustOf,
  underPolicy,
} from './policy/index.ts';
export { type ReadText, SecurityReport, withExamples } from './report/index.ts';
export { originalRanges } from './views/index.ts';
