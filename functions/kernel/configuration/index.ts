/** Forms of the documents that configure the gateway while it runs. */
export { type RouteEntry, type RoutesDocument, routesSchema, type TargetState } from './routes.ts';
