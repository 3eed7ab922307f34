export { assumedCharges } from './protocols/bodies/asked-charges.ts';
export { readCommonMembers } from './protocols/bodies/common-members.ts';
export { type ApiName, errorShapeOf } from './protocols/error-shapes.ts';
export { loadApi } from './protocols/load-api.ts';
export { loadSchemas } from './protocols/load-schemas.ts';
export { conversationSchema, conversationTexts, refuseNames } from './protocols/openai-chat/conversation.ts';
export type {
  NamedId,
  OperationName,
  Protocol,
  RequestReader,
  ResponseFormat,
  StoredCall,
} from './protocols/protocol.ts';
export {
  baseUrlOf,
  createProviders,
  describeProviders,
  type ProviderSettings,
} from './providers/configured-providers.ts';
export { ModelList } from './providers/model-list.ts';
export { boundUsage } from './routing/bound-usage.ts';
export { CircuitBreaker } from './routing/circuit-breaker.ts';
export { ModelCatalog, modelPricesSchema } from './routing/model-catalog.ts';
export { ModelRouter } from './routing/model-router.ts';
export { BedrockFailure, type BedrockRuntime, type ChatProvider, type ProviderResponse } from './routing/provider.ts';
export { DEFAULT_ROUTES, isCallable, routesSchema, type Target, type Targets } from './routing/route-model.ts';
export { Translation } from './routing/translation.ts';
