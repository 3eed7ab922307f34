export { MESSAGES_PROTOCOL } from './protocols/anthropic-messages/messages-protocol.ts';
export { type AskedCharges, askedCharges, assumedCharges } from './protocols/bodies/asked-charges.ts';
export { keepsState } from './protocols/bodies/named-ids.ts';
export { encodedPrompts, hasEncodedMedia } from './protocols/bodies/prompts.ts';
export { withOpenAiHeaders } from './protocols/bodies/protocol-headers.ts';
export { checkBody } from './protocols/bodies/request-body.ts';
export { Places } from './protocols/bodies/request-places.ts';
export { outsideMessages, RequestTextReader } from './protocols/bodies/request-texts.ts';
export { withoutBulk } from './protocols/bodies/response-structure.ts';
export { boundPrediction, searchesByModel, uncountedOutputField } from './protocols/bodies/token-bounds.ts';
export { anthropicError, geminiError } from './protocols/error-shapes.ts';
export { geminiProtocol } from './protocols/gemini/gemini-protocol.ts';
export {
  type GuardRequest,
  type GuardResult,
  guardRequestSchema,
  guardResultSchema,
  type ModerationRequest,
  type ModerationResponse,
  moderationRequestSchema,
} from './protocols/inspection-schemas.ts';
export { CHAT_PROTOCOL } from './protocols/openai-chat/chat-protocol.ts';
export { CHAT_PLACES, chatTexts } from './protocols/openai-chat/chat-request-texts.ts';
export { COMPLETIONS_PROTOCOL } from './protocols/openai-completions/completions-protocol.ts';
export { EMBEDDINGS_PROTOCOL } from './protocols/openai-embeddings/embeddings-protocol.ts';
export { IMAGE_EDITS_PROTOCOL } from './protocols/openai-images/image-edits-protocol.ts';
export { IMAGES_PROTOCOL } from './protocols/openai-images/images-protocol.ts';
export { RESPONSES_PROTOCOL } from './protocols/openai-responses/responses-protocol.ts';
export { SPEECH_PROTOCOL } from './protocols/openai-speech/speech-protocol.ts';
export {
  TRANSCRIPTIONS_PROTOCOL,
  TRANSLATIONS_PROTOCOL,
} from './protocols/openai-transcriptions/transcriptions-protocol.ts';
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
  availableProviders,
  configuredProviders,
  createProviders,
  describeProviders,
  type ProviderConfig,
  type ProviderConnections,
  type ProviderSettings,
  type ProvidersOptions,
  providerSettingsIn,
  readBaseUrl,
  rememberKeys,
} from './providers/configured-providers.ts';
export { OPENAI_ADDRESS } from './providers/index.ts';
export { CircuitBreaker, type CircuitDecision } from './routing/circuit-breaker.ts';
export { costBound, costOf, isUnknownTerm, toUsd, unknownChargesOf } from './routing/cost.ts';
export { allowedBy, type ListDeps, type ListedModel, listModels } from './routing/list-models.ts';
export {
  ModelCatalog,
  type ModelFacts,
  type ModelPrices,
  modelPricesSchema,
  PRICES_ORIGIN,
} from './routing/model-catalog.ts';
export { ANTHROPIC_MODELS, GEMINI_MODELS, type ModelApi, OPENAI_MODELS } from './routing/model-lists.ts';
export {
  type BedrockCall,
  BedrockFailure,
  type BedrockInvocation,
  type BedrockResponse,
  type BedrockRuntime,
  type BedrockStream,
  type ChatCall,
  type ChatProvider,
  type CredentialSource,
  type MediaResponse,
  type ProviderResponse,
  type TextResponse,
  type UpstreamHead,
} from './routing/provider.ts';
export { ProviderModels } from './routing/provider-models.ts';
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
