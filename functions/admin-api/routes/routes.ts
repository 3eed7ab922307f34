import { type ResponseOf, routeOperations } from '../../contract/index.ts';
import type { Caller } from '../../control/audit/index.ts';
import type { DocumentVersion } from '../../control/documents/index.ts';
import type { RouteEntry, RoutesDocument, TargetState } from '../../kernel/configuration/index.ts';
import { GatewayError, toValidationError } from '../../kernel/errors/index.ts';
import { checkRoutes, DEFAULT_ROUTES } from '../../translation/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { changeDocument, type DocumentKind, readVersion, withETag } from '../documents.ts';
import type { Handlers, OperationInput } from '../operation-routes.ts';

const ROUTES: DocumentKind<RoutesDocument> = {
  name: 'routes',
  hasChanged: 'The routes have changed',
  target: 'routes',
  updated: 'routes.updated',
  store: ({ routes }) => routes,
};
const storedSchema = routeOperations.putRoutes.body.schema.superRefine(({ routes }, context) =>
  checkRoutes(routes, context, ['routes']),
);

/** The deployment's routes and their versions. */
export const ROUTE_HANDLERS: Handlers<typeof routeOperations, AdminDeps> = {
  async getRoutes({ query: { effective } }, deps) {
    const current = await deps.routes.current();
    if (!effective) return withETag(toView(current), current);
    const [{ listRoutes }, providers] = await Promise.all([import('../upstream.ts'), deps.providers.current()]);
    return listRoutes({ ...deps.upstream, stored: providers.settings.providers }, current);
  },
  putRoutes: {
    check: ({ routes }, context) => checkRoutes(routes, context, ['routes']),
    handle: ({ headers, body: { routes }, caller }, deps) =>
      change(() => ({ routes }), headers['If-Match'], caller, deps),
  },
  async rollbackRoutes({ headers, body, caller }, deps) {
    const { settings } = await readVersion(ROUTES, body.version, deps);
    const checked = storedSchema.safeParse(settings);
    // An earlier release may have checked them by other rules.
    if (!checked.success) throw toValidationError(checked.error, settings);
    return change(() => settings, headers['If-Match'], caller, deps);
  },
  /** The current one included. */
  async listRoutesVersions({ query: { limit, cursor } }, deps) {
    const page = await deps.routes.list(limit, cursor);
    return { object: 'list', data: page.versions.map(toView), nextCursor: page.nextCursor ?? null };
  },
  async getRoutesVersion({ params: { version } }, deps) {
    return toView(await readVersion(ROUTES, version, deps));
  },
  disableRoute: (input, deps) => switchRoute(input, 'disabled', deps),
  enableRoute: (input, deps) => switchRoute(input, 'active', deps),
};

type SwitchInput = Pick<OperationInput<(typeof routeOperations)['disableRoute']>, 'headers' | 'body' | 'caller'>;

async function switchRoute({ headers, body, caller }: SwitchInput, state: TargetState, deps: AdminDeps) {
  return change(
    ({ routes }) => {
      const standard = DEFAULT_ROUTES.find(({ models }) => models === body.models);
      const isKnown = routes.some(({ models }) => models === body.models);
      const all = isKnown || standard === undefined ? routes : [...routes, standard];
      return { routes: switched(all, body, state) };
    },
    headers['If-Match'],
    caller,
    deps,
  );
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

async function change(
  make: (current: RoutesDocument) => RoutesDocument,
  ifMatch: string | undefined,
  caller: Caller,
  deps: AdminDeps,
) {
  const version = await changeDocument(ROUTES, make, { ifMatch, caller }, deps);
  return withETag(toView(version), version);
}

function toView({ settings: { routes }, version, createdAt, createdBy }: DocumentVersion<RoutesDocument>) {
  return { object: 'routes', version, createdAt, createdBy, routes: [...routes] } as ResponseOf<'putRoutes'>;
}
