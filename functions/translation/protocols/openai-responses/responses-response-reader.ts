import { isObject, type JsonPath, spliceJson } from '../../../kernel/json/index.ts';
import type { ResponsePiece, TextSlot, Usage } from '../../../kernel/model/index.ts';
import { unknownIdsIn } from '../bodies/named-ids.ts';
import { EarlierTexts } from '../bodies/other-texts.ts';
import { feesOf, fromResponsesUsage, hasPreviewTool, tierIn } from '../bodies/provider-usage.ts';
import { type ResponseJson, readResponseJson } from '../bodies/response-json.ts';
import {
  indexName,
  isIdShaped,
  kindName,
  type OtherText,
  otherTexts,
  type Place,
  placeName,
} from '../bodies/response-places.ts';
import {
  ANNOTATION,
  AUDIO_EVENT,
  EVENT,
  endsResponse,
  holdsResponse,
  IMAGE_ITEM,
  ITEM,
  PART,
  RESPONSE,
  streamedText,
} from './responses-events.ts';
import { idsOfItem, idsOfResponse } from './responses-ids.ts';

/** A text that came before, in deltas or whole, and is repeated in the response. */
export interface Repeat {
  readonly channel: string;
  readonly text: string;
  readonly path: JsonPath;
  readonly isName?: true;
}

/** Texts in a response that its caller wrote. */
export interface RepeatedTexts {
  /** `instructions` are the system prompt of a request that is unknown here. */
  readonly hasOwnPrompt?: boolean;
  /** The output repeats items of the request's input. */
  readonly repeatsInput?: boolean;
}

/** What the gateway reads from a Responses API response, whole or one event. */
export interface ResponsesPiece extends ResponsePiece {
  /** The event type; empty for a whole response. */
  readonly type: string;
  readonly sequence: number | undefined;
  readonly repeats: readonly Repeat[];
}

type Json = Record<string, unknown>;
type Kind = Pick<TextSlot, 'isJson' | 'isReadOnly' | 'call' | 'isName' | 'isWord' | 'before'>;

/** Fields that a response repeats from its request. */
const OF_THE_REQUEST =
  'instructions tools tool_choice text metadata prompt reasoning user safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options previous_response_id conversation'.split(
    ' ',
  );
/** A shorter delta waits as a whole while its end may still match, so that it keeps its own event number. */
const LONG_DELTA_CHARS = 256;
/** Texts that deltas continue after their item was added. */
const GROWS = /\.(?:text|refusal|arguments|input|code)$/;
/** The texts of messages, which clients join (OpenAI's `output_text`). */
const TEXT = /^output\[\d+\]\.content\[\d+\]\.text$/;
const TEXT_RUN = 'output[].content[].text';
const REASONING = new Set<unknown>(['reasoning', 'reasoning_text', 'summary_text']);
const CALL_END = '_call';
const CALL = /(?:_call|^mcp_approval_request|^program)$/;
/** Calls that OpenAI executes. A request for approval is of such a call. */
const HOSTED = /^(?:web_search|file_search|code_interpreter|image_generation|mcp|tool_search)_|^program$/;
/** Members of a call that hold its result. */
const RESULTS = new Set<unknown>(['output', 'outputs', 'result', 'results', 'error']);

/**
 * Reads the pieces of one response, in order. A stream repeats each text: in deltas, when the text, its part and its item are done, and in
 * the final response. A text that already came is a repeat; any other text is new and inspected.
 */
export class ResponsesPieceReader {
  /** By the text's place in the response, such as `output[0].content[0].text`. */
  private readonly texts = new Map<string, { channel: string; text: string }>();
  private readonly versions = new Map<string, number>();
  /** Texts that the model did not write, which clients may join over all events. */
  readonly earlier = new EarlierTexts();
  private unknownEvents = 0;
  /** Items that have ended, with what their fees depend on. */
  private readonly ended: Json[] = [];
  private isPreview = false;
  private readonly isStored: boolean;
  private readonly requests: readonly Json[];
  private requestStrings: ReadonlySet<string> | undefined;
  private readonly repeated: RepeatedTexts;

