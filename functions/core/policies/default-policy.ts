import type { DeploymentPolicy } from '../policies/deployment-policy.ts';
import type { Clock } from '../ports/clock.ts';
import type { PolicyReader, PolicyVersion } from '../ports/policy-store.ts';

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
