import { jsonResponse } from '../../core/http/responses.ts';
import type { Route, RoutedRequest } from '../../core/http/router.ts';
import { authenticate, authorize } from '../../core/keys/authenticate.ts';
import { type ListDeps, listModels, type Model } from '../../core/routing/list-models.ts';
import { modelNotFound } from '../../core/routing/route-model.ts';
import type { ExchangeRouteDeps } from '../open-exchange.ts';

export interface ModelsRouteDeps extends Pick<ExchangeRouteDeps, 'authenticator'>, Pick<ListDeps, 'models' | 'routes'> {
  /** The providers that could be called now. */
  readonly available: () => Promise<ReadonlySet<string>>;
}

/** `GET /v1/models`: the models that the key may use. Any valid key may ask, and it counts for no limit. */
export function modelsRoute(deps: ModelsRouteDeps): Route {
  return {
    method: 'GET',
    path: '/v1/models',
    handle: async (routed) => jsonResponse(200, { object: 'list', data: await modelsFor(routed, deps) }),
  };
}

/** `GET /v1/models/{id}`: one of them. */
export function modelRoute(deps: ModelsRouteDeps): Route {
  return oneModel('/v1/models/{id}', ({ id = '' }) => id, deps);
}

/** `GET /v1/models/{provider}/{id}`: the same where the slash of `provider/model` stands as it is. */
export function prefixedModelRoute(deps: ModelsRouteDeps): Route {
  return oneModel('/v1/models/{provider}/{id}', ({ provider, id }) => `${provider}/${id}`, deps);
}

function oneModel(path: string, nameOf: (params: RoutedRequest['params']) => string, deps: ModelsRouteDeps): Route {
  return {
    method: 'GET',
    path,
    handle: async (routed) => {
      const name = nameOf(routed.params);
      const model = (await modelsFor(routed, deps)).find(
        (one) => one.id === name || `${one.owned_by}/${one.id}` === name,
      );
      if (model === undefined) throw modelNotFound(name);
      return jsonResponse(200, { ...model, id: name });
    },
  };
}

async function modelsFor({ request, context }: RoutedRequest, deps: ModelsRouteDeps): Promise<Model[]> {
  const key = await authenticate(request.headers, deps.authenticator);
  authorize(key, undefined, context.clientAddress);
  return listModels(key, { ...deps, available: await deps.available() });
}
