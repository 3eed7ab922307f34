import { type ResponseOf, routeOperations } from '../../contract/index.ts';
import type { RouteEntry, RoutesDocument, TargetState } from '../../kernel/configuration/index.ts';
import { GatewayError, toValidationError } from '../../kernel/errors/index.ts';
import { checkRoutes, DEFAULT_ROUTES } from '../../translation/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { type DocumentKind, documentHandlers, readVersion, validContent } from '../documents.ts';
import type { Handlers, OperationInput } from '../operation-routes.ts';

const ROUTES: DocumentKind<RoutesDocument, ResponseOf<'putRoutes'>> = {
  name: 'routes',
  hasChanged: 'The routes have changed',
  store: ({ routes }) => routes,
  toView: ({ settings: { routes }, version, createdAt, createdBy }) =>
    ({ object: 'routes', version, createdAt, createdBy, routes }) as ResponseOf<'putRoutes'>,
  schema: routeOperations.putRoutes.body.schema,
};
const handlers = documentHandlers(ROUTES);

/** The form of routes whose targets the providers in force can be sent. */
async function schemaFor({ providers }: AdminDeps) {
  const stored = (await providers.current()).settings.providers;
  const protocolOf = (name: string) => stored.find((one) => one.name === name)?.protocol ?? name;
  return ROUTES.schema.superRefine(({ routes }, context) => checkRoutes(routes, context, ['routes'], protocolOf));
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
  async putRoutes({ body: { routes }, ...write }, deps) {
    const checked = (await schemaFor(deps)).safeParse({ routes });
    if (!checked.success) throw toValidationError(checked.error, { routes });
    return handlers.change(() => ({ routes }), write, deps);
  },
  async rollbackRoutes(input, deps) {
    const schema = await schemaFor(deps);
    validContent({ schema }, await readVersion(ROUTES, input.body.version, deps));
    return handlers.rollback(input, deps);
  },
  listRoutesVersions: handlers.versions,
  getRoutesVersion: handlers.version,
  disableRoute: (input, deps) => switchRoute(input, 'disabled', deps),
  enableRoute: (input, deps) => switchRoute(input, 'active', deps),
};

type SwitchInput = Pick<OperationInput<(typeof routeOperations)['disableRoute']>, 'headers' | 'body' | 'caller'>;

async function switchRoute({ body, ...write }: SwitchInput, state: TargetState, deps: AdminDeps) {
  const change = (document: RoutesDocument) => {
    const { routes } = document;
    const standard = DEFAULT_ROUTES.find(({ models }) => models === body.models);
    const isKnown = routes.some(({ models }) => models === body.models);
    const all = isKnown || standard === undefined ? routes : [...routes, standard];
    const changed = switched(all, body, state);
    return changed === all ? document : { routes: changed };
  };
  return handlers.change(change, write, deps);
}

/** The routes with another state of those that the body names; the same object if they have it. @throws GatewayError `not_found` */
function switched(
  routes: readonly RouteEntry[],
  { models, target }: SwitchInput['body'],
  state: TargetState,
): readonly RouteEntry[] {
  let [found, others] = [0, 0];
  const set = <Switched extends { state?: TargetState | undefined }>(one: Switched): Switched => {
    found += 1;
    if ((one.state ?? 'active') === state) return one;
    others += 1;
    return { ...one, state };
  };
  const changed = routes.map((route) => {
    if (route.models !== models) return route;
    if (target === undefined) return set(route);
    const setIn = <One extends { provider: string; model?: string | undefined; state?: TargetState | undefined }>(
      all: readonly One[],
    ) => all.map((one) => (one.provider === target.provider && one.model === target.model ? set(one) : one));
    const { targets, fallbacks } = route;
    return { ...route, targets: setIn(targets), ...(fallbacks && { fallbacks: setIn(fallbacks) }) };
  });
  if (found > 0) return others > 0 ? changed : routes;
  const message = target === undefined ? 'There is no such route.' : 'There is no route with this target.';
  throw new GatewayError('not_found', message, { param: 'models' });
}
