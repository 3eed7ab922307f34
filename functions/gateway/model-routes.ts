import { jsonResponse, type OutgoingResponse } from '../core/http/responses.ts';
import type { RoutedRequest } from '../core/http/router.ts';
import { authenticate, authorize } from '../core/keys/authenticate.ts';
import { type ListDeps, listModels as listModelsOf, type Model } from '../core/routing/list-models.ts';
import { modelNotFound } from '../core/routing/route-model.ts';
import type { PipelineRouteDeps } from './open-request.ts';

type Handler = (routed: RoutedRequest) => Promise<OutgoingResponse>;

/** What the routes about models need. */
export interface ModelRoutesDeps extends Pick<PipelineRouteDeps, 'authenticator'>, Pick<ListDeps, 'models' | 'routes'> {
  /** The providers that could be called now. */
  readonly available: () => Promise<ReadonlySet<string>>;
}

/** `GET /v1/models`: the models that the key may use. Any valid key may ask, and it counts for no limit. */
export function listModels(deps: ModelRoutesDeps): Handler {
  return async (routed) => jsonResponse(200, { object: 'list', data: await modelsFor(routed, deps) });
}

/** `GET /v1/models/{id}`: one of them. */
export function getModel(deps: ModelRoutesDeps): Handler {
  return oneModel(({ id = '' }) => id, deps);
}

/** `GET /v1/models/{provider}/{id}`: the same where the slash of `provider/model` is not escaped. */
export function getPrefixedModel(deps: ModelRoutesDeps): Handler {
  return oneModel(({ provider, id }) => `${provider}/${id}`, deps);
}

function oneModel(nameOf: (params: RoutedRequest['params']) => string, deps: ModelRoutesDeps): Handler {
  return async (routed) => {
    const name = nameOf(routed.params);
    const model = (await modelsFor(routed, deps)).find(
      (one) => one.id === name || `${one.owned_by}/${one.id}` === name,
    );
    if (model === undefined) throw modelNotFound(name);
    return jsonResponse(200, { ...model, id: name });
  };
}

async function modelsFor({ request, context }: RoutedRequest, deps: ModelRoutesDeps): Promise<Model[]> {
  const key = await authenticate(request.headers, deps.authenticator);
  authorize(key, undefined, context.clientAddress);
  return listModelsOf(key, { ...deps, available: await deps.available() });
}
