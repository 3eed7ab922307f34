import type * as z from 'zod';
import { type ResponseOf, routeOperations } from '../../contract/index.ts';
import type { RouteEntry, RoutesDocument, TargetState } from '../../kernel/configuration/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { checkRoutes, DEFAULT_ROUTES } from '../../translation/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { type DocumentKind, documentHandlers } from '../documents.ts';
import type { Handlers, OperationInput } from '../operation-routes.ts';

const ROUTES: DocumentKind<RoutesDocument, ResponseOf<'putRoutes'>> = {
  name: 'routes',
  hasChanged: 'The routes have changed',
  store: ({ routes }) => routes,
  toView: ({ settings: { routes }, version, createdAt, createdBy }) =>
    ({ object: 'routes', version, createdAt, createdBy, routes }) as ResponseOf<'putRoutes'>,
  schema: routeOperations.putRoutes.body.schema.superRefine(checkAll),
};
const handlers = documentHandlers(ROUTES);

function checkAll({ routes }: RoutesDocument, context: z.RefinementCtx): void {
  checkRoutes(routes, context, ['routes']);
}

/** The deployment's routes and their versions. */
export const ROUTE_HANDLERS: Handlers<typeof routeOperations, AdminDeps> = {
  async getRoutes({ query: { effective } }, deps) {
    if (!effective) return handlers.read(deps);
    const [{ listRoutes }, current, providers] = await Promise.all([
      import('../upstream.ts'),
      deps.routes.current(),
      deps.providers.current(),
    ]);
    return listRoutes({ ...deps.upstream, stored: providers.settings.providers }, current);
  },
  putRoutes: {
    check: checkAll,
    handle: ({ body: { routes }, ...write }, deps) => handlers.change(() => ({ routes }), write, deps),
  },
  rollbackRoutes: handlers.rollback,
  listRoutesVersions: handlers.versions,
  getRoutesVersion: handlers.version,
  disableRoute: (input, deps) => switchRoute(input, 'disabled', deps),
  enableRoute: (input, deps) => switchRoute(input, 'active', deps),
};

type SwitchInput = Pick<OperationInput<(typeof routeOperations)['disableRoute']>, 'headers' | 'body' | 'caller'>;

async function switchRoute({ body, ...write }: SwitchInput, state: TargetState, deps: AdminDeps) {
  const change = ({ routes }: RoutesDocument) => {
    const standard = DEFAULT_ROUTES.find(({ models }) => models === body.models);
    const isKnown = routes.some(({ models }) => models === body.models);
    const all = isKnown || standard === undefined ? routes : [...routes, standard];
    return { routes: switched(all, body, state) };
  };
  return handlers.change(change, write, deps);
}

/** The routes with another state of those that the body names. @throws GatewayError `not_found` */
function switched(
  routes: readonly RouteEntry[],
  { models, target }: SwitchInput['body'],
  state: TargetState,
): readonly RouteEntry[] {
  let found = 0;
  const set = <Switched extends object>(one: Switched): Switched => {
    found += 1;
    return { ...one, state };
  };
  const changed = routes.map((route) => {
    if (route.models !== models) return route;
    if (target === undefined) return set(route);
    const setIn = <One extends { provider: string; model?: string | undefined }>(all: readonly One[]) =>
      all.map((one) => (one.provider === target.provider && one.model === target.model ? set(one) : one));
    const { targets, fallbacks } = route;
    return { ...route, targets: setIn(targets), ...(fallbacks && { fallbacks: setIn(fallbacks) }) };
  });
  if (found > 0) return changed;
  const message = target === undefined ? 'There is no such route.' : 'There is no route with this target.';
  throw new GatewayError('not_found', message, { param: 'models' });
}