  /**
   * @param isStored whether the provider stores the response @param requests the request as the caller sent it and as the provider received
   * it
   */
  constructor(isStored: boolean, requests: readonly Json[] = [], repeated: RepeatedTexts = {}) {
    this.isStored = isStored;
    this.requests = requests;
    this.repeated = repeated;
  }

  /** @throws SyntaxError, RangeError if the text is not JSON or nested too deep */
  read(text: string): ResponsesPiece {
    const { json, body } = withoutUnfinished(readResponseJson(text));
    const type = typeof body.type === 'string' ? body.type : '';
    this.earlier.begin();
    const found = new Found(body, this);
    const closes = this.take(type, body, found);
    if (type !== '') closes.push(...found.others(`${itemOf(body)}.${kindName(type)}`));
    closes.push(...found.tokens.values());
    const response = type === '' ? body : holdsResponse(type) && isObject(body.response) ? body.response : undefined;
    const isLong = streamedText(type)?.isDelta === true && (found.slots[0]?.text.length ?? 0) > LONG_DELTA_CHARS;
    return {
      json,
      type,
      sequence: typeof body.sequence_number === 'number' ? body.sequence_number : undefined,
      slots: found.slots,
      repeats: found.repeats,
      echoes: found.echoes,
      divisible: isLong && found.slots.length === 1 && found.echoes.length === 0,
      ends: endsResponse(type),
      ...(closes.length > 0 && { closes }),
      usage: this.usageOf(type, body, response),
      ...this.idsOf(type, body, response),
      unknownIds: unknownIdsIn(body),
      fault: faultOf(type, body),
    };
  }

  /** Fees of items count as they end, so that a stream that is cut has them too. */
  private usageOf(type: string, { item }: Json, response: Json | undefined): Usage | undefined {
    if (response !== undefined) {
      this.isPreview ||= hasPreviewTool(response.tools);
      return fromResponsesUsage(response) ?? tierIn(response);
    }
    if (type !== 'response.output_item.done' || !isObject(item)) return undefined;
    this.ended.push({ type: item.type, action: item.action });
    const fees = feesOf(this.ended, { isPreview: this.isPreview });
    return Object.keys(fees).length === 0 ? undefined : fees;
  }

  private idsOf(type: string, body: Json, response: Json | undefined): PieceIds {
    if (type === 'response.output_item.done') return { issuedIds: idsOfItem(body.item, this.isStored) };
    if (response === undefined) return {};
    const { response: id, items } = idsOfResponse(response, this.isStored);
    const all = id === undefined ? items : [id, ...items];
    const goesOn = type === '' ? isUnfinished(response) : response.background === true && !endsResponse(type);
    if (goesOn) return { unreadId: id };
    if (type === '') return { issuedIds: all, pendingIds: all };
    return endsResponse(type) ? { issuedIds: all } : { pendingIds: id === undefined ? [] : [id] };
  }

  /** Adds to a text. @returns its channel */
  append(place: string, text: string): string {
    const known = this.texts.get(place);
    if (known === undefined) return this.begin(place, text);
    known.text += text;
    return known.channel;
  }

  /** Adds a whole text. @returns its channel, and whether it has come before */
  whole(place: string, text: string, isNews = false): { readonly channel: string; readonly came: boolean } {
    const known = this.texts.get(place);
    if (known?.text === text && !isNews) return { channel: known.channel, came: true };
    return { channel: this.begin(place, text), came: false };
  }

  /** Whether the caller wrote a text of the response: in a field of the request that it repeats, or in an input that it lists. */
  isFromRequest(place: string, inside: JsonPath, text: string): boolean {
    const field = String(inside[0]);
    const { hasOwnPrompt = false, repeatsInput = false } = this.repeated;
    if (place !== 'response' ? !repeatsInput : !OF_THE_REQUEST.includes(field)) return false;
    if (hasOwnPrompt && field === 'instructions' && inside.length === 1) return true;
    const fields = repeatsInput ? [...OF_THE_REQUEST, 'input'] : OF_THE_REQUEST;
    this.requestStrings ??= new Set(
      this.requests.flatMap((request) => fields.flatMap((field) => stringsIn(request[field]))),
    );
    return this.requestStrings.has(text);
  }

