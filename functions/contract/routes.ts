import * as z from 'zod';
import { routesSchema } from '../kernel/configuration/index.ts';
import {
  documentOperations,
  effectiveQuery,
  ifMatch,
  ifMatchRequired,
  ignoredFields,
  versionFields,
} from './documents.ts';
import { defineOperations } from './operation.ts';

/** Missing in what an older release returns. */
const stateShown = z.enum(['active', 'disabled']).optional();

const routeShape = routesSchema.element.shape;

const routeTarget = z.object({
  provider: z.string(),
  model: z.string().nullable().meta({ description: 'null: the requested name.' }),
  isCallable: z.boolean(),
  state: stateShown,
});
export const routeSchema = z
  .object({
    object: z.literal('route'),
    models: z.string(),
    source: z
      .enum(['deployment', 'provider', 'standard'])
      .meta({ description: '`provider`: from the `models` of a stored provider.' }),
    targets: z.array(
      routeTarget.extend({
        share: z.number().meta({ description: 'Share of the requests among callable active targets, 0 to 1.' }),
      }),
    ),
    fallbacks: z.array(routeTarget),
    choose: routeShape.choose.meta({ description: 'How one of the targets is chosen; `weight` if absent.' }),
    sticky: routeShape.sticky.meta({ description: 'What keeps its target.' }),
    state: stateShown,
  })
  .meta({ id: 'ModelRoute', description: 'Where requests of a model name go. The first route that matches decides.' });
export type ModelRoute = z.infer<typeof routeSchema>;

export const routeListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(routeSchema),
    version: z.int().min(0).optional().meta({ description: 'The version of the routes; 0: those of the settings.' }),
    isOverridden: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the settings (`SVC_ROUTES`) have other routes, which do not count any more.' }),
  })
  .meta({
    id: 'ModelRouteList',
    description: "The deployment's routes, those to providers that name their models, then the standard ones.",
  });
export type ModelRouteList = z.infer<typeof routeListSchema>;

const routesVersionSchema = z
  .object({ object: z.literal('routes'), ...versionFields, routes: routesSchema })
  .meta({ id: 'RoutesVersion', description: "The deployment's routes, in one of their versions." });

const putRoutesSchema = z.strictObject({ routes: routesSchema, ...ignoredFields }).meta({
  id: 'PutRoutes',
  description: "The deployment's routes, also with the fields of a version that was read.",
});

const switchRouteSchema = z
  .strictObject({
    models: z.string().min(1).max(256).meta({ description: '`models` of the route.' }),
    target: z
      .strictObject({
        provider: z.string().min(1).max(32),
        model: z.string().min(1).max(256).optional().meta({ description: 'As the target has it.' }),
      })
      .optional()
      .meta({ description: 'Only this target or fallback of the route.' }),
  })
  .meta({ id: 'SwitchRoute', description: 'A route, or one of its targets.' });

const route = {
  models: 'fast',
  targets: [{ provider: 'openai', model: 'gpt-6-luna' }],
  fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }],
};
const versionExample = {
  object: 'routes',
  version: 3,
  createdAt: '2026-11-21T09:00:00.000Z',
  createdBy: 'key_1f0e2d3c4b5a69788796a5b4c3d2e1f0',
  routes: [route],
};
const { oneVersion, ...shared } = documentOperations({
  access: 'operator',
  path: '/v1/admin/routes',
  id: 'Routes',
  title: "the deployment's routes",
  first: 'the routes of the settings',
  version: routesVersionSchema,
  example: versionExample,
});
const switched = {
  tag: 'Admin',
  access: 'operator',
  scope: 'deployment',
  headers: ifMatch,
  body: {
    schema: switchRouteSchema,
    examples: {
      target: { value: { models: 'fast', target: { provider: 'openai', model: 'gpt-6-luna' } } },
      route: { value: { models: 'fast' } },
    },
  },
  response: oneVersion,
  errors: ['not_found', 'conflict', 'version_conflict'],
} as const;

/** The deployment's routes of models and their versions. */
export const routeOperations = defineOperations({
  getRoutes: {
    method: 'GET',
    path: '/v1/admin/routes',
    tag: 'Admin',
    summary: "Read the deployment's routes",
    description:
      "With `effective=true` the response lists all routes in the order in which they are tried: the deployment's, then the standard ones. The first that matches a model's name decides.",
    access: 'operator',
    scope: 'deployment',
    query: effectiveQuery('`true`: all routes in force, with the share of each target.'),
    response: { ...oneVersion, body: [routesVersionSchema, routeListSchema] },
  },
  putRoutes: {
    method: 'PUT',
    path: '/v1/admin/routes',
    tag: 'Admin',
    summary: "Replace the deployment's routes",
    description:
      'Creates a new version, which every process of the gateway applies within 10 s; from then on the routes of the settings do not count. Routes that were read can be written back: `object`, `version`, `createdAt` and `createdBy` are ignored.',
    access: 'operator',
    scope: 'deployment',
    headers: ifMatchRequired,
    body: { schema: putRoutesSchema, examples: { routes: { value: { routes: [route] } } } },
    response: oneVersion,
    errors: ['conflict', 'version_conflict'],
  },
  rollbackRoutes: shared.rollback,
  listRoutesVersions: shared.versions,
  getRoutesVersion: shared.version,
  disableRoute: {
    method: 'POST',
    path: '/v1/admin/routes/disable',
    summary: 'Disable a route, or one of its targets',
    description:
      "Creates a new version, which every process of the gateway applies within 10 s. Requests for a disabled route are a 404; a disabled target gets none, and the others of its route serve. A standard route is copied to the end of the deployment's routes and disabled there.",
    ...switched,
  },
  enableRoute: {
    method: 'POST',
    path: '/v1/admin/routes/enable',
    summary: 'Enable a route, or one of its targets',
    description: 'Creates a new version, which every process of the gateway applies within 10 s.',
    ...switched,
  },
});
