/** Forms of the documents that configure the gateway while it runs. */
export { MAX_OVERRIDE_HOURS, type Override, overrideSchema } from './override.ts';
export { type RouteEntry, type RoutesDocument, routesSchema, type TargetState } from './routes.ts';
