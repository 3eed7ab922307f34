import type { RouteEntry } from '../../kernel/configuration/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { ApiKey, ChatRequest } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { FurtherModel, OperationName } from '../protocols/protocol.ts';
import { allowedTo } from './list-models.ts';
import type { Providers } from './provider.ts';
import {
  DEFAULT_ROUTES,
  invalidName,
  isCallable,
  modelNotAllowed,
  routeModel,
  type Target,
  type Targets,
  type Weighted,
} from './route-model.ts';
import { type Sender, TargetChoice } from './target-choice.ts';
import { TargetSpeeds } from './target-speeds.ts';

interface ModelRouterDeps {
  /** The routes in force; the first match decides. Throws StoreUnavailable if they were never read. */
  readonly routes: () => Promise<readonly RouteEntry[]>;
  readonly providers: Providers;
  /** 0 to below 1; chooses among weighted targets. */
  readonly random: () => number;
  readonly clock: Clock;
}

/** Where a request may go. */
export interface Routed {
  /** In the order of attempts. */
  readonly targets: Targets;
  /** Chosen among the targets of the deployment's route; absent if a fallback is the first. */
  readonly chosen?: Target | undefined;
  /** Models that the provider may call instead. */
  readonly alternativeModels: readonly string[];
  /** The deployment's route; undefined for a standard route, and for `provider/model` without one. */
  readonly route: RouteEntry | undefined;
}

/** Decides which models at which providers serve a request. */
export class ModelRouter {
  private readonly deps: ModelRouterDeps;
  private readonly choice: TargetChoice;
  private readonly speeds: TargetSpeeds;

  constructor(deps: ModelRouterDeps) {
    this.deps = deps;
    this.speeds = new TargetSpeeds(deps.clock);
    this.choice = new TargetChoice({ ...deps, speeds: this.speeds });
  }

  /** Begins to read the routes, so that `route` seldom waits for them. */
  prepare(): void {
    this.deps.routes().catch(() => {});
  }

  /**
   * The targets of the request's model that the key may use.
   * @param further the other models that the request names
   * @throws GatewayError of an unknown, disabled or forbidden model; StoreUnavailable
   */
  async route(
    key: Pick<ApiKey, 'allowedModels' | 'team'>,
    { model }: Pick<ChatRequest, 'model'>,
    further: readonly FurtherModel[],
    sender?: Sender,
  ): Promise<Routed> {
    const { providers } = this.deps;
    const routes = await this.deps.routes();
    const allows = allowedTo(key, routes);
    const choose = (one: RouteEntry, all: readonly Weighted[]) => this.choice.choose(one, all, sender);
    const { targets, chosen, route } = routeModel(model, routes, providers, choose, allows);
    const ownRoute = route !== undefined && DEFAULT_ROUTES.includes(route) ? undefined : route;
    if (!targets.every(({ provider, model: name }) => isCallable(providers.get(provider)?.protocol, name)))
      throw invalidName();
    for (const { name, param } of further) {
      if (!targets.every(({ provider }) => allows({ provider, model: name }, `${provider}/${name}`)))
        throw modelNotAllowed(name, param);
    }
    const alternativeModels = further.filter(({ adds }) => !adds).map(({ name }) => name);
    return { targets, chosen, alternativeModels, route: ownRoute };
  }

  /** Counts a call that was served, for routes that choose by latency. */
  served(target: Target, milliseconds: number, outputTokens: number): void {
    this.speeds.served(target, milliseconds, outputTokens);
  }

  /** The targets that serve the operation. @throws GatewayError `invalid_value` if there are none */
  serving(
    { targets }: Pick<Routed, 'targets'>,
    { others }: Pick<ChatRequest, 'others'>,
    operation: OperationName,
    isStrict: boolean,
  ): Targets {
    const [{ provider }] = targets;
    const serving = targets.filter((target) => this.deps.providers.get(target.provider)?.serves.has(operation));
    if (serving.length === 0) {
      const message = `The provider '${provider}' does not serve this path: choose another model.`;
      throw new GatewayError('invalid_value', message, { param: 'model' });
    }
    const isLost = others.some(({ meaning }) => meaning === 'essential' || (isStrict && meaning === 'hint'));
    const able = isLost ? serving.filter((target) => this.isNative([target], operation)) : serving;
    // Without one, the provider refuses the field, after the inspection.
    const [first, ...rest] = able.length > 0 ? able : serving;
    return [first as Target, ...rest];
  }

  /** Whether a provider of any of the targets serves the operation directly, so that nothing is translated. */
  isNative(targets: readonly Target[], operation: OperationName): boolean {
    const { providers } = this.deps;
    return targets.some(({ provider, model }) => providers.get(provider)?.isNative?.(operation, model) === true);
  }
}
