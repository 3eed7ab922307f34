/**
 * The vocabulary that modules share, a file for each subject: chats and pieces of responses, threats, policies, keys and limits, records, events,
 * webhooks, names of metrics.
 */
export {
  type Figures,
  GROUPS,
  type Group,
  INTERVALS,
  type Interval,
  MARKS,
  type Mark,
  markThreatSchema,
  OUTCOMES,
  type Outcome,
  REQUEST_STATES,
  type RecordedFinding,
  type RequestDetail,
  type RequestRecord,
  requestDetailSchema,
  requestListSchema,
  requestRecordSchema,
  SEVERITIES,
  type Session,
  STAGES,
  STORED_INTERVALS,
  type Stage,
  type Summary,
  sessionListSchema,
  sessionSchema,
  summarySchema,
  type Threat,
  type ThreatDetail,
  type Timeseries,
  threatDetailSchema,
  threatListSchema,
  threatSchema,
  timeseriesSchema,
} from './analytics.ts';
export {
  type CreateKey,
  createKeySchema,
  ENVIRONMENTS,
  importedSecretSchema,
  KEY_STATES,
  type KeyView,
  keySchema,
  type UpdateKey,
  updateKeySchema,
} from './api-key.ts';
export {
  APPROVAL_STATES,
  type ApprovalState,
  type ApprovalView,
  approvalDetailSchema,
  approvalSchema,
} from './approval.ts';
export { type AuditFact, type AuditRecord, auditRecordSchema } from './audit.ts';
export { MARKER_LETTERS, plantedText } from './canary.ts';
export { CAPTURE_MODES, type Capture, type CaptureMode, captureSchema } from './capture.ts';
export {
  type CacheHint,
  type ChatCompletion,
  type ChatDelta,
  type ChatMessage,
  type ChatRequest,
  type ChatRole,
  type ContentPart,
  EFFORTS,
  type Effort,
  type FilePart,
  type FinishReason,
  type ImagePart,
  type JsonFormat,
  type Meaning,
  OTHER_FEES,
  type OtherFee,
  type OtherField,
  type SignedPart,
  TERMS,
  type Term,
  type Thinking,
  type ToolCall,
  type ToolChoice,
  type ToolDefinition,
  toUsd,
  type UnknownCharge,
  type Usage,
} from './chat.ts';
export type { DeclaredTool, DeclaredTools } from './declared-tool.ts';
export {
  DELIVERY_STATES,
  type DeadReason,
  type DeliveryAttempt,
  type DeliveryState,
  type DeliveryView,
  deliverySchema,
} from './delivery.ts';
export { type DeploymentPolicy, deploymentPolicySchema, type TagBudget } from './deployment-policy.ts';
export { environmentOf } from './environment.ts';
export { REQUEST_EVENTS } from './event-types.ts';
export {
  type EventPublisher,
  eventIdOf,
  FINDINGS_EVENTS,
  type FindingsEvent,
  findingsEventSchema,
  type GatewayEvent,
  type LimitKind,
  MAX_EVENT_BYTES,
  newEventId,
  type RequestEventData,
  type SpendEventData,
  type SpendEventGroups,
} from './events.ts';
export type { FieldMeta, FieldOption } from './field-meta.ts';
export { closestFirst, matchesGlob } from './glob.ts';
export type { IdentityRef } from './identity-ref.ts';
export { type BudgetLimit, isTimeZone, PERIOD_SECONDS, type RateLimit } from './key-limits.ts';
export { acceptedSecrets, keyState, SYNTHETIC_CHECK_KEY_ID, toKeyView } from './key-state.ts';
export {
  DIMENSIONS,
  LIMITED_KINDS,
  type LimitedKind,
  limitedMetric,
  METRICS,
  METRICS_NAMESPACE,
  operationOf,
  providerNameOf,
  threatMetric,
} from './metric-names.ts';
export {
  chatModerationSchema,
  JUDGED_CATEGORIES,
  MODERATION_CATEGORIES,
  MODERATION_OF_TOXICITY,
  type ModerationCategory,
  type ModerationField,
  type ModerationReport,
  type ModerationResult,
  moderationFieldSchema,
  moderationResultSchema,
  OWN_MODERATION_MODEL,
  responsesModerationSchema,
} from './moderation.ts';
export { type CallOrigin, usualPath, withoutUnusualNames } from './origin.ts';
export { type Grants, isPermitted, PERMISSIONS, type Permission } from './permissions.ts';
export type { OutputItem, ResponsePiece } from './piece.ts';
export { type CallBy, type Piece, type TextSlot, withTexts } from './piece.ts';
export {
  type Allowed,
  type BannedTopic,
  type CustomRule,
  type CustomSettings,
  type Place,
  type PolicySettings,
  PRESETS,
  type Preset,
  policySchema,
  TYPE_ACTIONS,
  type TypeAction,
} from './policy.ts';
export { MIN_KEY_CHARS, REDACTED_KEY } from './provider-key.ts';
export {
  CIRCUIT_STATES,
  HEALTH_STATES,
} from './provider-state.ts';
export {
  type Author,
  isProse,
  NAMED_AUTHORS,
  outsideMessages,
  type RequestText,
  type RequestTexts,
  type Skipped,
  SURFACE_OF,
  turnsAgo,
} from './request-text.ts';
export type { CallPart, CallRemoval, ResponseCalls } from './response-call.ts';
export { isInRange, type ScoreRange } from './score-range.ts';
export { detectedThreatSchema, securityInfoSchema } from './security-info.ts';
export { type ApiKey, readStoredKey } from './stored-key.ts';
export type { AskedApproval } from './threat.ts';
export {
  ACTIONS,
  type Action,
  ATTACK_TYPES,
  type DetectedThreat,
  isAttackType,
  isPrivate,
  type Reason,
  type SecurityInfo,
  type Severity,
  type ShownThreat,
  SURFACES,
  type Surface,
  strongerAction,
  THREAT_TYPES,
  type ThreatLocation,
  type ThreatType,
  type Warning,
} from './threat.ts';
export { type RecordedToolCall, usualToolCall } from './tool-call.ts';
export type {
  ToolEffect,
  ToolPolicy,
  ToolRule,
  ToolRuleExample,
  ToolSource,
} from './tool-policy.ts';
export { fieldsChanged, type ToolVersion, versionOf } from './tool-version.ts';
export { isTopicFamily, TOPIC_FAMILIES, type TopicFamily } from './topic-families.ts';
export {
  type CreateWebhook,
  createWebhookSchema,
  type DisabledReason,
  rotateWebhookSecretSchema,
  toWebhookView,
  type UpdateWebhook,
  updateWebhookSchema,
  type Webhook,
  type WebhookSecret,
  type WebhookView,
  webhookSchema,
} from './webhook.ts';
