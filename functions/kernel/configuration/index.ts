/** Forms of the documents that configure the gateway while it runs. */
export {
  createProviderSchema,
  type ProviderCapabilities,
  type ProvidersDocument,
  providersSchema,
  type StoredProvider,
  updateProviderSchema,
} from './providers.ts';
export { type RouteEntry, type RoutesDocument, routesSchema, type TargetState } from './routes.ts';
