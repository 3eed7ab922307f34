/** Forms of the documents that configure the gateway while it runs. */
export {
  type ProviderCapabilities,
  type ProviderProtocol,
  type ProvidersDocument,
  providerFields,
  providerNameSchema,
  providersSchema,
  type StoredProvider,
} from './providers.ts';
export { type RouteEntry, type RoutesDocument, routesSchema, type TargetState } from './routes.ts';
