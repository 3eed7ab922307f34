import type { JsonPath } from '../base/json-splice.ts';
import type { TextSlot } from '../model/piece.ts';
import { isIdShaped, type OtherText, otherTexts, type Place, placeName } from './answer-places.ts';
import { EarlierTexts } from './earlier-texts.ts';

/** How a text outside of those that a protocol's own reader takes is named and treated. */
export interface OtherPlace {
  /** `choices[0].annotations[0].url` */
  readonly name: string;
  /** Reasoning: inspected, never changed or held back. */
  readonly isReadOnly?: boolean;
  /** Clients join the strings of consecutive events here to one text: it may wait for the next event. */
  readonly isJoined?: boolean;
  /** Names the place in all pieces, where `name` counts what comes there. */
  readonly series?: string;
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
 * its piece, unless clients join it with the next; what came before in its place is read with it. A text that passed unchanged
 * is not inspected again in the same place: some providers repeat their citations in every chunk.
 */
export class OtherSlots {
  private readonly places: Place;
  private readonly versions = new Map<string, number>();
  private readonly open = new Map<string, OpenText>();
  private readonly earlier = new EarlierTexts();
  /** By name, the text that passed last. */
  private readonly passed = new Map<string, string>();
  private readonly names = new Map<string, string>();

  constructor(places: Place) {
    this.places = places;
  }

  /** @param describe names a place; by its path where absent */
  read(body: unknown, describe: (path: JsonPath) => OtherPlace = byPath): { slots: TextSlot[]; closes: string[] } {
    this.earlier.begin();
    const found = otherTexts(body, this.places);
    if (found.length === 0 && this.open.size === 0) return NOTHING;
    const slots: TextSlot[] = [];
    const goesOn = new Set<string>();
    let isSkipped = false;
    let place: OtherPlace = { name: '' };
    for (const [at, one] of found.entries()) {
      if (isFirstOf(one, found[at - 1])) place = describe(one.token?.of ?? one.path);
      const { name, series = name, isReadOnly, isJoined } = place;
      if (isFirstOf(one, found[at - 1])) isSkipped = one.isSaid === true && this.earlier.isAllSaid(series);
      if (one.isSaid && isSkipped) {
        this.earlier.said(series, one.text);
        continue;
      }
      const named = one.isName && one.token?.lead !== '' ? `${name} (name)` : name;
      const kind = { ...(isReadOnly && { isReadOnly: true as const }), ...(one.isName && { isName: true as const }) };
      const slot = { text: one.text, path: one.path, ...(one.encode && { encode: one.encode }), ...kind };
      if (one.token !== undefined) slots.push(this.tokenSlot(slot, one, found[at - 1], found[at + 1], named, series));
      else if (isJoined && !one.isName) this.addJoined(slot, named, goesOn, slots);
      else this.addWhole(slot, named, series, slots);
    }
    return { slots, closes: this.closeOthers(goesOn) };
  }

  /** Takes note of what left. */
  left(slots: readonly TextSlot[]): void {
    for (const { channel, text } of slots) {
      this.earlier.left(channel, text);
      const name = this.names.get(channel);
      if (name === undefined) continue;
      this.names.delete(channel);
      this.passed.set(name, text);
    }
  }

  private addWhole(slot: NewSlot, name: string, series: string, slots: TextSlot[]): void {
    const { text, isName } = slot;
    if (this.passed.get(name) === text && (isName || this.earlier.repeats(series, text))) return;
    const channel = this.begin(name);
    this.names.set(channel, name);
    const before = isName ? {} : this.earlier.before(series);
    if (!isName) this.earlier.add(series, channel, text);
    slots.push({ channel, isWhole: true, ...slot, ...before, ...(isIdShaped(text) && { isWord: true as const }) });
  }

  private addJoined(slot: NewSlot, name: string, goesOn: Set<string>, slots: TextSlot[]): void {
    const open = this.open.get(name);
    const isRepeated =
      open === undefined ? this.passed.get(name) === slot.text : open.isFirst && open.first === slot.text;
    // A switch that comes with every event is no text that grows.
    if (isRepeated) {
      this.addWhole(slot, name, name, slots);
      return;
    }
    const channel = open?.channel ?? this.begin(name);
    if (open === undefined) this.open.set(name, { channel, first: slot.text, isFirst: true });
    else open.isFirst = false;
    goesOn.add(name);
    slots.push({ channel, ...slot, ...(open === undefined && this.earlier.before(name)) });
    this.earlier.add(name, channel, slot.text);
  }

  private tokenSlot(
    slot: NewSlot,
    one: OtherText,
    before: OtherText | undefined,
    after: OtherText | undefined,
    name: string,
    series: string,
  ): TextSlot {
    const { token, isSaid } = one;
    const isFirst = isFirstOf(one, before);
    const channel = isFirst ? this.begin(name) : this.current(name);
    const earlier = isFirst && !token?.lead ? this.earlier.before(series) : {};
    if (!token?.lead) this.earlier.add(series, channel, slot.text, isSaid);
    const isLast = after === undefined || isFirstOf(after, one);
    return {
      channel,
      ...slot,
      ...earlier,
      ...(token?.lead && { lead: token.lead }),
      ...(isLast && { isWhole: true as const }),
    };
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

/** Whether a text is no token, or the first of those that are one text. */
function isFirstOf({ token }: OtherText, before: OtherText | undefined): boolean {
  return token === undefined || before?.token !== token;
}

type NewSlot = Omit<TextSlot, 'channel'>;

const NOTHING = { slots: [], closes: [] };
