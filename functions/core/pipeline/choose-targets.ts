import { GatewayError } from '../base/errors.ts';
import type { ChatRequest } from '../model/chat.ts';
import type { FurtherModel, Protocol, ProtocolName } from '../protocols/protocol.ts';
import { allowedBy } from '../routing/list-models.ts';
import {
  invalidName,
  isCallable,
  modelNotAllowed,
  routeModel,
  type Target,
  type Targets,
} from '../routing/route-model.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestContext } from './request-context.ts';

type RoutingDeps = Pick<PipelineDeps, 'routes' | 'providers' | 'random'>;

/**
 * The targets of a request, in the order in which they are tried: those that the key may use and that serve its protocol.
 * @throws GatewayError `invalid_value`, or of a model that is not known or not allowed
 */
export function chooseTargets<Body>(
  { key, record }: RequestContext,
  { request, further }: { readonly request: ChatRequest; readonly further: readonly FurtherModel[] },
  protocol: Protocol<Body>,
  deps: RoutingDeps,
): Targets {
  const { model, stream, untranslatable: [field] = [] } = request;
  const { routes, providers, random } = deps;
  record.requested(model, stream);
  const allows = allowedBy(key.allowedModels, routes);
  const targets = routeModel(model, routes, providers, random, allows);
  const [{ provider }] = targets;
  if (!targets.every((target) => isCallable(target.provider, target.model))) throw invalidName();
  for (const { name, param } of further) {
    if (!targets.every(({ provider }) => allows({ provider, model: name }, `${provider}/${name}`)))
      throw modelNotAllowed(name, param);
  }
  const alternatives = further.filter(({ adds }) => !adds).map(({ name }) => name);
  record.targeted(targets[0], alternatives);
  const serving = targets.filter((target) => providers.get(target.provider)?.serves.has(protocol.name));
  if (serving.length === 0) {
    const message = `The provider '${provider}' does not serve this path: choose another model.`;
    throw new GatewayError('invalid_value', message, { param: 'model' });
  }
  const able = field === undefined ? serving : serving.filter((target) => isNative([target], protocol.name, deps));
  const [first, ...others] = able;
  if (first === undefined) throw untranslatable(field as string, provider);
  return [first, ...others];
}

/** Whether a provider of any of the targets has this protocol, so that nothing is translated. */
export function isNative(
  targets: readonly Target[],
  protocol: ProtocolName,
  { providers }: Pick<RoutingDeps, 'providers'>,
): boolean {
  return targets.some(({ provider }) => providers.get(provider)?.speaks?.has(protocol) === true);
}

/** The refusal of a field that only a provider of the caller's own protocol understands. */
function untranslatable(field: string, provider: string): GatewayError {
  const message = `The provider ${provider} does not support \`${field}\` of this API: choose a model whose provider has it.`;
  return new GatewayError('invalid_value', message, { param: field });
}
