import type { ApiKey, DeploymentPolicy, PolicySettings } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';

/** From this age on the policy is read again in the background; from STALE_MS on, requests wait for the read. */
const FRESH_MS = 5_000;
const STALE_MS = 10_000;

/**
 * The deployment's policy as this function knows it: a new version takes effect within 10 s. While the store is
 * unavailable the last known policy stays in force, since a change would need the same store; a function that never
 * read it serves no request.
 */
export class DefaultPolicy {
  private known: { readonly version: PolicyVersion; readonly readAt: number } | undefined;
  private running: Promise<PolicyVersion> | undefined;
  private readonly reader: PolicyReader;
  private readonly clock: Clock;

  constructor(reader: PolicyReader, clock: Clock) {
    this.reader = reader;
    this.clock = clock;
  }

  /** The same object while the version is the same. @throws StoreUnavailable where it was never read */
  async settings(): Promise<DeploymentPolicy> {
    const { known } = this;
    if (known === undefined) return (await this.read()).settings;
    const age = this.clock.monotonic() - known.readAt;
    if (age >= STALE_MS) return (await this.read().catch(() => known.version)).settings;
    if (age >= FRESH_MS) this.read().catch(() => {});
    return known.version.settings;
  }

  private read(): Promise<PolicyVersion> {
    // The age starts before the read.
    const readAt = this.clock.monotonic();
    this.running ??= this.reader
      .current()
      .then((version) => {
        const same = this.known?.version.version === version.version ? this.known.version : version;
        this.known = { version: same, readAt };
        return same;
      })
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }
}

/** One version of the deployment's policy. */
export interface PolicyVersion {
  /** 0 before the first was set, then 1, 2, 3, ... */
  readonly version: number;
  readonly settings: DeploymentPolicy;
  /** ISO 8601; null in version 0. */
  readonly createdAt: string | null;
  /** Who set it: id of the key, or the person's e-mail address or subject; null in version 0 and for an operator. */
  readonly createdBy: string | null;
}

export interface PolicyVersionPage {
  readonly versions: readonly PolicyVersion[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** Reads the deployment's policy. Throws StoreUnavailable when the store does not respond in time. */
interface PolicyReader {
  current(): Promise<PolicyVersion>;
}

/** The deployment's policy and its versions. Throws StoreUnavailable when the store does not respond in time. */
export interface PolicyStore extends PolicyReader {
  /**
   * Replaces what was read by `next`; the old version stays in the list.
   * @returns false where another version was set since; nothing is written then
   */
  replace(read: PolicyVersion, next: PolicyVersion): Promise<boolean>;
  /** Undefined if there is no such version; 0 is the initial policy. */
  get(version: number): Promise<PolicyVersion | undefined>;
  /** Newest first, including the current one. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined): Promise<PolicyVersionPage>;
}

/**
 * A key's policy over the deployment's: each field of the key replaces the deployment's, `input` and `output` type by
 * type. A key with a preset ignores the deployment's types, which refer to another preset.
 */
export function effectivePolicy(defaults: DeploymentPolicy, own: PolicySettings): PolicySettings {
  const { input, output, tagBudgets: _, ...rest } = defaults;
  if (own.preset !== undefined) return { ...rest, ...own };
  return {
    ...rest,
    ...direction('input', input, own.input),
    ...direction('output', output, own.output),
    ...withoutTypes(own),
  };
}

function direction<Name extends 'input' | 'output'>(
  name: Name,
  defaults: PolicySettings[Name],
  own: PolicySettings[Name],
): Pick<PolicySettings, 'input' | 'output'> {
  return defaults === undefined && own === undefined ? {} : { [name]: { ...defaults, ...own } };
}

function withoutTypes({ input: _, output: __, ...rest }: PolicySettings): PolicySettings {
  return rest;
}

/** Keys with their effective policy, as long as neither key nor default changes: a policy is compiled once. */
const made = new WeakMap<ApiKey, { readonly defaults: DeploymentPolicy; readonly key: ApiKey }>();

/** The key with its effective policy; the key itself where there is no default. */
export function withEffectivePolicy(key: ApiKey, defaults: DeploymentPolicy): ApiKey {
  if (Object.keys(defaults).length === 0) return key;
  const known = made.get(key);
  if (known?.defaults === defaults) return known.key;
  const effective = { ...key, policy: effectivePolicy(defaults, key.policy) };
  made.set(key, { defaults, key: effective });
  return effective;
}
