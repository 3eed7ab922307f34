import {
  type ProvidersDocument,
  type RouteEntry,
  type StoredProvider,
  storedRoutes,
} from '../../kernel/configuration/index.ts';
import { sha256 } from '../../kernel/crypto/index.ts';
import type { ChatProvider, Providers } from '../routing/index.ts';
import {
  createProviders,
  type ProviderSettings,
  type ProvidersOptions,
  prefixOf,
  settingsEntries,
} from './configured-providers.ts';
import { createStored, resolveStored } from './stored-providers.ts';

const NONE: ProvidersDocument = { providers: [] };

/** The providers in force: those of the settings, and those of the document, which replace them by name. */
export class LiveProviders implements Providers {
  private readonly options: ProvidersOptions;
  private readonly document: () => Promise<ProvidersDocument>;
  private readonly ofSettings: ReadonlyMap<string, ChatProvider>;
  private applied: ProvidersDocument | undefined;
  private inForce: ReadonlyMap<string, ChatProvider>;
  private disabled: ReadonlySet<string> = new Set();
  private routes: readonly RouteEntry[] = [];

  /** @param document the same object while its version is the same; without it, there are those of the settings only */
  constructor(options: ProvidersOptions, document: () => Promise<ProvidersDocument> = async () => NONE) {
    this.options = options;
    this.document = document;
    this.ofSettings = createProviders(options);
    this.inForce = this.ofSettings;
  }

  /**
   * Applies the document's current version. @returns the routes of the models that providers name, the same object for a version
   * @throws StoreUnavailable if the document was never read
   */
  async refresh(): Promise<readonly RouteEntry[]> {
    const document = await this.document();
    if (document !== this.applied) this.apply(document);
    return this.routes;
  }

  get(name: string): ChatProvider | undefined {
    return this.inForce.get(name);
  }

  has(name: string): boolean {
    return this.inForce.has(name);
  }

  values(): Iterable<ChatProvider> {
    return this.inForce.values();
  }

  isDisabled(name: string): boolean {
    return this.disabled.has(name);
  }

  /** Another digest where the provider would be called at another address, in another way, or with another key of the settings. */
  async identityOf(name: string): Promise<string> {
    const { baseUrls, settings } = this.options;
    const stored = this.applied?.providers.find((one) => one.name === name);
    const known = stored && resolveStored(stored, baseUrls);
    const entries = known
      ? [known.entry, known.ofSettings]
      : settingsEntries(baseUrls).filter((one) => one.name === name);
    const prefixes = entries.flatMap((entry) => (entry ? [`${prefixOf(entry)}_`] : []));
    const own = (all: ProviderSettings, isKey: boolean) =>
      Object.entries(all).filter(
        ([setting]) => setting.endsWith('_API_KEY') === isKey && prefixes.some((prefix) => setting.startsWith(prefix)),
      );
    const inForce = [...own(baseUrls, false), ...own(await settings(), true)].sort();
    return sha256(Buffer.from(JSON.stringify([stored ?? null, inForce]))).toString('hex');
  }

  private apply(document: ProvidersDocument): void {
    const { providers } = document;
    const inForce = new Map(this.ofSettings);
    for (const stored of providers) {
      if (stored.state === 'disabled') inForce.delete(stored.name);
      else inForce.set(stored.name, this.create(stored));
    }
    this.inForce = inForce;
    this.disabled = new Set(providers.flatMap(({ name, state }) => (state === 'disabled' ? [name] : [])));
    this.routes = storedRoutes(providers);
    this.applied = document;
  }

  /** The same object as before if nothing about it has changed: it knows which models refuse tools, and its lists are kept. */
  private create(stored: StoredProvider): ChatProvider {
    const before = this.applied?.providers.find(({ name }) => name === stored.name);
    const known = this.inForce.get(stored.name);
    const isSame = before?.state !== 'disabled' && JSON.stringify(before) === JSON.stringify(stored);
    return isSame && known !== undefined ? known : createStored(stored, this.options);
  }
}
