import * as z from 'zod';
import type { Clock } from '../base/clock.ts';
import type { ApiKey } from '../model/api-key.ts';
import { type DeploymentPolicy, deploymentPolicySchema } from '../model/deployment-policy.ts';
import type { PolicySettings } from '../model/policy.ts';

/** From this age on it is read again, while the known one still serves; beyond the second nobody is served by it unread. */
const FRESH_MS = 10_000;
const STALE_MS = 30_000;

/**
 * The deployment's policy as a function knows it: a new version counts within 30 s. Where it cannot be read the last known
 * one stays, since whoever could put another would need the same store; a function that never read it serves nobody.
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

  /** The same object for as long as the version is the same. @throws StoreUnavailable where it was never read */
  async settings(): Promise<DeploymentPolicy> {
    const { known } = this;
    if (known === undefined) return (await this.read()).settings;
    const age = this.clock.monotonic() - known.readAt;
    if (age >= STALE_MS) return (await this.read().catch(() => known.version)).settings;
    if (age >= FRESH_MS) this.read().catch(() => {});
    return known.version.settings;
  }

  private read(): Promise<PolicyVersion> {
    // It is as old as the start of the read that gave it.
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
  /** 0 before the first was put, then 1, 2, 3, ... */
  readonly version: number;
  readonly settings: DeploymentPolicy;
  /** ISO 8601; null in version 0. */
  readonly createdAt: string | null;
  /** Id of the key that put it there; null in version 0. */
  readonly createdBy: string | null;
}

export interface PolicyVersionPage {
  readonly versions: readonly PolicyVersion[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** Reads the deployment's policy. Throws StoreUnavailable when the store cannot be reached in time. */
interface PolicyReader {
  current(): Promise<PolicyVersion>;
}

/** The deployment's policy and its past. Throws StoreUnavailable when the store cannot be reached in time. */
export interface PolicyStore extends PolicyReader {
  /**
   * Puts `next` in the place of what was read; the old version stays among the versions.
   * @returns false where somebody else put another meanwhile: nothing is written then.
   */
  replace(read: PolicyVersion, next: PolicyVersion): Promise<boolean>;
  /** Newest first, the current one among them. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined): Promise<PolicyVersionPage>;
}

/** The deployment's policy as the admin API shows it; version 0 is what a deployment begins with, `{}`. */
export const policyVersionSchema = z
  .object({
    ...deploymentPolicySchema.shape,
    object: z.literal('policy'),
    version: z.int().min(0),
    createdAt: z.iso.datetime().nullable(),
    /** Id of the key that put it there. */
    createdBy: z.string().nullable(),
  })
  .meta({
    id: 'PolicyVersion',
    description: 'The policy of keys that have none of their own, in one of its versions.',
  });
export type PolicyVersionView = z.infer<typeof policyVersionSchema>;

/**
 * A key's policy over the deployment's: each field that the key has takes the place of the default's, `input` and `output` type
 * by type. A key that names a preset begins with it: what the default says of types was said of another preset.
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

function direction(
  name: 'input' | 'output',
  defaults: PolicySettings['input'],
  own: PolicySettings['input'],
): Pick<PolicySettings, 'input' | 'output'> {
  return defaults === undefined && own === undefined ? {} : { [name]: { ...defaults, ...own } };
}

function withoutTypes({ input: _, output: __, ...rest }: PolicySettings): PolicySettings {
  return rest;
}

/** What was made of a key, for as long as neither it nor the default changes: a policy is compiled once. */
const made = new WeakMap<ApiKey, { readonly defaults: DeploymentPolicy; readonly key: ApiKey }>();

/** The key with the policy that counts for it; the key itself where there is no default. */
export function withEffectivePolicy(key: ApiKey, defaults: DeploymentPolicy): ApiKey {
  if (Object.keys(defaults).length === 0) return key;
  const known = made.get(key);
  if (known?.defaults === defaults) return known.key;
  const effective = { ...key, policy: effectivePolicy(defaults, key.policy) };
  made.set(key, { defaults, key: effective });
  return effective;
}
