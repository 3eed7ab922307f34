import type { JsonPath } from '../json/json-splice.ts';
import type { TextSlot } from '../pipeline/piece.ts';
import { isIdShaped, type OtherText, otherTexts, type Place, placeName } from './answer-places.ts';

/** How a text outside of those that a protocol's own reader takes is named and treated. */
export interface OtherPlace {
  /** `choices[0].annotations[0].url` */
  readonly name: string;
  /** Reasoning: inspected, never changed or held back. */
  readonly isReadOnly?: boolean;
  /** Clients join the strings of consecutive events here to one text. */
  readonly isJoined?: boolean;
}

/** A text that goes on with the next event. */
interface OpenText {
  readonly channel: string;
  readonly first: string;
  /** Only `first` came so far. */
  isFirst: boolean;
}

const byPath = (path: JsonPath): OtherPlace => ({ name: placeName(path) });

/**
 * The slots of an answer's texts that its protocol's reader does not take. In a stream each text is one of its own, ended with
 * its piece, unless clients join it with the next. A text that passed unchanged is not inspected again in the same place:
 * some providers repeat their citations in every chunk.
 */
export class OtherSlots {
  private readonly places: Place;
  private readonly versions = new Map<string, number>();
  private readonly open = new Map<string, OpenText>();
  /** By name, the text that passed last. */
  private readonly passed = new Map<string, string>();
  private readonly names = new Map<string, string>();

  constructor(places: Place) {
    this.places = places;
  }

  /** @param describe names a place; by its path where absent */
  read(body: unknown, describe: (path: JsonPath) => OtherPlace = byPath): { slots: TextSlot[]; closes: string[] } {
    const found = otherTexts(body, this.places);
    if (found.length === 0 && this.open.size === 0) return NOTHING;
    const slots: TextSlot[] = [];
    const goesOn = new Set<string>();
    for (const [at, one] of found.entries()) {
      const { name, isReadOnly, isJoined } = describe(one.token?.of ?? one.path);
      const named = one.isName ? `${name} (name)` : name;
      const kind = { ...(isReadOnly && { isReadOnly: true as const }), ...(one.isName && { isName: true as const }) };
      const slot = { text: one.text, path: one.path, ...(one.encode && { encode: one.encode }), ...kind };
      if (one.token !== undefined) slots.push(this.tokenSlot(slot, one, found[at - 1], found[at + 1], named));
      else if (isJoined && !one.isName) this.addJoined(slot, named, goesOn, slots);
      else this.addWhole(slot, named, slots);
    }
    return { slots, closes: this.closeOthers(goesOn) };
  }

  /** Takes note of what left. */
  left(slots: readonly TextSlot[]): void {
    for (const { channel, text } of slots) {
      const name = this.names.get(channel);
      if (name === undefined) continue;
      this.names.delete(channel);
      this.passed.set(name, text);
    }
  }

  private addWhole(slot: Omit<TextSlot, 'channel'>, name: string, slots: TextSlot[]): void {
    if (this.passed.get(name) === slot.text) return;
    const channel = this.begin(name);
    this.names.set(channel, name);
    slots.push({ channel, isWhole: true, ...slot, ...(isIdShaped(slot.text) && { isWord: true as const }) });
  }

  private addJoined(slot: Omit<TextSlot, 'channel'>, name: string, goesOn: Set<string>, slots: TextSlot[]): void {
    const open = this.open.get(name);
    const isRepeated =
      open === undefined ? this.passed.get(name) === slot.text : open.isFirst && open.first === slot.text;
    // A switch that comes with every event is no text that grows.
    if (isRepeated) {
      this.addWhole(slot, name, slots);
      return;
    }
    const channel = open?.channel ?? this.begin(name);
    if (open === undefined) this.open.set(name, { channel, first: slot.text, isFirst: true });
    else open.isFirst = false;
    goesOn.add(name);
    slots.push({ channel, ...slot });
  }

  private tokenSlot(
    slot: Omit<TextSlot, 'channel'>,
    { token }: OtherText,
    before: OtherText | undefined,
    after: OtherText | undefined,
    name: string,
  ): TextSlot {
    const of = (one: OtherText | undefined) => one?.token && placeName(one.token.of);
    const own = placeName(token?.of ?? []);
    const channel = of(before) === own ? this.current(name) : this.begin(name);
    const isLast = of(after) !== own;
    return { channel, ...slot, ...(token?.lead && { lead: token.lead }), ...(isLast && { isWhole: true as const }) };
  }

  private closeOthers(goesOn: ReadonlySet<string>): string[] {
    const closes: string[] = [];
    for (const [name, { channel }] of this.open) {
      if (goesOn.has(name)) continue;
      this.open.delete(name);
      closes.push(channel);
    }
    return closes;
  }

  private begin(name: string): string {
    this.versions.set(name, (this.versions.get(name) ?? 0) + 1);
    return this.current(name);
  }

  private current(name: string): string {
    const version = this.versions.get(name) ?? 1;
    return version === 1 ? name : `${name} (${version})`;
  }
}

const NOTHING = { slots: [], closes: [] };
