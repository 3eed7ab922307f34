/**
 * Translation between the APIs that clients call and those of providers. Layers, lowest first; each imports only those before it:
 * 1. `protocols`: how each API's requests are read and its responses written. Its `bodies` know no API; the other folders are one format each,
 *    loaded at its first request.
 * 2. `routing`: which model at which provider serves a request, and what that may cost.
 * 3. `providers`: how each provider is called.
 * 4. `mcp`: the protocol of MCP clients and servers.
 */

// The APIs that clients call. One is loaded by its operation, and reads what its requests ask for.

export { errorShapeOf } from './protocols/error-shapes.ts';
export { loadApi } from './protocols/load-api.ts';
export { loadSchemas } from './protocols/load-schemas.ts';
export type {
  BedrockOperationName,
  NamedId,
  OpenedRequest,
  OperationName,
  Protocol,
  RequestReader,
  ResponseFormat,
  StoredCall,
} from './protocols/protocol.ts';

// Bodies of no API: the gateway's own requests with the messages of chat completions, and members that only some servers read.

export { readCommonMembers } from './protocols/bodies/common-members.ts';
export {
  conversationSchema,
  conversationTexts,
  readOutput,
  refuseNames,
} from './protocols/openai-chat/conversation.ts';

// Where a request may go: `ModelRouter` decides for each request, `ModelList` lists it, `CircuitBreaker` skips what is down.

export { ModelList } from './providers/model-list.ts';
export {
  CircuitBreaker,
  checkRoutes,
  DEFAULT_ROUTES,
  isCallable,
  ModelRouter,
  type Target,
  type Targets,
} from './routing/index.ts';

// What a request may use at most before it is sent, and what its usage costs.

export { assumedCharges } from './protocols/bodies/asked-charges.ts';
export { boundUsage, ModelCatalog } from './routing/index.ts';

// The providers, made from settings. `BedrockRuntime` is the port for AWS's client; others are called by the kernel's `HttpClient`.

export {
  baseUrlOf,
  type ProviderSettings,
} from './providers/configured-providers.ts';
export { describeProviders } from './providers/describe-providers.ts';
export { LiveProviders } from './providers/live-providers.ts';
export { PROVIDERS } from './providers/provider-list.ts';
export {
  BedrockFailure,
  type BedrockRuntime,
  type ChatProvider,
  type ProviderBatch,
  type ProviderBatches,
  type ProviderResponse,
  type ProviderResult,
  type Providers,
  Translation,
} from './routing/index.ts';

// The Model Context Protocol: messages of clients, the servers in force with their tools, and the texts to inspect.

export {
  joinedName,
  type McpTarget,
  readMcpTarget,
  recordedName,
  serverOf,
  toMcpRequest,
} from './mcp/mcp-call.ts';
export {
  isServed,
  kindOfName,
  listedBy,
  listOf,
  type McpItem,
  type McpKind,
  nameOf,
  PINNED_KINDS,
  stateOf,
} from './mcp/mcp-item.ts';
export {
  asksTooMuch,
  McpError,
  type McpMessage,
  mcpErrors,
  ownMcpResult,
  readMcpMessage,
} from './mcp/mcp-message.ts';
export { checkParamHeaders } from './mcp/mcp-param-headers.ts';
export { capabilitiesAt, reachesServer, servesKind } from './mcp/mcp-served.ts';
export { isServerFault, McpServers } from './mcp/mcp-servers.ts';
export { mcpTexts } from './mcp/mcp-texts.ts';