  begin(place: string, text: string): string {
    const version = (this.versions.get(place) ?? 0) + 1;
    this.versions.set(place, version);
    const channel = version === 1 ? place : `${place} (${version})`;
    this.texts.set(place, { channel, text });
    return channel;
  }

  /** Reads the texts of a piece. @returns the channels that are complete */
  private take(type: string, body: Json, found: Found): string[] {
    const item = itemOf(body);
    const content = `${item}.content[${indexName(body.content_index)}]`;
    const streamed = streamedText(type);
    if (streamed !== undefined) {
      const { list, field, kind } = streamed.text;
      const index = list === 'summary' ? body.summary_index : body.content_index;
      const place = `${item}.${list === undefined ? '' : `${list}[${indexName(index)}].`}${field}`;
      if (streamed.isDelta) {
        found.delta(body.delta, ['delta'], place, kind);
        return [];
      }
      return [...found.text(body[field], [field], place, kind), place];
    }
    switch (type) {
      case '':
        return this.response(body, [], found);
      case 'response.content_part.added':
      case 'response.content_part.done':
        found.value(body.part, ['part'], content, PART);
        return type.endsWith('done') ? [`${content}.`] : [];
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_part.done':
        found.value(body.part, ['part'], `${item}.summary[${indexName(body.summary_index)}]`, PART);
        return [];
      case 'response.output_item.added':
      case 'response.output_item.done':
        return type.endsWith('done')
          ? [...found.item(body.item, ['item'], item), `${item}.`]
          : found.item(body.item, ['item'], item).filter((channel) => !GROWS.test(channel));
      case 'response.output_text.annotation.added': {
        const place = `${content}.annotations[${indexName(body.annotation_index)}]`;
        return found.value(body.annotation, ['annotation'], place, ANNOTATION, `${content}.annotations[]`);
      }
      case 'response.audio.transcript.delta':
        found.delta(body.delta, ['delta'], 'audio.transcript', {});
        return [];
    }
    if (holdsResponse(type)) {
      const closed = isObject(body.response) ? this.response(body.response, ['response'], found) : [];
      return endsResponse(type) ? ['output[', 'audio.', 'response.'] : closed;
    }
    return this.unknown(type, body, item, found);
  }

  /** Events of a newer API pass and are inspected like the rest. Deltas are one text until their item is done. */
  private unknown(type: string, body: Json, item: string, found: Found): string[] {
    if (typeof body.delta === 'string' && type.endsWith('.delta')) {
      const { delta, ...rest } = body;
      found.delta(delta, ['delta'], `${item}.${kindName(type)}`, callOf(callIn(type)));
      return found.value(rest, [], `events[${this.unknownEvents++}]`, EVENT, `events.${type}`);
    }
    return found.value(body, [], `events[${this.unknownEvents++}]`, EVENT, `events.${type}`);
  }

  private response(response: Json, path: JsonPath, found: Found): string[] {
    if (!Array.isArray(response.output)) return found.value(response, path, 'response', RESPONSE);
    const { output, ...rest } = response;
    for (const [at, item] of response.output.entries()) found.item(item, [...path, 'output', at], `output[${at}]`);
    return found.value(rest, path, 'response', RESPONSE);
  }
}

/** The texts of one piece. */
class Found {
  readonly slots: TextSlot[] = [];
  readonly repeats: Repeat[] = [];
  readonly echoes: JsonPath[] = [];
  private readonly body: Json;
  private readonly reader: ResponsesPieceReader;
  /** The channels of tokens, by place. */
  readonly tokens = new Map<string, string>();
  /** Members of the piece that were read. */
  private readonly seen = new Set<JsonPath[number] | undefined>();

