import type { BackgroundTasks, Clock } from '../../kernel/tasks/index.ts';
import type { ModelCatalog } from './model-catalog.ts';
import type { ChatProvider, Providers, ReportedModel } from './provider.ts';
import { isCallable, type Target } from './route-model.ts';

/** How long a list is used before it is read again. */
const FRESH_MS = 10 * 60_000;
/** The pause after a provider returned no list. */
const RETRY_MS = 60_000;
/** Names of a provider's list that are used: each is matched against all routes. */
const MAX_MODELS = 1_000;

/** The form of Google's: `generateContent`. */
const METHOD = /^[a-z][A-Za-z]{0,39}$/;
/** Of a model. */
const MAX_METHODS = 32;

/** A model of a provider. */
export interface ProviderModel extends Target, Pick<ReportedModel, 'methods'> {}

/** What is known of one provider's list. */
interface List {
  /** The last list that the provider returned; undefined if it never did. */
  models: readonly ProviderModel[] | undefined;
  /** Monotonic milliseconds of the next call. */
  nextAt: number;
  reading: Promise<void> | undefined;
  hasEnded: boolean;
}

export interface ProviderModelsDeps {
  readonly providers: Providers;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly backgroundTasks: BackgroundTasks;
  /** The operator's keys: a list that contains one is not used. */
  readonly providerKeys?: (() => { isIn(text: string): boolean } | undefined) | undefined;
}

/**
 * The models that the providers report. A provider is called at most once in ten minutes, and once in a minute after a failure, for all keys
 * and however often. Only the first call is waited for.
 */
export class ProviderModels {
  /** By the object, which is another one after its configuration has changed. */
  private readonly lists = new WeakMap<ChatProvider, List>();
  private readonly deps: ProviderModelsDeps;

  constructor(deps: ProviderModelsDeps) {
    this.deps = deps;
  }

  /** The models of these providers: as last reported, else those with a price. Never throws. */
  async of(names: Iterable<string>, models: ModelCatalog): Promise<ProviderModel[]> {
    return (await Promise.all([...names].map((name) => this.ofOne(name, models)))).flat();
  }

  private async ofOne(name: string, models: ModelCatalog): Promise<readonly ProviderModel[]> {
    const provider = this.deps.providers.get(name);
    if (provider?.listModels === undefined) return models.ofProvider(name);
    const list = this.lists.get(provider) ?? { models: undefined, nextAt: 0, reading: undefined, hasEnded: false };
    this.lists.set(provider, list);
    if (list.reading === undefined && this.deps.clock.monotonic() >= list.nextAt) this.read(provider, list);
    if (!list.hasEnded) await list.reading;
    return list.models ?? models.ofProvider(name);
  }

  private read(provider: ChatProvider, list: List): void {
    const { clock, backgroundTasks } = this.deps;
    const reading = Promise.resolve(provider.listModels?.() ?? [])
      .then((reported) => this.toModels(provider, reported))
      .then(
        (models) => {
          list.models = models;
          list.nextAt = clock.monotonic() + FRESH_MS;
        },
        () => {
          list.nextAt = clock.monotonic() + RETRY_MS;
        },
      );
    list.reading = reading.then(() => {
      list.reading = undefined;
      list.hasEnded = true;
    });
    backgroundTasks.add(list.reading);
  }

  /** The models whose names a request could use: the names are the provider's text. @throws if they spell a key of the operator */
  private toModels({ name: provider, protocol }: ChatProvider, reported: readonly ReportedModel[]): ProviderModel[] {
    const callable = reported.filter(({ name }) => isCallable(protocol, name)).slice(0, MAX_MODELS);
    const models = callable.map(({ name, methods }) => ({
      provider,
      model: name,
      ...(methods && { methods: methods.slice(0, MAX_METHODS).filter((one) => METHOD.test(one)) }),
    }));
    // Also over several names.
    const text = [...models.map(({ model }) => model), ...models.flatMap(({ methods = [] }) => methods)].join(' ');
    if (this.deps.providerKeys?.()?.isIn(text) === true) throw new Error('a key in the list of models');
    return models;
  }
}
