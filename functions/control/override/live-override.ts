import type { Clock } from '../../kernel/tasks/index.ts';
import type { LiveDocument } from '../documents/index.ts';

/** The content of the document `override`. */
export type Override =
  | { readonly mode: 'none' }
  | {
      readonly mode: 'observe' | 'refuse';
      /** When it was set and when it ends, ISO 8601. */
      readonly from: string;
      readonly until: string;
    };

/** An override that is in force. */
type InForce = Exclude<Override, { mode: 'none' }>;

/** The override if it is in force at a time; undefined if there is none or it has ended. */
export function overrideAt(override: Override, nowMs: number): InForce | undefined {
  return override.mode !== 'none' && nowMs < Date.parse(override.until) ? override : undefined;
}

/**
 * The override in force in this process. It ends at its time by the clock, and also once this process has known it for its whole duration: a
 * clock that is behind cannot keep it.
 */
export class LiveOverride {
  private readonly document: Pick<LiveDocument<Override>, 'settings'>;
  private readonly clock: Clock;
  private known: { readonly override: Override; readonly sinceMs: number } | undefined;

  constructor(document: Pick<LiveDocument<Override>, 'settings'>, clock: Clock) {
    this.document = document;
    this.clock = clock;
  }

  /** Undefined if there is none. @throws StoreUnavailable if it was never read */
  async current(): Promise<InForce | undefined> {
    const override = await this.document.settings();
    if (override.mode === 'none') return undefined;
    const nowMs = this.clock.monotonic();
    if (this.known?.override !== override) this.known = { override, sinceMs: nowMs };
    const lastsMs = Date.parse(override.until) - Date.parse(override.from);
    return nowMs - this.known.sinceMs < lastsMs ? overrideAt(override, this.clock.now()) : undefined;
  }
}