  constructor(body: Json, reader: ResponsesPieceReader) {
    this.body = body;
    this.reader = reader;
  }

  delta(text: unknown, path: JsonPath, place: string, kind: Kind): void {
    if (typeof text !== 'string') return;
    this.seen.add(path[0]);
    if (text === '') return;
    this.add({ channel: this.reader.append(place, text), text, path, ...kind });
  }

  /** @returns the channel, if it is a text */
  text(text: unknown, path: JsonPath, place: string, kind: Kind, series?: string): string[] {
    if (typeof text !== 'string') return [];
    this.seen.add(path[0]);
    if (text === '') return [];
    const { earlier } = this.reader;
    const isNews = series !== undefined && !earlier.repeats(series, text);
    const { channel, came } = this.reader.whole(place, text, isNews);
    if (isNews) {
      this.add({ channel, text, path, ...kind, ...earlier.before(series) });
      earlier.add(series, channel, text);
    } else if (came) this.repeats.push({ channel, text, path, ...(kind.isName && { isName: true }) });
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
    for (const one of otherTexts(value, known, path)) {
      if (seen.has(one.path[0])) continue;
      if (one.token !== undefined) {
        this.token(one, `${place}${fieldOf(one.token.of.slice(path.length))}`);
        continue;
      }
      const earlier = series === undefined ? undefined : `${series}${fieldOf(one.path.slice(path.length))}`;
      const inside = one.path.slice(path.length);
      if (this.reader.isFromRequest(place, inside, one.text)) continue;
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
  private token({ text, path, token, isName, isInspected }: OtherText, place: string): void {
    const { earlier } = this.reader;
    const known = this.tokens.get(place);
    if (isInspected && known === undefined && earlier.isAllInspected(place)) {
      earlier.addInspected(place, text);
      return;
    }
    const isOfFree = token?.lead !== '';
    if (!isOfFree) this.echo(path.slice(0, path.lastIndexOf('logprobs') + 1));
    const channel = known ?? this.reader.begin(isOfFree ? `${place} (name)` : place, '');
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
/** `mcp_call` of `response.mcp_call_arguments.delta`. A provider may send a type of any length. */
function callIn(type: string): string | undefined {
  const at = type.lastIndexOf(CALL_END);
  return at < 0 ? undefined : type.slice(type.lastIndexOf('.', at) + 1, at + CALL_END.length);
}

function callOf(type: unknown): Pick<TextSlot, 'call'> {
  if (typeof type !== 'string' || !CALL.test(type)) return {};
  return { call: HOSTED.test(type) ? 'provider' : 'client' };
}

type PieceIds = Pick<ResponsePiece, 'issuedIds' | 'pendingIds' | 'unreadId'>;

/** States of a background response that its provider has not completed. */
function isUnfinished({ status }: Json): boolean {
  return status === 'queued' || status === 'in_progress';
}

/** A whole response that is unfinished, without output: the end of its text cannot be inspected yet. */
function withoutUnfinished(response: ResponseJson): ResponseJson {
  const { json, body } = response;
  if (body.type !== undefined || !isUnfinished(body) || !hasElements(body.output)) return response;
  return { json: spliceJson(json, [{ kind: 'replace', path: ['output'], json: '[]' }]), body: { ...body, output: [] } };
}

/** The output item that an event belongs to. */
function itemOf(body: Json): string {
  return `output[${indexName(body.output_index)}]`;
}

function fieldOf(inside: JsonPath): string {
  return `${typeof inside[0] === 'string' ? '.' : ''}${placeName(inside)}`;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)]);
}

function valueAt(body: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | null | undefined)?.[step], body);
}

function hasElements(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function faultOf(type: string, body: Json): string | undefined {
  if (type === 'error' || (type === '' && isObject(body.error) && !Array.isArray(body.output))) {
    return 'error instead of a response';
  }
  if (type === '') return Array.isArray(body.output) ? undefined : 'no response';
  return holdsResponse(type) && !isObject(body.response) ? 'event without a response' : undefined;
}
