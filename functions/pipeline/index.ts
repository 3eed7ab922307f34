/**
 * The stages of a request, from admission to its record. A `run…` function runs them for one kind of request; `RunningRequest` is what they share.
 */

export { failRequest, storeRecord } from './finish-request.ts';
export { inspectGivenOutput } from './guard-output.ts';
export {
  checkGuardRequest,
  coverageOf,
  redactedOf,
  textsOf,
  toGuardResult,
} from './guard-request.ts';
export { inspectDefinition } from './inspect-mcp.ts';
export {
  type GuardResult,
  guardRequestSchema,
  guardResultSchema,
  moderationRequestSchema,
  moderationResponseSchema,
} from './inspection-schemas.ts';
export { type McpDeps, mayReach } from './list-mcp.ts';
export type { CredentialSource, PipelineDeps } from './pipeline-deps.ts';
export {
  checkName,
  createRequestContext,
  type RequestContext,
  readCacheSeconds,
  readNameHeader,
  readStrictTranslation,
  readTracking,
  refOf,
} from './request-context.ts';
export { RefusalNotices, ToolNotices } from './request-events.ts';
export { RequestLifetime, stopFailure } from './request-lifetime.ts';
export type { RequestLog, RequestOutcome, RequestSummary } from './request-log.ts';
export { type RunningRequest, sessionIdOf, startRequest } from './request-outcome.ts';
export type { ProviderCall } from './request-times.ts';
export type { MediaPiece } from './response-writer.ts';
export { batchRequestSchema, createBatch } from './run-batch-creation.ts';
export { batchResults } from './run-batch-results.ts';
export { runChat, runMedia } from './run-chat.ts';
export { runGuard } from './run-guard.ts';
export { type McpRequestToRun, runMcp } from './run-mcp.ts';
export { runModeration } from './run-moderation.ts';
export { runStored } from './run-stored.ts';
export {
  type CancellationStore,
  type RequestCancellation,
  RunningStreams,
  requestCancellationSchema,
  type StreamRef,
} from './running-streams.ts';
export {
  type BatchDeps,
  type BatchState,
  batchState,
  cancelBatch,
  deleteBatch,
  findBatch,
  hasEnded,
} from './stored-batch.ts';
