// Which model at which provider serves a request, and what it may cost; and what a provider is.
export { boundUsage } from './bound-usage.ts';
export { CircuitBreaker } from './circuit-breaker.ts';
export { listModels } from './list-models.ts';
export { ModelCatalog } from './model-catalog.ts';
export { ModelRouter } from './model-router.ts';
export {
  type BatchCall,
  BedrockFailure,
  type BedrockResponse,
  type BedrockRuntime,
  type BedrockStream,
  type ChatCall,
  type ChatProvider,
  type ProviderBatch,
  type ProviderBatches,
  type ProviderResponse,
  type ProviderResult,
  type Providers,
  type ReportedModel,
  type UpstreamHead,
} from './provider.ts';
export { ProviderModels, type ProviderModelsDeps } from './provider-models.ts';
export {
  checkRoutes,
  DEFAULT_ROUTES,
  isCallable,
  modelNotFound,
  modelPath,
  modelSegment,
  type Target,
  type Targets,
} from './route-model.ts';
export { inPlaces } from './signed-parts.ts';
export { dropReasoning, fieldsFor, merge, refuseEssential, type TargetFields, Translation } from './translation.ts';
