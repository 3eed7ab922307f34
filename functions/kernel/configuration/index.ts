/** Forms of the documents that configure the gateway while it runs. */
export {
  type ApprovedDefinition,
  createMcpServerSchema,
  MCP_TARGET,
  type McpClientCredentials,
  type McpServersDocument,
  type McpToolLimit,
  mcpServersSchema,
  type ShownTools,
  type StoredMcpServer,
  updateMcpServerSchema,
} from './mcp-servers.ts';
export {
  type DatedPrice,
  modelPricesSchema,
  type PricesDocument,
  pricesAt,
  setPriceSchema,
} from './prices.ts';
export {
  createProviderSchema,
  type ProviderCapabilities,
  type ProvidersDocument,
  providersSchema,
  type StoredProvider,
  storedRoutes,
  updateProviderSchema,
} from './providers.ts';
export { type RouteEntry, type RoutesDocument, routesSchema, type TargetState } from './routes.ts';
export { type SavedView, type SavedViews, VIEW_PAGES } from './saved-views.ts';
