export { type AskedCharges, askedCharges, assumedCharges } from './protocols/bodies/asked-charges.ts';
export { keepsState } from './protocols/bodies/named-ids.ts';
export { encodedPrompts, hasEncodedMedia } from './protocols/bodies/prompts.ts';
export { checkBody } from './protocols/bodies/request-body.ts';
export { Places } from './protocols/bodies/request-places.ts';
export { outsideMessages, RequestTextReader } from './protocols/bodies/request-texts.ts';
export { withoutBulk } from './protocols/bodies/response-structure.ts';
export { boundPrediction, searchesByModel, uncountedOutputField } from './protocols/bodies/token-bounds.ts';
export { type ApiName, errorShapeOf } from './protocols/error-shapes.ts';
export {
  type GuardRequest,
  type GuardResult,
  guardRequestSchema,
  guardResultSchema,
  type ModerationRequest,
  type ModerationResponse,
  moderationRequestSchema,
} from './protocols/inspection-schemas.ts';
export { loadApi } from './protocols/load-api.ts';
export { loadSchemas } from './protocols/load-schemas.ts';
export { CHAT_PLACES, chatTexts } from './protocols/openai-chat/chat-request-texts.ts';
export type {
  FurtherModel,
  ItemReference,
  ItemRules,
  NamedId,
  OperationName,
  Protocol,
  RequestReader,
  ResponseFormat,
  ResponseWriting,
  StoredCall,
  StoredRequest,
  StreamFraming,
  UpstreamOperation,
  UsageBounds,
} from './protocols/protocol.ts';
export {
  baseUrlOf,
  createProviders,
  describeProviders,
  type ProviderConnections,
  type ProviderSettings,
} from './providers/configured-providers.ts';
export { ModelList } from './providers/model-list.ts';
export { CircuitBreaker, type CircuitDecision } from './routing/circuit-breaker.ts';
export { costBound, costOf, isUnknownTerm, toUsd, unknownChargesOf } from './routing/cost.ts';
export { allowedBy } from './routing/list-models.ts';
export {
  ModelCatalog,
  type ModelFacts,
  modelPricesSchema,
} from './routing/model-catalog.ts';
export {
  type BedrockCall,
  BedrockFailure,
  type BedrockInvocation,
  type BedrockResponse,
  type BedrockRuntime,
  type BedrockStream,
  type ChatCall,
  type ChatProvider,
  type MediaResponse,
  type ProviderResponse,
  type TextResponse,
  type UpstreamHead,
} from './routing/provider.ts';
export {
  DEFAULT_ROUTES,
  invalidName,
  isCallable,
  matchesGlob,
  modelNotAllowed,
  modelNotFound,
  type RouteEntry,
  routeModel,
  routesSchema,
  type Target,
  type Targets,
} from './routing/route-model.ts';
export { Translation } from './routing/translation.ts';
