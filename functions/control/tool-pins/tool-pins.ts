import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { fieldsChanged, type ToolVersion } from '../../kernel/model/index.ts';
import type { BackgroundTasks, Clock } from '../../kernel/tasks/index.ts';
import type { KeyPins, SeenTools, SeenVersion, ToolPin, ToolPinStore } from './tool-pin-store.ts';

/** Pins of one key; further tools are not compared. */
export const MAX_PINS = 512;
/** Longer than any API allows. */
const MAX_NAME_CHARS = 256;
const DAY_MS = 86_400_000;
/** How long the pins of a key are kept after its last request with tools. */
const KEPT_MS = 90 * DAY_MS;
const RENEWED_AFTER_MS = DAY_MS;
/** As for keys: after this time pins are read again, so that an accepted change takes effect. */
const FRESH_MS = 10_000;
/** While the store is unavailable, known pins are used this long. */
const STALE_MS = 30_000;
const MAX_KEYS = 1_000;
const MAX_CACHED_PINS = 50_000;

/** A tool of a request. */
export interface PinnedTool {
  readonly name: string;
  readonly version: ToolVersion;
}

/** What a comparison with the pins found: tools whose definition differs from the pin, and those that could not be pinned. */
export interface PinCheck<Tool> {
  readonly changed: readonly { readonly tool: Tool; readonly fields: readonly string[] }[];
  readonly unpinned: readonly Tool[];
}

interface Known extends KeyPins {
  readonly readAt: number;
  /** Tools whose pending version was stored since. */
  readonly suggested: Set<string>;
}

/** Pins the first definition of each tool of a key, and compares later ones with it. A request with known tools reads nothing. */
export class ToolPins {
  private readonly known = new LRUCache<string, Known>({
    max: MAX_KEYS,
    maxSize: MAX_CACHED_PINS,
    sizeCalculation: ({ pins }) => pins.size + 1,
  });
  private readonly reading = new Map<string, Promise<Known>>();
  private readonly store: ToolPinStore;
  private readonly clock: Clock;
  private readonly backgroundTasks: BackgroundTasks;

  constructor(store: ToolPinStore, clock: Clock, backgroundTasks: BackgroundTasks) {
    this.store = store;
    this.clock = clock;
    this.backgroundTasks = backgroundTasks;
  }

  /** Compares the tools of a request with the pins of its key, and pins new ones. @throws StoreUnavailable */
  async check<Tool extends PinnedTool>(keyId: string, tools: readonly Tool[]): Promise<PinCheck<Tool>> {
    let known = await this.pinsOf(keyId);
    const room = MAX_PINS - known.pins.size;
    const fresh = this.firstSeen(tools.filter(({ name }) => !known.pins.has(name) && name.length <= MAX_NAME_CHARS));
    if (fresh.size > 0 && room > 0) known = await this.pin(keyId, new Map([...fresh].slice(0, room)));
    const changed = tools.flatMap((tool) => {
      const pin = known.pins.get(tool.name);
      const fields = pin === undefined ? [] : changesOf(pin, tool.version);
      return fields.length === 0 ? [] : [{ tool, fields }];
    });
    this.suggest(
      keyId,
      changed.map(({ tool }) => tool),
      known,
    );
    return { changed, unpinned: tools.filter(({ name }) => !known.pins.has(name)) };
  }

  private firstSeen(tools: readonly PinnedTool[]): Map<string, SeenVersion> {
    const seen = new Map<string, SeenVersion>();
    const seenAtMs = this.clock.now();
    for (const { name, version } of tools) if (!seen.has(name)) seen.set(name, { ...version, seenAtMs });
    return seen;
  }

  private async pinsOf(keyId: string): Promise<Known> {
    const known = this.known.get(keyId);
    const age = known === undefined ? Number.POSITIVE_INFINITY : this.clock.monotonic() - known.readAt;
    if (known !== undefined && age < FRESH_MS) return known;
    try {
      return await (this.reading.get(keyId) ?? this.read(keyId));
    } catch (error) {
      if (known !== undefined && age < STALE_MS && error instanceof StoreUnavailable) return known;
      throw error;
    }
  }

  private read(keyId: string): Promise<Known> {
    const readAt = this.clock.monotonic();
    const reading = this.store
      .read(keyId)
      .then((pins) => this.keep(keyId, pins, readAt))
      .finally(() => this.reading.delete(keyId));
    this.reading.set(keyId, reading);
    return reading;
  }

  private async pin(keyId: string, tools: SeenTools): Promise<Known> {
    const readAt = this.clock.monotonic();
    return this.keep(keyId, await this.store.pin(keyId, tools, this.clock.now() + KEPT_MS), readAt);
  }

  private keep(keyId: string, pins: KeyPins, readAt: number): Known {
    const known = { ...pins, readAt, suggested: new Set<string>() };
    this.known.set(keyId, known);
    const expiresAtMs = this.clock.now() + KEPT_MS;
    if (pins.pins.size > 0 && expiresAtMs - pins.expiresAtMs > RENEWED_AFTER_MS) {
      this.backgroundTasks.add(this.store.renew(keyId, expiresAtMs));
    }
    return known;
  }

  /** Stores the changed versions for administrators, at most once for each tool while the pins are fresh. */
  private suggest(keyId: string, tools: readonly PinnedTool[], known: Known): void {
    const news = tools.filter(({ name, version }) => {
      const isKnown = known.pins.get(name)?.pending?.digest === version.digest;
      return !isKnown && !known.suggested.has(name);
    });
    if (news.length === 0) return;
    for (const { name } of news) known.suggested.add(name);
    this.backgroundTasks.add(this.store.suggest(keyId, this.firstSeen(news)));
  }
}

/** The changed fields; of a version with another digest at least one. */
function changesOf(pin: ToolPin, version: ToolVersion): readonly string[] {
  if (pin.digest === version.digest) return [];
  const fields = fieldsChanged(pin, version);
  return fields.length === 0 ? ['definition'] : fields;
}
