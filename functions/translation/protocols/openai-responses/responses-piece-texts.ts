import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import type { TextSlot } from '../../../kernel/model/index.ts';
import { isIdShaped, type Place, placeName, type UnlistedText, unlistedTexts } from '../bodies/response-places.ts';
import { AUDIO_EVENT, EVENT, IMAGE_ITEM, ITEM } from './responses-events.ts';
import type { KnownTexts } from './responses-known-texts.ts';

/** A text that came before, in deltas or whole, and is repeated in the response. */
export interface Repeat {
  readonly channel: string;
  readonly text: string;
  readonly path: JsonPath;
  readonly isName?: true;
}

type Json = Record<string, unknown>;
type Kind = Pick<TextSlot, 'isJson' | 'isReadOnly' | 'call' | 'isName' | 'isWord' | 'before'>;

/** The texts of messages, which clients join (OpenAI's `output_text`). */
const TEXT = /^output\[\d+\]\.content\[\d+\]\.text$/;
const TEXT_RUN = 'output[].content[].text';
const REASONING = new Set<unknown>(['reasoning', 'reasoning_text', 'summary_text']);
const CALL = /(?:_call|^mcp_approval_request|^program)$/;
/** Calls that OpenAI has executed. One that waits for the client's approval (`mcp_approval_request`) has not run. */
const HOSTED = /^(?:web_search|file_search|code_interpreter|image_generation|mcp|tool_search)_call|^program$/;
/** Members of a call that hold its result. */
const RESULTS = new Set<unknown>(['output', 'outputs', 'result', 'results', 'error']);

/** The texts of one piece. */
export class PieceTexts {
  readonly slots: TextSlot[] = [];
  readonly repeats: Repeat[] = [];
  readonly echoes: JsonPath[] = [];
  private readonly body: Json;
  private readonly known: KnownTexts;
  /** The channels of tokens, by place. */
  readonly tokens = new Map<string, string>();
  /** Members of the piece that were read. */
  private readonly seen = new Set<JsonPath[number] | undefined>();

  constructor(body: Json, known: KnownTexts) {
    this.body = body;
    this.known = known;
  }

  delta(text: unknown, path: JsonPath, place: string, kind: Kind): void {
    if (typeof text !== 'string') return;
    this.seen.add(path[0]);
    if (text === '') return;
    this.add({ channel: this.known.append(place, text), text, path, ...kind });
  }

  /** @returns the channel, if it is a text */
  text(text: unknown, path: JsonPath, place: string, kind: Kind, series?: string): string[] {
    if (typeof text !== 'string') return [];
    this.seen.add(path[0]);
    if (text === '') return [];
    const { earlier } = this.known;
    const isNews = series !== undefined && !earlier.repeats(series, text);
    const { channel, isRepeat } = this.known.whole(place, text, isNews);
    if (isNews) {
      this.add({ channel, text, path, ...kind, ...earlier.before(series) });
      earlier.add(series, channel, text);
    } else if (isRepeat) this.repeats.push({ channel, text, path, ...(kind.isName && { isName: true }) });
    else this.add({ channel, text, path, ...kind });
    return [channel];
  }

  /** Every text of an output item. @returns their channels */
  item(item: unknown, path: JsonPath, place: string): string[] {
    const isImage = isObject(item) && item.type === 'image_generation_call';
    return this.value(item, path, place, isImage ? IMAGE_ITEM : ITEM);
  }

  /**
   * Every text in a value at `path`, named by its place in the response. `series` names the place in all events that have one, where
   * clients may join the texts. @returns their channels
   */
  value(
    value: unknown,
    path: JsonPath,
    place: string,
    known: Place,
    series?: string,
    seen: ReadonlySet<JsonPath[number] | undefined> = NONE,
  ): string[] {
    this.seen.add(path[0]);
    const channels: string[] = [];
    const type = isObject(value) ? value.type : undefined;
    const isReadOnly = REASONING.has(type);
    const call = callOf(type);
    for (const one of unlistedTexts(value, known, path)) {
      if (seen.has(one.path[0])) continue;
      if (one.token !== undefined) {
        this.token(one, `${place}${fieldOf(one.token.of.slice(path.length))}`);
        continue;
      }
      const earlier = series === undefined ? undefined : `${series}${fieldOf(one.path.slice(path.length))}`;
      const inside = one.path.slice(path.length);
      if (this.known.isFromRequest(place, inside, one.text)) continue;
      const kind: Kind = {
        ...(isReadOnly && { isReadOnly: true as const }),
        ...(!RESULTS.has(inside[0]) && call),
        ...(one.isName && { isName: true as const }),
        ...(isIdShaped(one.text) && { isWord: true as const }),
        ...(inside.at(-1) === 'arguments' && !one.isName && { isJson: true as const }),
      };
      const name = `${place}${fieldOf(inside)}${one.isName ? ' (name)' : ''}`;
      channels.push(...this.text(one.text, one.path, name, kind, one.isName || kind.isJson ? undefined : earlier));
    }
    return channels;
  }

  /** Texts in members that were not read, such as beside a delta. @returns their channels */
  others(place: string): string[] {
    const seen = new Set(this.seen);
    // Log probabilities are compared with the text beside them.
    const others = Object.entries(this.body).filter(([name, value]) => !seen.has(name) || typeof value === 'string');
    const known = this.body.type === 'response.audio.delta' ? AUDIO_EVENT : EVENT;
    return this.value(Object.fromEntries(others), [], place, known, place, seen);
  }

  /** Tokens of one list are one separate text. */
  private token({ text, path, token, isName, isInspected }: UnlistedText, place: string): void {
    const { earlier } = this.known;
    const known = this.tokens.get(place);
    if (isInspected && known === undefined && earlier.isAllInspected(place)) {
      earlier.addInspected(place, text);
      return;
    }
    const isOfFree = token?.lead !== '';
    if (!isOfFree) this.echo(path.slice(0, path.lastIndexOf('logprobs') + 1));
    const channel = known ?? this.known.begin(isOfFree ? `${place} (name)` : place, '');
    this.tokens.set(place, channel);
    const before = known === undefined && !isOfFree ? earlier.before(place) : {};
    if (!isOfFree) earlier.add(place, channel, text, isInspected);
    this.slots.push({
      channel,
      text,
      path,
      ...(isName && { isName }),
      ...(token?.lead && { lead: token.lead }),
      ...before,
    });
  }

  private add(slot: TextSlot): void {
    this.slots.push(!slot.isReadOnly && TEXT.test(slot.channel) ? { ...slot, run: TEXT_RUN } : slot);
    const beside = [...slot.path.slice(0, -1), 'logprobs'];
    if (!slot.isReadOnly && hasElements(valueAt(this.body, beside))) this.echo(beside);
  }

  /** Texts of one object share their echoes, which are removed once. */
  private echo(path: JsonPath): void {
    if (!this.echoes.some((known) => placeName(known) === placeName(path))) this.echoes.push(path);
  }
}

const NONE: ReadonlySet<JsonPath[number] | undefined> = new Set();

/** Who executes a call of this type; empty for other items. */
export function callOf(type: unknown): Pick<TextSlot, 'call'> {
  if (typeof type !== 'string' || !CALL.test(type)) return {};
  return { call: HOSTED.test(type) ? 'provider' : 'client' };
}

function fieldOf(inside: JsonPath): string {
  return `${typeof inside[0] === 'string' ? '.' : ''}${placeName(inside)}`;
}

function valueAt(body: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | null | undefined)?.[step], body);
}

export function hasElements(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
